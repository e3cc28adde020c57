// SPDX-License-Identifier: MIT
// Block `cull`: which particles are removed during the simulation.
#include <math.h>

#include "scene/data/scene.h"
#include "scene/keys/blocks.h"
#include "scene/parse/reader.h"

static void set_defaults(void* at)
{
    *(firn_cull_block*)at = (firn_cull_block){.below = -INFINITY, .inside = -1, .outside = -1};
}

static void finish(firn_scene_reader* r, const firn_doc_node* node, void* item, void* at,
                   bool valid)
{
    (void)r, (void)node, (void)at, (void)valid;
    firn_cull_block* c = item;
    c->active = c->below > -INFINITY || c->inside >= 0 || c->outside >= 0;
}

#define AT(field) offsetof(firn_cull_block, field)
static const firn_key keys[] = {
    {"start", FIRN_KEY_REAL, AT(start), "s", -1e6, 1e6, "0", NULL, NULL,
     "Time from which the rules below apply."},
    {"below", FIRN_KEY_REAL, AT(below), "m", -1e6, 1e6, "none", NULL, NULL,
     "Height y below which particles are removed."},
    {"inside", FIRN_KEY_SHAPE, AT(inside), NULL, 0, 0, "none", NULL, NULL,
     "Particles inside this shape are removed."},
    {"outside", FIRN_KEY_SHAPE, AT(outside), NULL, 0, 0, "none", NULL, NULL,
     "Particles outside this shape are removed."},
};
const firn_key_block firn_cull_keys = {"cull",
                                       "Rules that remove particles by their position.",
                                       keys,
                                       FIRN_KEY_COUNT(keys),
                                       sizeof(firn_cull_block),
                                       set_defaults,
                                       finish};
