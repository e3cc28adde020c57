# What tests with several ranks begin with: skips where there is no MPI, and gives `ranks N COMMAND`.
if ! "$FIRN" version | grep -q '^features.* mpi'; then
    echo "skipped: this build has no MPI (configure with -D FIRN_MPI=ON, package libopenmpi-dev)"
    exit 77
fi
if ! command -v mpirun >/dev/null; then
    echo "skipped: no mpirun (package openmpi-bin)"
    exit 77
fi
ranks() {
    local count=$1
    shift
    # more ranks than cores are fine, and so is root; nobody leaves this machine
    timeout 1000 mpirun -q --allow-run-as-root --oversubscribe --bind-to none \
        --mca btl self,vader --mca mpi_yield_when_idle 1 -n "$count" "$@"
}
