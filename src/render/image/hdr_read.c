// SPDX-License-Identifier: MIT
// Reading Radiance pictures (.hdr). All values of the file are validated before use: it may be
// damaged or hostile. The format is that of Ward, "Real Pixels" (Graphics Gems II, 1991).
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/input.h"
#include "core/memory.h"
#include "core/text.h"
#include "render/image/light_picture.h"

#define LINE_BYTES 512    // of the header; longer lines are refused
#define LINES_MAX 1000    // of the header
#define ROW_PACKED_MIN 8  // narrower rows are never run-length encoded per channel
#define ROW_PACKED_MAX 32767

typedef struct hdr_job {
    const char* path;
    FILE* file;
    uint64_t bytes;
    float scale;  // 1 / exposure
    bool bottom_up, right_to_left;
    firn_exr_picture picture;
    unsigned char* row;  // owned; R, G, B, exponent of each pixel
} hdr_job;

static firn_result refuse(const hdr_job* job, firn_error* error, const char* why)
{
    if (ferror(job->file))
        return firn_fail(error, FIRN_REFUSED_IO, "cannot read the picture '%s': %s", job->path,
                         strerror(errno));
    return firn_fail(error, FIRN_REFUSED_DAMAGED, "cannot use the picture '%s': %s", job->path,
                     why);
}

// ---- header -------------------------------------------------------------------------------------

// A line without its end. False: the file ends or the line is too long.
static bool read_line(hdr_job* job, char line[LINE_BYTES])
{
    size_t length = 0;
    for (int c = getc(job->file); c != '\n'; c = getc(job->file)) {
        if (c == EOF || length + 1 >= LINE_BYTES) return false;
        line[length++] = (char)c;
    }
    if (length > 0 && line[length - 1] == '\r') length--;
    line[length] = '\0';
    return true;
}

// Lines such as FORMAT=32-bit_rle_rgbe, to the first empty one.
static firn_result read_variables(hdr_job* job, firn_error* error)
{
    char line[LINE_BYTES];
    double exposure = 1;
    if (!read_line(job, line)) return refuse(job, error, "its first line has no end");
    for (int k = 0; k < LINES_MAX; k++) {
        if (!read_line(job, line)) return refuse(job, error, "its header has no end");
        if (line[0] == '\0') {
            job->scale = (float)(1 / exposure);
            if (isfinite(job->scale) && job->scale > 0) return FIRN_OK;
            return refuse(job, error, "its exposure is beyond all bounds");
        }
        if (strncmp(line, "FORMAT=", 7) == 0 && strcmp(line + 7, "32-bit_rle_rgbe") != 0)
            return refuse(job, error, "its colours are not 32-bit_rle_rgbe: save it as RGB");
        // more than one exposure: their product
        if (strncmp(line, "EXPOSURE=", 9) == 0) exposure *= firn_parse_double(line + 9, NULL);
    }
    return refuse(job, error, "its header has no end");
}

static firn_result read_size(hdr_job* job, firn_error* error)
{
    char line[LINE_BYTES], y_sign, x_sign;
    long height, width;
    if (!read_line(job, line) ||
        sscanf(line, "%cY %9ld %cX %9ld", &y_sign, &height, &x_sign, &width) != 4 ||
        (y_sign != '-' && y_sign != '+') || (x_sign != '-' && x_sign != '+'))
        return refuse(job, error, "its size is not given as '-Y rows +X columns'");
    if (width < 1 || height < 1 || width > FIRN_EXR_SIDE_MAX || height > FIRN_EXR_SIDE_MAX)
        return firn_fail(error, FIRN_REFUSED_DAMAGED,
                         "cannot use the picture '%s': it claims %ld x %ld pixels, each side must "
                         "be 1 to %d",
                         job->path, width, height, FIRN_EXR_SIDE_MAX);
    const double needed = 3.0 * sizeof(float) * (double)width * (double)height;
    if (needed > firn_input_allowance(job->bytes))
        return firn_fail(error, FIRN_REFUSED_DAMAGED,
                         "cannot use the picture '%s': its %lld bytes cannot hold the %ld x %ld "
                         "pixels that it claims",
                         job->path, (long long)job->bytes, width, height);
    job->bottom_up = y_sign == '+';
    job->right_to_left = x_sign == '-';
    job->picture.width = (int32_t)width;
    job->picture.height = (int32_t)height;
    return FIRN_OK;
}

// ---- pixels -------------------------------------------------------------------------------------

