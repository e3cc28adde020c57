firn_test(state particles LABEL unit VARIANTS float double asan)
firn_test(state sparse_grid LABEL unit VARIANTS float double asan)
firn_test(state fragments LABEL unit VARIANTS float double asan)
