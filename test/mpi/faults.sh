#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What goes wrong on one of several ranks ends or refuses the run on all of them, with one message
# that says why, and nobody waits for ever: every run here has two minutes.
set -euo pipefail
. "$FIRN_SOURCE_DIR/test/mpi/ranks.inc.sh"
golden=$FIRN_SOURCE_DIR/test/golden/mpm.yaml
options=(-q --allow-run-as-root --oversubscribe --bind-to none --mca btl "self,vader"
    --mca mpi_yield_when_idle 1)

# Expects an exit code and a message, of one rank only.
expect() {
    local code=$1 message=$2 status=0
    shift 2
    timeout 120 mpirun "${options[@]}" "$@" >out 2>errors || status=$?
    cat errors
    [ "$status" -eq "$code" ]
    [ "$(grep -c 'firn: error' errors)" -eq "${lines:-1}" ]
    grep -q "$message" errors
}
run=("$FIRN" run "$golden" --set time.frames=4 --threads 1 --quiet)

echo "another SIMD level, another scene on one rank: refused"
expect 7 "SIMD level" -n 1 "${run[@]}" -o mixed : -n 2 "${run[@]}" -o mixed --simd baseline
expect 3 "have read different scenes" \
    -n 2 "${run[@]}" -o mixed : -n 1 "${run[@]}" -o mixed --set time.fps=23

echo "one rank may use less memory than it needs: ends, and is resumed with enough"
expect 6 "out of memory" -n 2 "${run[@]}" -o memory : -n 1 "${run[@]}" -o memory --memory 300k
"${run[@]}" -o whole
ranks 2 "${run[@]}" -o memory --resume 2>/dev/null || ranks 2 "${run[@]}" -o memory --overwrite
"$FIRN" diff whole memory >difference || { cat difference; exit 1; }

echo "a step that diverges on one rank: the message of one process"
cat >fast.yaml <<'END'
firn: 1
time: {frames: 3, fps: 60}
mpm: {cell: 0.03, dt: 8e-3}
snow:
  - shape: {box: {center: [0, 0.05, 0], size: [0.4, 0.1, 0.3]}}
  - shape: {sphere: {center: [2, 0.5, 0], radius: 0.1}}
    velocity: [9000, 0, 0]
END
"$FIRN" run fast.yaml -o alone --threads 1 --quiet 2>errors && exit 1
grep 'firn: error' errors >expected
lines=2 expect 5 "it would cross more than a cell" \
    -n 3 "$FIRN" run fast.yaml -o diverged --threads 1 --quiet
grep 'firn: error' errors | cmp expected -

echo "a full disk of rank 0: ends, and is resumed elsewhere"
mkdir small
if mount -t tmpfs -o size=200k none small 2>/dev/null; then
    trap 'umount small' EXIT
    expect 4 "No space left" -n 3 "${run[@]}" -o small/full
    cp -r small/full full
    umount small
    trap - EXIT
    ranks 2 "${run[@]}" -o full --resume
    "$FIRN" diff whole full >difference || { cat difference; exit 1; }
else
    echo "no permission to mount a tmpfs: left out"
fi

echo "a rank that hangs: rank 0 ends the run with a message, which is resumed"
# The process of a rank of the mpirun that is a child of timeout, process $1.
process_of_rank() {
    local process
    for process in $(ps --ppid "$(ps --ppid "$1" -o pid= | tr -d ' ')" -o pid=); do
        if tr '\0' '\n' <"/proc/$process/environ" | grep -qx "OMPI_COMM_WORLD_RANK=$2"; then
            echo "$process"
        fi
    done
}
timeout 120 mpirun "${options[@]}" -n 3 "$FIRN" run "$golden" -o hung --set time.frames=500 \
    --rank-timeout 8 --threads 1 --quiet 2>errors &
job=$!
for _ in $(seq 600); do
    [ ! -e hung/frames/mpm.0001.hdf ] || break
    sleep 0.1
done
kill -STOP "$(process_of_rank "$job" 1)"
status=0
wait "$job" || status=$?
cat errors
[ "$status" -eq 7 ]
[ "$(grep -c 'firn: error' errors)" -eq 1 ]
grep -q "another rank has not answered for 8 s" errors
frame=$(find hung/frames -name '*.hdf' | wc -l)
ranks 2 "$FIRN" run "$golden" -o hung --set time.frames=500 --frames "$frame" --resume --threads 1 \
    --quiet
"$FIRN" run "$golden" -o unhung --set time.frames=500 --frames "$frame" --threads 1 --quiet
"$FIRN" diff unhung hung >difference || { cat difference; exit 1; }

echo "SIGTERM to all ranks, as from a scheduler: saved, exit code 130, and resumed"
timeout 120 mpirun "${options[@]}" -n 3 "$FIRN" run "$golden" -o term --set time.frames=500 \
    --threads 1 --quiet 2>errors &
job=$!
for _ in $(seq 600); do
    [ ! -e term/frames/mpm.0001.hdf ] || break
    sleep 0.1
done
for rank in 0 1 2; do kill -TERM "$(process_of_rank "$job" "$rank")"; done
status=0
wait "$job" || status=$?
cat errors
[ "$status" -eq 130 ]
grep -q "the state is saved" errors
