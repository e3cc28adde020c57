# Several ranks; without MPI these are skipped.
firn_script_test(mpi_comm comm.sh LABEL cli)
