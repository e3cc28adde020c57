// SPDX-License-Identifier: MIT
// What the tests of device.h share: every field is read where it lies, element by element, and
// compared with firn_sim_field. DLPack's structs are declared here as dlpack.h has them.
#pragma once
#include <stdlib.h>
#include <string.h>

#include "firn/firn.h"
#include "firn_test.h"

typedef struct DLTensor {
    void* data;
    struct {
        int32_t device_type, device_id;
    } device;
    int32_t ndim;
    struct {
        uint8_t code, bits;
        uint16_t lanes;
    } dtype;
    int64_t* shape;
    int64_t* strides;
    uint64_t byte_offset;
} DLTensor;

typedef struct DLManagedTensor {
    DLTensor dl_tensor;
    void* manager_ctx;
    void (*deleter)(struct DLManagedTensor* self);
} DLManagedTensor;

typedef struct DLManagedTensorVersioned {
    struct {
        uint32_t major, minor;
    } version;
    void* manager_ctx;
    void (*deleter)(struct DLManagedTensorVersioned* self);
    uint64_t flags;
    DLTensor dl_tensor;
} DLManagedTensorVersioned;

// Copies memory of the field's device to the host, after `event`.
typedef void read_fn(void* to, const void* from, size_t bytes, void* event);

#define COLLIDERS "colliders:\n  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n"
#define SNOW                                                                                  \
    "time: {frames: 3, fps: 200}\n"                                                           \
    "snow:\n  - shape: {sphere: {center: [0, 0.2, 0], radius: 0.15}}\n    velocity: [1, -3, " \
    "0]\n" COLLIDERS
#define CULL "cull: {below: 0.12}\n"

