#!/usr/bin/env bash
# The worked examples of samples/python, in their small sizes, with their plots where matplotlib is.
set -euo pipefail
plots=
! /usr/bin/python3 -c 'import matplotlib' 2>/dev/null || plots=yes
for sample in fragments modulus throw; do
    /usr/bin/python3 -W error::DeprecationWarning "$FIRN_SOURCE_DIR/samples/python/$sample.py" --quick \
        ${plots:+-o "$sample.png"} >"$sample.log" || { cat "$sample.log"; exit 1; }
    [ -z "$plots" ] || [ -s "$sample.png" ] || { echo "$sample: no plot"; exit 1; }
done
# what they find: 2 values of the sweep; the modulus within 15 % on a coarse grid; a hit within 1 cm
[ "$(grep -c fragments fragments.log)" -ge 2 ]
awk '/^fitted/ { found = 1; if ($2 < 204 || $2 > 276) exit 1 } END { exit !found }' modulus.log ||
    { cat modulus.log; exit 1; }
awk '/^throw/ { miss = $5 } END { if (miss < -1 || miss > 1) exit 1 }' throw.log ||
    { cat throw.log; exit 1; }
[ -n "$plots" ] || echo "without plots: python3-matplotlib is missing"
