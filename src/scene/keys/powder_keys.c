// SPDX-License-Identifier: MIT
// Block `powder`: fine snow in the air that breaking snow sheds.
#include "scene/data/scene.h"
#include "scene/keys/blocks.h"
#include "scene/parse/reader.h"

static void set_defaults(void* at)
{
    *(firn_powder_block*)at = (firn_powder_block){.rate = 5,
                                                  .speed = 1,
                                                  .points = 10,
                                                  .amount = 0.2,
                                                  .size = 2e-4,
                                                  .life = 2,
                                                  .spread = 0.2,
                                                  .seed = 1,
                                                  .tick = 0.005,
                                                  .max = 1000000};
}

static void finish(firn_scene_reader* r, const firn_doc_node* node, void* item, void* at,
                   bool valid)
{
    (void)r, (void)node, (void)at, (void)valid;
    ((firn_powder_block*)item)->active = true;
}

#define AT(field) offsetof(firn_powder_block, field)
static const firn_key keys[] = {
    {"rate", FIRN_KEY_REAL, AT(rate), "1/s", 0, 1e6, "5", NULL, NULL,
     "Snow that breaks slower (change of ln J_P, torn or crushed) sheds nothing; twice as fast, "
     "all that it can."},
    {"speed", FIRN_KEY_REAL, AT(speed), "m/s", 0, 1e3, "1", NULL, NULL,
     "Snow slower than this relative to the air sheds nothing; twice as fast, all that it can."},
    {"points", FIRN_KEY_REAL, AT(points), "-", 0.001, 1000, "10", NULL, NULL,
     "Points that a particle at a free surface sheds while it breaks once (ln J_P changes by 1)."},
    {"amount", FIRN_KEY_REAL, AT(amount), "-", 1e-6, 1, "0.2", NULL, NULL,
     "What the points of broken snow are drawn with, as a share of its mass. The snow keeps all "
     "of its mass: powder has none in the simulation."},
    {"size", FIRN_KEY_REAL, AT(size), "m", 1e-6, 0.01, "0.0002", NULL, NULL,
     "Diameter of a grain, which decides the drag: grains of 0.2 mm fall at 0.67 m/s."},
    {"life", FIRN_KEY_REAL, AT(life), "s", 1e-3, 1e4, "2", NULL, NULL,
     "Mean time until a point has faded; each has its own, half to one and a half of it."},
    {"spread", FIRN_KEY_REAL, AT(spread), "-", 0, 10, "0.2", NULL, NULL,
     "Random part of a new point's velocity, over the speed of its snow relative to the air."},
    {"max", FIRN_KEY_INT, AT(max), NULL, 1, 20000000, "1000000", NULL, NULL,
     "Most points at once; snow that breaks when there are as many sheds none."},
    {"tick", FIRN_KEY_REAL, AT(tick), "s", 1e-5, 1, "0.005", NULL, NULL,
     "Powder moves in steps of this length, at the ends of steps of the snow and at each frame."},
    {"seed", FIRN_KEY_INT, AT(seed), NULL, 0, 9007199254740992.0, "1", NULL, NULL,
     "Seed of places, velocities and lives."},
};
const firn_key_block firn_powder_keys = {
    "powder",
    "Points that snow sheds where it breaks fast (solver mpm); they do not act back on it.",
    keys,
    FIRN_KEY_COUNT(keys),
    sizeof(firn_powder_block),
    set_defaults,
    finish};
