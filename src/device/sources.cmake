firn_optional_sources(device device.c)
firn_cuda_sources(device cuda_device.cu cuda_sort.cu ELSE cuda_none.c)
