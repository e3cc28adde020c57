// SPDX-License-Identifier: MIT
// Describing files for `firn info`.
#include "output/run/describe.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/input.h"
#include "core/text.h"
#include "output/frame/frame.h"
#include "output/hdf5/h5_read.h"
#include "output/hdf5/seal.h"

#define PLY_HEADER_MAX 65536  // [bytes]

static void add_info(firn_text* t, const char* kind, const char* path, const firn_frame_info* info,
                     int64_t particles)
{
    struct stat status;
    const double bytes = stat(path, &status) == 0 ? (double)status.st_size : 0;
    firn_text_add(t, "%s %" PRId64 " of '%s' (solver %s)\n", kind, info->frame, info->scene,
                  info->solver);
    firn_text_add(t, "file       %s: %.2f MB, checksum correct\n", path, bytes / 1e6);
    firn_text_add(t, "time       %.9g s, after %" PRId64 " steps, %.9g frames per second\n",
                  info->time, info->step, info->fps);
    firn_text_add(t, "particles  %" PRId64 " (%.1f bytes each), cell %.6g m\n", particles,
                  particles > 0 ? bytes / (double)particles : 0, info->cell);
}

static void add_range(firn_text* t, const char* name, const char* unit, const firn_real* values,
                      firn_local count)
{
    if (values == NULL || count == 0) return;
    double low = INFINITY, high = -INFINITY, sum = 0;
    for (firn_local p = 0; p < count; p++) {
        low = fmin(low, (double)values[p]);
        high = fmax(high, (double)values[p]);
        sum += (double)values[p];
    }
    firn_text_add(t, "%-10s %.6g to %.6g %s, mean %.6g, sum %.6g\n", name, low, high, unit,
                  sum / count, sum);
}

static void add_bounds(firn_text* t, const firn_frame* f)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double fastest = 0;
    for (firn_local p = 0; p < f->count; p++) {
        const double x[3] = {f->position[p].x, f->position[p].y, f->position[p].z};
        for (int d = 0; d < 3; d++) {
            low[d] = fmin(low[d], x[d]);
            high[d] = fmax(high[d], x[d]);
        }
        if (f->velocity != NULL)
            fastest = fmax(fastest, hypot(hypot((double)f->velocity[p].x, (double)f->velocity[p].y),
                                          (double)f->velocity[p].z));
    }
    if (f->count == 0) return;
    firn_text_add(t, "bounds     (%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g) m\n", low[0], low[1],
                  low[2], high[0], high[1], high[2]);
    if (f->velocity != NULL) firn_text_add(t, "speed      up to %.6g m/s\n", fastest);
}

static void add_bodies(firn_text* t, const firn_frame* f)
{
    for (firn_local k = 0; k < f->body_count; k++) {
        const firn_frame_body* b = &f->bodies[k];
        firn_text_add(t, "collider %-2d at (%.6g, %.6g, %.6g) m, %s\n", (int)b->body,
                      (double)b->pose.position.x, (double)b->pose.position.y,
                      (double)b->pose.position.z,
                      b->driver == FIRN_BODY_FREE ? "dynamic" : "moved by the caller");
    }
}

// Lists the arrays of a file.
static firn_result add_fields(firn_text* t, const char* path, firn_seal_kind kind,
                              firn_error* error)
{
    firn_h5_input h5;
    FIRN_TRY(firn_h5_open(&h5, path, kind, error));
    firn_text_add(t, "fields\n");
    const bool frame = kind == FIRN_SEAL_FRAME;
    const firn_result result = firn_h5_list(&h5, frame ? "/VTKHDF/PointData" : "/particles", t);
    if (frame) firn_text_add(t, "  (position is /VTKHDF/Points)\n");
    return firn_h5_close(&h5, result);
}

