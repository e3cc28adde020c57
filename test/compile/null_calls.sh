#!/usr/bin/env bash
# Every public function is called with null pointers by a test: test/sim/test_sim_null_arguments*.c
set -euo pipefail
cd "$FIRN_SOURCE_DIR"
missing=0
declared=$(cat include/firn/*.h | tr '\n' ' ' | grep -oE 'FIRN_API[^;(]*\(' |
    grep -oE 'firn_[a-z0-9_]+\($' | tr -d '(' | sed 's/_sized$//' | sort -u)
for name in $declared; do
    grep -qw "$name" test/sim/test_sim_null_arguments*.c ||
        { echo "no test calls $name with null pointers"; missing=1; }
done
exit $missing
