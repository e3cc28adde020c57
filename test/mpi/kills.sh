#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Ranks are killed at random moments, every third time as soon as a checkpoint is being written; each
# time the run is resumed, on another number of ranks. In the end it is the run of one process.
# `kills.sh N`: so many times; the test mpi_kills_all does 40.
set -euo pipefail
. "$FIRN_SOURCE_DIR/test/mpi/ranks.inc.sh"
golden=$FIRN_SOURCE_DIR/test/golden/mpm.yaml
kills=${1:-3}
RANDOM=4711
run=("$FIRN" run "$golden" --set time.frames=8 --set output.checkpoint.every=1 --threads 1 --quiet)
"${run[@]}" -o one
killed=0 runs=0 unfinished=0
# A checkpoint of this run that is half written: a draft (core/draft.h).
has_draft() { [ -n "$(find many/state -name '.firn-*' -newer begun 2>/dev/null | head -n 1)" ]; }
while [ "$killed" -lt "$kills" ]; do
    [ ! -e many/manifest.json ] || ! grep -q '"complete": *true' many/manifest.json || rm -rf many
    resume=()
    [ ! -e many ] || resume=(--resume)
    count=$((RANDOM % 4 + 2)) victim=$((RANDOM % count)) runs=$((runs + 1))
    touch begun
    timeout 300 mpirun -q --allow-run-as-root --oversubscribe --bind-to none \
        --mca btl self,vader --mca mpi_yield_when_idle 1 -n "$count" \
        "${run[@]}" -o many "${resume[@]}" >out 2>errors &
    job=$!
    if [ $((killed % 3)) -eq 2 ]; then
        while kill -0 "$job" 2>/dev/null && ! has_draft; do sleep 0.01; done
    else
        sleep "$((RANDOM % 3)).$((RANDOM % 10))"
    fi
    children=
    for mpirun in $(ps --ppid "$job" -o pid= || true); do # $job is timeout
        children+=" $(ps --ppid "$mpirun" -o pid= || true)"
    done
    for process in $children; do
        if { tr '\0' '\n' <"/proc/$process/environ"; } 2>/dev/null |
            grep -qx "OMPI_COMM_WORLD_RANK=$victim"; then
            kill -KILL "$process" 2>/dev/null && killed=$((killed + 1))
        fi
    done
    wait "$job" || true
    ! has_draft || unfinished=$((unfinished + 1))
    echo "$killed of $kills"
done
ranks 3 "${run[@]}" -o many --resume || ranks 3 "${run[@]}" -o many
"$FIRN" diff one many >difference || { cat difference; exit 1; }
echo "$killed ranks were killed in $runs runs, $unfinished times with a checkpoint half written:" \
    "$(grep 'newest state' difference)"
