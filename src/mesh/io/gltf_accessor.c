// SPDX-License-Identifier: MIT
// Reads glTF accessors. glTF 2.0 specification, section 3.6.2: component types, strides, normalised
// integers, sparse accessors.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "mesh/io/gltf_file.h"
#include "mesh/mesh.h"

// Values of the component types, as in OpenGL.
enum { INT8 = 5120, UINT8 = 5121, INT16 = 5122, UINT16 = 5123, UINT32 = 5125, FLOAT32 = 5126 };

// Elements laid out in a buffer.
typedef struct layout {
    const unsigned char* data;  // null: all zero
    size_t stride;              // [bytes]
    int64_t count;              // elements
    int component;              // component type
    int width;                  // components per element
    bool normalized;
} layout;

typedef struct job {
    const firn_gltf_file* file;
    const char* purpose;
    firn_local row;  // JSON value of the accessor
    firn_error* error;
} job;

static firn_result refuse(const job* j, const char* what, long long value)
{
    return firn_fail(j->error, FIRN_REFUSED_SCENE, "%s: byte %zu: %s: %s (%lld)", j->file->path,
                     firn_json_offset(&j->file->json, j->row), j->purpose, what, value);
}

static size_t component_size(int component)
{
    switch (component) {
    case INT8:
    case UINT8: return 1;
    case INT16:
    case UINT16: return 2;
    case UINT32:
    case FLOAT32: return 4;
    default: return 0;
    }
}

