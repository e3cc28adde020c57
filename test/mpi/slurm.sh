#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The job scripts of tools/slurm under a real Slurm, which this test starts on this machine for itself
# (tools/packages-slurm; skipped without): several ranks by srun, a job that is signalled as at the
# limit of its time and starts again, an array of variants, an array of pictures.
set -euo pipefail
. "$FIRN_SOURCE_DIR/test/mpi/ranks.inc.sh"
PATH=$PATH:/usr/sbin
for program in slurmctld slurmd srun sbatch; do
    command -v $program >/dev/null || { echo "skipped: no $program (tools/packages-slurm)"; exit 77; }
done
scripts=$FIRN_SOURCE_DIR/tools/slurm
export FIRN SLURM_CONF=$PWD/slurm.conf
# srun and Open MPI of this machine; more ranks than cores, none of which leaves it
export OMPI_MCA_btl=self,vader OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
host=$(hostname -s) port=$((20000 + $$ % 20000))
mkdir state spool
cat >slurm.conf <<END
ClusterName=firn
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/none
CredType=cred/none
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
StateSaveLocation=$PWD/state
SlurmdSpoolDir=$PWD/spool
SlurmctldPidFile=$PWD/slurmctld.pid
SlurmdPidFile=$PWD/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
MpiDefault=none
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
slurmctld -D >slurmctld.log 2>&1 &
controller=$!
slurmd -D -N "$host" >slurmd.log 2>&1 &
daemon=$!
finish() {
    status=$?
    [ "$status" -eq 0 ] || tail -n 15 slurmctld.log slurmd.log ./*.out 2>/dev/null || true
    kill "$daemon" "$controller" 2>/dev/null || true
    wait 2>/dev/null || true
}
trap finish EXIT
for _ in $(seq 300); do
    [ "$(sinfo -h -o %T 2>/dev/null || true)" != idle ] || break
    sleep 0.1
done
sinfo

cat >ball.yaml <<'END'
firn: 1
time: {frames: 2, fps: 200}
mpm: {cell: 0.03}
snow: [{shape: {sphere: {center: [0, 0.2, 0], radius: 0.1}}}]
colliders: [{shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}}]
output: {preview: false}
END
job=(timeout 300 sbatch --wait --cpus-per-task=1 --chdir="$PWD")

echo "one simulation on three ranks"
SRUN="${SRUN:-srun --mpi=pmix}" "${job[@]}" --ntasks=3 -o run.out "$scripts/run.sh" ball.yaml run -q
"$FIRN" run ball.yaml -o alone -q
"$FIRN" diff alone run >difference || { cat difference; exit 1; }

"${job[@]}" --ntasks=3 -o bench.out --wrap "${SRUN:-srun --mpi=pmix} $FIRN bench --ranks 3 \
    --scene ball.yaml --steps 2 --threads 1 --json"
[ "$(grep -c '"messages"' bench.out)" -eq 3 ] # they are ranks of one simulation

echo "a signal as at the limit of the job's time: saved, queued again, goes on"
SRUN="${SRUN:-srun --mpi=pmix}" sbatch --parsable --cpus-per-task=1 --chdir="$PWD" --ntasks=2 \
    -o long.out "$scripts/run.sh" ball.yaml long -q --set time.frames=100000 >id
for _ in $(seq 600); do
    [ ! -e long/frames/ball.0002.hdf ] || break
    sleep 0.1
done
scancel --signal=USR1 "$(cat id)"
for _ in $(seq 600); do
    [ "$(scontrol show job "$(cat id)" | sed -n 's/.*Restarts=\([0-9]*\).*/\1/p')" != 1 ] || break
    sleep 0.1
done
scontrol show job "$(cat id)" | grep -q 'Restarts=1'
grep -q "the state is saved" long.out
scancel "$(cat id)"

echo "an array of variants, an array of pictures"
printf -- '--set mpm.cell=0.03\n--set mpm.cell=0.04 --set time.fps=100\n' >list
"${job[@]}" --array=0-1 -o variants.out "$scripts/variants.sh" ball.yaml sweep list -q
grep -q 'cell: 0.04' sweep/1/scene.yaml
[ -e sweep/0/frames/ball.0002.hdf ]
FRAMES=2 "${job[@]}" --array=0-1 -o frames.out "$scripts/frames.sh" run -q --samples 1 --size 32x32
ls run/pictures.0/*.png run/pictures.1/*.png
