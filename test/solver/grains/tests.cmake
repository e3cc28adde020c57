# The tests of the method run on the machine's best level; here also with the plain loops, and with
# the fast passes of the levels below.
set(levels plain baseline)
if(3 IN_LIST FIRN_SIMD_LEVELS)
    list(APPEND levels x86-64-v3)
endif()
firn_test(solver/grains grains_bonds LABEL unit VARIANTS float double asan SIMD ${levels})
firn_test(solver/grains grains_faults LABEL unit VARIANTS float double asan SIMD ${levels})
firn_test(solver/grains grains_bodies LABEL physics VARIANTS float double asan SIMD ${levels})
firn_test(solver/grains grains_heat LABEL physics VARIANTS float double asan SIMD ${levels})
firn_test(solver/grains grains_promises LABEL physics VARIANTS float double asan SIMD ${levels})
firn_test(solver/grains grains_column LABEL physics VARIANTS float double SIMD ${levels})
firn_test(solver/grains grains_heap LABEL physics VARIANTS float double)

# On a GPU; skipped where there is none.
firn_test(solver/grains grains_cuda LABEL backend)
