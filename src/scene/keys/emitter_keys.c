// SPDX-License-Identifier: MIT
// Block `emitters`: where flakes are created during the simulation.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "scene/data/emitter.h"
#include "scene/data/scene.h"
#include "scene/data/scene_items.h"
#include "scene/data/snow.h"
#include "scene/keys/blocks.h"
#include "scene/parse/reader.h"

typedef struct emitter_item {
    firn_emitter emitter;
    char* material;
} emitter_item;

static void set_defaults(void* at)
{
    *(emitter_item*)at = (emitter_item){.emitter = {.shape = -1,
                                                    .flake_size = FIRN_FLAKE_SIZE,
                                                    .flake_density = FIRN_FLAKE_DENSITY,
                                                    .stop = INFINITY,
                                                    .limit = FIRN_EMITTER_NO_LIMIT,
                                                    .seed = 1,
                                                    .temperature = FIRN_SNOW_TEMPERATURE}};
}

static void finish(firn_scene_reader* r, const firn_doc_node* node, void* at_item, void* at,
                   bool valid)
{
    (void)at;
    emitter_item* item = at_item;
    firn_scene_data* scene = r->scene;
    item->emitter.material = firn_scene_find_material(r, node, item->material);
    if (!valid || item->emitter.material < 0) return;
    if (!(item->emitter.stop > item->emitter.start)) {
        firn_doc_error(r->doc, firn_doc_find(node, "stop"),
                       "this emitter stops at %g s, before it starts at %g s", item->emitter.stop,
                       item->emitter.start);
        return;
    }
    if (!firn_reserve((void**)&scene->emitters, &scene->emitter_capacity, scene->emitter_count + 1,
                      sizeof *scene->emitters)) {
        r->out_of_memory = true;
        return;
    }
    scene->emitters[scene->emitter_count++] = item->emitter;
}

#define AT(field) offsetof(emitter_item, field)
static const firn_key keys[] = {
    {"shape", FIRN_KEY_SHAPE, AT(emitter.shape), NULL, 0, 0, NULL, NULL, NULL,
     "Volume in which flakes appear, uniformly distributed."},
    {"rate", FIRN_KEY_REAL, AT(emitter.rate), "1/s", 1e-6, 1e9, NULL, NULL, NULL,
     "Flakes per second."},
    {"velocity", FIRN_KEY_VEC3, AT(emitter.velocity), "m/s", -1e4, 1e4, "[0, 0, 0]", NULL, NULL,
     "Velocity of a new flake."},
    {"spread", FIRN_KEY_REAL, AT(emitter.spread), "m/s", 0, 1e4, "0", NULL, NULL,
     "RMS along each axis of a random velocity that is added."},
    {"size", FIRN_KEY_REAL, AT(emitter.size), "m", 1e-6, 1e3, "the solver's spacing", NULL, NULL,
     "Edge length of the cube of snow that a particle represents, usually of many flakes."},
    {"flake_size", FIRN_KEY_REAL, AT(emitter.flake_size), "m", 0, 1, "0.005", NULL, NULL,
     "Diameter of one flake: in air a lone particle falls and drifts as its flakes do. 0: as a "
     "single lump, a sphere of its volume of snow."},
    {"flake_density", FIRN_KEY_REAL, AT(emitter.flake_density), "kg/m^3", 0.1,
     FIRN_FLAKE_DENSITY_MAX, "12", NULL, NULL,
     "Mass of one flake by the volume of its sphere. The defaults fall at 1.0 m/s, 100 kg/m^3 at "
     "3.4 m/s."},
    {"material", FIRN_KEY_TEXT, AT(material), NULL, 0, 0, "the first material", NULL, NULL,
     "Name of a material of this scene, or of a preset."},
    {"start", FIRN_KEY_REAL, AT(emitter.start), "s", -1e6, 1e6, "0", NULL, NULL,
     "Time at which the emitter starts; the first flake appears 1/rate later."},
    {"stop", FIRN_KEY_REAL, AT(emitter.stop), "s", -1e6, 1e6, "never", NULL, NULL,
     "Time at which the emitter stops."},
    {"limit", FIRN_KEY_INT, AT(emitter.limit), NULL, 1, 2147483647, "none", NULL, NULL,
     "Maximum number of flakes."},
    {"seed", FIRN_KEY_INT, AT(emitter.seed), NULL, 0, 9007199254740992.0, "1", NULL, NULL,
     "Seed of positions and velocities."},
    {"temperature", FIRN_KEY_REAL, AT(emitter.temperature), "degC", -273.15, 100, "-5", NULL, NULL,
     "Temperature of a new flake."},
};
const firn_key_block firn_emitter_keys = {"emitter",
                                          "Snowfall: flakes that appear while the scene runs.",
                                          keys,
                                          FIRN_KEY_COUNT(keys),
                                          sizeof(emitter_item),
                                          set_defaults,
                                          finish};
