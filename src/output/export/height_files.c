// SPDX-License-Identifier: MIT
// Height fields of frames as PNG, raw floats and JSON.
#include "output/export/height_files.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/paths.h"
#include "core/text.h"
#include "output/export/png16.h"
#include "output/run/stream.h"

// Particles without a radius have half the spacing of eight particles in a cell.
firn_height_snow firn_height_snow_of(const firn_frame* frame)
{
    return (firn_height_snow){.position = frame->position,
                              .radius = frame->radius,
                              .same_radius = (firn_real)(frame->info.cell / 4),
                              .count = frame->count};
}

firn_height_plan firn_height_plan_begin(void)
{
    return (firn_height_plan){.def = firn_default_height_def()};
}

void firn_height_plan_add(firn_height_plan* plan, const firn_frame* frame)
{
    const firn_height_snow snow = firn_height_snow_of(frame);
    firn_height_def box = firn_default_height_def(), *all = &plan->def;
    double low, high;
    firn_heights_find_box(&snow, &box, &low, &high);
    if (!(box.width > 0)) return;  // no snow
    if (!plan->any) {
        plan->any = true;
        plan->low = low;
        plan->high = high;
        plan->def = box;
        return;
    }
    const double x_end = fmax(all->x + all->width, box.x + box.width);
    const double z_end = fmax(all->z + all->depth, box.z + box.depth);
    all->x = fmin(all->x, box.x);
    all->z = fmin(all->z, box.z);
    all->width = x_end - all->x;
    all->depth = z_end - all->z;
    plan->low = fmin(plan->low, low);
    plan->high = fmax(plan->high, high);
}

void firn_height_plan_finish(firn_height_plan* plan, int64_t samples)
{
    firn_height_def* d = &plan->def;
    if (!plan->any) d->width = d->depth = 1;
    const bool x_is_longer = d->width >= d->depth;
    const double longer = x_is_longer ? d->width : d->depth,
                 shorter = x_is_longer ? d->depth : d->width;
    const double step = longer / (double)(samples - 1);
    const int others = (int)fmax(ceil(shorter / step - 1e-9), 1) + 1;
    d->columns = x_is_longer ? (int)samples : others;
    d->rows = x_is_longer ? others : (int)samples;
    // the rectangle ends on a sample
    d->width = step * (d->columns - 1);
    d->depth = step * (d->rows - 1);
    d->empty = plan->low;
}

// ---- files --------------------------------------------------------------------------------------

typedef struct sheet {
    const char* path;  // without extension
    const firn_height_plan* plan;
    float* heights;    // owned; [rows][columns]
    uint16_t* values;  // owned
    size_t count;
} sheet;

// Owned by the caller.
static firn_result path_of(const sheet* s, const char* extension, char** out_path,
                           firn_error* error)
{
    return firn_path_print(out_path, error, "%s.%s", s->path, extension);
}

static void reverse_rows(sheet* s)
{
    const size_t columns = (size_t)s->plan->def.columns;
    for (size_t a = 0, b = (size_t)s->plan->def.rows - 1; a < b; a++, b--)
        for (size_t i = 0; i < columns; i++) {
            const float swapped = s->heights[a * columns + i];
            s->heights[a * columns + i] = s->heights[b * columns + i];
            s->heights[b * columns + i] = swapped;
        }
}

static firn_result write_png(sheet* s, firn_error* error)
{
    char* path = NULL;
    FIRN_TRY(path_of(s, "png", &path, error));
    const double low = s->plan->low, range = s->plan->high - low;
    for (size_t k = 0; k < s->count; k++) {
        const double fraction = range > 0 ? ((double)s->heights[k] - low) / range : 0;
        s->values[k] = (uint16_t)floor(65535 * fmin(fmax(fraction, 0), 1) + 0.5);
    }
    const firn_result r =
        firn_png16_write(path, s->values, s->plan->def.columns, s->plan->def.rows, error);
    firn_free(path);
    return r;
}