static int type_width(const firn_json* json, firn_local type)
{
    static const struct {
        const char* name;
        int width;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (firn_json_equals(json, type, types[k].name)) return types[k].width;
    return 0;
}

// Points `l` into the buffer view named by `object` ("bufferView" and "byteOffset").
static firn_result find_data(const job* j, firn_local object, layout* l)
{
    const firn_gltf_file* f = j->file;
    const size_t element = component_size(l->component) * (size_t)l->width;
    firn_local view, buffer;
    int64_t offset, start, length, stride;
    FIRN_TRY(firn_gltf_index(f, object, "bufferView", FIRN_GLTF_BUFFER_VIEWS, &view, j->error));
    l->stride = element;
    l->data = NULL;
    if (view < 0) return FIRN_OK;
    const firn_local row = f->rows[FIRN_GLTF_BUFFER_VIEWS][view];
    FIRN_TRY(firn_gltf_count(f, object, "byteOffset", 0, &offset, j->error));
    FIRN_TRY(firn_gltf_index(f, row, "buffer", FIRN_GLTF_BUFFERS, &buffer, j->error));
    FIRN_TRY(firn_gltf_count(f, row, "byteOffset", 0, &start, j->error));
    FIRN_TRY(firn_gltf_count(f, row, "byteLength", 0, &length, j->error));
    FIRN_TRY(firn_gltf_count(f, row, "byteStride", 0, &stride, j->error));
    if (buffer < 0) return refuse(j, "its buffer view names no buffer, view", view);
    if ((uint64_t)start > f->buffers[buffer].bytes ||
        (uint64_t)length > f->buffers[buffer].bytes - (uint64_t)start)
        return refuse(j, "its buffer view reaches beyond the buffer, view", view);
    if (stride != 0 && (stride < (int64_t)element || stride > 252))
        return refuse(j, "byteStride must be at least an element's size and at most 252", stride);
    if (stride != 0) l->stride = (size_t)stride;
    // counts are below 2^31 and strides below 2^8: no overflow
    const int64_t need = l->count > 0 ? (l->count - 1) * (int64_t)l->stride + (int64_t)element : 0;
    if (offset > length || need > length - offset)
        return refuse(j, "reaches beyond its buffer view, bytes there", length - offset);
    l->data = f->buffers[buffer].data + start + offset;
    return FIRN_OK;
}

// The component at `at`, without normalisation.
static double read_component(const unsigned char* at, int component)
{
    uint32_t bits = at[0];
    float real;
    switch (component) {
    case INT8: return (int8_t)bits;
    case UINT8: return bits;
    default: break;
    }
    bits |= (uint32_t)at[1] << 8;
    if (component == INT16) return (int16_t)bits;
    if (component == UINT16) return bits;
    bits |= (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    if (component == UINT32) return bits;
    memcpy(&real, &bits, sizeof real);
    return real;
}

static double read_number(const layout* l, int64_t element, int k)
{
    if (l->data == NULL) return 0;
    const size_t size = component_size(l->component);
    const double x =
        read_component(l->data + (size_t)element * l->stride + (size_t)k * size, l->component);
    if (!l->normalized) return x;
    switch (l->component) {
    case INT8: return fmax(x / 127, -1);
    case UINT8: return x / 255;
    case INT16: return fmax(x / 32767, -1);
    case UINT16: return x / 65535;
    default: return x;
    }
}

static firn_result read_layout(const job* j, int width, layout* l)
{
    const firn_gltf_file* f = j->file;
    int64_t component, count;
    FIRN_TRY(firn_gltf_count(f, j->row, "componentType", 0, &component, j->error));
    FIRN_TRY(firn_gltf_count(f, j->row, "count", 0, &count, j->error));
    const firn_local type = firn_json_member(&f->json, j->row, "type");
    l->width = type_width(&f->json, type);
    l->component = (int)(component < INT32_MAX ? component : 0);
    l->count = count;
    l->normalized = firn_json_is_true(&f->json, firn_json_member(&f->json, j->row, "normalized"));
    if (component_size(l->component) == 0) return refuse(j, "unknown componentType", component);
    if (l->width != width)
        return refuse(j, "'type' has the wrong number of components, needed", width);
    if (count < 1 || count > FIRN_MESH_COUNT_MAX)
        return refuse(j, "'count' is out of range", count);
    return find_data(j, j->row, l);
}

typedef void (*store_function)(void* out, size_t at, double number);

static void store_float(void* out, size_t at, double number)
{
    ((float*)out)[at] = (float)number;
}

static void store_index(void* out, size_t at, double number)
{
    ((int32_t*)out)[at] = (int32_t)number;
}

typedef struct reading {
    store_function store;
    double limit;  // indices: below this; 0 for reals
    void* out;     // [count][width], 4 bytes each
} reading;

static firn_result store_element(const job* j, const layout* l, int64_t from, int64_t to,
                                 const reading* r)
{
    for (int k = 0; k < l->width; k++) {
        const double x = read_number(l, from, k);
        if (r->limit > 0 && !(x < r->limit))
            return firn_fail(j->error, FIRN_REFUSED_SCENE,
                             "%s: byte %zu: %s: element %lld is %.0f, must be below %.0f",
                             j->file->path, firn_json_offset(&j->file->json, j->row), j->purpose,
                             (long long)to, x, r->limit);
        if (!isfinite(x))
            return firn_fail(j->error, FIRN_REFUSED_SCENE,
                             "%s: byte %zu: %s: element %lld is not finite (%g)", j->file->path,
                             firn_json_offset(&j->file->json, j->row), j->purpose, (long long)to,
                             x);
        r->store(r->out, (size_t)to * (size_t)l->width + (size_t)k, x);
    }
    return FIRN_OK;
}

// Sparse accessor: overwrites some of the elements.
static firn_result read_sparse(const job* j, const layout* whole, const reading* r)
{
    const firn_json* json = &j->file->json;
    const firn_local sparse = firn_json_member(json, j->row, "sparse");
    if (sparse < 0) return FIRN_OK;
    const firn_local indices = firn_json_member(json, sparse, "indices");
    layout targets = {.width = 1}, values = *whole;
    int64_t component;
    FIRN_TRY(firn_gltf_count(j->file, sparse, "count", 0, &targets.count, j->error));
    if (targets.count > whole->count)
        return refuse(j, "more sparse elements than elements", targets.count);
    FIRN_TRY(firn_gltf_count(j->file, indices, "componentType", 0, &component, j->error));
    if (component != UINT8 && component != UINT16 && component != UINT32)
        return refuse(j, "sparse indices must be unsigned, componentType", component);
    targets.component = (int)component;
    values.count = targets.count;
    FIRN_TRY(find_data(j, indices, &targets));
    FIRN_TRY(find_data(j, firn_json_member(json, sparse, "values"), &values));
    for (int64_t k = 0; k < targets.count; k++) {
        const double to = read_number(&targets, k, 0);
        if (to >= (double)whole->count)
            return refuse(j, "a sparse index is out of range", (long long)to);
        FIRN_TRY(store_element(j, &values, k, (int64_t)to, r));
    }
    return FIRN_OK;
}

static firn_result read_all(const job* j, const layout* l, reading* r)
{
    r->out = firn_alloc((size_t)l->count * (size_t)l->width, 4);
    if (r->out == NULL)
        return firn_fail(j->error, FIRN_BROKEN_MEMORY, "%s: no memory for %lld elements",
                         j->file->path, (long long)l->count);
    firn_result result = FIRN_OK;
    for (int64_t e = 0; result == FIRN_OK && e < l->count; e++)
        result = store_element(j, l, e, e, r);
    if (result == FIRN_OK) result = read_sparse(j, l, r);
    if (result != FIRN_OK) firn_free(r->out);
    return result;
}

firn_result firn_gltf_read_floats(const firn_gltf_file* file, firn_local accessor, int width,
                                  const char* purpose, float** out_values, firn_local* out_count,
                                  firn_error* error)
{
    const job j = {file, purpose, file->rows[FIRN_GLTF_ACCESSORS][accessor], error};
    layout l;
    FIRN_TRY(read_layout(&j, width, &l));
    reading r = {.store = store_float};
    FIRN_TRY(read_all(&j, &l, &r));
    *out_values = r.out;
    *out_count = (firn_local)l.count;
    return FIRN_OK;
}

firn_result firn_gltf_read_indices(const firn_gltf_file* file, firn_local accessor, int width,
                                   int64_t limit, const char* purpose, int32_t** out_values,
                                   firn_local* out_count, firn_error* error)
{
    const job j = {file, purpose, file->rows[FIRN_GLTF_ACCESSORS][accessor], error};
    layout l;
    FIRN_TRY(read_layout(&j, width, &l));
    if ((l.component != UINT8 && l.component != UINT16 && l.component != UINT32) || l.normalized)
        return refuse(&j, "must be unsigned whole numbers, componentType", l.component);
    reading r = {.store = store_index, .limit = (double)limit};
    FIRN_TRY(read_all(&j, &l, &r));
    *out_values = r.out;
    *out_count = (firn_local)l.count;
    return FIRN_OK;
}
