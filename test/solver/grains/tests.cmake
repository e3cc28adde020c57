# The tests of the method run on the machine's best level. That all levels give the bits of the
# plain loops is tested in grains_promises, so that only what is about lists and bonds runs on each
# of them.
set(levels plain baseline)
if(3 IN_LIST FIRN_SIMD_LEVELS)
    list(APPEND levels x86-64-v3)
endif()
firn_test(solver/grains grains_def LABEL unit VARIANTS float double asan)
firn_test(solver/grains grains_solid LABEL physics VARIANTS float)
firn_test(solver/grains grains_impact LABEL physics VARIANTS float double)
firn_test(solver/grains grains_slab LABEL physics VARIANTS float)
firn_test(solver/grains grains_mass LABEL physics VARIANTS float double)
firn_test(solver/grains grains_bonds LABEL unit VARIANTS float double asan SIMD ${levels})
firn_test(solver/grains grains_faults LABEL unit VARIANTS float double asan)
firn_test(solver/grains grains_bodies LABEL physics VARIANTS float double asan)
firn_test(solver/grains grains_heat LABEL physics VARIANTS float double asan)
firn_test(solver/grains grains_promises LABEL physics VARIANTS float double asan)
firn_test(solver/grains grains_column LABEL physics VARIANTS float double)
firn_test(solver/grains grains_heap LABEL physics VARIANTS float double)

# On a GPU; skipped where there is none.
firn_test(solver/grains grains_cuda LABEL backend)
firn_test(solver/grains grains_cuda_forged LABEL backend)
firn_test(solver/grains grains_cuda_lost LABEL backend)
