// SPDX-License-Identifier: MIT
// Checks files by the functions that a run uses, so that `check` and `run` agree.
#include "scene/run/check_files.h"

#include <stdio.h>

#include "geometry/collider/collider.h"
#include "geometry/deform/deforming.h"
#include "geometry/levelset/texture.h"
#include "geometry/sampling/ply_points.h"
#include "scene/data/snow.h"
#include "scene/data/vary.h"

typedef struct file_check {
    const firn_scene_data* scene;
    firn_diagnostics* diagnostics;
    firn_result result;
} file_check;

static void report(file_check* c, const char* key, firn_result result, const firn_error* error)
{
    if (result == FIRN_OK) return;
    firn_diagnose_key(c->diagnostics, true, c->scene, key, "%s", error->text);
    const bool is_file = result > 0 && result != FIRN_REFUSED_BACKEND;
    if (!is_file && c->result == FIRN_OK) c->result = result;
}

static double check_points(file_check* c, firn_local index)
{
    char key[64];
    firn_error error = {0};
    firn_ply_points points = {0};
    const char* file = c->scene->snow[index].file;
    firn_result result = firn_ply_read_points(file, &points, &error);
    const double count = points.count;
    if (result == FIRN_OK && points.count == 0)
        result = firn_fail(&error, FIRN_REFUSED_SCENE, "'%s' has no points", file);
    firn_ply_points_destroy(&points);
    snprintf(key, sizeof key, "snow.%d.file", (int)index);
    report(c, key, result, &error);
    return count;
}

static void check_texture(file_check* c, firn_local index, int quantity)
{
    char key[128];
    firn_error error = {0};
    firn_texture texture = {0};
    const firn_vary_texture* t = &c->scene->snow[index].vary.field[quantity].texture;
    const firn_result result = firn_texture_read(t->file, t->grid, &texture, &error);
    firn_texture_destroy(&texture);
    snprintf(key, sizeof key, "snow.%d.vary.%s.texture.file", (int)index,
             firn_vary_names[quantity]);
    report(c, key, result, &error);
}

static void check_animation(file_check* c, firn_local index)
{
    char key[64];
    firn_error error = {0};
    const firn_time_block* time = &c->scene->time;
    const firn_deforming_def* def = firn_deforming_read_def(c->scene->colliders[index].deforming);
    const firn_result result = firn_deforming_check(def, (double)time->frames / time->fps, &error);
    snprintf(key, sizeof key, "colliders.%d.animation", (int)index);
    report(c, key, result, &error);
}

firn_result firn_scene_check_files(const firn_scene_data* scene, firn_diagnostics* diagnostics,
                                   double* particles)
{
    file_check c = {scene, diagnostics, FIRN_OK};
    for (firn_local k = 0; k < scene->snow_count; k++) {
        const firn_snow* snow = &scene->snow[k];
        if (snow->shape < 0 && snow->file != NULL) *particles += check_points(&c, k);
        for (int q = 0; q < FIRN_VARY_COUNT; q++)
            if (snow->vary.field[q].texture.file != NULL) check_texture(&c, k, q);
    }
    // after other errors: an animation that cannot start has been reported
    for (firn_local k = 0; diagnostics->error_count == 0 && k < scene->collider_count; k++)
        if (scene->colliders[k].deforming != NULL) check_animation(&c, k);
    return c.result;
}
