// SPDX-License-Identifier: MIT
// OpenEXR files as other programs write them: every packing that the library knows, scanlines and
// tiles, a window that does not start at 0, grey, and a channel that nobody asked for.
#pragma once
#include <openexr.h>
#include <string.h>

#include "firn_test.h"

#define PIXELS_MAX (96 * 70)

static float planes[4][PIXELS_MAX];  // R, G, B, A of the picture

typedef struct foreign {
    exr_compression_t packing;
    exr_pixel_type_t type;
    bool tiled, grey;
    int32_t x, y, width, height;  // data window
} foreign;

static const char* const foreign_names[4] = {"R", "G", "B", "A"};

static inline void foreign_sources(const foreign* f, exr_encode_pipeline_t* encoder, int32_t x,
                                   int32_t y)
{
    for (int c = 0; c < encoder->channel_count; c++) {
        exr_coding_channel_info_t* to = &encoder->channels[c];
        int from = 0;
        for (int k = 0; k < 4; k++)
            if (strcmp(to->channel_name, foreign_names[k]) == 0) from = k;
        to->encode_from_ptr = (const uint8_t*)(planes[from] + y * f->width + x);
        to->user_data_type = EXR_PIXEL_FLOAT;
        to->user_bytes_per_element = 4;
        to->user_pixel_stride = 4;
        to->user_line_stride = 4 * f->width;
    }
}

static inline void foreign_chunk(const foreign* f, exr_context_t file,
                                 exr_encode_pipeline_t* encoder, exr_chunk_info_t* chunk, int32_t x,
                                 int32_t y)
{
    const bool first = x == 0 && y == 0;
    assert_int_equal(first ? exr_encoding_initialize(file, 0, chunk, encoder)
                           : exr_encoding_update(file, 0, chunk, encoder),
                     EXR_ERR_SUCCESS);
    foreign_sources(f, encoder, x, y);
    if (first)
        assert_int_equal(exr_encoding_choose_default_routines(file, 0, encoder), EXR_ERR_SUCCESS);
    assert_int_equal(exr_encoding_run(file, 0, encoder), EXR_ERR_SUCCESS);
}

static inline void foreign_write(const char* path, const foreign* f)
{
    exr_context_t file;
    int part;
    assert_int_equal(exr_start_write(&file, path, EXR_WRITE_FILE_DIRECTLY, NULL), EXR_ERR_SUCCESS);
    exr_add_part(file, "x", f->tiled ? EXR_STORAGE_TILED : EXR_STORAGE_SCANLINE, &part);
    const exr_attr_box2i_t window = {.min = {.x = f->x, .y = f->y},
                                     .max = {.x = f->x + f->width - 1, .y = f->y + f->height - 1}};
    const exr_attr_v2f_t center = {.x = 0, .y = 0};
    assert_int_equal(exr_initialize_required_attr(file, 0, &window, &window, 1, &center, 1,
                                                  EXR_LINEORDER_INCREASING_Y, f->packing),
                     EXR_ERR_SUCCESS);
    if (f->tiled) exr_set_tile_descriptor(file, 0, 16, 12, EXR_TILE_ONE_LEVEL, EXR_TILE_ROUND_DOWN);
    for (int c = 0; c < (f->grey ? 1 : 4); c++)
        exr_add_channel(file, 0, f->grey ? "Y" : foreign_names[c], f->type,
                        EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1);
    assert_int_equal(exr_write_header(file), EXR_ERR_SUCCESS);
    exr_encode_pipeline_t encoder = EXR_ENCODE_PIPELINE_INITIALIZER;
    exr_chunk_info_t chunk;
    if (f->tiled) {
        for (int32_t ty = 0; ty * 12 < f->height; ty++)
            for (int32_t tx = 0; tx * 16 < f->width; tx++) {
                assert_int_equal(exr_write_tile_chunk_info(file, 0, tx, ty, 0, 0, &chunk),
                                 EXR_ERR_SUCCESS);
                foreign_chunk(f, file, &encoder, &chunk, tx * 16, ty * 12);
            }
    } else {
        int32_t rows;
        exr_get_scanlines_per_chunk(file, 0, &rows);
        for (int32_t y = 0; y < f->height; y += rows) {
            assert_int_equal(exr_write_scanline_chunk_info(file, 0, f->y + y, &chunk),
                             EXR_ERR_SUCCESS);
            foreign_chunk(f, file, &encoder, &chunk, 0, y);
        }
    }
    exr_encoding_destroy(file, &encoder);
    assert_int_equal(exr_finish(&file), EXR_ERR_SUCCESS);
}

// Smooth enough that the lossy packings stay within a few hundredths.
static inline void fill_smooth(int32_t width, int32_t height)
{
    for (int c = 0; c < 4; c++)
        for (int32_t i = 0; i < width * height; i++)
            planes[c][i] = 1 + (float)(i % width) / 64 + (float)(i / width) / 32 + (float)c;
}
