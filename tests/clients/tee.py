"""Stands between a client and the engine and writes down what passes: tee.py LOG ENGINE."""

import os
import subprocess
import sys
import threading


def main():
    log = open(sys.argv[1], "ab", buffering=0)
    engine = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    lock = threading.Lock()

    def note(mark, line):
        with lock:
            log.write(mark + line.rstrip(b"\r\n") + b"\n")

    def answers():
        for line in engine.stdout:
            note(b"<< ", line)
            try:
                sys.stdout.buffer.write(line)
                sys.stdout.buffer.flush()
            except BrokenPipeError:
                pass
        note(b"== ", b"exit %d" % engine.wait())
        # Some clients keep the pipe open and wait for the process.
        os._exit(0)

    reader = threading.Thread(target=answers)
    reader.start()
    try:
        for line in sys.stdin.buffer:
            note(b">> ", line)
            engine.stdin.write(line)
            engine.stdin.flush()
        engine.stdin.close()
    except BrokenPipeError:
        pass
    reader.join()


main()
