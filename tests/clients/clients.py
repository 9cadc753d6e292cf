"""Runs the engine under real clients, without a screen: clients.py ENGINE FOLDER.

Each client talks to the engine through tee.py; the log is then held against an oracle. What is not
installed is said to be skipped. The exit status is 1 if a client fails.
"""

import os
import pathlib
import pty
import re
import select
import shutil
import signal
import stat
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).parent
FOLDER = pathlib.Path(sys.argv[2]).resolve()
# A copy of its own, so that a process left behind can be told from others.
ENGINE = str(FOLDER / "chuhe")
shutil.copy(sys.argv[1], ENGINE)
# Debian's games are not on root's path.
os.environ["PATH"] += os.pathsep + "/usr/games"


class Skip(Exception):
    """The client cannot be had here."""


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            raise Skip(f"no {program} here")


def left_behind():
    """Engines that still run."""
    found = []
    for link in pathlib.Path("/proc").glob("[0-9]*/exe"):
        try:
            if os.readlink(link) == ENGINE:
                found.append(link.parent.name)
        except OSError:
            pass
    return found


def need_module(name):
    try:
        return __import__(name)
    except ImportError as error:
        raise Skip(f"no {name} here") from error


def engine_for(name):
    """A script that is the engine with a log, and the log."""
    log = FOLDER / f"{name}.log"
    log.unlink(missing_ok=True)
    script = FOLDER / f"{name}-engine.sh"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{HERE}/tee.py" "{log}" "{ENGINE}"\n')
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return str(script), log


def check_log(log):
    need_module("pyffish")
    sys.path.insert(0, str(HERE))
    import oracle

    return oracle.check_log(log)


# The games of one client take some 20 s.
XBOARD_SECONDS = 150


