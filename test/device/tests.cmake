firn_test(device device LABEL unit)
