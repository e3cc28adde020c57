// SPDX-License-Identifier: MIT
// Particle fields as DLPack tensors.
#include "sim/device/dlpack.h"

#include "sim/device/device_field.h"
#include "sim/entry.h"

#define DIMENSIONS 3

// A tensor of either version, with its shape.
typedef struct held {
    union {
        firn_dl_managed plain;
        firn_dl_versioned versioned;
    } as;
    int64_t shape[DIMENSIONS], strides[DIMENSIONS];
} held;

static void delete_plain(firn_dl_managed* self)
{
    firn_free(self);
}

static void delete_versioned(firn_dl_versioned* self)
{
    firn_free(self);
}

// Fields that are not numbers at equal distances.
static firn_result refuse(const firn_sim* sim, const firn_device_field* f)
{
    const char* why = f->bits > 0         ? "is some bits of a word"
                      : f->part_count > 1 ? "lies in several arrays"
                                          : "has culled particles in between";
    return firn_fail(&((firn_sim*)sim)->error, FIRN_REFUSED_BACKEND,
                     "no tensor can describe field '%s' on device %d, where it %s: use "
                     "firn_sim_device_field, or firn_sim_field for a copy on the host",
                     f->name, f->device, why);
}

static void describe(const firn_device_field* f, held* h, firn_dl_tensor* out)
{
    const bool real = f->type != FIRN_FIELD_U8 && f->type != FIRN_FIELD_U32;
    *out = (firn_dl_tensor){.data = (void*)(uintptr_t)f->parts[0],
                            .dimensions = f->components == 9   ? 3
                                          : f->components == 3 ? 2
                                                               : 1,
                            .shape = h->shape,
                            .strides = h->strides};
    out->device.type = f->device == FIRN_DEVICE_HOST ? FIRN_DL_CPU : FIRN_DL_CUDA;
    out->device.number = f->device == FIRN_DEVICE_HOST ? 0 : f->device;
    out->number.code = real ? FIRN_DL_FLOAT : FIRN_DL_UINT;
    out->number.bits = (uint8_t)(8 * f->component_size);
    out->number.lanes = 1;
    h->shape[0] = f->count;
    h->strides[0] = (int64_t)f->stride / f->component_size;
    for (int d = 1; d < out->dimensions; d++) {
        h->shape[d] = 3;
        h->strides[d] = d == out->dimensions - 1 ? 1 : 3;
    }
}

static firn_result make(const firn_sim* sim, const char* name, held** out_held,
                        firn_device_field* out_field)
{
    FIRN_TRY(firn_sim_place_field(sim, name, true, out_field));
    if (out_field->bits > 0 || out_field->part_count > 1 || out_field->gone_count > 0)
        return refuse(sim, out_field);
    *out_held = firn_alloc(1, sizeof **out_held);
    if (*out_held == NULL)
        return firn_fail(&((firn_sim*)sim)->error, FIRN_BROKEN_MEMORY,
                         "out of memory for a tensor");
    return FIRN_OK;
}

firn_result firn_sim_dlpack(const firn_sim* sim, const char* name,
                            struct DLManagedTensor** out_tensor)
{
    if (!firn_sim_begin(sim) || name == NULL || out_tensor == NULL) return firn_call_null(__func__);
    const firn_entry entry = firn_sim_enter(sim);
    held* h;
    firn_device_field field;
    const firn_result r = make(sim, name, &h, &field);
    firn_leave(entry);
    if (r != FIRN_OK) return r;
    describe(&field, h, &h->as.plain.tensor);
    h->as.plain.deleter = delete_plain;
    *out_tensor = (struct DLManagedTensor*)h;
    return FIRN_OK;
}

firn_result firn_sim_dlpack_versioned(const firn_sim* sim, const char* name,
                                      struct DLManagedTensorVersioned** out_tensor)
{
    if (!firn_sim_begin(sim) || name == NULL || out_tensor == NULL) return firn_call_null(__func__);
    const firn_entry entry = firn_sim_enter(sim);
    held* h;
    firn_device_field field;
    const firn_result r = make(sim, name, &h, &field);
    firn_leave(entry);
    if (r != FIRN_OK) return r;
    describe(&field, h, &h->as.versioned.tensor);
    h->as.versioned.version.major = 1;
    h->as.versioned.flags = FIRN_DL_READ_ONLY;
    h->as.versioned.deleter = delete_versioned;
    *out_tensor = (struct DLManagedTensorVersioned*)h;
    return FIRN_OK;
}
