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


def legal_part(fen, moves, known):
    """The moves before the first illegal one: some clients send moves that the FEN already holds.
    What `known` holds was looked at before: games grow by a move or two."""
    fresh = len(moves)
    while fresh > 0 and (fen, tuple(moves[:fresh])) not in known:
        fresh -= 1
    for n in range(fresh, len(moves)):
        if to_oracle(moves[n]) not in legal(fen, moves[:n]):
            return moves[:n]
        known.add((fen, tuple(moves[: n + 1])))
    return moves


def check_log(path):
    """Every go is answered once, each answer is legal, and no exit but with status 0.
    Returns the number of moves checked."""
    fen, moves, asked, checked, exits, known = START, [], 0, 0, [], set()
    stops, is_uci, complaints = 0, False, 0
    for line in path.read_text(errors="replace").splitlines():
        mark, text = line[:2], line[3:].strip()
        first = text.split(" ")[0] if text else ""
        if mark == ">>" and first in ("position", "fen", "startpos"):
            fen, moves = read_position(text)
            complete = moves
            moves = legal_part(fen, moves, known)
            complaints += moves != complete
        elif mark == ">>" and first == "go" and "perft" not in text:
            assert asked == 0, f"a second go before the answer: {text}"
            asked = 1
        elif mark == ">>" and first in ("uci", "ucci"):
            is_uci = first == "uci"
        elif mark == ">>" and first == "stop" and not is_uci:
            stops += 1
        elif mark == "<<" and text == "nobestmove" and stops > 0 and (asked == 0 or legal(fen, moves)):
            # UCCI answers a stop while idle. One that was sent while the engine thought is such a one
            # too if it crossed the answer on its way.
            stops -= 1
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
            assert "bad FEN" not in text, text
            complaints -= "illegal move" in text
        elif mark == "==":
            exits.append(text)
    # A client may kill the adapter between `quit` and the engine's exit.
    assert all(text == "exit 0" for text in exits), f"the engine's exits: {exits}"
    assert asked == 0, "the last go has no answer"
    assert complaints == 0, "illegal moves without a message, or the other way round"
    assert checked, "the client asked for no move"
    return checked
