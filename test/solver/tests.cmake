firn_test(solver registry LABEL unit VARIANTS float double asan)
