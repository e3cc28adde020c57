// SPDX-License-Identifier: MIT
// Contact sheets. Pictures are downscaled in linear RGB: averaging sRGB codes would darken edges
// between bright and dark.
#include "render/image/contact_sheet.h"

#include "core/memory.h"
#include "render/image/image.h"
#include "render/image/tone.h"

#define PNG_EFFORT 9  // zlib level: a sheet is written once

// Layout of the sheet [pixels].
typedef struct layout {
    int32_t width, height;  // of a small picture
    int32_t gap;            // around each
    int32_t columns, rows;
} layout;

typedef struct tables {
    float linear[256];
    firn_tone tone;
} tables;

static firn_result plan(const firn_image* first, firn_local count, int columns, double scale,
                        layout* out, firn_error* error)
{
    const double width = floor(first->width * scale), height = floor(first->height * scale);
    if (width < 1 || height < 1)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "scale %g is too small for pictures of %d x %d pixels", scale,
                         (int)first->width, (int)first->height);
    out->width = (int32_t)width;
    out->height = (int32_t)height;
    out->gap = out->width / 96 + 1;
    out->columns = columns < count ? columns : count;
    out->rows = (count + out->columns - 1) / out->columns;
    const int64_t sheet_width = (int64_t)out->columns * (out->width + out->gap) + out->gap;
    const int64_t sheet_height = (int64_t)out->rows * (out->height + out->gap) + out->gap;
    if (sheet_width > FIRN_IMAGE_SIDE_MAX || sheet_height > FIRN_IMAGE_SIDE_MAX)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a contact sheet of %lld x %lld pixels is too large (at most %d a side): "
                         "use fewer pictures or a smaller scale",
                         (long long)sheet_width, (long long)sheet_height, FIRN_IMAGE_SIDE_MAX);
    return FIRN_OK;
}

// Mean of the box [x0, x1) x [y0, y1) of a picture; pixels are weighted by their covered area.
static firn_rgb average(const firn_image* from, const tables* t, double x0, double y0, double x1,
                        double y1)
{
    double sum[3] = {0, 0, 0}, area = 0;
    for (int32_t y = (int32_t)y0; y < from->height && y < y1; y++)
        for (int32_t x = (int32_t)x0; x < from->width && x < x1; x++) {
            const double w = (fmin(x + 1, x1) - fmax(x, x0)) * (fmin(y + 1, y1) - fmax(y, y0));
            const uint8_t* in = from->rgb + ((size_t)y * (size_t)from->width + (size_t)x) * 3;
            for (int c = 0; c < 3; c++) sum[c] += w * (double)t->linear[in[c]];
            area += w;
        }
    return firn_rgb_of((float)(sum[0] / area), (float)(sum[1] / area), (float)(sum[2] / area));
}

static void place(firn_image* sheet, const layout* l, firn_local k, const firn_image* from,
                  const tables* t)
{
    const int32_t left = l->gap + k % l->columns * (l->width + l->gap);
    const int32_t top = l->gap + k / l->columns * (l->height + l->gap);
    const double sx = (double)from->width / l->width, sy = (double)from->height / l->height;
    for (int32_t y = 0; y < l->height; y++)
        for (int32_t x = 0; x < l->width; x++) {
            const firn_rgb c = average(from, t, x * sx, y * sy, (x + 1) * sx, (y + 1) * sy);
            uint8_t* out =
                sheet->rgb + ((size_t)(top + y) * (size_t)sheet->width + (size_t)(left + x)) * 3;
            out[0] = firn_tone_code(&t->tone, c.r);
            out[1] = firn_tone_code(&t->tone, c.g);
            out[2] = firn_tone_code(&t->tone, c.b);
        }
}

// Reads the other pictures one by one and places them on the sheet after the first.
static firn_result compose(firn_image* sheet, const layout* l, const firn_image* first,
                           const char* const* paths, firn_local count, firn_error* error)
{
    tables* t = firn_alloc(1, sizeof *t);
    if (t == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for a contact sheet");
    firn_tone_init(&t->tone);
    for (int c = 0; c < 256; c++) t->linear[c] = firn_tone_linear((uint8_t)c);
    place(sheet, l, 0, first, t);
    firn_result result = FIRN_OK;
    for (firn_local k = 1; k < count && result == FIRN_OK; k++) {
        firn_image next;
        result = firn_png_read(paths[k], &next, error);
        if (result != FIRN_OK) break;
        if (next.width != first->width || next.height != first->height)
            result = firn_fail(error, FIRN_REFUSED_ARGUMENT,
                               "'%s' has %d x %d pixels, but '%s' has %d x %d: the pictures of a "
                               "contact sheet must be equally large",
                               paths[k], (int)next.width, (int)next.height, paths[0],
                               (int)first->width, (int)first->height);
        else
            place(sheet, l, k, &next, t);
        firn_image_destroy(&next);
    }
    firn_free(t);
    return result;
}

firn_result firn_contact_sheet_write(const char* const* paths, firn_local count, int columns,
                                     double scale, const char* out_path, firn_error* error)
{
    if (count < 1 || columns < 1 || !(scale > 0 && scale <= 1))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a contact sheet needs at least one picture and column and a scale in "
                         "(0, 1], not %d pictures, %d columns, scale %g",
                         (int)count, columns, scale);
    firn_image first;
    FIRN_TRY(firn_png_read(paths[0], &first, error));
    layout l;
    firn_image sheet = {0};
    firn_result result = plan(&first, count, columns, scale, &l, error);
    if (result == FIRN_OK)
        result = firn_image_create(&sheet, l.columns * (l.width + l.gap) + l.gap,
                                   l.rows * (l.height + l.gap) + l.gap, error);
    if (result == FIRN_OK) result = compose(&sheet, &l, &first, paths, count, error);
    if (result == FIRN_OK) result = firn_png_write(out_path, &sheet, PNG_EFFORT, error);
    firn_image_destroy(&sheet);
    firn_image_destroy(&first);
    return result;
}
