firn_test(solver/grains grains_bonds LABEL unit VARIANTS float double asan)
firn_test(solver/grains grains_heat LABEL physics VARIANTS float double asan)
firn_test(solver/grains grains_column LABEL physics VARIANTS float double)
