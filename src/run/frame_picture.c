// SPDX-License-Identifier: MIT
// The preview picture of a frame. A run draws it after each frame; programs ask for it at any time.
#include "run/frame_picture.h"

#include <string.h>

#include "core/memory.h"
#include "firn/tools.h"
#include "geometry/collider/collider.h"
#include "math/vec3.h"
#include "render/preview/preview.h"
#include "run/frame_poses.h"
#include "run/frame_powder.h"
#include "run/run_frame.h"
#include "sim/entry.h"
#include "sim/query/query.h"
#include "state/field_table.h"

#define PNG_EFFORT 9  // zlib level

// Null: there is no such field. Before the first flake a field exists but has no array.
static void* data_of(const firn_sim* sim, const char* name)
{
    static firn_real nothing[1];
    firn_field_view view;
    if (firn_sim_find_field(sim, name, &view) != FIRN_OK) return NULL;
    return view.data != NULL ? (void*)view.data : nothing;
}

firn_frame firn_frame_borrow(const firn_sim* sim, firn_real* density)
{
    firn_frame frame = {.info = firn_run_frame_info(sim), .count = firn_sim_count(sim)};
    for (int f = 0; f < FIRN_FRAME_FIELD_COUNT; f++)
        frame.fields[f] =
            f == FIRN_FRAME_DENSITY ? density : data_of(sim, firn_field_table[f].name);
    return frame;
}

// The values that colour the picture, vectors by their length; null: none, or the frame has no such
// field. `scratch`: buffer for values that are not stored as reals.
static const firn_real* colour_of(const firn_frame* frame, const firn_scene_data* scene,
                                  firn_real* scratch)
{
    const int32_t field = scene->render.colour_by.field;
    const void* data = field == 0 ? NULL : frame->fields[field];
    const firn_field_type type = firn_field_table[field].type;
    if (data == NULL || type == FIRN_FIELD_REAL) return data;
    const firn_vec3* vectors = data;
    const uint32_t* numbers = data;
    const uint8_t* bytes = data;
    for (firn_local p = 0; p < frame->count; p++)
        scratch[p] = type == FIRN_FIELD_VEC3  ? firn_v3_length(vectors[p])
                     : type == FIRN_FIELD_U32 ? (firn_real)numbers[p]
                                              : bytes[p];
    return scratch;
}

static firn_result draw(const firn_frame* frame, const firn_scene_data* scene,
                        firn_image* out_image, firn_error* error)
{
    const firn_snow_points points = {.x = frame->position,
                                     .mass = frame->mass,
                                     .density = frame->density,
                                     .id = frame->id,
                                     .count = frame->count,
                                     .radius = frame->radius,
                                     .material = frame->material,
                                     .powder_count = frame->count - firn_frame_snow_count(frame)};
    firn_real* scratch = firn_alloc((size_t)points.count + 1, sizeof *scratch);
    if (scratch == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for the colours of a picture");
    const firn_result r = firn_preview_draw(scene, frame->info.cell, frame->info.time, &points,
                                            colour_of(frame, scene, scratch), out_image, error);
    firn_free(scratch);
    return r;
}

firn_result firn_frame_picture(const firn_frame* frame, const firn_scene_data* scene,
                               firn_image* out_image, firn_error* error)
{
    if (frame->body_count == 0) return draw(frame, scene, out_image, error);
    firn_scene_data posed = *scene;  // all but the colliders is borrowed
    const size_t count = (size_t)posed.collider_count;
    posed.colliders = firn_alloc(count, sizeof *posed.colliders);
    if (posed.colliders == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY,
                         "out of memory for the colliders of the preview");
    memcpy(posed.colliders, scene->colliders, count * sizeof *posed.colliders);
    firn_result r = firn_frame_poses_put(frame->bodies, frame->body_count, frame->info.time,
                                         posed.colliders, posed.collider_count, error);
    if (r == FIRN_OK) r = draw(frame, &posed, out_image, error);
    firn_free(posed.colliders);
    return r;
}

firn_result firn_frame_pixels(const firn_frame* frame, const firn_scene_data* scene, int width,
                              int height, uint8_t* pixels, firn_error* error)
{
    firn_scene_data sized = *scene;
    sized.render.width = width;
    sized.render.height = height;
    firn_image image;
    FIRN_TRY(firn_frame_picture(frame, &sized, &image, error));
    memcpy(pixels, image.rgb, (size_t)width * (size_t)height * 3);
    firn_image_destroy(&image);
    return FIRN_OK;
}

// Draws the current state; the particles are on the host.
static firn_result draw_state(firn_sim* sim, int width, int height, uint8_t* pixels)
{
    firn_real* density = firn_alloc((size_t)firn_sim_count(sim) + 1, sizeof *density);
    if (density == NULL)
        return firn_fail(&sim->error, FIRN_BROKEN_MEMORY, "out of memory for a picture");
    sim->solver->density(sim->self, density);
    firn_frame frame = firn_frame_borrow(sim, density);
    firn_result r = firn_frame_poses_take(sim, &frame.bodies, &frame.body_count);
    if (r != FIRN_OK) firn_fail(&sim->error, r, "out of memory for the colliders of a picture");
    void* joined[FIRN_FRAME_FIELD_COUNT] = {NULL};
    if (r == FIRN_OK && firn_frame_powder_join(sim, &frame, joined) != FIRN_OK)
        r = firn_fail(&sim->error, FIRN_BROKEN_MEMORY, "out of memory for the powder of a picture");
    if (r == FIRN_OK)
        r = firn_frame_pixels(&frame, &sim->scene, width, height, pixels, &sim->error);
    firn_frame_powder_end(joined);
    firn_free(frame.bodies);
    firn_free(density);
    return r;
}

firn_result firn_sim_picture(const firn_sim* sim, int width, int height, uint8_t* out_pixels)
{
    if (!firn_sim_begin(sim) || out_pixels == NULL) return firn_call_null(__func__);
    FIRN_TRY(firn_sim_fetch(sim));
    const firn_entry entry = firn_sim_enter(sim);
    const firn_result r = draw_state(firn_query_open(sim), width, height, out_pixels);
    firn_leave(entry);
    return r;
}

firn_result firn_picture_save(const char* path, int width, int height, const uint8_t* pixels,
                              firn_error* out_error)
{
    out_error = firn_call(out_error);
    if (path == NULL || pixels == NULL) return firn_call_null(__func__);
    if (width < 1 || height < 1 || width > FIRN_IMAGE_SIDE_MAX || height > FIRN_IMAGE_SIDE_MAX)
        return firn_fail(out_error, FIRN_REFUSED_ARGUMENT,
                         "a picture of %d x %d pixels: each side must have 1 to %d", width, height,
                         FIRN_IMAGE_SIDE_MAX);
    firn_image image;
    FIRN_TRY(firn_image_create(&image, width, height, out_error));
    memcpy(image.rgb, pixels, (size_t)width * (size_t)height * 3);
    const firn_result r = firn_png_write(path, &image, PNG_EFFORT, out_error);
    firn_image_destroy(&image);
    return r;
}
