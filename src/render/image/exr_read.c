// SPDX-License-Identifier: MIT
// Reading OpenEXR files: colour of the first part. All header values are validated before use: the
// picture's size, the chunk sizes against the file size, the position of every chunk.
#include "render/image/exr.h"

#include <string.h>
#include <unistd.h>

#include "core/input.h"
#include "core/memory.h"
#include "render/image/exr_stream.h"

// Upper bound of the compression ratio. zlib, the best compressor here, reaches 1032; a damaged
// size must not lead to an allocation of gigabytes.
#define PACKING_MAX 2048
#define PIXEL_BYTES 24.0  // three floats, and as much for what is made of them

typedef struct exr_job {
    const char* path;
    firn_exr_stream stream;
    exr_context_t file;
    int64_t bytes;            // of the file
    exr_attr_box2i_t window;  // of the data; the picture is all of it
    const char* names[3];     // channels that become r, g, b
    int name_count;           // 3: colour, 1: grey
    firn_exr_picture picture;
} exr_job;

static firn_result fail(const exr_job* job, exr_result_t code, firn_error* error)
{
    return firn_exr_stream_fail(&job->stream, code, "read", job->path, FIRN_REFUSED_DAMAGED, error);
}

static const exr_attr_chlist_entry_t* find_channel(const exr_attr_chlist_t* list, const char* name)
{
    for (int k = 0; k < list->num_channels; k++)
        if (strcmp(list->entries[k].name.str, name) == 0) return &list->entries[k];
    return NULL;
}

static firn_result choose_channels(exr_job* job, firn_error* error)
{
    const exr_attr_chlist_t* list;
    const exr_result_t code = exr_get_channels(job->file, 0, &list);
    if (code != EXR_ERR_SUCCESS) return fail(job, code, error);
    static const char* const colour[3] = {"R", "G", "B"};
    const bool grey = find_channel(list, "Y") != NULL && find_channel(list, "R") == NULL;
    job->name_count = grey ? 1 : 3;
    for (int c = 0; c < job->name_count; c++) {
        job->names[c] = grey ? "Y" : colour[c];
        const exr_attr_chlist_entry_t* channel = find_channel(list, job->names[c]);
        if (channel == NULL)
            return firn_fail(error, FIRN_REFUSED_DAMAGED,
                             "cannot use the picture '%s': it has no channel '%s' (its %d channels "
                             "start with '%s'): R, G and B, or Y, are needed",
                             job->path, job->names[c], list->num_channels,
                             list->num_channels > 0 ? list->entries[0].name.str : "");
        if (channel->x_sampling != 1 || channel->y_sampling != 1)
            return firn_fail(error, FIRN_REFUSED_DAMAGED,
                             "cannot use the picture '%s': its channel '%s' is subsampled by "
                             "%d x %d: save it without subsampling",
                             job->path, job->names[c], (int)channel->x_sampling,
                             (int)channel->y_sampling);
    }
    return FIRN_OK;
}

static firn_result check_kind(exr_job* job, firn_error* error)
{
    exr_storage_t storage;
    const exr_result_t code = exr_get_storage(job->file, 0, &storage);
    if (code != EXR_ERR_SUCCESS) return fail(job, code, error);
    if (storage != EXR_STORAGE_SCANLINE && storage != EXR_STORAGE_TILED)
        return firn_fail(error, FIRN_REFUSED_DAMAGED,
                         "cannot use the picture '%s': it is a deep image (many samples per "
                         "pixel): flatten it first",
                         job->path);
    return FIRN_OK;
}

// Checks the picture's size, and that the file is large enough for it.
static firn_result check_size(exr_job* job, firn_error* error)
{
    exr_result_t code = exr_get_data_window(job->file, 0, &job->window);
    if (code != EXR_ERR_SUCCESS) return fail(job, code, error);
    const int64_t width = (int64_t)job->window.max.x - job->window.min.x + 1;
    const int64_t height = (int64_t)job->window.max.y - job->window.min.y + 1;
    if (width < 1 || height < 1 || width > FIRN_EXR_SIDE_MAX || height > FIRN_EXR_SIDE_MAX)
        return firn_fail(error, FIRN_REFUSED_DAMAGED,
                         "cannot use the picture '%s': it claims %lld x %lld pixels, each side "
                         "must be 1 to %d",
                         job->path, (long long)width, (long long)height, FIRN_EXR_SIDE_MAX);
    int32_t chunks = 0;
    uint64_t chunk_bytes = 0;
    code = exr_get_chunk_count(job->file, 0, &chunks);
    if (code == EXR_ERR_SUCCESS) code = exr_get_chunk_unpacked_size(job->file, 0, &chunk_bytes);
    if (code != EXR_ERR_SUCCESS) return fail(job, code, error);
    const uint64_t limit = (uint64_t)job->bytes * PACKING_MAX;
    // one byte per channel and pixel: no format has less before compression
    if ((uint64_t)(width * height) * (uint64_t)job->name_count > limit || chunk_bytes > limit ||
        chunks < 1 || (int64_t)chunks * 8 > job->bytes)
        return firn_fail(error, FIRN_REFUSED_DAMAGED,
                         "cannot use the picture '%s': its %lld bytes cannot hold the %lld x %lld "
                         "pixels that it claims",
                         job->path, (long long)job->bytes, (long long)width, (long long)height);
    if (PIXEL_BYTES * (double)width * (double)height > firn_input_allowance((uint64_t)job->bytes))
        return firn_fail(error, FIRN_REFUSED_DAMAGED,
                         "cannot use the picture '%s': %lld x %lld pixels take too much memory for "
                         "a file of %lld bytes: use a smaller one",
                         job->path, (long long)width, (long long)height, (long long)job->bytes);
    job->picture.width = (int32_t)width;
    job->picture.height = (int32_t)height;
    return FIRN_OK;
}

