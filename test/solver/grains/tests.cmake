firn_test(solver/grains grains_bonds LABEL unit VARIANTS float double asan)
firn_test(solver/grains grains_faults LABEL unit VARIANTS float double asan)
firn_test(solver/grains grains_heat LABEL physics VARIANTS float double asan)
firn_test(solver/grains grains_promises LABEL physics VARIANTS float double asan)
firn_test(solver/grains grains_column LABEL physics VARIANTS float double)
firn_test(solver/grains grains_heap LABEL physics VARIANTS float double)

# On a GPU; skipped where there is none.
firn_test(solver/grains grains_cuda LABEL backend)
