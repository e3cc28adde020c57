// SPDX-License-Identifier: MIT
// Scenes in the public API: loading, messages, checking.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "device/device.h"
#include "geometry/collider/collider.h"
#include "scene/data/snow.h"
#include "scene/parse/parse.h"
#include "scene/run/check_files.h"
#include "scene/run/check_fill.h"
#include "scene/run/snow_mass.h"
#include "scene/write/scene_write.h"
#include "sim/entry.h"
#include "sim/scene/scene_api.h"
#include "sim/scene/scene_cost.h"
#include "sim/scene/scene_fit.h"
#include "sim/sim_ids.h"
#include "solver/shared/powder/powder.h"

firn_result firn_scene_create(firn_scene** out_scene)
{
    firn_error* error = firn_call(NULL);
    if (out_scene == NULL) return firn_call_null(__func__);
    firn_scene* scene = firn_alloc(1, sizeof *scene);
    if (scene == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for a scene");
    firn_scene_data_init(&scene->data);
    scene->owner = firn_owner_new();
    if (firn_scene_use_solver(&scene->data, firn_scene_solvers, 0) != FIRN_OK) {
        firn_scene_destroy(scene);
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for a scene");
    }
    *out_scene = scene;
    return FIRN_OK;
}

void firn_scene_destroy(firn_scene* scene)
{
    if (scene == NULL) return;
    firn_scene_data_destroy(&scene->data);
    firn_diagnostics_destroy(&scene->diagnostics);
    firn_free(scene->messages);
    firn_free(scene);
}

void firn_scene_forget_messages(firn_scene* scene)
{
    firn_diagnostics_destroy(&scene->diagnostics);
    firn_free(scene->messages);
    scene->messages = NULL;
}

void firn_scene_keep_messages(firn_scene* scene)
{
    firn_free(scene->messages);
    scene->messages = firn_diagnostics_text(&scene->diagnostics);
}

firn_result firn_scene_refuse(firn_scene* scene, const firn_error* error)
{
    firn_scene_forget_messages(scene);
    firn_diagnose(&scene->diagnostics, true, "firn", 0, 0, "%s", error->text);
    firn_scene_keep_messages(scene);
    return firn_call_end(error->code, error);
}

firn_result firn_scene_take_def(firn_scene* scene, firn_def_kind kind, const void* def,
                                void* out_own)
{
    firn_error error;
    const firn_result r = firn_def_take(kind, def, out_own, &error);
    return r == FIRN_OK ? FIRN_OK : firn_scene_refuse(scene, &error);
}

const char* firn_scene_messages(const firn_scene* scene)
{
    if (scene == NULL) return "";
    return scene->messages != NULL ? scene->messages : "";
}

int firn_scene_error_count(const firn_scene* scene)
{
    if (scene == NULL) return 0;
    return scene->diagnostics.error_count;
}

int firn_scene_warning_count(const firn_scene* scene)
{
    if (scene == NULL) return 0;
    return scene->diagnostics.count - scene->diagnostics.error_count;
}

// The sentence of a call that the scene's mistakes made fail is the list of them.
static firn_result refuse_with_messages(const firn_scene* scene, firn_result r)
{
    if (r != FIRN_OK) firn_fail(firn_call(NULL), r, "%s", firn_scene_messages(scene));
    return r;
}

// Moves `loaded` into the scene if loading succeeded; else leaves the scene unchanged.
static firn_result finish_load(firn_scene* scene, firn_result r, firn_scene_data* loaded)
{
    if (r == FIRN_OK) {
        firn_scene_data_destroy(&scene->data);
        scene->data = *loaded;
        scene->owner = firn_owner_new();
    }
    firn_scene_keep_messages(scene);
    return refuse_with_messages(scene, r);
}

static firn_result options_of(firn_scene* scene, const firn_load_def* def, firn_scene_options* out)
{
    *out = (firn_scene_options){0};
    if (def == NULL) return FIRN_OK;
    firn_load_def own;
    FIRN_TRY(firn_scene_take_def(scene, FIRN_DEF_LOAD, def, &own));
    scene->memory_cap = own.memory_cap_bytes;
    scene->ranks = own.ranks;
    snprintf(scene->backend, sizeof scene->backend, "%s", own.backend != NULL ? own.backend : "");
    *out = (firn_scene_options){.variant = own.variant,
                                .solver = own.solver,
                                .overrides = own.overrides,
                                .override_count = own.override_count};
    return FIRN_OK;
}

firn_result firn_scene_load(firn_scene* scene, const char* path_or_name, const firn_load_def* def)
{
    (void)firn_call(NULL);
    if (scene == NULL || path_or_name == NULL) return firn_call_null(__func__);
    firn_scene_options options;
    FIRN_TRY(options_of(scene, def, &options));
    firn_scene_forget_messages(scene);
    char* path;
    firn_error error;
    firn_result r = firn_scene_resolve(path_or_name, &path, &error);
    if (r != FIRN_OK) return firn_scene_refuse(scene, &error);
    firn_scene_data loaded = {0};
    const firn_entry entry = firn_scene_enter(scene, 0);
    r = firn_scene_parse_file(path, firn_scene_solvers, firn_solver_count, &options, &loaded,
                              &scene->diagnostics);
    firn_leave(entry);
    firn_free(path);
    return finish_load(scene, r, &loaded);
}

firn_result firn_scene_load_text(firn_scene* scene, const char* yaml, const char* name,
                                 const firn_load_def* def)
{
    (void)firn_call(NULL);
    if (scene == NULL || yaml == NULL) return firn_call_null(__func__);
    firn_scene_options options;
    FIRN_TRY(options_of(scene, def, &options));
    firn_scene_forget_messages(scene);
    firn_scene_data loaded = {0};
    const firn_entry entry = firn_scene_enter(scene, 0);
    const firn_result r =
        firn_scene_parse_text(yaml, strlen(yaml), name != NULL ? name : "scene", firn_scene_solvers,
                              firn_solver_count, &options, &loaded, &scene->diagnostics);
    firn_leave(entry);
    return finish_load(scene, r, &loaded);
}

firn_result firn_scene_set(firn_scene* scene, const char* key, const char* value)
{
    (void)firn_call(NULL);
    if (scene == NULL || key == NULL || value == NULL) return firn_call_null(__func__);
    firn_scene_forget_messages(scene);
    const firn_result r = firn_scene_assign(&scene->data, firn_scene_solvers, firn_solver_count,
                                            key, value, &scene->diagnostics);
    firn_scene_keep_messages(scene);
    return refuse_with_messages(scene, r);
}

firn_result firn_scene_material_named(const firn_scene* scene, const char* name,
                                      firn_material_id* out_id)
{
    firn_error* error = firn_call(NULL);
    if (scene == NULL || name == NULL || out_id == NULL) return firn_call_null(__func__);
    const firn_scene_data* d = &scene->data;
    for (firn_local m = 0; m < d->material_count; m++)
        if (strcmp(d->materials[m].name, name) == 0) {
            *out_id = (firn_material_id){(uint32_t)m + 1, scene->owner};
            return FIRN_OK;
        }
    char names[400] = "";
    for (firn_local m = 0; m < d->material_count && strlen(names) + 2 < sizeof names; m++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", m > 0 ? ", " : "",
                 d->materials[m].name);
    return firn_fail(error, FIRN_REFUSED_NAME, "the scene has no material '%.60s'; it has: %s",
                     name, d->material_count > 0 ? names : "none");
}

char* firn_scene_yaml(const firn_scene* scene)
{
    return scene != NULL ? firn_scene_to_yaml(&scene->data) : NULL;
}

double firn_scene_snow_mass(const firn_scene* scene, int index)
{
    if (scene == NULL) return -1;
    const firn_scene_data* d = &scene->data;
    if (index < 0 || index >= d->snow_count) return -1;
    const firn_snow* snow = &d->snow[index];
    const firn_solver* solver = firn_solvers[d->solver];
    if (snow->material < 0 || snow->material >= d->material_count) return 0;
    return solver->snow_mass != NULL ? solver->snow_mass(d, snow)
                                     : firn_snow_mass(d, snow, solver->estimate(d).cell);
}

const char* firn_scene_variant(const firn_scene* scene, int index)
{
    if (scene == NULL) return NULL;
    return index >= 0 && index < scene->data.variant_count ? scene->data.variant_names[index]
                                                           : NULL;
}

// The GPU that the scene is checked for; its name is empty where it is the CPU.
typedef struct target {
    char name[160];
    firn_scene_card card;
} target;

static firn_result find_target(const firn_scene* scene, target* out, firn_error* error)
{
    *out = (target){0};
    if (scene->backend[0] == 0) return FIRN_OK;
    int device;
    char words[128];
    FIRN_TRY(firn_device_open(scene->backend, &device, error));
    if (device == FIRN_DEVICE_CPU) return FIRN_OK;
    firn_device_describe(device, words, sizeof words);
    snprintf(out->name, sizeof out->name, "cuda:%d (%s)", device, words);
    out->card = (firn_scene_card){out->name, firn_device_memory(device)};
    return FIRN_OK;
}

// Reports snow that cannot be filled, and scenes that do not fit.
static void check_fit(const firn_scene_data* scene, const firn_solver* solver,
                      const firn_scene_size* size, int ranks, uint64_t cap, const target* to,
                      firn_diagnostics* diagnostics)
{
    char key[64] = "snow";
    firn_error error;
    const double cell = solver->estimate(scene).cell;
    for (firn_local k = 0; k < scene->snow_count; k++)
        if (firn_scene_seed_check(scene, k, cell, solver->lattice, solver->pitch, &error) !=
            FIRN_OK) {
            snprintf(key, sizeof key, "snow.%d.shape", (int)k);
            firn_diagnose_key(diagnostics, true, scene, key, "%s", error.text);
            return;
        }
    if (firn_scene_outgrows(scene, size, cap, &error))
        firn_diagnose_key(diagnostics, false, scene, "emitters", "%s", error.text);
    if ((to->name[0] == 0 ? firn_scene_fit(scene, size, ranks, cap, &error)
                          : firn_scene_fit_device(scene, size, &to->card, cap, &error)) == FIRN_OK)
        return;
    firn_scene_size_key(scene, key, sizeof key);
    firn_diagnose_key(diagnostics, true, scene, key, "%s", error.text);
}

// Bytes of one particle in a frame: position and the default fields, after compression. Measured on
// snowball-drop with `firn info`.
#define DISK_BYTES_PER_PARTICLE 24.0

// Points of powder at once: those of all snow, if it breaks once within a life of its powder. Snow
// that is crushed and torn again gives more, up to powder.max.
static double powder_points(const firn_scene_data* scene, double particles)
{
    if (!scene->powder.active) return 0;
    return fmin(scene->powder.points * particles, (double)scene->powder.max);
}

firn_result firn_scene_check_sized(firn_scene* scene, int threads, firn_scene_info* out_info,
                                   uint32_t size)
{
    (void)firn_call(NULL);
    if (scene == NULL || out_info == NULL) return firn_call_null(__func__);
    const firn_scene_data* d = &scene->data;
    const firn_solver* solver = firn_solvers[d->solver];
    firn_scene_forget_messages(scene);
    target to;
    firn_error error;
    if (find_target(scene, &to, &error) != FIRN_OK) return firn_scene_refuse(scene, &error);
    const firn_entry entry = firn_scene_enter(scene, threads);
    const firn_result checked = firn_scene_data_check(d, &scene->diagnostics);
    firn_scene_check_solver(d, solver, &scene->diagnostics);
    solver->check(d, &scene->diagnostics);
    double from_files = 0;
    const firn_result files = firn_scene_check_files(d, &scene->diagnostics, &from_files);
    const firn_solver_estimate e = solver->estimate(d);
    const int cores = threads > 0 ? threads : firn_team_size();
    const firn_scene_size extent = firn_scene_measure(d);
    const double particles = extent.particles + from_files;
    // other errors first: a shape without an end has no volume
    if (scene->diagnostics.error_count == 0)
        check_fit(d, solver, &extent, scene->ranks, scene->memory_cap, &to, &scene->diagnostics);
    if (scene->diagnostics.error_count == 0)
        firn_scene_check_fill(d, e.cell, solver->lattice, solver->pitch, &scene->diagnostics);
    firn_leave(entry);
    firn_scene_keep_messages(scene);
    const double frames = (double)(d->time.frames - d->time.first);
    const double steps = frames / d->time.fps / e.dt;
    const double pictures =
        d->output.preview ? (frames + 1) * firn_scene_preview_seconds(d, particles) : 0;
    const double powder = powder_points(d, particles);
    const firn_scene_info info = {
        .name = d->name != NULL ? d->name : "",
        .title = d->title != NULL ? d->title : "",
        .solver = solver->name,
        .variant = d->variant != NULL ? d->variant : "",
        .frames = d->time.frames,
        .fps = d->time.fps,
        .particles = particles < 0x1p62 ? (int64_t)(particles + 0.5) : INT64_MAX,
        .cell = e.cell,
        .dt = e.dt,
        .steps = steps,
        .memory_bytes = firn_scene_rank_need(d, particles, scene->ranks, true) +
                        powder * (double)firn_powder_bytes_each(),
        .disk_bytes = (frames + 1) * ((particles + powder) * DISK_BYTES_PER_PARTICLE + 4e5),
        .seconds = (steps * particles * e.seconds_per_particle_step + pictures) / cores,
        .threads = cores,
        .device_bytes = firn_scene_device_need(d, particles),
        .powder = (int64_t)powder,
        .rank_bytes =
            scene->ranks > 1 ? firn_scene_rank_need(d, particles, scene->ranks, false) : 0};
    firn_give(out_info, size, &info, sizeof info);
    firn_result r = scene->diagnostics.error_count > 0 ? FIRN_REFUSED_SCENE : FIRN_OK;
    if (files != FIRN_OK) r = files;
    if (checked != FIRN_OK) r = checked;
    return refuse_with_messages(scene, r);
}
