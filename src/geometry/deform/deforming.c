// SPDX-License-Identifier: MIT
// Deforming colliders: finds the keys that a time needs, builds them on demand, and evicts the
// least recently used ones when they exceed the memory limit.
//
//   pose ──uses──► key ◄──uses── entry k of the collider, which also holds the key's level set
//
// An entry may hold a level set without a key: a neighbour whose level set was needed for
// velocities. One lock guards all state of a collider. A thread that needs a key which another is
// building waits for it; reference counts are atomic, since poses are released outside the lock.
#include "geometry/deform/deforming.h"

#include <math.h>
#include <pthread.h>

#include "core/hash.h"
#include "core/memory.h"
#include "geometry/deform/deform_sample.h"
#include "geometry/deform/deform_source.h"
#include "geometry/deform/deform_velocity.h"
#include "mesh/topology/mesh_inspect.h"

typedef struct entry {
    const firn_level_set* phi;  // shared; null: not built
    firn_deform_key* key;       // one reference; null: not built
    size_t bytes;               // of both
    uint64_t used;              // last use, by the collider's clock
} entry;

struct firn_deforming {
    int32_t users;  // atomic
    pthread_mutex_t lock;
    firn_deform_source source;
    firn_deforming_def def;  // strings owned
    double* time;            // owned [key_count] [s] of the animation
    int64_t loop_keys;       // keys per loop; 0: no loop
    double period;           // [s] of the animation
    uint64_t hash;
    entry* entries;  // owned [key_count]
    size_t bytes, largest;
    uint64_t clock;  // number of moves so far
};

// ---- opening ------------------------------------------------------------------------------------

static void destroy(firn_deforming* d)
{
    for (int64_t k = 0; d->entries != NULL && k < d->source.key_count; k++) {
        firn_level_set_release(d->entries[k].phi);
        firn_deform_key_release(d->entries[k].key);
    }
    d->source.destroy(d->source.self);
    const char* const texts[] = {d->def.animation.file, d->def.animation.mesh,
                                 d->def.animation.clip, d->def.animation.node,
                                 d->def.grid,           d->def.velocity_grid};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) firn_free((void*)texts[i]);
    firn_free(d->time);
    firn_free(d->entries);
    pthread_mutex_destroy(&d->lock);
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
    pthread_mutex_init(&d->lock, NULL);
    d->time = firn_alloc((size_t)source.key_count, sizeof *d->time);
    d->entries = firn_alloc((size_t)source.key_count, sizeof *d->entries);
    firn_result result = FIRN_OK;
    if (!texts || d->time == NULL || d->entries == NULL)
        result = firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the %lld keys of '%s'",
                           (long long)source.key_count, def->animation.file);
    if (result == FIRN_OK) result = read_times(d, error);
    if (result == FIRN_OK) result = close_loop(d, error);
    if (result != FIRN_OK) {
        destroy(d);
        return result;
    }
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
    pthread_mutex_lock(&deforming->lock);
    const size_t bytes = deforming->bytes;
    pthread_mutex_unlock(&deforming->lock);
    return bytes;
}

// ---- keys ---------------------------------------------------------------------------------------

// In use by this move, or by a pose. A key that only its entry references cannot gain another
// reference while we hold the lock.
static bool is_needed(const firn_deforming* d, const entry* e)
{
    if (e->used == d->clock) return true;
    return e->key != NULL && __atomic_load_n(&e->key->users, __ATOMIC_ACQUIRE) > 1;
}

static void drop(firn_deforming* d, entry* e)
{
    firn_level_set_release(e->phi);
    firn_deform_key_release(e->key);
    d->bytes -= e->bytes;
    *e = (entry){0};
}

// Evicts the least recently used entries until `room` more bytes fit or none can be evicted.
static void make_room(firn_deforming* d, size_t room)
{
    while (d->bytes + room > d->def.memory) {
        entry* oldest = NULL;
        for (int64_t k = 0; k < d->source.key_count; k++) {
            entry* e = &d->entries[k];
            if (e->phi == NULL || is_needed(d, e)) continue;
            if (oldest == NULL || e->used < oldest->used) oldest = e;
        }
        if (oldest == NULL) return;
        drop(d, oldest);
    }
}

