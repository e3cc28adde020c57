firn_test(linalg cr LABEL unit VARIANTS float double asan)
