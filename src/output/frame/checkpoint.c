// SPDX-License-Identifier: MIT
// Checkpoints: every particle field bit for bit under /particles, the solver's other state as
// /extra. Not compressed: they are few, and one is written after a signal, when time is short.
#include <stdio.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"
#include "output/frame/field_rows.h"
#include "output/frame/frame.h"
#include "output/frame/frame_info.h"

#define GROUP "/particles"
#define OBJECT_BYTES 128

static firn_result put_bytes(firn_h5* h5, const void* extra, size_t size)
{
    const int64_t bytes = (int64_t)size;
    FIRN_TRY(firn_h5_put_number(h5, GROUP, "extra_size", FIRN_H5_I64, &bytes, 0));
    const firn_h5_array a = {.path = "/extra",
                             .given = FIRN_H5_U8,
                             .stored = FIRN_H5_U8,
                             .rows = bytes,
                             .columns = 1,
                             .data = extra};
    return firn_h5_put_array(h5, &a);
}

static firn_result put_checkpoint(firn_h5* h5, const firn_frame_info* info,
                                  const firn_particles* particles, const firn_particle_rows* rows,
                                  const void* extra, size_t extra_size)
{
    firn_frame_info own = *info;
    if (rows == NULL)
        own.state_hash = firn_particles_hash(particles);
    else
        FIRN_TRY(firn_particle_rows_hash(rows, particles, &own.state_hash, h5->error));
    FIRN_TRY(firn_frame_info_put(h5, &own));
    const int64_t count = rows != NULL ? rows->count : particles->count;
    const int64_t field_count = particles->field_count;
    FIRN_TRY(firn_h5_put_group(h5, GROUP));
    FIRN_TRY(firn_h5_put_number(h5, GROUP, "count", FIRN_H5_I64, &count, 0));
    FIRN_TRY(firn_h5_put_number(h5, GROUP, "field_count", FIRN_H5_I64, &field_count, 0));
    for (int f = 0; f < particles->field_count; f++) {
        const firn_field* field = &particles->fields[f];
        char object[OBJECT_BYTES];
        snprintf(object, sizeof object, GROUP "/%s", field->name);
        firn_field_rows from = {rows, f};
        const firn_h5_rows source = {&from, firn_field_rows_read};
        firn_h5_array a = {.path = object,
                           .rows = count,
                           .data = rows != NULL ? NULL : field->data,
                           .source = rows != NULL ? &source : NULL};
        firn_h5_shape(field->type, &a.stored, &a.columns);
        a.given = a.stored;
        FIRN_TRY(firn_h5_put_array(h5, &a));
        FIRN_TRY(firn_h5_put_text(h5, object, "unit", field->unit));
    }
    return put_bytes(h5, extra, extra_size);
}

firn_result firn_checkpoint_write(const char* path, const firn_frame_info* info,
                                  const firn_particles* particles, const firn_particle_rows* rows,
                                  const void* extra, size_t extra_size, firn_error* error)
{
    if (extra_size > INT32_MAX)
        return firn_fail(
            error, FIRN_REFUSED_ARGUMENT,
            "the solver has %zu bytes of state beside its particles; a checkpoint holds at most "
            "2 GB",
            extra_size);
    firn_h5 h5;
    FIRN_TRY(firn_h5_create(&h5, path, FIRN_SEAL_CHECKPOINT, error));
    return firn_h5_commit(&h5, put_checkpoint(&h5, info, particles, rows, extra, extra_size));
}

typedef struct header {
    firn_frame_info info;
    int64_t count, field_count, extra_size;
    firn_h5_dataset extra;
} header;