// The rest of a row of pixels one by one, after `done` that are there; 1, 1, 1, n repeats the last
// pixel n times, and a second one in a row n * 256 times more.
static const char* read_plain(hdr_job* job, size_t done)
{
    const size_t width = (size_t)job->picture.width;
    unsigned char* row = job->row;
    int shift = 0;
    while (done < width) {
        unsigned char pixel[4];
        if (fread(pixel, 1, 4, job->file) != 4) return "it ends in the middle of a row";
        if (pixel[0] != 1 || pixel[1] != 1 || pixel[2] != 1) {
            memcpy(row + 4 * done++, pixel, 4);
            shift = 0;
            continue;
        }
        const size_t count = shift < 24 ? (size_t)pixel[3] << shift : width + 1;
        if (done == 0 || count > width - done) return "a run of pixels leaves its row";
        for (size_t k = 0; k < count; k++, done++) memcpy(row + 4 * done, row + 4 * (done - 1), 4);
        shift += 8;
    }
    return NULL;
}

// The channels one after another, each in runs: 128 + n and a value, or n and n values.
static const char* read_packed(hdr_job* job)
{
    const size_t width = (size_t)job->picture.width;
    for (size_t channel = 0; channel < 4; channel++)
        for (size_t x = 0; x < width;) {
            const int code = getc(job->file);
            const bool repeats = code > 128;
            const size_t count = (size_t)(repeats ? code - 128 : code);
            if (code == EOF) return "it ends in the middle of a row";
            if (count == 0 || count > width - x) return "a run of values leaves its row";
            int value = 0;
            for (size_t k = 0; k < count; k++, x++) {
                if (k == 0 || !repeats) value = getc(job->file);
                if (value == EOF) return "it ends in the middle of a row";
                job->row[4 * x + channel] = (unsigned char)value;
            }
        }
    return NULL;
}

static const char* read_row(hdr_job* job)
{
    const int32_t width = job->picture.width;
    unsigned char first[4];
    if (fread(first, 1, 4, job->file) != 4) return "it ends before its last row";
    const bool packed = width >= ROW_PACKED_MIN && width <= ROW_PACKED_MAX && first[0] == 2 &&
                        first[1] == 2 && first[2] < 128;
    if (packed) {
        if ((first[2] << 8 | first[3]) != width) return "a row has another width than the picture";
        return read_packed(job);
    }
    if (first[0] == 1 && first[1] == 1 && first[2] == 1) return "a row begins with a repetition";
    memcpy(job->row, first, 4);
    return read_plain(job, 1);
}

static void store_row(const hdr_job* job, int32_t row)
{
    const int32_t width = job->picture.width;
    const int32_t y = job->bottom_up ? job->picture.height - 1 - row : row;
    for (int32_t k = 0; k < width; k++) {
        const unsigned char* from = job->row + 4 * (size_t)k;
        const int32_t x = job->right_to_left ? width - 1 - k : k;
        float* to = job->picture.rgb + 3 * ((size_t)y * (size_t)width + (size_t)x);
        const float unit = from[3] > 0 ? ldexpf(job->scale, from[3] - (128 + 8)) : 0;
        for (int c = 0; c < 3; c++) to[c] = unit * from[c];
    }
}

static firn_result read_pixels(hdr_job* job, firn_error* error)
{
    const size_t width = (size_t)job->picture.width, height = (size_t)job->picture.height;
    job->picture.rgb = firn_alloc(width * height, 3 * sizeof(float));
    job->row = firn_alloc(width, 4);
    if (job->picture.rgb == NULL || job->row == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY,
                         "no memory for the %zu x %zu pixels of the picture '%s': make it smaller",
                         width, height, job->path);
    for (size_t y = 0; y < height; y++) {
        const char* wrong = read_row(job);
        if (wrong != NULL) return refuse(job, error, wrong);
        store_row(job, (int32_t)y);
    }
    return FIRN_OK;
}

firn_result firn_hdr_read(const char* path, firn_exr_picture* out_picture, firn_error* error)
{
    hdr_job job = {.path = path};
    FIRN_TRY(firn_input_stream(path, &job.file, &job.bytes, error));
    firn_result result = read_variables(&job, error);
    if (result == FIRN_OK) result = read_size(&job, error);
    if (result == FIRN_OK) result = read_pixels(&job, error);
    fclose(job.file);
    firn_free(job.row);
    if (result == FIRN_OK)
        *out_picture = job.picture;
    else
        firn_free(job.picture.rgb);
    return result;
}
