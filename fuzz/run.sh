#!/usr/bin/env bash
# Coverage-guided fuzzing of the protocol: run.sh [SECONDS A TARGET].
# libFuzzer needs unstable compiler flags; RUSTC_BOOTSTRAP lets the stable compiler take them.
set -euo pipefail
cd "$(dirname "$0")"
seconds=${1:-600}
cargo fuzz --version >/dev/null 2>&1 || cargo install -q cargo-fuzz
export RUSTC_BOOTSTRAP=1
mkdir -p corpus/command corpus/fen corpus/session
# The dialogues are the best examples that there are.
for script in ../ucci-scripts/*.ucci; do
    sed -n 's/^> //p' "$script" >"corpus/session/$(basename "$script")"
done
cat ../ucci-scripts/*.ucci | sed -n 's/^> //p' | split -l 1 -a 4 - corpus/command/line-
cat ../ucci-scripts/*.ucci | sed -n 's/^> position fen //p' | sed 's/ moves.*//' | split -l 1 -a 4 - corpus/fen/line-
for target in command fen session; do
    echo "--- $target, $seconds seconds"
    cargo fuzz run -s none "$target" -- -max_total_time="$seconds" -max_len=4096 -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 2>&1 | tee "fuzz-$target.log" | grep -E "stat::|ERROR|panicked|SUMMARY|DONE" || true
    ! grep -qE "SUMMARY|panicked" "fuzz-$target.log" || { echo "a finding in $target: fuzz/fuzz-$target.log"; exit 1; }
    # No finding counts only if the target was built and ran to its end.
    grep -q "number_of_executed_units" "fuzz-$target.log" || { echo "$target did not run: fuzz/fuzz-$target.log"; exit 1; }
done
echo "no finding"
