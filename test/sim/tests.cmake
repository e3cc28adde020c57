firn_test(sim sim_run LABEL unit VARIANTS float double asan)
