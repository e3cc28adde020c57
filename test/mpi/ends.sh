#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How runs on several ranks end and go on: resumed on another number of ranks and by one process, by
# a signal, by the death of a rank, and refused.
set -euo pipefail
. "$FIRN_SOURCE_DIR/test/mpi/ranks.inc.sh"
golden=$FIRN_SOURCE_DIR/test/golden/mpm.yaml

same() {
    "$FIRN" diff "$1" "$2" >difference || { cat difference; exit 1; }
}

echo "one process, 3 ranks, 2 ranks: the run of one process"
"$FIRN" run "$golden" -o one --set time.frames=3 --threads 1 --quiet
"$FIRN" run "$golden" -o many --set time.frames=3 --frames 1 --threads 1 --quiet
ranks 3 "$FIRN" run "$golden" -o many --set time.frames=3 --frames 2 --resume --threads 1 --quiet
ranks 2 "$FIRN" run "$golden" -o many --set time.frames=3 --resume --threads 1 --quiet
same one many

# Starts a run that lasts, and waits for its second frame. Sets `job`, the process of mpirun.
begin_long_run() {
    rm -rf long
    mpirun -q --allow-run-as-root --oversubscribe --bind-to none --mca btl self,vader \
        --mca mpi_yield_when_idle 1 -n 3 \
        "$FIRN" run "$golden" -o long --set time.frames=500 --threads 1 --quiet 2>errors &
    job=$!
    for _ in $(seq 600); do
        [ ! -e long/frames/mpm.0001.hdf ] || return 0
        sleep 0.1
    done
    cat errors
    exit 1
}

echo "SIGUSR1 to mpirun: saved, exit code 130, and resumed"
begin_long_run
kill -USR1 "$job"
status=0
wait "$job" || status=$?
echo "exit code $status"
[ "$status" -eq 130 ]
grep -q "the state is saved" errors
frame=$(find long/frames -name '*.hdf' | wc -l)
"$FIRN" run "$golden" -o long --set time.frames=500 --frames "$frame" --resume --threads 1 --quiet
"$FIRN" run "$golden" -o whole --set time.frames=500 --frames "$frame" --threads 1 --quiet
same whole long

echo "a rank is killed: the run ends, and is resumed"
begin_long_run
for process in $(ps --ppid "$job" -o pid=); do
    if tr '\0' '\n' <"/proc/$process/environ" | grep -qx 'OMPI_COMM_WORLD_RANK=2'; then
        kill -KILL "$process"
    fi
done
status=0
wait "$job" || status=$?
echo "exit code $status"
[ "$status" -ne 0 ]
frame=$(find long/frames -name '*.hdf' | wc -l)
ranks 2 "$FIRN" run "$golden" -o long --set time.frames=500 --frames "$frame" --resume --threads 1 \
    --quiet
rm -rf whole
"$FIRN" run "$golden" -o whole --set time.frames=500 --frames "$frame" --threads 1 --quiet
same whole long

# Ranks that refuse: exit code and one message, which says why.
refused() {
    local expected=$1 status=0
    shift
    ranks 3 "$FIRN" "$@" >out 2>errors || status=$?
    cat errors
    [ "$status" -eq "$expected" ]
    [ "$(grep -c 'error' errors)" -eq 1 ]
}
echo "what is refused"
cat >flakes.yaml <<'END'
firn: 1
time: {frames: 1, fps: 60}
snow: [{shape: {sphere: {center: [0, 0.1, 0], radius: 0.05}}}]
colliders: [{shape: {sphere: {center: [0, 0.3, 0], radius: 0.05}}, mass: 1}]
mpm: {cell: 0.02}
END
refused 7 run flakes.yaml -o refused
grep -q "dynamic colliders" errors
refused 7 run flakes.yaml -o refused --solver grains --set colliders.0.mass=0
grep -q "solver 'grains' cannot compute on several ranks yet" errors
refused 3 run none.yaml -o refused
