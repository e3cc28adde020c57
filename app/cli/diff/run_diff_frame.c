// SPDX-License-Identifier: MIT
// Two frames: fields bit for bit, and how far particles of the same number are apart.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/diff/run_diff.h"

static size_t bytes_of(firn_field_type type)
{
    switch (type) {
    case FIRN_FIELD_REAL: return sizeof(firn_real);
    case FIRN_FIELD_VEC3: return sizeof(firn_vec3);
    case FIRN_FIELD_MAT3: return sizeof(firn_mat3);
    case FIRN_FIELD_U32: return sizeof(uint32_t);
    default: return 1;
    }
}

static bool same_field(const firn_field_view* a, const firn_replay* other)
{
    firn_field_view b;
    if (firn_replay_field(other, a->name, &b) != FIRN_OK) return false;
    if (a->type != b.type || a->count != b.count) return false;
    return a->count == 0 || memcmp(a->data, b.data, (size_t)a->count * bytes_of(a->type)) == 0;
}

// The first field of `one` that `other` lacks or has with other values; null: none.
static const char* find_difference(const firn_replay* one, const firn_replay* other)
{
    firn_field_view view;
    for (int k = 0; k < firn_replay_field_count(one); k++)
        if (firn_replay_field_at(one, k, &view) == FIRN_OK && !same_field(&view, other))
            return view.name;
    return NULL;
}

// For each particle of B the particle of A with its id, owned; null: frames without ids, or out of
// memory. -1: A has none. Ids are not dense: particles may have been culled or added.
typedef struct numbered {
    uint32_t id;
    int32_t index;
} numbered;

static int by_id(const void* a, const void* b)
{
    const uint32_t x = ((const numbered*)a)->id, y = ((const numbered*)b)->id;
    return (x > y) - (x < y);
}

static numbered* sort_ids(const firn_replay* replay, int* out_count)
{
    firn_field_view id;
    if (firn_replay_field(replay, "id", &id) != FIRN_OK || id.type != FIRN_FIELD_U32) return NULL;
    numbered* list = malloc(((size_t)id.count + 1) * sizeof *list);
    if (list == NULL) return NULL;
    for (int p = 0; p < id.count; p++) list[p] = (numbered){((const uint32_t*)id.data)[p], p};
    qsort(list, (size_t)id.count, sizeof *list, by_id);
    *out_count = id.count;
    return list;
}

// Largest length of the difference of a vector field over particles with the same id; NaN: a frame
// lacks the field, or no id is in both.
static double largest_difference(firn_replay* const replays[2], const char* name,
                                 const numbered* const lists[2], const int counts[2])
{
    firn_field_view a, b;
    if (firn_replay_field(replays[0], name, &a) != FIRN_OK ||
        firn_replay_field(replays[1], name, &b) != FIRN_OK || a.type != FIRN_FIELD_VEC3 ||
        b.type != FIRN_FIELD_VEC3)
        return NAN;
    double largest = NAN;
    for (int i = 0, j = 0; i < counts[0] && j < counts[1];) {
        const numbered p = lists[0][i], q = lists[1][j];
        if (p.id == q.id) {
            const firn_vec3 x = ((const firn_vec3*)a.data)[p.index];
            const firn_vec3 y = ((const firn_vec3*)b.data)[q.index];
            const double d[3] = {(double)x.x - (double)y.x, (double)x.y - (double)y.y,
                                 (double)x.z - (double)y.z};
            largest = fmax(largest, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
        }
        i += p.id <= q.id;
        j += q.id <= p.id;
    }
    return largest;
}

static int64_t particles_of(const firn_replay* replay)
{
    firn_field_view position;
    return firn_replay_field(replay, "position", &position) == FIRN_OK ? position.count : 0;
}

void cli_frame_diff_make(firn_replay* const replays[2], cli_frame_diff* out)
{
    const char* field = find_difference(replays[0], replays[1]);
    if (field == NULL) field = find_difference(replays[1], replays[0]);
    out->same = field == NULL && firn_replay_time(replays[0]) == firn_replay_time(replays[1]);
    if (!out->same) snprintf(out->field, sizeof out->field, "%s", field != NULL ? field : "time");
    for (int k = 0; k < 2; k++) out->particles[k] = particles_of(replays[k]);
    out->position = out->velocity = out->same ? 0 : NAN;
    // snow that was filled differently has the same numbers for other particles
    if (out->same || out->particles[0] != out->particles[1]) return;
    int counts[2] = {0, 0};
    numbered* const lists[2] = {sort_ids(replays[0], &counts[0]), sort_ids(replays[1], &counts[1])};
    const numbered* const sorted[2] = {lists[0], lists[1]};
    if (lists[0] != NULL && lists[1] != NULL) {
        out->position = largest_difference(replays, "position", sorted, counts);
        out->velocity = largest_difference(replays, "velocity", sorted, counts);
    }
    free(lists[0]);
    free(lists[1]);
}
