#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#SBATCH --job-name=firn
#SBATCH --ntasks=4
#SBATCH --cpus-per-task=16
#SBATCH --time=24:00:00
#SBATCH --signal=USR1@300
#SBATCH --requeue
#SBATCH --open-mode=append
# One simulation on several ranks, which goes on where it was when the job is started again: after a
# lost machine (Slurm requeues the job) and at the limit of its time (the state is saved five minutes
# before, and the job requeues itself).
# usage: sbatch [options of sbatch] tools/slurm/run.sh SCENE DIR [options of firn run]
# FIRN: the program, built with MPI (build/mpi/bin/firn); SRUN: what starts it (srun --mpi=pmix).
set -euo pipefail
[ $# -ge 2 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
scene=$1 dir=$2
shift 2
firn=${FIRN:-build/mpi/bin/firn}
read -ra srun <<<"${SRUN:-srun --mpi=pmix}"
options=(--threads "${SLURM_CPUS_PER_TASK:-0}")
[ ! -e "$dir/manifest.json" ] || options+=(--resume)
status=0
"${srun[@]}" "$firn" run "$scene" -o "$dir" "${options[@]}" "$@" || status=$?
if [ "$status" -eq 130 ] && [ -n "${SLURM_JOB_ID:-}" ]; then
    scontrol requeue "$SLURM_JOB_ID"
fi
exit "$status"
