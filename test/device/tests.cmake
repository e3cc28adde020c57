firn_test(device device LABEL unit)
firn_test_cuda_sources(device/lose_device.cu)
