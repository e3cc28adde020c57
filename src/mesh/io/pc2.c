// SPDX-License-Identifier: MIT
// .pc2 point caches. Only one sample is in memory at a time: caches of long animations are large.
#include "mesh/io/pc2.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/input.h"
#include "core/memory.h"

#define HEADER 32             // [bytes]
#define MAGIC "POINTCACHE2"   // with the terminating zero: 12 bytes
#define POINT 12              // [bytes] of a point
#define SAMPLES_MAX 10000000  // more than a day of film

static uint32_t read_u32(const unsigned char* b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double read_float(const unsigned char* b)
{
    const uint32_t bits = read_u32(b);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static firn_result cannot_read(const char* path, firn_error* error)
{
    return firn_fail(error, FIRN_REFUSED_IO, "cannot read '%s': %s", path,
                     errno != 0 ? strerror(errno) : "it ends too early");
}

static firn_result check_header(const char* path, const unsigned char* h, int64_t bytes,
                                firn_pc2* out, firn_error* error)
{
    if (memcmp(h, MAGIC, sizeof MAGIC) != 0)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "%s: byte 0: not a .pc2 file: it does not begin with " MAGIC, path);
    const int64_t version = (int32_t)read_u32(h + 12), points = (int32_t)read_u32(h + 16),
                  samples = (int32_t)read_u32(h + 28);
    if (version != 1)
        return firn_fail(error, FIRN_REFUSED_SCENE, "%s: byte 12: version %lld, only 1 can be read",
                         path, (long long)version);
    if (points < 3 || points > FIRN_MESH_COUNT_MAX)
        return firn_fail(error, FIRN_REFUSED_SCENE, "%s: byte 16: %lld points, must be 3 to %d",
                         path, (long long)points, FIRN_MESH_COUNT_MAX);
    *out = (firn_pc2){(firn_local)points, samples, read_float(h + 20), read_float(h + 24)};
    if (!isfinite(out->start))
        return firn_fail(error, FIRN_REFUSED_SCENE, "%s: byte 20: the first frame is %g", path,
                         out->start);
    if (!(out->rate > 0 && out->rate <= 1e6))
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "%s: byte 24: %g frames from sample to sample, must be above 0", path,
                         out->rate);
    if (samples < 1 || samples > SAMPLES_MAX)
        return firn_fail(error, FIRN_REFUSED_SCENE, "%s: byte 28: %lld samples, must be 1 to %d",
                         path, (long long)samples, SAMPLES_MAX);
    const int64_t need = HEADER + POINT * points * samples;
    if (bytes == need) return FIRN_OK;
    return firn_fail(error, FIRN_REFUSED_SCENE,
                     "%s: %lld samples of %lld points need %lld bytes, the file has %lld: it is "
                     "%s",
                     path, (long long)samples, (long long)points, (long long)need, (long long)bytes,
                     bytes < need ? "cut short" : "not what its header says");
}

firn_result firn_pc2_open(const char* path, firn_pc2* out_pc2, firn_error* error)
{
    unsigned char header[HEADER];
    FILE* file = NULL;
    uint64_t bytes = 0;
    FIRN_TRY(firn_input_stream(path, &file, &bytes, error));
    errno = 0;
    const size_t got = fread(header, 1, HEADER, file);
    firn_result result = FIRN_OK;
    if (ferror(file))
        result = cannot_read(path, error);
    else if (got < HEADER)
        result = firn_fail(error, FIRN_REFUSED_SCENE,
                           "%s: only %zu bytes, less than the header of a .pc2 file (%d)", path,
                           got, HEADER);
    firn_pc2 pc2 = {0};
    if (result == FIRN_OK) result = check_header(path, header, (int64_t)bytes, &pc2, error);
    fclose(file);
    if (result == FIRN_OK) *out_pc2 = pc2;
    return result;
}

static firn_result convert(const char* path, const unsigned char* bytes, int64_t at,
                           firn_local count, firn_vec3* out_points, firn_error* error)
{
    for (firn_local p = 0; p < count; p++) {
        double x[3];
        for (int i = 0; i < 3; i++) {
            const size_t offset = POINT * (size_t)p + 4 * (size_t)i;
            x[i] = read_float(bytes + offset);
            if (!(fabs(x[i]) <= FIRN_MESH_COORDINATE_MAX))
                return firn_fail(error, FIRN_REFUSED_SCENE,
                                 "%s: byte %lld: a coordinate of point %d is %g, must be within "
                                 "%g m",
                                 path, (long long)at + (long long)offset, (int)p, x[i],
                                 FIRN_MESH_COORDINATE_MAX);
        }
        out_points[p] = firn_v3((firn_real)x[0], (firn_real)x[1], (firn_real)x[2]);
    }
    return FIRN_OK;
}

firn_result firn_pc2_read(const char* path, const firn_pc2* pc2, int64_t sample,
                          firn_vec3* out_points, firn_error* error)
{
    const int64_t size = POINT * (int64_t)pc2->point_count, at = HEADER + size * sample;
    FILE* file = NULL;
    FIRN_TRY(firn_input_stream(path, &file, NULL, error));
    unsigned char* bytes = firn_alloc((size_t)size, 1);
    if (bytes == NULL) {
        fclose(file);
        return firn_fail(error, FIRN_BROKEN_MEMORY, "%s: no memory for %d points", path,
                         (int)pc2->point_count);
    }
    errno = 0;
    const bool good =
        fseeko(file, at, SEEK_SET) == 0 && fread(bytes, 1, (size_t)size, file) == (size_t)size;
    const firn_result result = good ? convert(path, bytes, at, pc2->point_count, out_points, error)
                                    : cannot_read(path, error);
    fclose(file);
    firn_free(bytes);
    return result;
}
