// SPDX-License-Identifier: MIT
// Block `emitters`: where flakes are created during the simulation.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "geometry/collider/collider.h"
#include "scene/data/emitter.h"
#include "scene/data/scene.h"
#include "scene/data/scene_items.h"
#include "scene/data/snow.h"
#include "scene/keys/blocks.h"
#include "scene/parse/reader.h"

typedef struct emitter_item {
    firn_emitter emitter;
    char* material;
    int64_t follow;  // -1: none
} emitter_item;

static void set_defaults(void* at)
{
    *(emitter_item*)at = (emitter_item){.emitter = {.shape = -1,
                                                    .flake_size = FIRN_FLAKE_SIZE,
                                                    .flake_density = FIRN_FLAKE_DENSITY,
                                                    .stop = INFINITY,
                                                    .limit = FIRN_EMITTER_NO_LIMIT,
                                                    .seed = 1,
                                                    .temperature = FIRN_SNOW_TEMPERATURE},
                                        .follow = -1};
}

// `rate` or `flow`; `limit`, `mass` or neither.
static bool check_amounts(firn_scene_reader* r, const firn_doc_node* node, const firn_emitter* e)
{
    if ((e->rate > 0) == (e->flow > 0)) {
        firn_doc_error(r->doc, node,
                       e->rate > 0 ? "this emitter has a 'rate' and a 'flow': remove one of them"
                                   : "this emitter needs a 'rate', in flakes per second, or a "
                                     "'flow', in kg of snow per second");
        return false;
    }
    if (e->mass > 0 && e->limit != FIRN_EMITTER_NO_LIMIT) {
        firn_doc_error(r->doc, firn_doc_find(node, "mass"),
                       "this emitter has a 'limit' and a 'mass': remove one of them");
        return false;
    }
    return true;
}

// Colliders come before emitters. Those that were refused are missing, and those of variants that
// are not selected: then nothing is checked.
static bool check_follow(firn_scene_reader* r, const firn_doc_node* node, const emitter_item* item)
{
    const firn_scene_data* scene = r->scene;
    if (item->follow < 0 || r->dry || r->doc->diagnostics->error_count > 0) return true;
    if (item->follow >= scene->collider_count)
        firn_doc_error(r->doc, firn_doc_find(node, "follow"),
                       "there is no collider %lld: the scene has %d, counted from 0",
                       (long long)item->follow, (int)scene->collider_count);
    else if (scene->colliders[item->follow].mass > 0)
        firn_doc_error(r->doc, firn_doc_find(node, "follow"),
                       "collider %lld has a mass: an emitter follows one that the scene moves",
                       (long long)item->follow);
    else
        return true;
    return false;
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
    if (!check_amounts(r, node, &item->emitter) || !check_follow(r, node, item)) return;
    item->emitter.follow1 = (firn_local)(item->follow + 1);
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
    {"rate", FIRN_KEY_REAL, AT(emitter.rate), "1/s", 1e-6, 1e9, "by 'flow'", NULL, NULL,
     "Flakes per second: particles, each of which is a cube of snow of edge 'size'."},
    {"flow", FIRN_KEY_REAL, AT(emitter.flow), "kg/s", 1e-9, 1e9, "by 'rate'", NULL, NULL,
     "Snow per second, instead of 'rate': as many particles as weigh that much."},
    {"velocity", FIRN_KEY_VEC3, AT(emitter.velocity), "m/s", -1e4, 1e4, "[0, 0, 0]", NULL, NULL,
     "Velocity of a new flake."},
    {"speed", FIRN_KEY_REAL, AT(emitter.speed), "m/s", -1e4, 1e4, "0", NULL, NULL,
     "Speed along the outward normal of the nearest surface of the shape, added to 'velocity'."},
    {"depth", FIRN_KEY_REAL, AT(emitter.depth), "m", 1e-9, 1e3, "anywhere inside", NULL, NULL,
     "Flakes appear in a layer of this thickness below the surface of the shape only."},
    {"spread", FIRN_KEY_REAL, AT(emitter.spread), "m/s", 0, 1e4, "0", NULL, NULL,
     "RMS along each axis of a random velocity that is added."},
    {"size", FIRN_KEY_REAL, AT(emitter.size), "m", 1e-6, 1e3, "the solver's", NULL, NULL,
     "Edge length of the cube of snow that a particle represents, usually of many flakes: its mass "
     "is that of this volume of the material. sph: its spacing; mpm: half a cell."},
    {"flake_size", FIRN_KEY_REAL, AT(emitter.flake_size), "m", 0, 1, "0.005", NULL, NULL,
     "Diameter of one flake: in air a lone particle falls and drifts as its flakes do. 0: as a "
     "single lump, a sphere of its volume of snow."},
    {"flake_density", FIRN_KEY_REAL, AT(emitter.flake_density), "kg/m^3", 0.1,
     FIRN_FLAKE_DENSITY_MAX, "12", NULL, NULL,
     "Mass of one flake by the volume of its sphere. The defaults fall at 1.0 m/s, 100 kg/m^3 at "
     "3.4 m/s."},
    {"material", FIRN_KEY_TEXT, AT(material), NULL, 0, 0, "the first material", NULL, NULL,
     "Name of a material of this scene, or of a preset."},
    {"follow", FIRN_KEY_INT, AT(follow), NULL, 0, 1e6, "none", NULL, NULL,
     "Number of a collider, from 0, that the emitter moves with: shape and 'velocity' are as at "
     "t = 0, new flakes also have the collider's velocity there."},
    {"start", FIRN_KEY_REAL, AT(emitter.start), "s", -1e6, 1e6, "0", NULL, NULL,
     "Time at which the emitter starts; the first flake appears 1/rate later."},
    {"stop", FIRN_KEY_REAL, AT(emitter.stop), "s", -1e6, 1e6, "never", NULL, NULL,
     "Time at which the emitter stops."},
    {"limit", FIRN_KEY_INT, AT(emitter.limit), NULL, 1, 2147483647, "none", NULL, NULL,
     "Maximum number of flakes."},
    {"mass", FIRN_KEY_REAL, AT(emitter.mass), "kg", 1e-12, 1e15, "no limit", NULL, NULL,
     "Maximum mass of all flakes together, instead of 'limit'."},
    {"seed", FIRN_KEY_INT, AT(emitter.seed), NULL, 0, 9007199254740992.0, "1", NULL, NULL,
     "Seed of positions and velocities."},
    {"temperature", FIRN_KEY_REAL, AT(emitter.temperature), "degC", -273.15, 100, "-5", NULL, NULL,
     "Temperature of a new flake."},
};
const firn_key_block firn_emitter_keys = {
    "emitter",
    "Snow that appears while the scene runs: snowfall, hoses, blowers.",
    keys,
    FIRN_KEY_COUNT(keys),
    sizeof(emitter_item),
    set_defaults,
    finish};
