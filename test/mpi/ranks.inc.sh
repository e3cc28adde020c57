# What tests with several ranks begin with: skips where there is no MPI, and gives `ranks N COMMAND`.
if [ "$(command -v mpirun)" = "" ]; then
    echo "skipped: no mpirun (package openmpi-bin)"
    exit 77
fi
ranks() {
    local count=$1
    shift
    # more ranks than cores are fine, and so is root; nobody leaves this machine
    timeout 200 mpirun -q --allow-run-as-root --oversubscribe --bind-to none \
        --mca btl self,vader --mca odls_base_sigkill_timeout 60 -n "$count" "$@"
}
