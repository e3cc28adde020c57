// SPDX-License-Identifier: MIT
#include "geometry/deform/deform_keys.h"

#include "core/memory.h"
#include "geometry/deform/deform_sample.h"
#include "geometry/deform/deform_velocity.h"

bool firn_deform_keys_create(firn_deform_keys* keys)
{
    pthread_mutex_init(&keys->lock, NULL);
    pthread_cond_init(&keys->changed, NULL);
    keys->next = -1;
    keys->entries = firn_alloc((size_t)keys->source->key_count, sizeof *keys->entries);
    return keys->entries != NULL;
}

void firn_deform_keys_destroy(firn_deform_keys* keys)
{
    for (int64_t k = 0; keys->entries != NULL && k < keys->source->key_count; k++) {
        firn_level_set_release(keys->entries[k].phi);
        firn_deform_key_release(keys->entries[k].key);
    }
    firn_free(keys->entries);
    pthread_cond_destroy(&keys->changed);
    pthread_mutex_destroy(&keys->lock);
}

// ---- memory -------------------------------------------------------------------------------------

int64_t firn_deform_keys_following(const firn_deform_keys* keys, int64_t i)
{
    if (keys->next < 0) return -1;
    const int64_t k = keys->next + i;
    if (keys->loop_keys > 1) return i < keys->loop_keys ? k % keys->loop_keys : -1;
    return k < keys->source->key_count ? k : -1;
}

static bool is_spared(const firn_deform_keys* keys, int64_t k, int64_t spared)
{
    for (int64_t i = 0; i < spared; i++)
        if (firn_deform_keys_following(keys, i) == k) return true;
    return false;
}

// In use by this move, by a pose, or by a thread that builds it. A key that only its entry
// references cannot gain another reference while we hold the lock.
static bool is_needed(const firn_deform_keys* keys, const firn_deform_entry* e)
{
    if (e->used == keys->clock || e->phi_busy || e->key_busy) return true;
    return e->key != NULL && __atomic_load_n(&e->key->users, __ATOMIC_ACQUIRE) > 1;
}

static void drop(firn_deform_keys* keys, firn_deform_entry* e)
{
    firn_level_set_release(e->phi);
    firn_deform_key_release(e->key);
    keys->bytes -= e->bytes;
    *e = (firn_deform_entry){.failed = e->failed};
}

void firn_deform_keys_make_room(firn_deform_keys* keys, size_t room, int64_t spared)
{
    while (keys->bytes + keys->reserved + room > keys->memory) {
        firn_deform_entry* oldest = NULL;
        for (int64_t k = 0; k < keys->source->key_count; k++) {
            firn_deform_entry* e = &keys->entries[k];
            if (e->phi == NULL || is_needed(keys, e)) continue;
            if ((oldest == NULL || e->used < oldest->used) && !is_spared(keys, k, spared))
                oldest = e;
        }
        if (oldest == NULL) return;
        drop(keys, oldest);
    }
}

static void count_bytes(firn_deform_keys* keys, firn_deform_entry* e, size_t bytes)
{
    e->bytes += bytes;
    keys->bytes += bytes;
    if (e->bytes > keys->largest) keys->largest = e->bytes;
}

// ---- building -----------------------------------------------------------------------------------

// Finds or builds a level set, with the lock held; the caller gets a reference.
static firn_result take_phi(firn_deform_keys* keys, int64_t k, const firn_level_set** out_phi,
                            firn_error* error)
{
    firn_deform_entry* e = &keys->entries[k];
    while (e->phi_busy) pthread_cond_wait(&keys->changed, &keys->lock);
    e->used = keys->clock;
    if (e->phi == NULL) {
        firn_deform_keys_make_room(keys, keys->largest, 0);
        e->phi_busy = true;
        pthread_mutex_unlock(&keys->lock);
        const firn_level_set* phi = NULL;
        const firn_result result = keys->source->phi(keys->source->self, k, &phi, error);
        pthread_mutex_lock(&keys->lock);
        e->phi_busy = false;
        pthread_cond_broadcast(&keys->changed);
        FIRN_TRY(result);
        e->phi = phi;
        count_bytes(keys, e, firn_level_set_bytes(phi));
    }
    *out_phi = firn_level_set_share(e->phi);
    return FIRN_OK;
}

// A key that is being built, and the level sets that its velocities are made from.
typedef struct builder {
    firn_deform_keys* keys;
    const firn_level_set* held[2];
    int held_count;
} builder;

static firn_result load_phi(void* context, int64_t k, const firn_level_set** out_phi,
                            firn_error* error)
{
    builder* b = context;
    FIRN_ASSERT(b->held_count < 2);
    pthread_mutex_lock(&b->keys->lock);
    b->keys->by_neighbours = true;
    const firn_result result = take_phi(b->keys, k, &b->held[b->held_count], error);
    pthread_mutex_unlock(&b->keys->lock);
    if (result == FIRN_OK) *out_phi = b->held[b->held_count++];
    return result;
}

