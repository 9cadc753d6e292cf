#!/usr/bin/env python3
"""Replays the games of PGN files that `chuhe match` wrote with pyffish, a rules library that shares
nothing with this project: every move must be legal there, and mates and stalemates must be so."""

import functools
import re
import sys

import pyffish

VARIANT = "xiangqi"


def games(text):
    """(tags, moves, result) of each game; moves as pyffish writes them (a1-i10)."""
    for block in re.split(r"\n(?=\[Game )", text):
        tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', block, re.M))
        if "Result" not in tags:
            continue
        body = re.sub(r"^\[.*\]$", "", block, flags=re.M)
        body = re.sub(r"\{[^}]*\}", " ", body)
        found = re.findall(r"\b([A-I])([0-9])-([A-I])([0-9])\b", body)
        moves = [
            f"{a.lower()}{int(b) + 1}{c.lower()}{int(d) + 1}" for a, b, c, d in found
        ]
        yield tags, moves


# Games share openings, and two equal players even whole games.
@functools.cache
def legal_moves(fen):
    return frozenset(pyffish.legal_moves(VARIANT, fen, []))


@functools.cache
def after(fen, move):
    return pyffish.get_fen(VARIANT, fen, [move])


def check(tags, moves):
    """What is wrong with a game, or None."""
    fen = tags.get("FEN", pyffish.start_fen(VARIANT))
    if int(tags["PlyCount"]) != len(moves):
        return "the number of moves is not the one in the tag"
    for ply, move in enumerate(moves, 1):
        if move not in legal_moves(fen):
            return f"{move} is illegal, ply {ply}"
        fen = after(fen, move)
    over = not legal_moves(fen)
    mate = tags["Termination"] in ("mate", "stalemate")
    if over != mate:
        return f"{tags['Termination']} is stated, the oracle sees {over=}"
    if over:
        checked = pyffish.gives_check(VARIANT, fen, [])
        if checked != (tags["Termination"] == "mate"):
            return f"{tags['Termination']} is stated, the oracle sees {checked=}"
        loser_is_red = fen.split()[1] == "w"
        if tags["Result"] != ("0-1" if loser_is_red else "1-0"):
            return f"{tags['Result']} is stated, the oracle sees {loser_is_red=}"
    return None


def main():
    count = wrong = plies = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            for tags, moves in games(file.read()):
                count += 1
                plies += len(moves)
                error = check(tags, moves)
                if error:
                    wrong += 1
                    print(f"{path}: round {tags.get('Round')}: {error}", file=sys.stderr)
    print(f"oracle: games {count} plies {plies} wrong {wrong}")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
