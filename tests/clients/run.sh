#!/usr/bin/env bash
# Runs the engine under real clients: run.sh ENGINE [PART OF A CLIENT'S NAME].
# Installs by package name what it needs; what cannot be had is skipped and said so. A client that
# runs and finds a fault makes it fail, and so does one that hangs.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
engine=$1
target=$here/../../target
venv=$target/clients-venv
mkdir -p "$target/clients"

programs=(xboard uci2wb fairy-stockfish sjaakii xvfb-run xauth)
missing=
for program in "${programs[@]}"; do
    PATH=$PATH:/usr/games command -v "$program" >/dev/null || missing=yes
done
if [ -n "$missing" ] && command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    { timeout 120 apt-get update -qq && DEBIAN_FRONTEND=noninteractive timeout 300 apt-get install -y -qq \
        xboard uci2wb fairy-stockfish sjaakii xvfb xauth; } >"$target/clients/apt.log" 2>&1 ||
        echo "apt-get cannot install the clients (target/clients/apt.log)"
fi

python=$(command -v python3) || { echo "SKIP all clients: no python3 here"; exit 0; }
if [ ! -x "$venv/bin/python" ]; then
    "$python" -m venv "$venv" >/dev/null 2>&1 || {
        timeout 120 apt-get install -y -qq python3-venv >>"$target/clients/apt.log" 2>&1
        "$python" -m venv "$venv" >/dev/null 2>&1
    } || { echo "SKIP all clients: no python3 venv here"; exit 0; }
fi
for package in pyffish cchess xiangqibench pikafish-terminal; do
    timeout 120 "$venv/bin/pip" install -q --disable-pip-version-check --retries 1 "$package" \
        >"$target/clients/pip-$package.log" 2>&1 ||
        echo "pip cannot install $package (target/clients/pip-$package.log)"
done
exec timeout -k 10 600 "$venv/bin/python" "$here/clients.py" "$engine" "$target/clients" "${2:-}"
