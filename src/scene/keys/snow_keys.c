// SPDX-License-Identifier: MIT
// Block `snow`: volumes of snow, each a shape or a point file, filled with particles.
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "geometry/sdf/shape.h"
#include "scene/data/scene.h"
#include "scene/data/scene_items.h"
#include "scene/data/snow.h"
#include "scene/keys/blocks.h"
#include "scene/parse/reader.h"

typedef struct snow_item {
    firn_snow snow;
    char* material;
    int32_t seeding;
} snow_item;

static void set_defaults(void* at)
{
    *(snow_item*)at = (snow_item){.snow = {.shape = -1,
                                           .particles_per_cell = 8,
                                           .loose = 1,
                                           .seed = 1,
                                           .vary = firn_vary_default(),
                                           .temperature = FIRN_SNOW_TEMPERATURE},
                                  .seeding = FIRN_SEED_STRATIFIED};
}

firn_local firn_scene_find_material(firn_scene_reader* r, const firn_doc_node* node,
                                    const char* name)
{
    firn_scene_data* scene = r->scene;
    if (name == NULL && scene->material_count > 0) return 0;
    const char* wanted = name != NULL ? name : "snow";
    for (firn_local i = 0; i < scene->material_count; i++)
        if (strcmp(scene->materials[i].name, wanted) == 0) return i;
    const firn_preset* preset = firn_preset_find(wanted);
    if (preset != NULL && scene->material_count < FIRN_MATERIALS_MAX)
        return firn_scene_add_preset(r, preset, wanted) ? scene->material_count - 1 : -1;
    const char* names[FIRN_MATERIALS_MAX + 64];
    size_t count = 0;
    for (firn_local i = 0; i < scene->material_count; i++)
        names[count++] = scene->materials[i].name;
    for (size_t i = 0; i < firn_preset_count && i < 64; i++) names[count++] = firn_presets[i].name;
    char hint[100];
    firn_hint(wanted, names, count, hint, sizeof hint);
    firn_doc_error(r->doc, firn_doc_find(node, "material"),
                   "no material or preset is called '%.60s'%s", wanted, hint);
    return -1;
}

// Whether a shape has a part that cannot be filled. Depth is bounded by FIRN_SHAPE_DEPTH_MAX.
static bool is_unsure(const firn_scene_reader* r, firn_local shape)
{
    const firn_shape_node* node = &r->scene->shapes.nodes[shape];
    if (node->kind == FIRN_SHAPE_LEVEL_SET) return (r->unsure_sets >> node->a & 1) != 0;
    if (node->kind < FIRN_SHAPE_LEVEL_SET) return false;
    return is_unsure(r, node->a) || (node->b >= 0 && is_unsure(r, node->b));
}

static void finish(firn_scene_reader* r, const firn_doc_node* node, void* at_item, void* at,
                   bool valid)
{
    (void)at;
    snow_item* item = at_item;
    firn_scene_data* scene = r->scene;
    if ((firn_doc_find(node, "shape") != NULL) == (firn_doc_find(node, "file") != NULL)) {
        firn_doc_key_error(r->doc, node, "'snow' needs either 'shape' or 'file'");
        valid = false;
    }
    if (valid && !r->dry && r->unsure_sets != 0 && item->snow.shape >= 0 &&
        is_unsure(r, item->snow.shape)) {
        firn_doc_error(r->doc, firn_doc_find(node, "shape"),
                       "the mesh is open, and for most of it the winding number does not tell "
                       "inside from outside: close it, or fill what it makes of it with "
                       "if_broken: repair");
        valid = false;
    }
    item->snow.material = firn_scene_find_material(r, node, item->material);
    if (!valid || item->snow.material < 0) return;
    item->snow.seeding = (firn_seeding)item->seeding;
    if (!firn_reserve((void**)&scene->snow, &scene->snow_capacity, scene->snow_count + 1,
                      sizeof *scene->snow)) {
        r->out_of_memory = true;
        return;
    }
    scene->snow[scene->snow_count++] = item->snow;
    item->snow = (firn_snow){.shape = -1};  // the scene owns its strings now
}

static const char* const seedings[] = {"stratified", "lattice", "random", NULL};

#define AT(field) offsetof(snow_item, field)
static const firn_key keys[] = {
    {"shape", FIRN_KEY_SHAPE, AT(snow.shape), NULL, 0, 0, "none", NULL, NULL,
     "What to fill with particles."},
    {"file", FIRN_KEY_PATH, AT(snow.file), NULL, 0, 0, "none", NULL, NULL,
     "A PLY file of particles instead of a shape; path relative to the scene file. Velocities, "
     "masses, densities and, with mpm, stiffness, packing and elastic deformation are those of the "
     "file, where it has them, by the names of `firn export`."},
    {"material", FIRN_KEY_TEXT, AT(material), NULL, 0, 0, "the first material", NULL, NULL,
     "Name of a material of this scene, or of a preset."},
    {"particles_per_cell", FIRN_KEY_REAL, AT(snow.particles_per_cell), "-", 0.1, 1000, "8", NULL,
     NULL, "Particles per grid cell; 4 to 10 for packed snow."},
    {"loose", FIRN_KEY_REAL, AT(snow.loose), "-", 1, 100, "1", NULL, NULL,
     "Particle spacing relative to packed snow: particles keep their mass, so 2 gives an eighth of "
     "the density."},
    {"seeding", FIRN_KEY_ENUM, AT(seeding), NULL, 0, 0, "stratified", seedings, NULL,
     "Sampling: one random point per sub-cell, sub-cell centres, or independent random points. "
     "Solver sph uses it for loose snow only, and a lattice otherwise."},
    {"seed", FIRN_KEY_INT, AT(snow.seed), NULL, 0, 9007199254740992.0, "1", NULL, NULL,
     "Seed of the sampling."},
    {"velocity", FIRN_KEY_VEC3, AT(snow.velocity), "m/s", -1e4, 1e4, "[0, 0, 0]", NULL, NULL,
     "Initial velocity."},
    {"spin", FIRN_KEY_VEC3, AT(snow.spin), "rad/s", -1e4, 1e4, "[0, 0, 0]", NULL, NULL,
     "Initial angular velocity about the centre of the shape's bounds."},
    {"temperature", FIRN_KEY_REAL, AT(snow.temperature), "degC", -273.15, 100, "-5", NULL, NULL,
     "Initial temperature; used in scenes with heat exchange."},
    {"vary", FIRN_KEY_BLOCK, AT(snow.vary), NULL, 0, 0, "none", NULL, &firn_vary_keys,
     "Spatial variation of material constants."},
};
const firn_key_block firn_snow_keys = {
    "snow", "A volume of snow.", keys, FIRN_KEY_COUNT(keys), sizeof(snow_item), set_defaults,
    finish};