static void count_bytes(firn_deforming* d, entry* e, size_t bytes)
{
    e->bytes += bytes;
    d->bytes += bytes;
    if (e->bytes > d->largest) d->largest = e->bytes;
}

static firn_result load_phi(void* context, int64_t k, const firn_level_set** out_phi,
                            firn_error* error)
{
    firn_deforming* d = context;
    entry* e = &d->entries[k];
    e->used = d->clock;
    if (e->phi == NULL) {
        make_room(d, d->largest);
        FIRN_TRY(d->source.phi(d->source.self, k, &e->phi, error));
        count_bytes(d, e, firn_level_set_bytes(e->phi));
    }
    *out_phi = e->phi;
    return FIRN_OK;
}

static firn_deform_stencil stencil_at(firn_deforming* d, int64_t k)
{
    const int64_t count = d->loop_keys > 0 ? d->loop_keys : d->source.key_count;
    const bool loop = d->loop_keys > 1;
    firn_deform_stencil s = {.before = k > 0  ? k - 1
                                       : loop ? count - 1
                                              : -1,
                             .here = k,
                             .after = k + 1 < count ? k + 1
                                      : loop        ? 0
                                                    : -1,
                             .load = load_phi,
                             .context = d};
    if (s.before >= 0)
        s.length_before = k > 0 ? d->time[k] - d->time[k - 1] : d->period - d->time[count - 1];
    if (s.after >= 0)
        s.length_after = k + 1 < count ? d->time[k + 1] - d->time[k] : d->period - d->time[k];
    return s;
}

static firn_result make_key(firn_deforming* d, int64_t k, firn_error* error)
{
    firn_deform_stencil stencil = stencil_at(d, k);
    FIRN_TRY(load_phi(d, k, &stencil.phi, error));
    firn_deform_key* key = firn_alloc(1, sizeof *key);
    if (key == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for a key frame of '%s'",
                         d->def.animation.file);
    key->users = 1;
    key->time = d->time[k];
    key->phi = firn_level_set_share(stencil.phi);
    const firn_result result = d->source.velocity(d->source.self, &stencil, &key->velocity, error);
    if (result != FIRN_OK) {
        firn_deform_key_release(key);
        return result;
    }
    key->fastest = firn_velocity_grid_fastest(&key->velocity);
    d->entries[k].key = key;
    count_bytes(d, &d->entries[k], sizeof *key + firn_velocity_grid_bytes(&key->velocity));
    return FIRN_OK;
}

// Takes a reference to key k for the caller.
static firn_result use_key(firn_deforming* d, int64_t k, const firn_deform_key** out_key,
                           firn_error* error)
{
    d->entries[k].used = d->clock;
    if (d->entries[k].key == NULL) FIRN_TRY(make_key(d, k, error));
    firn_deform_key_share(d->entries[k].key);
    *out_key = d->entries[k].key;
    return FIRN_OK;
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
    pthread_mutex_lock(&d->lock);
    d->clock++;
    const moment m = find_moment(d, time);
    firn_deform_pose next = {.gamma = (firn_real)m.gamma,
                             .dt = (firn_real)(m.length / d->def.speed),
                             .rate = m.length > 0 ? (firn_real)d->def.speed : 0};
    firn_result result = use_key(d, m.a, &next.a, error);
    if (result == FIRN_OK) result = use_key(d, m.b, &next.b, error);
    if (result == FIRN_OK) {
        firn_deform_pose_release(pose);
        *pose = next;
    } else {
        firn_deform_pose_release(&next);
    }
    d->clock++;  // what was needed only to build the keys may be evicted
    make_room(d, 0);
    pthread_mutex_unlock(&d->lock);
    return result;
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
    pthread_mutex_lock(&d->lock);
    const moment m = find_moment(d, time);
    firn_result result = d->source.mesh(d->source.self, m.a, out_mesh, error);
    if (result == FIRN_OK && m.b != m.a && m.gamma > 0) {
        result = mix_meshes(d, &m, out_mesh, error);
        if (result != FIRN_OK) firn_mesh_destroy(out_mesh);
    }
    pthread_mutex_unlock(&d->lock);
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
