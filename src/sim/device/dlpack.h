// SPDX-License-Identifier: MIT
// The binary interface of DLPack 0.x and 1.x (dlpack.h of dmlc/dlpack), under names of our own: a
// program may include DLPack's header beside firn's.
#pragma once
#include <stdint.h>

enum { FIRN_DL_CPU = 1, FIRN_DL_CUDA = 2 };    // DLDeviceType
enum { FIRN_DL_UINT = 1, FIRN_DL_FLOAT = 2 };  // DLDataTypeCode
#define FIRN_DL_READ_ONLY 1u                   // a flag of versioned tensors

// DLTensor
typedef struct firn_dl_tensor {
    void* data;
    struct {
        int32_t type, number;
    } device;
    int32_t dimensions;
    struct {
        uint8_t code, bits;
        uint16_t lanes;
    } number;
    int64_t* shape;    // [dimensions]
    int64_t* strides;  // [dimensions] in numbers
    uint64_t byte_offset;
} firn_dl_tensor;

// DLManagedTensor
typedef struct firn_dl_managed {
    firn_dl_tensor tensor;
    void* context;
    void (*deleter)(struct firn_dl_managed* self);
} firn_dl_managed;

// DLManagedTensorVersioned
typedef struct firn_dl_versioned {
    struct {
        uint32_t major, minor;
    } version;
    void* context;
    void (*deleter)(struct firn_dl_versioned* self);
    uint64_t flags;
    firn_dl_tensor tensor;
} firn_dl_versioned;
