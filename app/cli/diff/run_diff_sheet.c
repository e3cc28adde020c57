// SPDX-License-Identifier: MIT
// Pictures of two runs side by side.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/diff/run_diff.h"

enum { ROWS_MAX = 12, GAIN = 4, GAP = 4 };

typedef struct sheet {
    int width, height;  // of one picture
    int row_pixels;     // bytes of a row of the sheet
    uint8_t* pixels;
} sheet;

// Copies a picture to column `column` of row `row`.
static void paste(const sheet* s, int row, int column, const uint8_t* picture)
{
    for (int y = 0; y < s->height; y++)
        memcpy(s->pixels + (size_t)(row * (s->height + GAP) + y) * (size_t)s->row_pixels +
                   (size_t)(column * (s->width + GAP)) * 3,
               picture + (size_t)y * (size_t)s->width * 3, (size_t)s->width * 3);
}

// a = GAIN |a - b|
static void subtract(uint8_t* a, const uint8_t* b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const int d = GAIN * abs(a[i] - b[i]);
        a[i] = (uint8_t)(d < 255 ? d : 255);
    }
}

static firn_result draw_row(const sheet* s, firn_replay* const replays[2], int64_t frame, int row,
                            uint8_t* const pictures[2], firn_error* error)
{
    for (int k = 0; k < 2; k++) {
        firn_result r = firn_replay_seek(replays[k], frame, error);
        if (r == FIRN_OK)
            r = firn_replay_picture(replays[k], s->width, s->height, pictures[k], error);
        if (r != FIRN_OK) return r;
        paste(s, row, k, pictures[k]);
    }
    subtract(pictures[0], pictures[1], (size_t)s->width * (size_t)s->height * 3);
    paste(s, row, 2, pictures[0]);
    return FIRN_OK;
}

// The common frame number `row` of `rows` that are evenly spread.
static int64_t frame_of(const cli_run_diff* d, int row, int rows)
{
    const int wanted = rows > 1 ? (int)((int64_t)row * (d->common - 1) / (rows - 1)) : 0;
    int seen = 0;
    for (int i = 0; i < d->frame_count; i++)
        if (d->frames[i].in[0] && d->frames[i].in[1] && seen++ == wanted) return d->frames[i].frame;
    return 0;
}

static firn_result no_memory(firn_error* error)
{
    error->code = FIRN_BROKEN_MEMORY;
    snprintf(error->text, sizeof error->text, "out of memory for a sheet of pictures");
    return FIRN_BROKEN_MEMORY;
}

firn_result cli_run_diff_sheet(const cli_run_diff* diff, const char* path, int width, int height,
                               firn_error* error)
{
    const int rows = diff->common < ROWS_MAX ? diff->common : ROWS_MAX;
    const int wide = 3 * (width + GAP) - GAP, high = rows * (height + GAP) - GAP;
    firn_replay* replays[2] = {NULL, NULL};
    uint8_t* pictures[2];
    const size_t bytes = (size_t)width * (size_t)height * 3;
    sheet s = {.width = width, .height = height, .row_pixels = wide * 3};
    s.pixels = calloc((size_t)s.row_pixels, (size_t)high);
    for (int k = 0; k < 2; k++) pictures[k] = malloc(bytes);
    firn_result r = FIRN_OK;
    if (s.pixels == NULL || pictures[0] == NULL || pictures[1] == NULL) r = no_memory(error);
    for (int k = 0; k < 2 && r == FIRN_OK; k++)
        r = firn_replay_open(diff->dir[k], &replays[k], error);
    for (int row = 0; row < rows && r == FIRN_OK; row++)
        r = draw_row(&s, replays, frame_of(diff, row, rows), row, pictures, error);
    if (r == FIRN_OK) r = firn_picture_save(path, wide, high, s.pixels, error);
    for (int k = 0; k < 2; k++) firn_replay_close(replays[k]);
    for (int k = 0; k < 2; k++) free(pictures[k]);
    free(s.pixels);
    return r;
}
