firn_test(render/preview bodies LABEL unit VARIANTS float double asan)
firn_test(render/preview snow_volume LABEL unit VARIANTS float double asan)
firn_test(render/preview snow_rays LABEL unit VARIANTS float double asan)
firn_test(render/preview preview LABEL unit VARIANTS float double asan)
