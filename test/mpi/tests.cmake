# Several ranks; without MPI these are skipped. Ranks wait for each other by polling: on a machine
# that is busy with other things they take many times as long as their work.
firn_script_test(mpi_comm comm.sh LABEL cli)
firn_script_test(mpi_bits bits.sh LABEL cli TIMEOUT 1200)
firn_script_test(mpi_memory memory.sh LABEL cli TIMEOUT 1200)
firn_script_test(mpi_ends ends.sh LABEL cli TIMEOUT 1200)
firn_script_test(mpi_faults faults.sh LABEL cli TIMEOUT 1200)
firn_script_test(mpi_kills kills.sh LABEL cli TIMEOUT 1200)
firn_script_test(mpi_kills_all kills.sh LABEL cli slow ARGUMENTS 40)
firn_script_test(mpi_bench bench.sh LABEL cli TIMEOUT 1200)
firn_script_test(mpi_balance balance.sh LABEL cli TIMEOUT 1200)
firn_script_test(mpi_slurm slurm.sh LABEL cli TIMEOUT 1200)
firn_script_test(mpi_bits_all bits.sh LABEL cli slow ARGUMENTS all)
