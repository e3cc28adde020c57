// SPDX-License-Identifier: MIT
// The top level of a scene file: what all scenes share, and one block per solver.
#include <string.h>

#include "core/memory.h"
#include "scene/data/scene.h"
#include "scene/keys/blocks.h"
#include "scene/parse/document.h"
#include "scene/parse/reader.h"

// Gravity is that of the first key; a new constant replaces keys that were set before.
static void take_gravity(firn_scene_reader* r, const firn_doc_node* node, firn_scene_data* scene,
                         bool valid)
{
    const bool constant = firn_doc_find(node, "gravity") != NULL;
    const bool keyed = firn_doc_find(node, "gravity_keys") != NULL;
    if (valid && constant && keyed)
        firn_doc_key_error(r->doc, node,
                           "the scene has either 'gravity' or 'gravity_keys', not both");
    else if (constant)
        scene->gravity_key_count = 0;
    else if (keyed && scene->gravity_key_count > 0)
        memcpy(scene->gravity, scene->gravity_keys[0].gravity, sizeof scene->gravity);
}

static void finish_format(firn_scene_reader* r, const firn_doc_node* node, void* item, void* at,
                          bool valid)
{
    (void)at;
    firn_scene_data* scene = item;
    take_gravity(r, node, scene, valid);
    if (scene->format == 1) return;
    const firn_doc_node* version = firn_doc_find(node, "firn");
    if (version != NULL)
        firn_doc_error(r->doc, version, "this is format %lld; this version of firn reads format 1",
                       (long long)scene->format);
}

#define AT(field) offsetof(firn_scene_data, field)
static const firn_key before_solvers[] = {
    {"firn", FIRN_KEY_INT, AT(format), NULL, 1, 1000, NULL, NULL, NULL,
     "Version of the format: write 'firn: 1'."},
    {"title", FIRN_KEY_TEXT, AT(title), NULL, 0, 0, "none", NULL, NULL,
     "One line about the scene."},
    {"solver", FIRN_KEY_ENUM, AT(solver), NULL, 0, 0, "the first of them", NULL, NULL,
     "The method that moves the snow."},
    {"time", FIRN_KEY_BLOCK, AT(time), NULL, 0, 0, "as below", NULL, &firn_time_keys,
     "Length of the simulation and frame rate."},
    {"gravity", FIRN_KEY_VEC3, AT(gravity), "m/s^2", -1e4, 1e4, "[0, -9.81, 0]", NULL, NULL,
     "Gravitational acceleration."},
    {"gravity_keys", FIRN_KEY_ROWS, AT(gravity_key_count), NULL, 1, FIRN_GRAVITY_KEYS_MAX,
     "constant", NULL, &firn_gravity_key_keys,
     "Gravity over time, instead of 'gravity': linear between the keys, constant before the first "
     "and after the last."},
};
static const firn_key after_solvers[] = {
    {"materials", FIRN_KEY_MAP, 0, NULL, 0, 0, "none", NULL, &firn_material_keys,
     "Materials by name."},
    {"snow", FIRN_KEY_LIST, 0, NULL, 0, 0, "none", NULL, &firn_snow_keys, "Volumes of snow."},
    {"colliders", FIRN_KEY_LIST, 0, NULL, 0, 0, "none", NULL, &firn_collider_keys,
     "Solids that snow collides with."},
    {"joints", FIRN_KEY_LIST, 0, NULL, 0, 0, "none", NULL, &firn_joint_keys,
     "What holds colliders together that have a mass."},
    {"emitters", FIRN_KEY_LIST, 0, NULL, 0, 0, "none", NULL, &firn_emitter_keys,
     "Sources of snow during the simulation."},
    {"forces", FIRN_KEY_LIST, 0, NULL, 0, 0, "none", NULL, &firn_force_keys, "Force fields."},
    {"air", FIRN_KEY_BLOCK, AT(air), NULL, 0, 0, "none", NULL, &firn_air_keys,
     "Wind, drag and temperature of the air."},
    {"cull", FIRN_KEY_BLOCK, AT(cull), NULL, 0, 0, "none", NULL, &firn_cull_keys,
     "Rules that remove particles during the simulation."},
    {"ageing", FIRN_KEY_BLOCK, AT(ageing), NULL, 0, 0, "none", NULL, &firn_ageing_keys,
     "Creep and sintering, hours of them in seconds."},
    {"powder", FIRN_KEY_BLOCK, AT(powder), NULL, 0, 0, "none", NULL, &firn_powder_keys,
     "Fine snow in the air that breaking snow sheds."},
    {"output", FIRN_KEY_BLOCK, AT(output), NULL, 0, 0, "as below", NULL, &firn_output_keys,
     "What is written to disk."},
    {"render", FIRN_KEY_BLOCK, AT(render), NULL, 0, 0, "as below", NULL, &firn_render_keys,
     "Pictures."},
    {"variants", FIRN_KEY_VARIANTS, 0, NULL, 0, 0, "none", NULL, NULL,
     "Named changes to this scene, chosen with --variant."},
};

firn_result firn_root_create(const firn_scene_solver* solvers, size_t solver_count,
                             firn_root* out_root)
{
    const size_t before = FIRN_KEY_COUNT(before_solvers), after = FIRN_KEY_COUNT(after_solvers);
    firn_key* keys = firn_alloc(before + solver_count + after, sizeof *keys);
    const char** names = firn_alloc(solver_count + 1, sizeof *names);
    if (keys == NULL || names == NULL) {
        firn_free(keys);
        firn_free(names);
        return FIRN_BROKEN_MEMORY;
    }
    memcpy(keys, before_solvers, sizeof before_solvers);
    for (size_t i = 0; i < solver_count; i++) {
        names[i] = solvers[i].name;
        keys[before + i] = (firn_key){.name = solvers[i].name,
                                      .type = FIRN_KEY_SOLVER,
                                      .offset = i,
                                      .fallback = "as below",
                                      .block = solvers[i].keys,
                                      .help = solvers[i].keys->help};
    }
    memcpy(keys + before + solver_count, after_solvers, sizeof after_solvers);
    for (size_t i = 0; i < before; i++) {
        if (keys[i].type != FIRN_KEY_ENUM) continue;
        keys[i].choices = names;
        keys[i].fallback = solver_count > 0 ? names[0] : "none";
    }
    *out_root = (firn_root){.block = {.name = "scene",
                                      .help = "The top level of a scene file.",
                                      .keys = keys,
                                      .key_count = before + solver_count + after,
                                      .size = sizeof(firn_scene_data),
                                      .finish = finish_format},
                            .names = names};
    return FIRN_OK;
}

void firn_root_destroy(firn_root* root)
{
    firn_free((void*)root->block.keys);
    firn_free(root->names);
    *root = (firn_root){0};
}
