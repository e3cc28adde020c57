firn_test(golden golden LABEL golden VARIANTS float)
