#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The communication layer on 1, 2, 3, 5 and 8 ranks; its exact sum has the same bits on all.
set -euo pipefail
program=$FIRN_BUILD_DIR/bin/firn_ranks_program
if [ ! -x "$program" ]; then
    echo "skipped: this build has no MPI (configure with -D FIRN_MPI=ON, package libopenmpi-dev)"
    exit 77
fi
. "$(dirname "$0")/ranks.inc.sh"
first=
for count in 1 2 3 5 8; do
    sum=$(ranks "$count" "$program")
    echo "$count ranks: $sum"
    first=${first:-$sum}
    [ "$sum" = "$first" ]
done