static inline firn_sim* device_start(const char* text, const char* backend)
{
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    if (firn_scene_load_text(scene, text, "device", NULL) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    firn_sim_def def = firn_default_sim_def();
    def.threads = 1;
    def.backend = backend;
    firn_sim* sim = NULL;
    firn_error error;
    if (firn_sim_create(scene, &def, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
    firn_scene_destroy(scene);
    return sim;
}

// [bytes] of the array from parts[k] on: the last particle's record ends within it.
static inline size_t device_part_bytes(const firn_device_field* f, int k)
{
    const int left = f->components - k * f->part_components;
    const int here = left < f->part_components ? left : f->part_components;
    return f->count > 0
               ? ((size_t)f->count - 1) * f->stride + (size_t)here * (size_t)f->component_size
               : 0;
}

// The field as firn_sim_field gives it, gathered from where it lies; freed by the caller.
static inline char* device_gather(const firn_device_field* f, size_t size, read_fn* read)
{
    char* part[FIRN_DEVICE_PARTS_MAX] = {0};
    for (int k = 0; k < f->part_count; k++) {
        part[k] = malloc(device_part_bytes(f, k) + 1);
        read(part[k], f->parts[k], device_part_bytes(f, k), f->event);
    }
    uint8_t* gone = calloc((size_t)f->count + 1, 1);
    if (f->gone != NULL) read(gone, f->gone, (size_t)f->count, f->event);
    char *all = malloc((size_t)f->count * size + 1), *to = all;
    for (firn_local p = 0; p < f->count; p++) {
        if (gone[p] != 0) continue;
        if (f->bits > 0) {
            uint32_t word;
            memcpy(&word, part[0] + (size_t)p * f->stride, sizeof word);
            *to = (char)(word >> f->shift & ((1u << f->bits) - 1));
        }
        for (int c = 0; c < f->components && f->bits == 0; c++)
            memcpy(to + c * f->component_size,
                   part[c / f->part_components] + (size_t)p * f->stride +
                       (size_t)(c % f->part_components) * (size_t)f->component_size,
                   (size_t)f->component_size);
        to += size;
    }
    assert_int_equal((to - all) / (ptrdiff_t)size, f->count - f->gone_count);
    for (int k = 0; k < f->part_count; k++) free(part[k]);
    free(gone);
    return all;
}

static inline size_t device_size(firn_field_type type)
{
    return type == FIRN_FIELD_MAT3   ? sizeof(firn_mat3)
           : type == FIRN_FIELD_VEC3 ? sizeof(firn_vec3)
           : type == FIRN_FIELD_REAL ? sizeof(firn_real)
           : type == FIRN_FIELD_U32  ? sizeof(uint32_t)
                                     : 1;
}

// Walks the tensor by shape and strides.
static inline void device_check_tensor(const DLTensor* t, const firn_device_field* f,
                                       const firn_field_view* v, read_fn* read)
{
    const size_t each = (size_t)t->dtype.bits / 8;
    const int64_t columns = t->ndim == 1 ? 1 : t->ndim == 2 ? 3 : 9;
    assert_int_equal(t->device.device_type, f->device < 0 ? 1 : 2);
    assert_int_equal(t->device.device_id, f->device < 0 ? 0 : f->device);
    assert_int_equal(t->dtype.lanes, 1);
    assert_int_equal(t->dtype.code, v->type == FIRN_FIELD_U8 || v->type == FIRN_FIELD_U32 ? 1 : 2);
    assert_int_equal(t->shape[0], v->count);
    assert_int_equal((size_t)columns * each, device_size(v->type));
    const size_t bytes = device_part_bytes(f, 0);
    char* copy = malloc(bytes + 1);
    read(copy, (const char*)t->data + t->byte_offset, bytes, NULL);
    for (int64_t p = 0; p < t->shape[0]; p++)
        for (int64_t c = 0; c < columns; c++) {
            int64_t at = p * t->strides[0];
            if (t->ndim == 2) at += c * t->strides[1];
            if (t->ndim == 3) at += c / 3 * t->strides[1] + c % 3 * t->strides[2];
            assert_memory_equal(copy + (size_t)at * each,
                                (const char*)v->data + (size_t)(p * columns + c) * each, each);
        }
    free(copy);
}

static inline void device_check_tensors(firn_sim* sim, const firn_device_field* f,
                                        const firn_field_view* v, read_fn* read)
{
    DLManagedTensor* plain = NULL;
    DLManagedTensorVersioned* versioned = NULL;
    if (f->bits > 0 || f->part_count > 1 || f->gone_count > 0) {
        assert_int_equal(firn_sim_dlpack(sim, v->name, &plain), FIRN_REFUSED_BACKEND);
        assert_contains(firn_sim_error(sim), "no tensor can describe");
        assert_null(plain);
        return;
    }
    assert_int_equal(firn_sim_dlpack(sim, v->name, &plain), FIRN_OK);
    device_check_tensor(&plain->dl_tensor, f, v, read);
    plain->deleter(plain);
    assert_int_equal(firn_sim_dlpack_versioned(sim, v->name, &versioned), FIRN_OK);
    assert_int_equal(versioned->version.major, 1);
    assert_int_equal(versioned->flags, 1);
    device_check_tensor(&versioned->dl_tensor, f, v, read);
    versioned->deleter(versioned);
}

// All fields: first where they lie, then as copies on the host, which must not differ. Returns the
// number of culled particles that lay in between.
static inline int device_check_fields(firn_sim* sim, int device, read_fn* read)
{
    int gone = 0;
    for (int k = 0; k < firn_sim_field_count(sim); k++) {
        firn_field_view v;
        assert_int_equal(firn_sim_field_at(sim, k, &v), FIRN_OK);
        firn_device_field f;
        if (firn_sim_device_field(sim, v.name, &f) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
        assert_string_equal(f.name, v.name);
        assert_string_equal(f.unit, v.unit);
        assert_int_equal(f.type, v.type);
        assert_int_equal(f.device, device);
        assert_int_equal(f.count - f.gone_count, v.count);
        const size_t size = device_size(v.type);
        char* there = device_gather(&f, size, read);
        assert_memory_equal(there, v.data, (size_t)v.count * size);
        free(there);
        device_check_tensors(sim, &f, &v, read);
        gone = f.gone_count;
    }
    return gone;
}
