#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#SBATCH --job-name=firn-variants
#SBATCH --cpus-per-task=16
#SBATCH --time=24:00:00
#SBATCH --requeue
# One run for each line of a list of options, such as variants or values of a parameter: task k of
# the array runs line k, from 0, in DIR/k. A task that is started again goes on.
# usage: sbatch --array=0-2 tools/slurm/variants.sh SCENE DIR LIST [options of firn run]
#     LIST has lines such as:  --variant draft
#                              --set materials.snow.young=2e5 --set mpm.cell=0.02
# FIRN: the program (build/release/bin/firn).
set -euo pipefail
[ $# -ge 3 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
scene=$1 dir=$2 list=$3
shift 3
task=${SLURM_ARRAY_TASK_ID:?start it with sbatch --array}
line=$(sed -n "$((task + 1))p" "$list")
[ -n "$line" ] || { echo "$list has no line $((task + 1))" >&2; exit 2; }
read -ra options <<<"$line"
[ ! -e "$dir/$task/manifest.json" ] || options+=(--resume)
mkdir -p "$dir"
exec "${FIRN:-build/release/bin/firn}" run "$scene" -o "$dir/$task" \
    --threads "${SLURM_CPUS_PER_TASK:-0}" "${options[@]}" "$@"