static firn_result describe_frame(const char* path, firn_text* t, firn_error* error)
{
    firn_frame frame;
    FIRN_TRY(firn_frame_read(path, &frame, error));
    add_info(t, "frame", path, &frame.info, frame.count);
    add_bounds(t, &frame);
    for (int f = 0; f < FIRN_FRAME_FIELD_COUNT; f++)
        if (firn_field_table[f].type == FIRN_FIELD_REAL)
            add_range(t, firn_field_table[f].name, firn_field_table[f].unit, frame.fields[f],
                      frame.count);
    add_bodies(t, &frame);
    firn_frame_destroy(&frame);
    return add_fields(t, path, FIRN_SEAL_FRAME, error);
}

static firn_result describe_checkpoint(const char* path, firn_text* t, firn_error* error)
{
    firn_frame_info info;
    firn_local count;
    size_t extra;
    FIRN_TRY(firn_checkpoint_read_info(path, &info, &count, &extra, error));
    add_info(t, "checkpoint", path, &info, count);
    firn_text_add(t, "state      hash %016" PRIx64 ", %s precision, %zu bytes of other state\n",
                  info.state_hash, info.real_bytes == 8 ? "double" : "single", extra);
    return add_fields(t, path, FIRN_SEAL_CHECKPOINT, error);
}

// The lines of a PLY header: format, comments, elements, properties.
static firn_result describe_ply(const char* path, const char* head, firn_text* t, firn_error* error)
{
    const char* end = strstr(head, "\nend_header");
    if (end == NULL)
        return firn_fail(
            error, FIRN_REFUSED_DAMAGED,
            "'%s' begins like a PLY file, but has no 'end_header' in its first %d bytes", path,
            PLY_HEADER_MAX);
    struct stat status;
    const double bytes = stat(path, &status) == 0 ? (double)status.st_size : 0;
    firn_text_add(t, "PLY file\nfile       %s: %.2f MB\n", path, bytes / 1e6);
    const char* line = strchr(head, '\n');
    while (line != NULL && line < end) {
        line++;
        const char* stop = line;
        while (stop <= end && *stop != '\n' && *stop != '\r') stop++;
        firn_text_add(t, "  ");
        for (const char* c = line; c < stop; c++)
            firn_text_add_bytes(t, (unsigned char)*c < 0x20 ? "?" : c, 1);
        firn_text_add(t, "\n");
        line = strchr(line, '\n');
    }
    return FIRN_OK;
}

// The first bytes of a file, null-terminated.
static firn_result read_head(const char* path, char* out_head, size_t size, firn_error* error)
{
    int file = -1, reason = 0;
    uint64_t bytes = 0;
    FIRN_TRY(firn_input_open(path, &file, &bytes, error));
    size_t have = 0;
    while (reason == 0) {
        const ssize_t n = read(file, out_head + have, size - 1 - have);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) reason = errno;
        if (n <= 0) break;
        have += (size_t)n;
    }
    close(file);
    out_head[have] = '\0';
    if (reason == 0) return FIRN_OK;
    return firn_fail(error, FIRN_REFUSED_IO, "cannot read '%s': %s", path, strerror(reason));
}

static firn_result describe(const char* path, firn_text* t, firn_error* error)
{
    bool sealed;
    firn_seal_kind kind;
    FIRN_TRY(firn_seal_peek(path, &sealed, &kind, error));
    if (sealed)
        return kind == FIRN_SEAL_FRAME ? describe_frame(path, t, error)
                                       : describe_checkpoint(path, t, error);
    char head[PLY_HEADER_MAX];
    FIRN_TRY(read_head(path, head, sizeof head, error));
    if (strncmp(head, "ply\n", 4) == 0 || strncmp(head, "ply\r", 4) == 0)
        return describe_ply(path, head, t, error);
    return firn_fail(error, FIRN_REFUSED_NAME, "'%s' is not a frame, a checkpoint or a PLY file",
                     path);
}

firn_result firn_describe_file(const char* path, char** out_text, firn_error* error)
{
    firn_text t = {0};
    firn_result result = describe(path, &t, error);
    if (result == FIRN_OK && t.failed)
        result = firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory describing '%s'", path);
    if (result == FIRN_OK)
        *out_text = t.data;
    else
        firn_text_destroy(&t);
    return result;
}
