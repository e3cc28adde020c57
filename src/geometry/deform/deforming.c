// SPDX-License-Identifier: MIT
// Deforming colliders: opens their sources and finds the keys that a time needs (deform_keys.h).
#include "geometry/deform/deforming.h"

#include <math.h>

#include "core/hash.h"
#include "core/memory.h"
#include "geometry/deform/deform_keys.h"
#include "geometry/deform/deform_source.h"
#include "geometry/deform/deform_velocity.h"
#include "mesh/topology/mesh_inspect.h"

struct firn_deforming {
    int32_t users;  // atomic
    firn_deform_source source;
    firn_deforming_def def;  // strings owned
    double* time;            // owned [key_count] [s] of the animation
    int64_t loop_keys;       // keys per loop; 0: no loop
    double period;           // [s] of the animation
    uint64_t hash;
    firn_deform_keys keys;
};

// ---- opening ------------------------------------------------------------------------------------

static void destroy(firn_deforming* d)
{
    firn_deform_keys_destroy(&d->keys);
    d->source.destroy(d->source.self);
    const char* const texts[] = {d->def.animation.file, d->def.animation.mesh,
                                 d->def.animation.clip, d->def.animation.node,
                                 d->def.grid,           d->def.velocity_grid};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) firn_free((void*)texts[i]);
    firn_free(d->time);
    firn_free(d);
}

static bool own_def(firn_deforming_def* def)
{
    const char** const texts[] = {&def->animation.file, &def->animation.mesh, &def->animation.clip,
                                  &def->animation.node, &def->grid,           &def->velocity_grid};
    bool ok = true;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (*texts[i] == NULL) continue;
        *texts[i] = firn_strdup(*texts[i]);
        ok = ok && *texts[i] != NULL;
    }
    return ok;
}

static firn_result check_def(const firn_deforming_def* def, firn_error* error)
{
    if (!(def->speed > 0) || !isfinite(def->speed) || !isfinite(def->start))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "animation: start %g s, speed %g: the start must be finite, the speed "
                         "above 0",
                         def->start, def->speed);
    return FIRN_OK;
}

static firn_result read_times(firn_deforming* d, firn_error* error)
{
    for (int64_t k = 0; k < d->source.key_count; k++) {
        d->time[k] = d->source.time(d->source.self, k);
        if (!isfinite(d->time[k]) || (k > 0 && !(d->time[k] > d->time[k - 1])))
            return firn_fail(
                error, FIRN_REFUSED_SCENE,
                "'%s': key frame %lld is at %g s, must be later than the one before it",
                d->def.animation.file, (long long)k + 1, d->time[k]);
        const uint64_t hash = d->source.hash(d->source.self, k);
        d->hash = firn_hash(&hash, sizeof hash, d->hash);
    }
    return FIRN_OK;
}

static firn_result close_loop(firn_deforming* d, firn_error* error)
{
    const int64_t count = d->source.key_count;
    if (!d->def.loop || count < 2) return FIRN_OK;
    bool closes = false;
    FIRN_TRY(d->source.closes(d->source.self, &closes, error));
    closes = closes && count > 2;
    d->loop_keys = closes ? count - 1 : count;
    d->period = d->time[count - 1];
    if (!closes) d->period += d->time[count - 1] - d->time[count - 2];
    return FIRN_OK;
}

firn_result firn_deforming_create(const firn_deforming_def* def, firn_deform_source source,
                                  firn_deforming** out_deforming, firn_error* error)
{
    firn_deforming* d = firn_alloc(1, sizeof *d);
    if (d == NULL) {
        source.destroy(source.self);
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for a deforming collider");
    }
    d->users = 1;
    d->source = source;
    d->def = *def;
    const bool texts = own_def(&d->def);
    d->time = firn_alloc((size_t)source.key_count, sizeof *d->time);
    d->keys = (firn_deform_keys){.source = &d->source,
                                 .file = d->def.animation.file,
                                 .time = d->time,
                                 .memory = def->memory};
    firn_result result = FIRN_OK;
    if (!firn_deform_keys_create(&d->keys) || !texts || d->time == NULL)
        result = firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the %lld keys of '%s'",
                           (long long)source.key_count, def->animation.file);
    if (result == FIRN_OK) result = read_times(d, error);
    if (result == FIRN_OK) result = close_loop(d, error);
    if (result != FIRN_OK) {
        destroy(d);
        return result;
    }
    d->keys.loop_keys = d->loop_keys;
    d->keys.period = d->period;
    *out_deforming = d;
    return FIRN_OK;
}

firn_result firn_deforming_open(const firn_deforming_def* def, firn_deforming** out_deforming,
                                firn_error* error)
{
    FIRN_TRY(check_def(def, error));
    firn_deform_source source;
    if (firn_deform_is_vdb(def->animation.file)) {
        FIRN_TRY(firn_deform_open_vdb(def, &source, error));
    } else {
        FIRN_TRY(firn_deform_open_meshes(def, &source, error));
    }
    return firn_deforming_create(def, source, out_deforming, error);
}

