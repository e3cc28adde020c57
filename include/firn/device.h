// SPDX-License-Identifier: MIT
// Particle fields where they lie, on a GPU or on the host, without copying; also as DLPack tensors
// for PyTorch, CuPy, JAX, NumPy and others.
//
//     firn_device_field x;
//     firn_sim_device_field(sim, "position", &x);         // backend "cuda"
//     cudaStreamWaitEvent(my_stream, x.event, 0);         // the step's writes are done
//     draw<<<…, my_stream>>>(x.parts[0], x.stride, x.count);
//     cudaEventRecord(my_event, my_stream);
//     cudaStreamWaitEvent(x.stream, my_event, 0);         // firn's next step waits for the kernel
//
// Calls on a simulation with a device make that device current on the calling thread.
#pragma once
#include "firn/export.h"
#include "firn/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FIRN_DEVICE_HOST (-1)
#define FIRN_DEVICE_PARTS_MAX 4

// Where a field lies. Component c of particle p, whole numbers (bits = 0):
//     (const char*)parts[c / part_components] + p * stride + (c % part_components) * component_size
// On the CPU this is the array of firn_sim_field. On CUDA fields share records of 16 or 32 bytes:
// the stride is larger than the field, matrices lie in several arrays (F_E of mpm: 4, 4 and 1
// components), and small integers are bits of a 32-bit word. All reals there are float.
typedef struct firn_device_field {
    const char* name;      // static
    const char* unit;      // static
    firn_field_type type;  // what firn_sim_field gives
    firn_local count;      // elements of the arrays
    int device;            // number of the CUDA device; FIRN_DEVICE_HOST: memory of the host
    int components;        // per particle: 1, 3, or 9 (row-major)
    int component_size;    // [bytes]; with `bits`: of the word
    int part_count;        // arrays, 1 to FIRN_DEVICE_PARTS_MAX
    int part_components;   // in each array; the last may have fewer
    const void* parts[FIRN_DEVICE_PARTS_MAX];  // component 0, part_components, … of particle 0
    size_t stride;                             // [bytes] from a particle to the next
    int shift, bits;        // bits > 0: the value is word >> shift & ((1 << bits) - 1)
    const uint8_t* gone;    // [count] null: none; not 0: culled, dropped by a later step
    firn_local gone_count;  // so many of `count` are; firn_sim_field leaves them out
    void* stream;           // cudaStream_t of firn's next steps; null on the host
    void* event;            // cudaEvent_t: recorded after the last write; null on the host
} firn_device_field;
FIRN_API firn_result firn_sim_device_field_sized(const firn_sim* sim, const char* name,
                                                 firn_device_field* out_field, uint32_t size);
// Find a field by name, as firn_sim_field. Borrowed until the next call that steps or changes the
// simulation; the memory must not be written. Drops steps that the device has computed ahead, as
// reading a field between frames does. Without particles the parts are null.
// FIRN_REFUSED_NAME: no such field.
static inline firn_result firn_sim_device_field(const firn_sim* sim, const char* name,
                                                firn_device_field* out_field)
{
    return firn_sim_device_field_sized(sim, name, out_field, sizeof *out_field);
}

// ---- DLPack -----------------------------------------------------------------------------------

// Declared by DLPack's own header, dlpack.h, which a program includes or not.
struct DLManagedTensor;
struct DLManagedTensorVersioned;

// Describe a field as a tensor: [count], [count][3] or [count][3][3], on the CPU or a CUDA device.
// The tensor belongs to the caller, who calls its `deleter` once, at any time, even after the
// simulation is destroyed. Its memory is the simulation's: valid until the next call that steps or
// changes it, and not to be written (the versioned tensor says read-only). On a device the call
// waits until the field is complete, so that any stream may read it.
// FIRN_REFUSED_NAME: no such field. FIRN_REFUSED_BACKEND: no tensor can describe it: it lies in
// several arrays or in bits of words, or has culled particles in between; firn_sim_device_field
// describes it, firn_sim_field copies it to the host.
FIRN_API firn_result firn_sim_dlpack(const firn_sim* sim, const char* name,
                                     struct DLManagedTensor** out_tensor);
// The same for DLPack 1.0 and newer.
FIRN_API firn_result firn_sim_dlpack_versioned(const firn_sim* sim, const char* name,
                                               struct DLManagedTensorVersioned** out_tensor);

#ifdef __cplusplus
}
#endif
