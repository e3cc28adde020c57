firn_test(sim sim_run LABEL unit VARIANTS float double asan)
firn_test(sim scene_colliders LABEL unit VARIANTS float double asan)
firn_test(sim scene_build LABEL unit VARIANTS float double asan)
firn_test(sim snow_vary LABEL unit VARIANTS float double asan)
