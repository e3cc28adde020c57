// SPDX-License-Identifier: MIT
// Layout: a head, a number per collider, a row per emitter.
#include "sim/world/world_state.h"

#include <math.h>
#include <string.h>

#include "geometry/collider/collider.h"
#include "scene/data/emitter.h"

typedef struct head {
    int64_t colliders, emitters;
} head;

typedef struct emitter_row {
    int64_t removed;
    double stop;  // [s]
} emitter_row;

size_t firn_world_size(const firn_sim* sim)
{
    return sizeof(head) + (size_t)sim->scene.collider_count * sizeof(int64_t) +
           (size_t)sim->scene.emitter_count * sizeof(emitter_row);
}

void firn_world_save(const firn_sim* sim, char* block)
{
    const firn_scene_data* scene = &sim->scene;
    const head h = {scene->collider_count, scene->emitter_count};
    memcpy(block, &h, sizeof h);
    block += sizeof h;
    for (firn_local c = 0; c < scene->collider_count; c++, block += sizeof(int64_t)) {
        const int64_t removed = scene->colliders[c].removed;
        memcpy(block, &removed, sizeof removed);
    }
    for (firn_local e = 0; e < scene->emitter_count; e++, block += sizeof(emitter_row)) {
        const emitter_row r = {scene->emitters[e].removed, scene->emitters[e].stop};
        memcpy(block, &r, sizeof r);
    }
}

static emitter_row row_of(const char* emitters, firn_local e)
{
    emitter_row r;
    memcpy(&r, emitters + (size_t)e * sizeof r, sizeof r);
    return r;
}

static int64_t flag_of(const char* colliders, firn_local c)
{
    int64_t flag;
    memcpy(&flag, colliders + (size_t)c * sizeof flag, sizeof flag);
    return flag;
}

static firn_result check(const firn_sim* sim, const head* h, const char* rows, size_t size,
                         firn_error* error)
{
    const firn_scene_data* scene = &sim->scene;
    if (h->colliders > scene->collider_count || h->emitters > scene->emitter_count)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "it has %lld colliders and %lld emitters, the simulation has %d and %d: "
                         "add those that are missing, in the same order",
                         (long long)h->colliders, (long long)h->emitters,
                         (int)scene->collider_count, (int)scene->emitter_count);
    bool good = h->colliders >= 0 && h->emitters >= 0 &&
                size == sizeof *h + (size_t)h->colliders * sizeof(int64_t) +
                            (size_t)h->emitters * sizeof(emitter_row);
    for (firn_local c = 0; good && c < h->colliders; c++) good = flag_of(rows, c) >> 1 == 0;
    const char* emitters = rows + (good ? (size_t)h->colliders * sizeof(int64_t) : 0);
    for (firn_local e = 0; good && e < h->emitters; e++) {
        const emitter_row r = row_of(emitters, e);
        good = r.removed >> 1 == 0 && !isnan(r.stop);
    }
    return good ? FIRN_OK
                : firn_fail(error, FIRN_REFUSED_DAMAGED,
                            "its list of colliders and emitters is damaged");
}

firn_result firn_world_restore(firn_sim* sim, const char* block, size_t size, firn_error* error)
{
    head h = {-1, -1};
    if (size >= sizeof h) memcpy(&h, block, sizeof h);
    const char* rows = block + sizeof h;
    FIRN_TRY(check(sim, &h, rows, size, error));
    firn_scene_data* scene = &sim->scene;
    firn_local count = 0;
    firn_collider* own =
        sim->solver->colliders != NULL ? sim->solver->colliders(sim->self, &count) : NULL;
    for (firn_local c = 0; c < scene->collider_count; c++) {
        scene->colliders[c].removed = c >= h.colliders || flag_of(rows, c) != 0;
        if (c < count) own[c].removed = scene->colliders[c].removed;
    }
    const char* emitters = rows + (size_t)h.colliders * sizeof(int64_t);
    for (firn_local e = 0; e < scene->emitter_count; e++) {
        firn_emitter* emitter = &scene->emitters[e];
        // without flakes: the first is due after the start
        const emitter_row gone = {1, emitter->start};
        const emitter_row r = e < h.emitters ? row_of(emitters, e) : gone;
        emitter->removed = r.removed != 0;
        emitter->stop = r.stop;
    }
    return FIRN_OK;
}
