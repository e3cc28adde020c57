// SPDX-License-Identifier: MIT
// Writing OpenEXR files.
#include "render/image/exr.h"

#include <string.h>

#include "core/draft.h"
#include "core/memory.h"
#include "render/image/exr_stream.h"

#define HALF_MAX 65504.0f  // largest finite number of 16 bits

// State shared by the steps of writing.
typedef struct exr_job {
    const firn_exr_channel* channels;
    size_t channel_count;
    const firn_exr_text* texts;
    size_t text_count;
    int32_t width, height;
    float* clamped;  // [half channels][rows of a chunk][width]
} exr_job;

#define EXR_TRY(call)                                       \
    do {                                                    \
        const exr_result_t exr_try_r = (call);              \
        if (exr_try_r != EXR_ERR_SUCCESS) return exr_try_r; \
    } while (0)

static exr_result_t write_header(exr_context_t file, const exr_job* job)
{
    int part;
    EXR_TRY(exr_add_part(file, "firn", EXR_STORAGE_SCANLINE, &part));
    EXR_TRY(exr_initialize_required_attr_simple(file, part, job->width, job->height,
                                                EXR_COMPRESSION_ZIP));
    for (size_t k = 0; k < job->channel_count; k++)
        EXR_TRY(exr_add_channel(file, part, job->channels[k].name,
                                job->channels[k].half ? EXR_PIXEL_HALF : EXR_PIXEL_FLOAT,
                                EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1));
    for (size_t k = 0; k < job->text_count; k++)
        EXR_TRY(exr_attr_set_string(file, part, job->texts[k].name, job->texts[k].value));
    return exr_write_header(file);
}

// Clamps values that exceed the range of halves: an infinity would spread through every later
// filter. NaN stays NaN.
static const float* clamp_rows(const exr_job* job, size_t slot, const float* plane, int32_t y,
                               int32_t rows, int32_t rows_max)
{
    float* to = job->clamped + slot * (size_t)rows_max * (size_t)job->width;
    const float* from = plane + (size_t)y * (size_t)job->width;
    for (size_t i = 0; i < (size_t)rows * (size_t)job->width; i++)
        to[i] = from[i] > HALF_MAX ? HALF_MAX : from[i] < -HALF_MAX ? -HALF_MAX : from[i];
    return to;
}

// Points the encoder at rows [y, y + rows) of every plane. The file keeps channels sorted by name.
static void set_sources(const exr_job* job, exr_encode_pipeline_t* encoder, int32_t y, int32_t rows,
                        int32_t rows_max)
{
    size_t slot = 0;
    for (size_t k = 0; k < job->channel_count; k++) {
        const firn_exr_channel* channel = &job->channels[k];
        const float* from = channel->plane + (size_t)y * (size_t)job->width;
        if (channel->half) from = clamp_rows(job, slot++, channel->plane, y, rows, rows_max);
        for (int c = 0; c < encoder->channel_count; c++) {
            exr_coding_channel_info_t* to = &encoder->channels[c];
            if (strcmp(to->channel_name, channel->name) != 0) continue;
            to->encode_from_ptr = (const uint8_t*)from;
            to->user_data_type = EXR_PIXEL_FLOAT;
            to->user_bytes_per_element = sizeof(float);
            to->user_pixel_stride = sizeof(float);
            to->user_line_stride = (int32_t)sizeof(float) * job->width;
        }
    }
}

static exr_result_t write_chunks(exr_context_t file, exr_job* job, exr_encode_pipeline_t* encoder)
{
    int32_t rows_max;
    EXR_TRY(exr_get_scanlines_per_chunk(file, 0, &rows_max));
    size_t half_count = 0;
    for (size_t k = 0; k < job->channel_count; k++) half_count += job->channels[k].half;
    if (half_count > 0) {
        job->clamped =
            firn_alloc(half_count * (size_t)rows_max, (size_t)job->width * sizeof(float));
        if (job->clamped == NULL) return EXR_ERR_OUT_OF_MEMORY;
    }
    for (int32_t y = 0; y < job->height; y += rows_max) {
        exr_chunk_info_t chunk;
        EXR_TRY(exr_write_scanline_chunk_info(file, 0, y, &chunk));
        if (y == 0)
            EXR_TRY(exr_encoding_initialize(file, 0, &chunk, encoder));
        else
            EXR_TRY(exr_encoding_update(file, 0, &chunk, encoder));
        set_sources(job, encoder, y, chunk.height, rows_max);
        if (y == 0) EXR_TRY(exr_encoding_choose_default_routines(file, 0, encoder));
        EXR_TRY(exr_encoding_run(file, 0, encoder));
    }
    return EXR_ERR_SUCCESS;
}

static exr_result_t write_stream(firn_exr_stream* stream, const char* path, exr_job* job)
{
    const exr_context_initializer_t start = firn_exr_stream_initializer(stream, true);
    exr_context_t file = NULL;
    EXR_TRY(exr_start_write(&file, path, EXR_WRITE_FILE_DIRECTLY, &start));
    exr_result_t result = write_header(file, job);
    if (result == EXR_ERR_SUCCESS) {
        exr_encode_pipeline_t encoder = EXR_ENCODE_PIPELINE_INITIALIZER;
        result = write_chunks(file, job, &encoder);
        exr_encoding_destroy(file, &encoder);
    }
    // exr_finish writes the chunk table
    const exr_result_t finished = exr_finish(&file);
    return result != EXR_ERR_SUCCESS ? result : finished;
}

static firn_result check(const char* path, const exr_job* job, firn_error* error)
{
    if (job->width < 1 || job->height < 1 || job->width > FIRN_EXR_SIDE_MAX ||
        job->height > FIRN_EXR_SIDE_MAX)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "'%s': a picture of %d x %d pixels cannot be written: each side must be 1 "
                         "to %d",
                         path, (int)job->width, (int)job->height, FIRN_EXR_SIDE_MAX);
    if (job->channel_count < 1)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "'%s': a picture needs a channel", path);
    for (size_t k = 0; k < job->channel_count; k++)
        for (size_t other = 0; other < k; other++)
            if (strcmp(job->channels[k].name, job->channels[other].name) == 0)
                return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                                 "'%s': channel '%s' is given twice: each name once", path,
                                 job->channels[k].name);
    return FIRN_OK;
}

firn_result firn_exr_write(const char* path, int32_t width, int32_t height,
                           const firn_exr_channel* channels, size_t channel_count,
                           const firn_exr_text* texts, size_t text_count, firn_error* error)
{
    exr_job job = {channels, channel_count, texts, text_count, width, height, NULL};
    FIRN_TRY(check(path, &job, error));
    firn_draft draft;
    FIRN_TRY(firn_draft_create(path, &draft, error));
    firn_exr_stream stream = {.file = draft.file};
    const exr_result_t code = write_stream(&stream, path, &job);
    firn_free(job.clamped);
    firn_result result = FIRN_OK;
    if (code != EXR_ERR_SUCCESS)
        result = firn_exr_stream_fail(&stream, code, "write", path, FIRN_REFUSED_ARGUMENT, error);
    return firn_draft_commit(&draft, result, error);
}