static firn_result get_header(firn_h5_input* h5, header* out_header)
{
    int64_t extra_rows = 0;
    header* h = out_header;
    FIRN_TRY(firn_frame_info_get(h5, &h->info));
    FIRN_TRY(firn_h5_get_number(h5, GROUP, "count", FIRN_H5_I64, &h->count));
    FIRN_TRY(firn_h5_get_number(h5, GROUP, "field_count", FIRN_H5_I64, &h->field_count));
    FIRN_TRY(firn_h5_get_number(h5, GROUP, "extra_size", FIRN_H5_I64, &h->extra_size));
    FIRN_TRY(firn_h5_measure(h5, "/extra", FIRN_H5_U8, 1, &h->extra, &extra_rows));
    if (h->count < 0 || h->count > INT32_MAX || extra_rows != h->extra_size)
        return firn_fail(h5->error, FIRN_REFUSED_DAMAGED,
                         "'%s' is damaged: %lld particles and %lld bytes of other state", h5->path,
                         (long long)h->count, (long long)h->extra_size);
    return FIRN_OK;
}

firn_result firn_checkpoint_read_info(const char* path, firn_frame_info* out_info,
                                      firn_local* out_count, size_t* out_extra_size,
                                      firn_error* error)
{
    firn_h5_input h5;
    header h;
    FIRN_TRY(firn_h5_open(&h5, path, FIRN_SEAL_CHECKPOINT, error));
    const firn_result result = firn_h5_close(&h5, get_header(&h5, &h));
    if (result != FIRN_OK) return result;
    *out_info = h.info;
    *out_count = (firn_local)h.count;
    *out_extra_size = (size_t)h.extra_size;
    return FIRN_OK;
}

// Finds the array of a field. `object` is a buffer for its path.
static firn_result find_field(firn_h5_input* h5, const header* h, const firn_field* field,
                              char object[OBJECT_BYTES], firn_h5_dataset* out_dataset)
{
    firn_h5_type type;
    int columns;
    int64_t rows = 0;
    snprintf(object, OBJECT_BYTES, GROUP "/%s", field->name);
    firn_h5_shape(field->type, &type, &columns);
    FIRN_TRY(firn_h5_measure(h5, object, type, columns, out_dataset, &rows));
    if (rows == h->count) return FIRN_OK;
    return firn_fail(h5->error, FIRN_REFUSED_DAMAGED,
                     "'%s' is damaged: '%s' has %lld rows for %lld particles", h5->path, object,
                     (long long)rows, (long long)h->count);
}

// Checks that the file holds exactly the fields of `particles`. Changes nothing.
static firn_result check_fields(firn_h5_input* h5, const header* h, const firn_particles* particles,
                                size_t extra_size)
{
    if (h->info.real_bytes != (int)sizeof(firn_real))
        return firn_fail(
            h5->error, FIRN_REFUSED_ARGUMENT,
            "'%s' was written by a build with %d-byte real numbers, this build has %d-byte "
            "ones: continue with the build that wrote it",
            h5->path, h->info.real_bytes, (int)sizeof(firn_real));
    if ((size_t)h->extra_size != extra_size || h->field_count != particles->field_count)
        return firn_fail(
            h5->error, FIRN_REFUSED_ARGUMENT,
            "'%s' was written by another solver or version of firn: it has %lld fields and "
            "%lld bytes of other state, expected are %d and %zu",
            h5->path, (long long)h->field_count, (long long)h->extra_size, particles->field_count,
            extra_size);
    for (int f = 0; f < particles->field_count; f++) {
        char object[OBJECT_BYTES];
        firn_h5_dataset dataset;
        FIRN_TRY(find_field(h5, h, &particles->fields[f], object, &dataset));
    }
    return FIRN_OK;
}

static firn_result get_fields(firn_h5_input* h5, const header* h, firn_particles* particles,
                              void* extra)
{
    if (firn_particles_reserve(particles, (firn_local)h->count) != FIRN_OK)
        return firn_fail(h5->error, FIRN_BROKEN_MEMORY,
                         "out of memory reading the %lld particles of '%s'", (long long)h->count,
                         h5->path);
    particles->count = 0;
    for (int f = 0; f < particles->field_count && h->count > 0; f++) {
        char object[OBJECT_BYTES];
        firn_h5_dataset dataset;
        FIRN_TRY(find_field(h5, h, &particles->fields[f], object, &dataset));
        FIRN_TRY(firn_h5_get_array(h5, &dataset, dataset.type, particles->fields[f].data));
    }
    if (h->extra_size > 0) FIRN_TRY(firn_h5_get_array(h5, &h->extra, FIRN_H5_U8, extra));
    particles->count = (firn_local)h->count;
    return FIRN_OK;
}

