// SPDX-License-Identifier: MIT
// Writes emitters.
#include <math.h>

#include "scene/data/emitter.h"
#include "scene/data/snow.h"
#include "scene/keys/blocks.h"
#include "scene/write/keys_write.h"
#include "scene/write/scene_writer.h"

void firn_write_emitter(firn_scene_writer* w, const firn_emitter* e)
{
    firn_text_add(&w->text, "  - shape: ");
    firn_write_shape(w, e->shape);
    firn_text_add(&w->text, "\n    material: ");
    if (w->for_hash)
        firn_text_add(&w->text, "%d", (int)e->material);
    else
        firn_text_add_json(&w->text, w->scene->materials[e->material].name);
    const struct {
        const char* name;
        double value;
        bool is_given;
    } numbers[] = {{"rate", e->rate, !(e->flow > 0)},
                   {"flow", e->flow, e->flow > 0},
                   {"speed", e->speed, e->speed != 0},
                   {"depth", e->depth, e->depth > 0},
                   {"spread", e->spread, e->spread > 0},
                   {"size", e->size, e->size > 0},
                   {"flake_size", e->flake_size, true},
                   {"flake_density", e->flake_density, true},
                   {"start", e->start, true},
                   {"stop", e->stop, isfinite(e->stop)},
                   {"limit", (double)e->limit, e->limit != FIRN_EMITTER_NO_LIMIT && !(e->mass > 0)},
                   {"mass", e->mass, e->mass > 0},
                   {"follow", (double)e->follow1 - 1, e->follow1 > 0},
                   {"seed", (double)e->seed, true},
                   {"temperature", e->temperature, true}};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        if (!numbers[k].is_given) continue;
        firn_text_add(&w->text, "\n    %s: ", numbers[k].name);
        firn_write_number(&w->text, numbers[k].value, 17);
    }
    firn_text_add(&w->text, "\n    ");
    firn_write_doubles(w, "velocity", e->velocity);
    firn_text_add(&w->text, "\n");
}
