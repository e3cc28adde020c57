#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The job scripts of tools/slurm, started as Slurm starts them: its variables, an srun that runs one
# process, and a scontrol that writes down what it is asked.
set -euo pipefail
scripts=$FIRN_SOURCE_DIR/tools/slurm
export FIRN SLURM_CPUS_PER_TASK=1
mkdir bin
printf '#!/bin/sh\nshift\nexec "$@"\n' >bin/srun
printf '#!/bin/sh\necho "$@" >>scontrol.log\n' >bin/scontrol
chmod +x bin/*
export PATH=$PWD/bin:$PATH
cat >ball.yaml <<'END'
firn: 1
time: {frames: 2, fps: 200}
mpm: {cell: 0.03}
snow: [{shape: {sphere: {center: [0, 0.2, 0], radius: 0.1}}}]
colliders: [{shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}}]
output: {preview: false}
END

"$scripts/run.sh" ball.yaml run -q --frames 1
[ ! -e run/frames/ball.0002.hdf ]
"$scripts/run.sh" ball.yaml run -q # goes on
[ -e run/frames/ball.0002.hdf ]
[ ! -e scontrol.log ]

# at the limit of its time: saved, and the job asks for its next start
printf '#!/bin/sh\nshift\n"$@" & sleep 3; kill -TERM $!; wait $!\n' >bin/srun
status=0
SLURM_JOB_ID=17 "$scripts/run.sh" ball.yaml long -q --set time.frames=100000 2>errors || status=$?
[ "$status" -eq 130 ]
[ "$(cat scontrol.log)" = "requeue 17" ]

printf -- '--set mpm.cell=0.03\n--set mpm.cell=0.04 --set time.fps=100\n' >list
for task in 0 1; do
    SLURM_ARRAY_TASK_ID=$task "$scripts/variants.sh" ball.yaml sweep list -q
done
grep -q 'cell: 0.04' sweep/1/scene.yaml
status=0
SLURM_ARRAY_TASK_ID=2 "$scripts/variants.sh" ball.yaml sweep list 2>errors || status=$?
[ "$status" -eq 2 ] && grep -q "no line 3" errors

FRAMES=2 SLURM_ARRAY_TASK_ID=1 "$scripts/frames.sh" run -q --samples 1 --size 32x32
ls run/pictures.1/*.0002.png
[ "$(find run -name '*.png' | wc -l)" -eq 1 ]
