firn_test(core memory LABEL unit)
firn_test(core hash LABEL unit)
firn_test(core suggest LABEL unit)
firn_test(core log LABEL unit)
