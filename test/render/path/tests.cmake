firn_test(render/path phase LABEL unit VARIANTS float double asan)
firn_test(render/path medium LABEL unit VARIANTS float double asan)
firn_test(render/path walk LABEL unit VARIANTS float double asan)
firn_test(render/path surface LABEL unit VARIANTS float double asan)
