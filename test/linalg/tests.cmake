firn_test(linalg cr LABEL unit VARIANTS float double asan)
firn_test(linalg linalg_preconditioned LABEL unit VARIANTS float double asan)
firn_test(linalg bicgstab LABEL unit VARIANTS float double asan)