firn_deforming* firn_deforming_share(firn_deforming* deforming)
{
    if (deforming != NULL) __atomic_add_fetch(&deforming->users, 1, __ATOMIC_RELAXED);
    return deforming;
}

void firn_deforming_release(firn_deforming* deforming)
{
    if (deforming != NULL && __atomic_sub_fetch(&deforming->users, 1, __ATOMIC_ACQ_REL) == 0)
        destroy(deforming);
}

const firn_deforming_def* firn_deforming_read_def(const firn_deforming* deforming)
{
    return &deforming->def;
}

int64_t firn_deforming_key_count(const firn_deforming* deforming)
{
    return deforming->source.key_count;
}

uint64_t firn_deforming_hash(const firn_deforming* deforming)
{
    return deforming->hash;
}

size_t firn_deforming_bytes(firn_deforming* deforming)
{
    pthread_mutex_lock(&deforming->keys.lock);
    const size_t bytes = deforming->keys.bytes;
    pthread_mutex_unlock(&deforming->keys.lock);
    return bytes;
}

void firn_deforming_begin_ahead(firn_deforming* deforming, int threads)
{
    firn_deform_ahead_begin(&deforming->keys, threads);
}

void firn_deforming_end_ahead(firn_deforming* deforming)
{
    firn_deform_ahead_end(&deforming->keys);
}

// ---- moving -------------------------------------------------------------------------------------

// The keys around a time, and the interpolation parameter between them.
typedef struct moment {
    int64_t a, b;
    double gamma, length;  // [s] of the animation between them; 0: at rest on a
} moment;

static moment find_moment(const firn_deforming* d, double time)
{
    const int64_t last = d->source.key_count - 1;
    double t = (time - d->def.start) * d->def.speed;
    if (!(t >= 0)) return (moment){0, 0, 0, 0};
    if (d->loop_keys > 1)
        t = fmod(t, d->period);
    else if (t >= d->time[last])
        return (moment){last, last, 0, 0};
    int64_t low = 0, high = d->loop_keys > 1 ? d->loop_keys : last;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (d->time[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    const bool wraps = low + 1 == d->loop_keys;
    const double length = (wraps ? d->period : d->time[low + 1]) - d->time[low];
    return (moment){low, wraps ? 0 : low + 1, (t - d->time[low]) / length, length};
}

firn_result firn_deforming_move(firn_deforming* d, double time, firn_deform_pose* pose,
                                firn_error* error)
{
    if (!isfinite(time))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "'%s': the time is not a number",
                         d->def.animation.file);
    const moment m = find_moment(d, time);
    const firn_deform_key* keys[2];
    FIRN_TRY(firn_deform_keys_use(&d->keys, (const int64_t[2]){m.a, m.b}, keys, error));
    firn_deform_pose_release(pose);
    *pose = (firn_deform_pose){.a = keys[0],
                               .b = keys[1],
                               .gamma = (firn_real)m.gamma,
                               .dt = (firn_real)(m.length / d->def.speed),
                               .rate = m.length > 0 ? (firn_real)d->def.speed : 0};
    return FIRN_OK;
}

static firn_result mix_meshes(firn_deforming* d, const moment* m, firn_mesh* mesh,
                              firn_error* error)
{
    firn_mesh next;
    FIRN_TRY(d->source.mesh(d->source.self, m->b, &next, error));
    if (firn_deform_same_points(mesh, &next)) {
        for (firn_local v = 0; v < mesh->vertex_count; v++)
            mesh->vertices[v] = firn_v3_madd(mesh->vertices[v], (firn_real)m->gamma,
                                             firn_v3_sub(next.vertices[v], mesh->vertices[v]));
    } else if (m->gamma >= 0.5) {
        const firn_mesh before = *mesh;
        *mesh = next;
        next = before;
    }
    firn_mesh_destroy(&next);
    return FIRN_OK;
}

firn_result firn_deforming_mesh(firn_deforming* d, double time, firn_mesh* out_mesh,
                                firn_error* error)
{
    *out_mesh = (firn_mesh){0};
    if (d->source.mesh == NULL) return FIRN_OK;
    const moment m = find_moment(d, time);
    firn_result result = d->source.mesh(d->source.self, m.a, out_mesh, error);
    if (result == FIRN_OK && m.b != m.a && m.gamma > 0) {
        result = mix_meshes(d, &m, out_mesh, error);
        if (result != FIRN_OK) firn_mesh_destroy(out_mesh);
    }
    return result;
}

firn_result firn_deforming_closed_mesh(firn_deforming* d, double time, firn_mesh* out_mesh,
                                       firn_error* error)
{
    FIRN_TRY(firn_deforming_mesh(d, time, out_mesh, error));
    const bool mends = firn_deforming_read_def(d)->broken == FIRN_BROKEN_MESH_REPAIR;
    if (!mends || out_mesh->triangle_count == 0) return FIRN_OK;
    firn_mesh_report report;
    const firn_result result = firn_mesh_inspect(out_mesh, &report, error);
    if (result != FIRN_OK || report.open_edges > 0) firn_mesh_destroy(out_mesh);
    return result;
}
