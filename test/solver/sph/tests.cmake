# The tests of the method run on the machine's best level; here also with the plain loops, and with
# the fast passes of the levels below.
set(levels plain baseline)
if(3 IN_LIST FIRN_SIMD_LEVELS)
    list(APPEND levels x86-64-v3)
endif()
firn_test(solver/sph sph_lattice LABEL unit VARIANTS float double asan SIMD ${levels})
firn_test(solver/sph sph_tables LABEL backend VARIANTS float double asan)
firn_test(solver/sph sph_gradient LABEL unit VARIANTS float double asan SIMD ${levels})
firn_test(solver/sph sph_pressure LABEL unit VARIANTS float double asan SIMD ${levels})
firn_test(solver/sph sph_shear LABEL unit VARIANTS float double asan SIMD ${levels})
firn_test(solver/sph sph_friction LABEL physics VARIANTS float double asan SIMD ${levels})
firn_test(solver/sph sph_objective LABEL physics VARIANTS float double asan SIMD ${levels})
firn_test(solver/sph sph_snowfall LABEL physics VARIANTS float double asan SIMD ${levels})
firn_test(solver/sph sph_conservation LABEL physics VARIANTS float double SIMD ${levels})
firn_test(solver/sph sph_promises LABEL physics VARIANTS float double asan SIMD ${levels})
firn_test(solver/sph sph_faults LABEL unit VARIANTS float asan SIMD ${levels})

# A minute or more each; `ctest -L slow` runs them.
firn_test(solver/sph sph_compression LABEL physics slow VARIANTS float)
firn_test(solver/sph sph_pile LABEL physics slow VARIANTS float)
firn_test(solver/sph/boundary boundary_volume LABEL unit VARIANTS float double asan)
firn_test(solver/sph/boundary boundary_deforming LABEL unit VARIANTS float double asan)
firn_test(solver/sph/boundary boundary LABEL unit VARIANTS float double asan)
