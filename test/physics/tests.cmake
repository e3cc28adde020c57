firn_test(physics snow_stress LABEL unit VARIANTS float double asan)
firn_test(physics snow_plasticity LABEL unit VARIANTS float double asan)
firn_test(physics contact LABEL unit VARIANTS float double asan)