def run_whole(command):
    """Runs a program to its end and returns its standard error; None if it has to be killed, together
    with all that it started."""
    with subprocess.Popen(
        command, cwd=FOLDER, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            return process.communicate(timeout=XBOARD_SECONDS)[1]
        except subprocess.TimeoutExpired:
            for entry in pathlib.Path("/proc").glob("[0-9]*"):
                try:
                    if os.getsid(int(entry.name)) == process.pid:
                        os.kill(int(entry.name), signal.SIGKILL)
                except OSError:
                    pass
            return None


def xboard(name, mode, opponent, games, *options):
    """Whole games under xboard, our engine behind the adapter uci2wb."""
    need("xboard", "uci2wb", "xvfb-run", opponent)
    pgn, debug = FOLDER / f"{name}.pgn", FOLDER / f"{name}.debug"
    # When a ponder miss and the next move reach the adapter at the same moment it can lose the move,
    # and then both sides wait for ever. That is no fault of the engine's, so there is a second try.
    for _ in range(2):
        engine, log = engine_for(name)
        pgn.unlink(missing_ok=True)
        command = ["xvfb-run", "-a", "xboard", "-variant", "xiangqi", "-mode", "TwoMachines"]
        command += ["-noGUI", "-xexit", "-mg", str(games), "-sgf", pgn, "-debug", "-debugfile", debug]
        command += ["-fcp", f"uci2wb debug -var xiangqi {mode} {engine}", "-scp", opponent, *options]
        errors = run_whole(command)
        if errors is not None:
            break
    assert errors is not None, f"no end after {XBOARD_SECONDS} s, twice: {debug}"
    text = pgn.read_text() if pgn.exists() else ""
    results = re.findall(r'\[Result "([^"]*)"\]', text)
    assert len(results) == games, f"{len(results)} games of {games}: {errors[-500:]}"
    endings = re.findall(r"\{([^{}]*)\} (?:1-0|0-1|1/2-1/2)", text)
    for result in results:
        assert result in ("1-0", "0-1", "1/2-1/2"), f"a game ended with {result}"
    for ending in endings:
        bad = re.search(r"illegal|forfeit|exited|unexpected|error|does not play", ending, re.I)
        assert not bad, ending
    moves = check_log(log)
    check_mates(name, debug, endings)
    return f"{games} games against {opponent}, {moves} moves: {'; '.join(endings)}"


def check_mates(name, debug, endings):
    """A game that xboard calls mate must be over for the oracle too."""
    import oracle

    games, moves = [], []
    for line in debug.read_text(errors="replace").splitlines():
        found = re.match(r"\d+ <(?:first |second): move (\S+)", line)
        if found:
            moves.append(found.group(1))
        elif line.startswith("GameEnds") and moves:
            games.append(moves)
            moves = []
    for game, ending in zip(games, endings, strict=True):
        if "mate" in ending.lower():
            assert oracle.legal_part(oracle.START, game, set()) == game, f"{name}: illegal: {game}"
            assert not oracle.legal(oracle.START, game), f"{name}: no {ending} after {game}"


SHORT = ("-tc", "0:05", "-mps", "0", "-inc", "0", "-ponderNextMove", "false")


def xboard_ucci():
    return xboard("xboard-ucci", "-x", "fairy-stockfish", 2, *SHORT)


def xboard_ucci_ponder():
    options = ["-tc", "0:10", "-mps", "40", "-ponderNextMove", "true"]
    return xboard("xboard-ucci-ponder", "-x", "sjaakii", 1, *options)


def xboard_cyclone():
    return xboard("xboard-cyclone", "-c", "fairy-stockfish", 1, *SHORT)


def xboard_cyclone_sjaakii():
    return xboard("xboard-cyclone-fixed", "-c", "sjaakii", 1, "-st", "1", "-depth", "5", "-ponderNextMove", "false")


def cchess(name, load):
    need_module("cchess")
    from cchess.engine import EngineManager

    engine, log = engine_for(name)
    manager = EngineManager()
    assert getattr(manager, load)(engine, {"hashsize": "32"}, {"depth": 6}), "it does not load"
    fens = [
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
        "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/9/P1P1P1P1P/1CN1C1N2/9/R1BAKAB1R b",
        "3k5/1R7/9/9/9/9/9/9/9/R3K4 w",
    ]
    actions = [manager.run_engine(fen) for fen in fens]
    manager.quit()
    wait_for_exit(log)
    assert all(action["action"] == "bestmove" for action in actions), actions
    assert actions[2]["move"] in ("a0a9", "a0d0", "b8b9", "b8d8"), f"a mate in one: {actions[2]}"
    return f"{check_log(log)} moves"


def wait_for_exit(log):
    for _ in range(50):
        if log.exists() and "== exit" in log.read_text(errors="replace"):
            return
        time.sleep(0.1)
    raise AssertionError("the engine does not leave")


def xiangqibench():
    program = pathlib.Path(sys.executable).parent / "xiangqibench"
    if not program.exists():
        raise Skip("no xiangqibench here")
    engine, log = engine_for("xiangqibench")
    environment = dict(os.environ, PIKAFISH_PATH=engine)
    command = [program, "doctor"]
    done = subprocess.run(command, env=environment, timeout=300, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"\[ok\]\s+Pikafish Chuhe", done.stdout), done.stdout
    return f"{check_log(log)} moves"


def pikafish_terminal():
    program = pathlib.Path(sys.executable).parent / "pikafish"
    if not program.exists():
        raise Skip("no pikafish-terminal here")
    engine, log = engine_for("pikafish-terminal")
    arguments = [program, "--engine", engine, "--depth", "6", "--time", "1"]
    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = "dumb"
        os.execv(program, [str(argument) for argument in arguments])
    screen = Screen(terminal)
    dialogue = [("Choose your side", "r")]
    dialogue += [("(pikafish) >", "h2e2"), ("Engine plays", None), ("(pikafish) >", "quit")]
    for expected, typed in dialogue:
        shown, found = screen.read_until(expected)
        assert found, f"no {expected!r} in {shown[-500:]}"
        if typed:
            time.sleep(0.5)  # until it listens
            os.write(terminal, (typed + "\r").encode())
    screen.read_until("\0", limit=5)
    os.close(terminal)
    os.waitpid(child, 0)
    wait_for_exit(log)
    return f"{check_log(log)} moves"


class Screen:
    """What a program shows on its terminal, read in portions that end with an expected text."""

    def __init__(self, terminal):
        self.terminal = terminal
        self.unread = ""

    def read_until(self, text, limit=60):
        """The text up to `text`, or what there was when the time ended; then whether it came."""
        end = time.time() + limit
        while text not in self.unread and time.time() < end:
            if select.select([self.terminal], [], [], 0.2)[0]:
                try:
                    self.unread += os.read(self.terminal, 1 << 16).decode(errors="replace")
                except OSError:
                    break
                self.unread = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self.unread)
        before, found, self.unread = self.unread.partition(text)
        return before, bool(found)


CLIENTS = {
    "xboard + uci2wb -x (UCCI)": xboard_ucci,
    "xboard + uci2wb -x, pondering": xboard_ucci_ponder,
    "xboard + uci2wb -c (Cyclone)": xboard_cyclone,
    "xboard + uci2wb -c, fixed time and depth": xboard_cyclone_sjaakii,
    "cchess, UCCI": lambda: cchess("cchess-ucci", "load_ucci"),
    "cchess, UCI": lambda: cchess("cchess-uci", "load_uci"),
    "xiangqibench doctor": xiangqibench,
    "pikafish-terminal": pikafish_terminal,
}


def main():
    wanted = sys.argv[3] if len(sys.argv) > 3 else ""
    failed = 0
    for name, run in CLIENTS.items():
        if wanted not in name:
            continue
        try:
            result = run()
            for _ in range(20):
                if not left_behind():
                    break
                time.sleep(0.1)
            assert not left_behind(), f"processes left behind: {left_behind()}"
            print(f"PASS {name}: {result}", flush=True)
        except Skip as why:
            print(f"SKIP {name}: {why}", flush=True)
        except Exception as why:  # one client's failure must not hide the others'
            failed += 1
            print(f"FAIL {name}: {type(why).__name__}: {why}", flush=True)
    # A client library may leave threads behind.
    sys.stdout.flush()
    os._exit(1 if failed else 0)


main()
