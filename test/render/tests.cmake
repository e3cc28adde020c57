firn_test(render camera LABEL unit VARIANTS float double asan)
firn_test(render tone LABEL unit VARIANTS float asan)
firn_test(render image LABEL unit VARIANTS float asan)
firn_test(render contact_sheet LABEL unit VARIANTS float asan)
