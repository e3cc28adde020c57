firn_test(solver/shared base LABEL unit VARIANTS float double asan)
firn_test(solver/shared stages LABEL unit VARIANTS float double asan)
firn_test(solver/shared device_run LABEL unit VARIANTS float double asan)
firn_test(solver/shared loads LABEL unit VARIANTS float double asan)
