firn_test(comm cuts LABEL unit)
firn_test(comm comm LABEL unit)