static firn_result refuse_hash(firn_h5_input* h5)
{
    return firn_fail(h5->error, FIRN_REFUSED_DAMAGED,
                     "'%s' is damaged: its particles do not have the state hash of its header",
                     h5->path);
}

static firn_result refuse_id(firn_h5_input* h5, firn_local particle)
{
    return firn_fail(h5->error, FIRN_REFUSED_DAMAGED,
                     "'%s' is damaged: 'id' of particle %d is that of another particle, too",
                     h5->path, (int)particle);
}

// Checks what the arrays contain, whatever their checksums say.
static firn_result check_values(firn_h5_input* h5, const header* h, const firn_particles* particles,
                                const firn_value_limits* limits)
{
    if (firn_particles_hash(particles) != h->info.state_hash) return refuse_hash(h5);
    firn_value_limits own = *limits;
    own.before_first_step = h->info.step == 0;
    firn_invalid_value invalid;
    if (firn_particles_find_invalid(particles, &own, &invalid)) {
        char what[256];
        firn_invalid_value_print(&invalid, &own, what, sizeof what);
        return firn_fail(h5->error, FIRN_REFUSED_DAMAGED, "'%s' is damaged: %s", h5->path, what);
    }
    firn_local same;
    if (firn_particles_find_same_id(particles, &same) != FIRN_OK)
        return firn_fail(h5->error, FIRN_BROKEN_MEMORY, "out of memory checking '%s'", h5->path);
    return same < 0 ? FIRN_OK : refuse_id(h5, same);
}

firn_result firn_checkpoint_read(const char* path, const firn_value_limits* limits,
                                 firn_particles* particles, void* extra, size_t extra_size,
                                 firn_error* error)
{
    firn_h5_input h5;
    header h;
    FIRN_TRY(firn_h5_open(&h5, path, FIRN_SEAL_CHECKPOINT, error));
    firn_result result = get_header(&h5, &h);
    if (result == FIRN_OK) result = check_fields(&h5, &h, particles, extra_size);
    if (result == FIRN_OK) {
        result = get_fields(&h5, &h, particles, extra);
        if (result == FIRN_OK) result = check_values(&h5, &h, particles, limits);
        if (result != FIRN_OK) particles->count = 0;  // an invalid state must not be used
    }
    return firn_h5_close(&h5, result);
}

// ---- in runs of rows ----------------------------------------------------------------------------

#define RUN 65536  // rows that are read together
#define ID_PAGE_BITS 20
#define ID_PAGES 4096  // 2^32 ids

typedef struct run_reader {
    firn_h5_input* h5;
    const header* h;
    firn_value_limits limits;
    const firn_particle_sink* sink;
    firn_hasher* hasher;      // owned
    char* buffer;             // owned [RUN] of the largest field
    uint8_t* seen[ID_PAGES];  // owned; bits of the ids that were read
    uint64_t hash;            // of the fields so far
} run_reader;

// Whether all ids are new.
static firn_result see_ids(run_reader* r, const uint32_t* id, firn_local first, firn_local count)
{
    for (firn_local k = 0; k < count; k++) {
        uint8_t** page = &r->seen[id[k] >> ID_PAGE_BITS];
        const uint32_t bit = id[k] & ((1u << ID_PAGE_BITS) - 1);
        if (*page == NULL) *page = firn_alloc((size_t)1 << (ID_PAGE_BITS - 3), 1);
        if (*page == NULL) return firn_h5_out_of_memory(r->h5);
        if (((*page)[bit >> 3] >> (bit & 7) & 1) != 0) return refuse_id(r->h5, first + k);
        (*page)[bit >> 3] |= (uint8_t)(1u << (bit & 7));
    }
    return FIRN_OK;
}

