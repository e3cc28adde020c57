// SPDX-License-Identifier: MIT
// firn_export (firn/run.h): frames, with the scene of the run where a format needs it.
#include "core/memory.h"
#include "output/export/export.h"
#include "output/export/vdb.h"
#include "run/export/rest_state.h"
#include "run/export/stage_record.h"
#include "run/render/render_settings.h"
#include "scene/data/scene.h"
#include "sim/defs.h"
#include "sim/entry.h"

// One call of firn_export that collects a stage.
typedef struct staged {
    const firn_export_def* def;
    firn_stage_record record;
} staged;

static firn_result add_frame(void* self, const firn_frame* frame, firn_error* error)
{
    return firn_stage_record_add(&((staged*)self)->record, frame, error);
}

static firn_result finish(void* self, bool has_volumes, firn_error* error)
{
    staged* s = self;
    s->record.stage.has_volumes = has_volumes;
    return firn_export_stage(&s->record.stage, s->def, error);
}

static firn_result export_stage(const firn_export_def* def, const firn_scene_data* scene,
                                const firn_rest_state* rest, firn_error* error)
{
    staged s = {.def = def};
    const firn_log log = {def->log, def->user};
    const firn_export_visitor visitor = {add_frame, finish, &s};
    if (def->usd && !firn_vdb_available())
        firn_log_write(&log, FIRN_LOG_WARNING, "export.left_out",
                       "the stage has no volume: firn was built without OpenVDB");
    firn_result r = firn_stage_record_open(scene, rest->spacing, def->usd ? def->points : 0, &log,
                                           &s.record, error);
    if (r == FIRN_OK) r = firn_export_run(def, rest, &visitor, error);
    firn_stage_record_close(&s.record);
    return r;
}

static firn_result export_with_scene(const firn_export_def* def, firn_error* error)
{
    firn_scene_data scene = {0};
    firn_rest_state rest = {0};
    const bool can_do_without = !def->mesh && !def->sdf && !def->colliders && !def->usd;
    firn_error why = {0};
    firn_result r = firn_render_scene_load(def->input_dir, NULL, 0, &scene, &why);
    if (r != FIRN_OK && can_do_without)  // kernels of a cell
        return firn_export_run(def, &rest, &(firn_export_visitor){0}, error);
    if (r != FIRN_OK) return firn_fail(error, r, "%s", why.text);
    r = firn_rest_state_make(&scene, &rest, error);
    if (r == FIRN_OK)
        r = def->colliders || def->usd
                ? export_stage(def, &scene, &rest, error)
                : firn_export_run(def, &rest, &(firn_export_visitor){0}, error);
    firn_free((void*)rest.density);
    firn_scene_data_destroy(&scene);
    return r;
}

firn_result firn_export(const firn_export_def* def, firn_error* out_error)
{
    out_error = firn_call(out_error);
    firn_export_def own;
    FIRN_TRY(firn_def_take(FIRN_DEF_EXPORT, def, &own, out_error));
    const firn_entry entry = firn_enter(0);
    const bool needs_scene =
        own.input_dir != NULL && (own.mesh || own.vdb || own.sdf || own.colliders || own.usd);
    const firn_result r = needs_scene ? export_with_scene(&own, out_error)
                                      : firn_export_run(&own, &(firn_rest_state){0},
                                                        &(firn_export_visitor){0}, out_error);
    firn_leave(entry);
    return r;
}
