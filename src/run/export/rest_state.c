// SPDX-License-Identifier: MIT
#include "run/export/rest_state.h"

#include "core/memory.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "sim/collider_info.h"
#include "solver/solver.h"

firn_rest_state firn_rest_state_spacing(const firn_scene_data* scene)
{
    return (firn_rest_state){.per_cell = 8,
                             .spacing = firn_view_info_of(scene, 0).spacing,
                             .lattice = firn_solvers[scene->solver]->lattice};
}

firn_result firn_rest_state_make(const firn_scene_data* scene, firn_rest_state* out_rest,
                                 firn_error* error)
{
    firn_real* density = firn_alloc((size_t)scene->material_count + 1, sizeof *density);
    if (density == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for %d materials",
                         (int)scene->material_count);
    for (firn_local m = 0; m < scene->material_count; m++)
        density[m] = (firn_real)scene->materials[m].snow.density;
    *out_rest = firn_rest_state_spacing(scene);
    out_rest->density = density;
    out_rest->material_count = scene->material_count;
    if (scene->snow_count > 0) out_rest->per_cell = (double)scene->snow[0].particles_per_cell;
    return FIRN_OK;
}
