"""Holds what the engine said against an independent oracle: pyffish, the rules of Fairy-Stockfish."""

import re

import pyffish

START = pyffish.start_fen("xiangqi")


def to_oracle(move):
    """h2e2 -> h3e3: the oracle counts the ranks from 1."""
    return re.sub(r"\d+", lambda rank: str(int(rank.group()) + 1), move)


def read_position(line):
    """The FEN and the moves of a position line, in any of its forms."""
    words = line.replace("--", "- -").split()
    moves = []
    if "moves" in words:
        at = words.index("moves")
        words, moves = words[:at], words[at + 1 :]
    if words[0] == "position":
        words = words[1:]
    if words[0] == "startpos":
        return START, moves
    words = words[1:]
    side = "b" if words[1] == "b" else "w"
    return f"{words[0]} {side} - - 0 1", moves


def legal(fen, moves):
    return pyffish.legal_moves("xiangqi", fen, [to_oracle(move) for move in moves])


def check_log(path):
    """Every go is answered once, each answer is legal, and the engine left with status 0.
    Returns the number of moves checked."""
    fen, moves, asked, checked, exits = START, [], 0, 0, []
    for line in path.read_text(errors="replace").splitlines():
        mark, text = line[:2], line[3:].strip()
        first = text.split(" ")[0] if text else ""
        if mark == ">>" and first in ("position", "fen", "startpos"):
            fen, moves = read_position(text)
            here = START if not moves else fen
            for n, move in enumerate(moves):
                assert to_oracle(move) in legal(fen, moves[:n]), f"{move} in {text}: {here}"
        elif mark == ">>" and first == "go" and "perft" not in text:
            assert asked == 0, f"a second go before the answer: {text}"
            asked = 1
        elif mark == "<<" and first in ("bestmove", "nobestmove"):
            assert asked == 1, f"an answer that nobody asked for: {text}"
            asked = 0
            options = legal(fen, moves)
            best = text.split(" ")[1] if first == "bestmove" else "(none)"
            if best == "(none)":
                assert not options, f"{text} with {len(options)} moves in {fen} {moves}"
            else:
                assert to_oracle(best) in options, f"{text} in {fen} {moves}"
            checked += 1
        elif mark == "<<":
            assert "illegal" not in text and "bad FEN" not in text, text
        elif mark == "==":
            exits.append(text)
    assert exits and all(text == "exit 0" for text in exits), f"the engine's exits: {exits}"
    assert checked, "the client asked for no move"
    return checked
