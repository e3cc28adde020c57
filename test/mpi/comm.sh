#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The communication layer on 1, 2, 3, 5 and 8 ranks; its exact sum has the same bits on all.
set -euo pipefail
. "$FIRN_SOURCE_DIR/test/mpi/ranks.inc.sh"
first=
for count in 1 2 3 5 8; do
    sum=$(ranks "$count" "$FIRN_BUILD_DIR/bin/firn_ranks_program")
    echo "$count ranks: $sum"
    first=${first:-$sum}
    [ "$sum" = "$first" ]
done
