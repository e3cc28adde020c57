# Several ranks; without MPI these are skipped.
firn_script_test(mpi_comm comm.sh LABEL cli)
firn_script_test(mpi_bits bits.sh LABEL cli)
firn_script_test(mpi_ends ends.sh LABEL cli)
firn_script_test(mpi_bits_all bits.sh LABEL cli slow ARGUMENTS all)
