// SPDX-License-Identifier: MIT
#include "device/cuda_sort.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

cudaError_t firn_cuda_sort_64(const firn_cuda_sort_args* a, const uint64_t* key,
                              uint64_t* key_sorted, void* scratch, size_t* bytes,
                              cudaStream_t stream)
{
    return cub::DeviceRadixSort::SortPairs(scratch, *bytes, key, key_sorted, a->number,
                                           a->number_sorted, a->count, 0, a->bits, stream);
}

cudaError_t firn_cuda_scan(uint32_t* number, int count, void* scratch, size_t* bytes,
                           cudaStream_t stream)
{
    return cub::DeviceScan::ExclusiveSum(scratch, *bytes, number, number, count, stream);
}
