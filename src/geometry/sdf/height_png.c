// SPDX-License-Identifier: MIT
// Height fields from PNG images, through libpng. Its errors arrive by longjmp: everything that must
// be released afterwards is in one struct, and no variable of the reading function changes between
// setjmp and longjmp.
#include <png.h>
#include <stdio.h>
#include <string.h>

#include "core/file.h"
#include "core/input.h"
#include "core/memory.h"
#include "core/png_bounds.h"
#include "geometry/sdf/field_build.h"
#include "geometry/sdf/shape_check.h"

#define FILE_MAX ((size_t)1 << 30)             // [bytes] of an image
#define VALUE_BYTES (1.5 * sizeof(firn_real))  // of a pixel: its height, and its share of bounds

typedef struct png_job {
    const char* path;
    firn_error* error;
    firn_result result;
    char* file;  // owned; the whole compressed image
    size_t bytes, at;
    png_structp png;
    png_infop info;
    png_bytep rows;  // owned; one row, or all of them when interlaced
    firn_height_field field;
} png_job;

static void on_error(png_structp png, png_const_charp text)
{
    png_job* job = png_get_error_ptr(png);
    if (job->result == FIRN_OK)
        job->result = firn_fail(job->error, FIRN_REFUSED_SCENE, "%s: byte %zu: not a good PNG: %s",
                                job->path, job->at, text);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png, (void)text;  // warnings about metadata do not concern heights
}

static png_voidp on_alloc(png_structp png, png_alloc_size_t bytes)
{
    png_job* job = png_get_mem_ptr(png);
    if (!firn_png_block_fits(bytes, job->bytes)) return NULL;
    void* block = firn_alloc(bytes, 1);
    if (block == NULL && job->result == FIRN_OK)
        job->result =
            firn_fail(job->error, FIRN_BROKEN_MEMORY, "%s: no memory to read it", job->path);
    return block;
}

static void on_free(png_structp png, png_voidp block)
{
    (void)png;
    firn_free(block);
}

static void on_read(png_structp png, png_bytep data, size_t bytes)
{
    png_job* job = png_get_io_ptr(png);
    if (bytes > job->bytes - job->at) png_error(png, "the file ends too early");
    memcpy(data, job->file + job->at, bytes);
    job->at += bytes;
}

// Requests 16 bits per channel, grey or RGB, no alpha.
static void set_up(png_job* job)
{
    png_set_keep_unknown_chunks(job->png, PNG_HANDLE_CHUNK_NEVER,
                                (png_const_bytep)FIRN_PNG_UNUSED_CHUNKS, FIRN_PNG_UNUSED_COUNT);
    png_set_read_fn(job->png, job, on_read);
    png_read_info(job->png, job->info);
    png_set_expand(job->png);
    png_set_expand_16(job->png);
    png_set_strip_alpha(job->png);
}

// 16-bit big-endian samples to values in [0, 1]; colours by their luma (Rec. 709).
static void convert_row(const png_byte* row, int channels, firn_local count, firn_real* values)
{
    for (firn_local i = 0; i < count; i++) {
        double sample[3];
        for (int c = 0; c < channels; c++, row += 2) sample[c] = row[0] * 256 + row[1];
        const double luma = channels == 1
                                ? sample[0]
                                : 0.2126 * sample[0] + 0.7152 * sample[1] + 0.0722 * sample[2];
        values[i] = (firn_real)(luma < 65535 ? luma / 65535 : 1);
    }
}

static void read_rows(png_job* job)
{
    const int passes = png_set_interlace_handling(job->png);
    png_read_update_info(job->png, job->info);
    const png_uint_32 width = png_get_image_width(job->png, job->info);
    const png_uint_32 height = png_get_image_height(job->png, job->info);
    if ((uint64_t)width * height <= FIRN_FIELD_VALUES_MAX) {  // else refused below, with the limit
        if (!firn_png_pixels_fit(width, height, job->bytes))
            png_error(job->png, "it claims more pixels than its size can hold");
        if (VALUE_BYTES * width * height > firn_input_allowance(job->bytes))
            png_error(job->png, "so many pixels take too much memory for a file of its size");
    }
    const int channels = png_get_channels(job->png, job->info);
    const size_t stride = png_get_rowbytes(job->png, job->info);
    if (channels != 1 && channels != 3) png_error(job->png, "unexpected number of channels");
    firn_error cause;
    const firn_result result =
        firn_height_field_create((firn_local)width, (firn_local)height, &job->field, &cause);
    if (result != FIRN_OK) {
        job->result =
            firn_fail(job->error, result == FIRN_REFUSED_ARGUMENT ? FIRN_REFUSED_SCENE : result,
                      "%s: %s", job->path, cause.text);
        png_error(job->png, "no height field");
    }
    job->rows = firn_alloc(passes > 1 ? height : 1, stride);
    if (job->rows == NULL) {
        job->result =
            firn_fail(job->error, FIRN_BROKEN_MEMORY, "%s: no memory for its pixels", job->path);
        png_error(job->png, "no memory");
    }
    for (int pass = 0; pass < passes; pass++)
        for (png_uint_32 j = 0; j < height; j++) {
            png_bytep row = job->rows + (passes > 1 ? j * stride : 0);
            png_read_row(job->png, row, NULL);
            if (pass == passes - 1)
                convert_row(row, channels, (firn_local)width, job->field.value + (size_t)j * width);
        }
    png_read_end(job->png, NULL);
}

// Reads job->file into job->field.
static firn_result decode(png_job* job)
{
    if (job->bytes < 8 || png_sig_cmp((png_const_bytep)job->file, 0, 8) != 0)
        return firn_fail(job->error, FIRN_REFUSED_SCENE, "%s: not a PNG picture", job->path);
    job->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, job, on_error, on_warning, job,
                                        on_alloc, on_free);
    if (job->png != NULL) job->info = png_create_info_struct(job->png);
    if (job->info == NULL) {
        png_destroy_read_struct(&job->png, &job->info, NULL);
        return firn_fail(job->error, FIRN_BROKEN_MEMORY, "%s: no memory to read it", job->path);
    }
    if (setjmp(png_jmpbuf(job->png)) == 0) {
        set_up(job);
        read_rows(job);
    }
    png_destroy_read_struct(&job->png, &job->info, NULL);
    firn_free(job->rows);
    if (job->result != FIRN_OK) firn_height_field_destroy(&job->field);
    return job->result;
}

firn_result firn_shapes_add_png_field(firn_shapes* shapes, firn_vec3 origin, firn_vec3 size,
                                      const char* path, firn_local* out_shape, firn_error* error)
{
    FIRN_TRY(firn_height_field_check(origin, size, error));
    png_job job = {.path = path, .error = error};
    FIRN_TRY(firn_file_read(path, FILE_MAX, &job.file, &job.bytes, error));
    const firn_result result = decode(&job);
    firn_free(job.file);
    if (result != FIRN_OK) return result;
    firn_height_field_finish(&job.field);
    return firn_shapes_add_field(shapes, origin, size, &job.field, out_shape, error);
}
