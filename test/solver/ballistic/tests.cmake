firn_test(solver/ballistic ballistic LABEL unit VARIANTS float double asan)
firn_test(solver/ballistic ballistic_cuda LABEL backend)  # on a GPU; skipped where there is none