static float from_half(uint16_t half)
{
    const uint32_t sign = half >> 15, exponent = half >> 10 & 31, fraction = half & 1023;
    if (exponent == 0) return (sign != 0 ? -0x1p-24f : 0x1p-24f) * (float)fraction;
    const uint32_t bits =
        sign << 31 | (exponent == 31 ? 255 : exponent + 112) << 23 | fraction << 13;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void unpack_row(const exr_coding_channel_info_t* to, int32_t row, const uint8_t* from)
{
    uint8_t* out = to->decode_to_ptr + (size_t)row * (size_t)to->user_line_stride;
    for (int32_t x = 0; x < to->width; x++) {
        float value;
        uint16_t half;
        uint32_t whole;
        if (to->data_type == EXR_PIXEL_HALF) {
            memcpy(&half, from + 2 * (size_t)x, sizeof half);
            value = from_half(half);
        } else if (to->data_type == EXR_PIXEL_UINT) {
            memcpy(&whole, from + 4 * (size_t)x, sizeof whole);
            value = (float)whole;
        } else {
            memcpy(&value, from + 4 * (size_t)x, sizeof value);
        }
        memcpy(out + (size_t)x * (size_t)to->user_pixel_stride, &value, sizeof value);
    }
}

// Rows of all channels in turn, of which those with a pointer are used. OpenEXR 3.1 has routines
// of its own, which write to the null pointers of other channels when all are of type half.
static exr_result_t unpack(exr_decode_pipeline_t* decoder)
{
    const uint8_t* from = decoder->unpacked_buffer;
    size_t left = decoder->chunk.unpacked_size;
    for (int32_t row = 0; row < decoder->chunk.height; row++)
        for (int c = 0; c < decoder->channel_count; c++) {
            const exr_coding_channel_info_t* to = &decoder->channels[c];
            const int32_t y = decoder->chunk.start_y + row;
            if (to->y_samples > 1 && y % to->y_samples != 0) continue;
            const size_t bytes = (size_t)to->width * (size_t)to->bytes_per_element;
            if (from == NULL || bytes > left) return EXR_ERR_CORRUPT_CHUNK;
            if (to->decode_to_ptr != NULL) unpack_row(to, row, from);
            from += bytes;
            left -= bytes;
        }
    return EXR_ERR_SUCCESS;
}

// Decodes one chunk into box[0..1] = (x, y), box[2..3] = (width, height) of the picture. A chunk of
// another size is refused: the decoder does not check that its output stays within the picture.
static exr_result_t decode_chunk(exr_job* job, exr_decode_pipeline_t* decoder, bool first,
                                 const exr_chunk_info_t* chunk, const int32_t box[4])
{
    exr_result_t code = first ? exr_decoding_initialize(job->file, 0, chunk, decoder)
                              : exr_decoding_update(job->file, 0, chunk, decoder);
    if (code != EXR_ERR_SUCCESS) return code;
    const firn_exr_picture* picture = &job->picture;
    for (int c = 0; c < decoder->channel_count; c++) {
        exr_coding_channel_info_t* to = &decoder->channels[c];
        to->decode_to_ptr = NULL;
        for (int k = 0; k < job->name_count; k++) {
            if (strcmp(to->channel_name, job->names[k]) != 0) continue;
            if (to->width != box[2] || to->height != box[3]) return EXR_ERR_CORRUPT_CHUNK;
            const size_t pixel = (size_t)box[1] * (size_t)picture->width + (size_t)box[0];
            to->decode_to_ptr = (uint8_t*)(picture->rgb + 3 * pixel + k);
            to->user_data_type = EXR_PIXEL_FLOAT;
            to->user_bytes_per_element = sizeof(float);
            to->user_pixel_stride = 3 * (int32_t)sizeof(float);
            to->user_line_stride = 3 * (int32_t)sizeof(float) * picture->width;
        }
    }
    if (first) code = exr_decoding_choose_default_routines(job->file, 0, decoder);
    decoder->unpack_and_convert_fn = unpack;
    return code == EXR_ERR_SUCCESS ? exr_decoding_run(job->file, 0, decoder) : code;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static exr_result_t read_scanlines(exr_job* job, exr_decode_pipeline_t* decoder)
{
    int32_t rows;
    exr_result_t code = exr_get_scanlines_per_chunk(job->file, 0, &rows);
    if (code != EXR_ERR_SUCCESS) return code;
    if (rows < 1) return EXR_ERR_CORRUPT_CHUNK;
    for (int32_t y = 0; y < job->picture.height; y += rows) {
        exr_chunk_info_t chunk;
        code = exr_read_scanline_chunk_info(job->file, 0, job->window.min.y + y, &chunk);
        if (code != EXR_ERR_SUCCESS) return code;
        const int32_t box[4] = {0, y, job->picture.width, smaller(rows, job->picture.height - y)};
        code = decode_chunk(job, decoder, y == 0, &chunk, box);
        if (code != EXR_ERR_SUCCESS) return code;
    }
    return EXR_ERR_SUCCESS;
}

static exr_result_t read_tiles(exr_job* job, exr_decode_pipeline_t* decoder)
{
    int32_t tile_w, tile_h;
    exr_result_t code = exr_get_tile_sizes(job->file, 0, 0, 0, &tile_w, &tile_h);
    if (code != EXR_ERR_SUCCESS) return code;
    if (tile_w < 1 || tile_h < 1) return EXR_ERR_CORRUPT_CHUNK;
    const int32_t width = job->picture.width, height = job->picture.height;
    for (int32_t ty = 0; (int64_t)ty * tile_h < height; ty++)
        for (int32_t tx = 0; (int64_t)tx * tile_w < width; tx++) {
            exr_chunk_info_t chunk;
            code = exr_read_tile_chunk_info(job->file, 0, tx, ty, 0, 0, &chunk);
            if (code != EXR_ERR_SUCCESS) return code;
            const int32_t x = tx * tile_w, y = ty * tile_h;
            const int32_t box[4] = {x, y, smaller(tile_w, width - x), smaller(tile_h, height - y)};
            code = decode_chunk(job, decoder, tx == 0 && ty == 0, &chunk, box);
            if (code != EXR_ERR_SUCCESS) return code;
        }
    return EXR_ERR_SUCCESS;
}

static firn_result read_pixels(exr_job* job, firn_error* error)
{
    const size_t pixels = (size_t)job->picture.width * (size_t)job->picture.height;
    job->picture.rgb = firn_alloc(pixels, 3 * sizeof(float));
    if (job->picture.rgb == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY,
                         "no memory for the %d x %d pixels of the picture '%s': make it smaller",
                         (int)job->picture.width, (int)job->picture.height, job->path);
    exr_storage_t storage;
    exr_result_t code = exr_get_storage(job->file, 0, &storage);
    exr_decode_pipeline_t decoder = EXR_DECODE_PIPELINE_INITIALIZER;
    if (code == EXR_ERR_SUCCESS)
        code = storage == EXR_STORAGE_TILED ? read_tiles(job, &decoder)
                                            : read_scanlines(job, &decoder);
    exr_decoding_destroy(job->file, &decoder);
    if (code == EXR_ERR_FEATURE_NOT_IMPLEMENTED)
        return firn_fail(error, FIRN_REFUSED_DAMAGED,
                         "cannot use the picture '%s': this OpenEXR library does not support its "
                         "compression (%s): save it with ZIP or PIZ",
                         job->path, job->stream.message);
    if (code != EXR_ERR_SUCCESS) return fail(job, code, error);
    if (job->name_count == 1)
        for (size_t i = 0; i < pixels; i++)
            job->picture.rgb[3 * i + 1] = job->picture.rgb[3 * i + 2] = job->picture.rgb[3 * i];
    return FIRN_OK;
}

static firn_result read_file(exr_job* job, firn_error* error)
{
    const exr_context_initializer_t start = firn_exr_stream_initializer(&job->stream, false);
    const exr_result_t code = exr_start_read(&job->file, job->path, &start);
    if (code != EXR_ERR_SUCCESS) return fail(job, code, error);
    firn_result result = check_kind(job, error);
    if (result == FIRN_OK) result = choose_channels(job, error);
    if (result == FIRN_OK) result = check_size(job, error);
    if (result == FIRN_OK) result = read_pixels(job, error);
    exr_finish(&job->file);
    return result;
}

firn_result firn_exr_read(const char* path, firn_exr_picture* out_picture, firn_error* error)
{
    exr_job job = {.path = path};
    uint64_t bytes = 0;
    FIRN_TRY(firn_input_open(path, &job.stream.file, &bytes, error));
    job.bytes = (int64_t)bytes;
    const firn_result result = read_file(&job, error);
    close(job.stream.file);
    if (result == FIRN_OK)
        *out_picture = job.picture;
    else
        firn_free(job.picture.rgb);
    return result;
}

void firn_exr_picture_destroy(firn_exr_picture* picture)
{
    firn_free(picture->rgb);
    *picture = (firn_exr_picture){0};
}
