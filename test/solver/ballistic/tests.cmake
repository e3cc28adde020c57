firn_test(solver/ballistic ballistic LABEL unit VARIANTS float double asan)