static firn_result write_stream(const sheet* s, const char* path, firn_error* error)
{
    firn_stream* stream = firn_alloc(1, sizeof *stream);
    if (stream == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory writing '%s'", path);
    firn_result r = firn_stream_open(stream, path, error);
    if (r == FIRN_OK) {
        for (size_t k = 0; k < s->count; k++) {
            uint32_t bits;
            memcpy(&bits, &s->heights[k], sizeof bits);
            const unsigned char bytes[4] = {(unsigned char)bits, (unsigned char)(bits >> 8),
                                            (unsigned char)(bits >> 16),
                                            (unsigned char)(bits >> 24)};
            firn_stream_add(stream, bytes, sizeof bytes);
        }
        r = firn_stream_commit(stream, FIRN_OK);
    }
    firn_free(stream);
    return r;
}

static firn_result write_floats(const sheet* s, firn_error* error)
{
    char* path = NULL;
    FIRN_TRY(path_of(s, "r32", &path, error));
    const firn_result r = write_stream(s, path, error);
    firn_free(path);
    return r;
}

static void add_number(firn_text* t, const char* name, double value)
{
    firn_text_add(t, ",\n\"%s\": ", name);
    firn_text_add_number(t, value);
}

static firn_result write_json(const sheet* s, const firn_frame_info* info, bool z_up,
                              firn_error* error)
{
    char* path = NULL;
    FIRN_TRY(path_of(s, "json", &path, error));
    const firn_height_plan* plan = s->plan;
    const firn_height_def* d = &plan->def;
    firn_text t = {0};
    firn_text_add(&t, "{\n\"firn\": \"heights 1\",\n\"scene\": ");
    firn_text_add_json(&t, info->scene);
    firn_text_add(&t, ",\n\"frame\": %" PRId64, info->frame);
    add_number(&t, "time", info->time);
    firn_text_add(&t, ",\n\"up\": \"%s\",\n\"columns\": %d,\n\"rows\": %d", z_up ? "z" : "y",
                  d->columns, d->rows);
    add_number(&t, "x", d->x);
    add_number(&t, z_up ? "y" : "z", z_up ? -(d->z + d->depth) : d->z);
    add_number(&t, "width", d->width);
    add_number(&t, "depth", d->depth);
    add_number(&t, "low", plan->low);
    add_number(&t, "high", plan->high);
    firn_text_add(&t, ",\n\"empty\": ");
    firn_text_add_number(&t, d->empty);
    firn_text_add(&t, "\n}\n");
    const size_t length = t.length;
    char* text = firn_text_take(&t);
    const firn_result r =
        text != NULL ? firn_file_write(path, text, length, error)
                     : firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory writing '%s'", path);
    firn_free(text);
    firn_free(path);
    return r;
}

firn_result firn_height_files_write(const char* path, const firn_height_plan* plan,
                                    const firn_frame* frame, bool z_up, firn_error* error)
{
    sheet s = {
        .path = path, .plan = plan, .count = (size_t)plan->def.columns * (size_t)plan->def.rows};
    s.heights = firn_alloc(s.count, sizeof *s.heights);
    s.values = firn_alloc(s.count, sizeof *s.values);
    firn_height_def def = plan->def;
    const firn_height_snow snow = firn_height_snow_of(frame);
    firn_result r = s.heights != NULL && s.values != NULL
                        ? firn_heights_make(&snow, &def, s.heights, error)
                        : firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for %d x %d heights",
                                    def.columns, def.rows);
    if (r == FIRN_OK && z_up) reverse_rows(&s);
    if (r == FIRN_OK) r = write_png(&s, error);
    if (r == FIRN_OK) r = write_floats(&s, error);
    if (r == FIRN_OK) r = write_json(&s, &frame->info, z_up, error);
    firn_free(s.heights);
    firn_free(s.values);
    return r;
}