static firn_result take_run(run_reader* r, const firn_field* field, int index, firn_local first,
                            firn_local count)
{
    firn_field own = *field;
    own.data = r->buffer;
    firn_invalid_value invalid;
    if (firn_field_find_invalid(&own, count, &r->limits, &invalid)) {
        char what[256];
        invalid.particle += first;
        firn_invalid_value_print(&invalid, &r->limits, what, sizeof what);
        return firn_fail(r->h5->error, FIRN_REFUSED_DAMAGED, "'%s' is damaged: %s", r->h5->path,
                         what);
    }
    if (strcmp(field->name, "id") == 0)
        FIRN_TRY(see_ids(r, (const uint32_t*)(void*)r->buffer, first, count));
    firn_hasher_add(r->hasher, r->buffer, (size_t)count * field->size);
    return r->sink->put(r->sink->self, index, first, count, r->buffer, r->h5->error);
}

static firn_result take_field(run_reader* r, const firn_field* field, int index)
{
    char object[OBJECT_BYTES];
    firn_h5_dataset dataset;
    FIRN_TRY(find_field(r->h5, r->h, field, object, &dataset));
    firn_hasher_begin(r->hasher, firn_hash(field->name, strlen(field->name), r->hash));
    for (int64_t first = 0; first < r->h->count; first += RUN) {
        const int64_t left = r->h->count - first, run = left < RUN ? left : RUN;
        FIRN_TRY(firn_h5_get_rows(r->h5, &dataset, first, run, r->buffer));
        FIRN_TRY(take_run(r, field, index, (firn_local)first, (firn_local)run));
    }
    r->hash = firn_hasher_value(r->hasher);
    return FIRN_OK;
}

static firn_result take_fields(run_reader* r, const firn_particles* list)
{
    size_t most = 1;
    const firn_local count = (firn_local)r->h->count;
    for (int f = 0; f < list->field_count; f++)
        most = list->fields[f].size > most ? list->fields[f].size : most;
    r->buffer = firn_alloc(RUN, most);
    r->hasher = firn_hasher_create();
    if (r->buffer == NULL || r->hasher == NULL) return firn_h5_out_of_memory(r->h5);
    FIRN_TRY(r->sink->begin(r->sink->self, count, r->h5->error));
    r->hash = firn_hash(&count, sizeof count, 0);
    for (int f = 0; f < list->field_count; f++) FIRN_TRY(take_field(r, &list->fields[f], f));
    return r->hash == r->h->info.state_hash ? FIRN_OK : refuse_hash(r->h5);
}

firn_result firn_checkpoint_read_rows(const char* path, const firn_value_limits* limits,
                                      const firn_particles* list, const firn_particle_sink* sink,
                                      void* extra, size_t extra_size, firn_error* error)
{
    firn_h5_input h5;
    header h;
    FIRN_TRY(firn_h5_open(&h5, path, FIRN_SEAL_CHECKPOINT, error));
    firn_result result = get_header(&h5, &h);
    if (result == FIRN_OK) result = check_fields(&h5, &h, list, extra_size);
    if (result == FIRN_OK && h.extra_size > 0)
        result = firn_h5_get_array(&h5, &h.extra, FIRN_H5_U8, extra);
    if (result == FIRN_OK) {
        run_reader r = {.h5 = &h5, .h = &h, .limits = *limits, .sink = sink};
        r.limits.before_first_step = h.info.step == 0;
        result = take_fields(&r, list);
        firn_hasher_destroy(r.hasher);
        firn_free(r.buffer);
        for (int k = 0; k < ID_PAGES; k++) firn_free(r.seen[k]);
    }
    return firn_h5_close(&h5, result);
}
