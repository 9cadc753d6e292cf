#!/usr/bin/env bash
# Proves the referee with whole matches: two built-in players whose workers must not idle, and
# Debian's fairy-stockfish in both protocols. Every game is judged again from its PGN, and replayed
# by an independent rules library (pyffish).
#   run.sh CHUHE [WORK_FOLDER]
# GAMES (1000), NODES (1000) and PEER_GAMES (20) can be set.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
chuhe=$(realpath "$1")
work=${2:-target/referee}
mkdir -p "$work"
work=$(realpath "$work")
openings="$here/../../../shared/corpus/openings.txt"
[ -f "$openings" ] || openings=random
concurrency=$(nproc)

if [ ! -x "$work/venv/bin/python" ]; then
    python3 -m venv "$work/venv"
    "$work/venv/bin/pip" install --quiet pyffish
fi
if [ ! -x /usr/games/fairy-stockfish ]; then
    apt-get update -qq && apt-get install -y -qq fairy-stockfish
fi
# Under a name of its own, so that a process left behind can be told from everybody else's.
peer=$work/fairy-stockfish
cp /usr/games/fairy-stockfish "$peer"

# Plays a match, shows its summary and checks its games.
contest() {
    local name=$1
    shift
    rm -f "$work/$name.pgn"
    "$chuhe" match "$@" --openings "$openings" --pgn "$work/$name.pgn" --json > "$work/$name.json"
    echo "== $name"
    "$chuhe" match --check "$work/$name.pgn"
    "$work/venv/bin/python" "$here/oracle.py" "$work/$name.pgn"
    python3 - "$work/$name.json" <<'PYTHON'
import json, sys
s = json.load(open(sys.argv[1]))
print(f"games {s['games']} +{s['wins']} ={s['draws']} -{s['losses']}", s["terminations"])
print(f"wall {s['wall_s']:.1f} s, {s['workers']} workers, idle {100 * s['idle']:.2f}%")
bad = {"time", "stalled", "crash", "no_start", "illegal_move", "facing_generals", "no_move"}
sys.exit(1 if bad & s["terminations"].keys() else 0)
PYTHON
}

contest inprocess --engine name=A,nodes="${NODES:-1000}" --engine name=B,nodes="${NODES:-1000}" \
    --games "${GAMES:-1000}" --concurrency "$concurrency"
python3 -c "import json; assert json.load(open('$work/inprocess.json'))['idle'] < 0.1"
contest ucci --engine name=chuhe,cmd="$chuhe",proto=ucci,nodes=5000 \
    --engine name=fairy,cmd="$peer",proto=ucci,unit=ms,nodes=2000 \
    --games "${PEER_GAMES:-20}" --concurrency "$concurrency" --log "$work/ucci.log"
contest uci --engine name=chuhe,cmd="$chuhe",proto=uci,nodes=5000 \
    --engine name=fairy,cmd="$peer",proto=uci,nodes=2000 \
    --games "${PEER_GAMES:-20}" --concurrency "$concurrency" --log "$work/uci.log"
contest ucci-clock --engine name=chuhe,cmd="$chuhe",proto=ucci \
    --engine name=fairy,cmd="$peer",proto=ucci,unit=ms --each tc=1+0.02 \
    --games "${PEER_GAMES:-20}" --log "$work/ucci-clock.log"
contest uci-clock --engine name=chuhe,cmd="$chuhe",proto=uci \
    --engine name=fairy,cmd="$peer",proto=uci --each tc=40/1:20/0.5 \
    --games "${PEER_GAMES:-20}" --log "$work/uci-clock.log"
if pgrep -f "$peer" > /dev/null; then
    echo "a child is left" >&2
    exit 1
fi
