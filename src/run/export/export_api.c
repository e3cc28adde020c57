// SPDX-License-Identifier: MIT
// firn_export (firn/run.h): the scene of the run, and what it tells of snow at rest.
#include "core/memory.h"
#include "output/export/export.h"
#include "run/export/rest_state.h"
#include "run/render/render_settings.h"
#include "scene/data/scene.h"
#include "sim/defs.h"
#include "sim/entry.h"

// Exports with what the run's scene says of snow at rest.
static firn_result export_with_scene(const firn_export_def* def, firn_error* error)
{
    firn_scene_data scene = {0};
    firn_rest_state rest = {0};
    FIRN_TRY(firn_render_scene_load(def->input_dir, NULL, 0, &scene, error));
    firn_result r = firn_rest_state_make(&scene, &rest, error);
    if (r == FIRN_OK) r = firn_export_run(def, &rest, error);
    firn_free((void*)rest.density);
    firn_scene_data_destroy(&scene);
    return r;
}

firn_result firn_export(const firn_export_def* def, firn_error* out_error)
{
    out_error = firn_call(out_error);
    firn_export_def own;
    FIRN_TRY(firn_def_take(FIRN_DEF_EXPORT, def, &own, out_error));
    def = &own;
    if (def->input_dir == NULL)
        return firn_fail(out_error, FIRN_REFUSED_ARGUMENT,
                         "firn_export needs the folder of a run: input_dir");
    if (!def->ply && !def->vtp && !def->vdb && !def->heights && !def->mesh && !def->sdf)
        return firn_fail(out_error, FIRN_REFUSED_ARGUMENT,
                         "nothing to export: choose ply, vtp, vdb, heights, mesh or sdf");
    const firn_entry entry = firn_enter(0);
    const firn_result r = def->mesh || def->vdb || def->sdf
                              ? export_with_scene(def, out_error)
                              : firn_export_run(def, &(firn_rest_state){0}, out_error);
    firn_leave(entry);
    return r;
}
