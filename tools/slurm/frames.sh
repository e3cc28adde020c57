#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#SBATCH --job-name=firn-frames
#SBATCH --cpus-per-task=16
#SBATCH --time=24:00:00
#SBATCH --requeue
# Path-traced pictures of a run, some frames in each task of an array, in DIR/pictures.TASK; a task
# that is started again goes on.
# usage: sbatch --array=0-24 tools/slurm/frames.sh DIR [options of firn render]
# FRAMES: of a task (10); FIRN: the program (build/release/bin/firn).
set -euo pipefail
[ $# -ge 1 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
dir=$1
shift
frames=${FRAMES:-10}
first=$((${SLURM_ARRAY_TASK_ID:?start it with sbatch --array} * frames)) end=$((first + frames - 1))
last=$(find "$dir/frames" -name '*.hdf' | sed 's/.*\.\([0-9]*\)\.hdf$/\1/' | sort -n | tail -1)
last=$((10#$last))
[ "$end" -le "$last" ] || end=$last
[ "$first" -le "$last" ] || exit 0 # a task more than there are frames for
exec "${FIRN:-build/release/bin/firn}" render "$dir" --frames "$first:$end" \
    -o "$dir/pictures.$SLURM_ARRAY_TASK_ID" --resume --no-film \
    --threads "${SLURM_CPUS_PER_TASK:-0}" "$@"
