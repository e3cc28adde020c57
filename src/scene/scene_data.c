// SPDX-License-Identifier: MIT
// The scene as data: made empty, given a solver, destroyed.
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "scene/blocks.h"

void firn_scene_data_init(firn_scene_data* scene)
{
    *scene = (firn_scene_data){.format = 1, .gravity = {0, -9.81, 0}};
    firn_time_keys.set_defaults(&scene->time);
    firn_output_keys.set_defaults(&scene->output);
    firn_render_keys.set_defaults(&scene->render);
}

static void drop_solver(firn_scene_data* scene)
{
    if (scene->solver_def != NULL) firn_keys_release(scene->solver_keys, scene->solver_def);
    firn_free(scene->solver_def);
    scene->solver_def = NULL;
    scene->solver_keys = NULL;
}

firn_result firn_scene_use_solver(firn_scene_data* scene, const firn_scene_solver* solvers,
                                  int32_t index)
{
    void* def = firn_alloc(1, solvers[index].keys->size);
    if (def == NULL) return FIRN_BROKEN_MEMORY;
    solvers[index].keys->set_defaults(def);
    drop_solver(scene);
    scene->solver = index;
    scene->solver_def = def;
    scene->solver_keys = solvers[index].keys;
    return FIRN_OK;
}

void firn_scene_data_destroy(firn_scene_data* scene)
{
    drop_solver(scene);
    for (firn_local i = 0; i < scene->material_count; i++) {
        firn_free(scene->materials[i].name);
        firn_free(scene->materials[i].preset);
    }
    for (firn_local i = 0; i < scene->snow_count; i++) firn_free(scene->snow[i].file);
    for (firn_local i = 0; i < scene->collider_count; i++)
        firn_free(scene->colliders[i].motion.keys);
    for (firn_local i = 0; i < scene->place_count; i++) {
        firn_free(scene->places[i].key);
        firn_free(scene->places[i].origin);
    }
    for (firn_local i = 0; i < scene->variant_count; i++) firn_free(scene->variant_names[i]);
    firn_shapes_destroy(&scene->shapes);
    void* const owned[] = {scene->materials, scene->snow,      scene->colliders,    scene->places,
                           scene->name,      scene->title,     scene->path,         scene->variant,
                           scene->source,    scene->effective, scene->variant_names};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) firn_free(owned[i]);
    *scene = (firn_scene_data){0};
}