static firn_deform_stencil stencil_at(builder* b, int64_t k)
{
    const firn_deform_keys* keys = b->keys;
    const double* time = keys->time;
    const int64_t count = keys->loop_keys > 0 ? keys->loop_keys : keys->source->key_count;
    const bool loop = keys->loop_keys > 1;
    firn_deform_stencil s = {.before = k > 0  ? k - 1
                                       : loop ? count - 1
                                              : -1,
                             .here = k,
                             .after = k + 1 < count ? k + 1
                                      : loop        ? 0
                                                    : -1,
                             .load = load_phi,
                             .context = b};
    if (s.before >= 0)
        s.length_before = k > 0 ? time[k] - time[k - 1] : keys->period - time[count - 1];
    if (s.after >= 0)
        s.length_after = k + 1 < count ? time[k + 1] - time[k] : keys->period - time[k];
    return s;
}

// Without the lock. `phi` is borrowed.
static firn_result make_key(firn_deform_keys* keys, int64_t k, const firn_level_set* phi,
                            firn_deform_key** out_key, firn_error* error)
{
    firn_deform_key* key = firn_alloc(1, sizeof *key);
    if (key == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for a key frame of '%s'",
                         keys->file);
    key->users = 1;
    key->time = keys->time[k];
    key->phi = firn_level_set_share(phi);
    builder b = {.keys = keys};
    firn_deform_stencil stencil = stencil_at(&b, k);
    stencil.phi = phi;
    const firn_result result =
        keys->source->velocity(keys->source->self, &stencil, &key->velocity, error);
    for (int i = 0; i < b.held_count; i++) firn_level_set_release(b.held[i]);
    if (result != FIRN_OK) {
        firn_deform_key_release(key);
        return result;
    }
    key->fastest = firn_velocity_grid_fastest(&key->velocity);
    *out_key = key;
    return FIRN_OK;
}

firn_result firn_deform_keys_build(firn_deform_keys* keys, int64_t k, firn_error* error)
{
    firn_deform_entry* e = &keys->entries[k];
    const firn_level_set* phi = NULL;
    firn_deform_key* key = NULL;
    e->key_busy = true;
    firn_result result = take_phi(keys, k, &phi, error);
    if (result == FIRN_OK) {
        pthread_mutex_unlock(&keys->lock);
        result = make_key(keys, k, phi, &key, error);
        firn_level_set_release(phi);
        pthread_mutex_lock(&keys->lock);
    }
    e->key_busy = false;
    pthread_cond_broadcast(&keys->changed);
    FIRN_TRY(result);
    e->key = key;
    count_bytes(keys, e, sizeof *key + firn_velocity_grid_bytes(&key->velocity));
    if (e->bytes > keys->largest_key) keys->largest_key = e->bytes;
    return FIRN_OK;
}

// ---- using --------------------------------------------------------------------------------------

// Takes a reference to key k for the caller.
static firn_result use_key(firn_deform_keys* keys, int64_t k, const firn_deform_key** out_key,
                           firn_error* error)
{
    firn_deform_entry* e = &keys->entries[k];
    while (e->key_busy) pthread_cond_wait(&keys->changed, &keys->lock);
    e->used = keys->clock;
    if (e->key == NULL) FIRN_TRY(firn_deform_keys_build(keys, k, error));
    firn_deform_key_share(e->key);
    *out_key = e->key;
    return FIRN_OK;
}

// Is `next` not long before keys->next? A loop is passed from its end to its beginning.
static bool is_behind(const firn_deform_keys* keys, int64_t next)
{
    if (keys->loop_keys < 2) return next < keys->next;
    const int64_t back = (keys->next - next + keys->loop_keys) % keys->loop_keys;
    return keys->next >= 0 && back > 0 && back < keys->loop_keys / 2;
}

// The threads go on with what follows the keys that are used now. A look back at keys that are
// there, as by the picture of an earlier frame, does not concern them.
static void set_next(firn_deform_keys* keys, const int64_t which[2])
{
    const int64_t last = which[1];
    const int64_t next = keys->loop_keys > 1 ? (last + 1) % keys->loop_keys : last + 1;
    const bool there = keys->entries[which[0]].key != NULL && keys->entries[last].key != NULL;
    if (next == keys->next || (there && is_behind(keys, next))) return;
    keys->next = next;
    pthread_cond_broadcast(&keys->changed);
}

firn_result firn_deform_keys_use(firn_deform_keys* keys, const int64_t which[2],
                                 const firn_deform_key* out_keys[2], firn_error* error)
{
    const firn_deform_key* found[2] = {NULL, NULL};
    pthread_mutex_lock(&keys->lock);
    keys->clock++;
    set_next(keys, which);
    firn_result result = use_key(keys, which[0], &found[0], error);
    if (result == FIRN_OK) result = use_key(keys, which[1], &found[1], error);
    keys->clock++;  // what was needed only to build the keys may be evicted
    firn_deform_keys_make_room(keys, 0, 0);
    pthread_mutex_unlock(&keys->lock);
    if (result != FIRN_OK) {
        firn_deform_key_release(found[0]);
        return result;
    }
    out_keys[0] = found[0];
    out_keys[1] = found[1];
    return FIRN_OK;
}
