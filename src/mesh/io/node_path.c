// SPDX-License-Identifier: MIT
// Converts the world-space path of one glTF node to key frames with linear interpolation
// (FIRN_INTERPOLATE_LINEAR): takes the keys of the node and its ancestors, and adds keys where the
// interpolated path would deviate from the true one.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "mesh/io/animation.h"
#include "mesh/io/gltf.h"

// Allowed deviation from the path: far below what a snow grid resolves.
#define POSITION_TOLERANCE 1e-4  // [m]
#define TURN_TOLERANCE 1e-3      // [rad]
#define SCALE_TOLERANCE 1e-4     // relative
#define STEP_MIN 1e-3            // [s] minimum distance of keys: a jump (STEP) takes this long
#define UNIFORM_TOLERANCE 1e-3   // relative: lengths of axes, and cosines between them
// Bounds against small files that describe long, wild motions: they would take gigabytes and
// minutes.
#define KEYS_MAX (1 << 18)                 // of a path; at least 262 s of keys STEP_MIN apart
#define TRANSFORMS_MAX ((int64_t)1 << 23)  // of nodes, evaluated for one path: about a second

typedef struct pose {
    double time;
    double position[3];
    double rotation[4];  // w, x, y, z
    double scale;
} pose;

typedef struct tracer {
    const firn_gltf* gltf;
    firn_local node;
    firn_local* chain;  // owned [chain_count]: from a root to the node
    firn_local chain_count;
    double* times;  // owned
    firn_local time_count, time_capacity;
    firn_node_key* keys;  // owned
    firn_local key_count, key_capacity;
    int64_t transforms;  // evaluated so far
    firn_error* error;
} tracer;

static firn_result no_memory(const tracer* t)
{
    return firn_fail(t->error, FIRN_BROKEN_MEMORY, "%s: no memory for the path of node '%s'",
                     t->gltf->path, t->gltf->nodes[t->node].name);
}

static firn_result too_long(const tracer* t)
{
    return firn_fail(t->error, FIRN_REFUSED_SCENE,
                     "%s: the motion of node '%s' needs more than %d key frames, from %g to %g s: "
                     "shorten the animation, or bake it at the frame rate of the film",
                     t->gltf->path, t->gltf->nodes[t->node].name, (int)t->key_count, t->times[0],
                     t->times[t->time_count - 1]);
}

// Uses the largest of the four possible square roots, to avoid dividing by a small number.
static void rotation_of(const double m[3][3], double* q)
{
    const double trace = m[0][0] + m[1][1] + m[2][2];
    int i = 0;
    for (int k = 1; k < 3; k++)
        if (m[k][k] > m[i][i]) i = k;
    if (trace >= m[i][i]) {
        q[0] = 1 + trace;
        for (int k = 0; k < 3; k++)
            q[k + 1] = m[(k + 2) % 3][(k + 1) % 3] - m[(k + 1) % 3][(k + 2) % 3];
    } else {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        q[0] = m[k][j] - m[j][k];
        q[i + 1] = 1 + m[i][i] - m[j][j] - m[k][k];
        q[j + 1] = m[i][j] + m[j][i];
        q[k + 1] = m[i][k] + m[k][i];
    }
    const double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; k++) q[k] /= n;
}

static firn_result find_pose(tracer* t, double time, pose* out)
{
    const char* name = t->gltf->nodes[t->node].name;
    t->transforms += t->chain_count;
    if (t->transforms > TRANSFORMS_MAX) return too_long(t);
    const firn_affine world = firn_gltf_world_of(t->gltf, time, t->chain, t->chain_count);
    const double(*w)[4] = world.m;
    double length[3], m[3][3], skew = 0;
    for (int k = 0; k < 3; k++)
        length[k] = sqrt(w[0][k] * w[0][k] + w[1][k] * w[1][k] + w[2][k] * w[2][k]);
    const double scale = (length[0] + length[1] + length[2]) / 3;
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3;
        const double dot = w[0][k] * w[0][l] + w[1][k] * w[1][l] + w[2][k] * w[2][l];
        skew = fmax(skew, fmax(fabs(length[k] / scale - 1), fabs(dot) / (scale * scale)));
        for (int i = 0; i < 3; i++) m[i][k] = w[i][k] / scale;
    }
    if (!(scale > 1e-9 && skew <= UNIFORM_TOLERANCE))
        return firn_fail(t->error, FIRN_REFUSED_SCENE,
                         "%s: node '%s' is scaled by (%g, %g, %g) at %g s: a rigid body needs the "
                         "same scale along all axes, above 0, also of its parents",
                         t->gltf->path, name, length[0], length[1], length[2], time);
    const double turn = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                        m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                        m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    if (turn < 0)
        return firn_fail(t->error, FIRN_REFUSED_SCENE,
                         "%s: node '%s' is mirrored (a negative scale) at %g s: apply the scale "
                         "before export",
                         t->gltf->path, name, time);
    out->time = time;
    out->scale = scale;
    for (int i = 0; i < 3; i++) out->position[i] = w[i][3];
    rotation_of((const double(*)[3])m, out->rotation);
    return FIRN_OK;
}

// Is `p` within tolerance of the interpolation between `a` and `b` at its time?
static bool is_on_line(const pose* a, const pose* b, const pose* p)
{
    const double u = (p->time - a->time) / (b->time - a->time);
    for (int i = 0; i < 3; i++)
        if (!(fabs((1 - u) * a->position[i] + u * b->position[i] - p->position[i]) <=
              POSITION_TOLERANCE))
            return false;
    if (fabs((1 - u) * a->scale + u * b->scale - p->scale) > SCALE_TOLERANCE * p->scale)
        return false;
    // Slerp from a to b, and the angle between it and p; quaternions have half the angle.
    double dot = 0, across = 0, near[4], miss = 0;
    for (int k = 0; k < 4; k++) dot += a->rotation[k] * b->rotation[k];
    const double sign = dot < 0 ? -1 : 1;
    for (int k = 0; k < 4; k++) {
        const double d = sign * b->rotation[k] - fabs(dot) * a->rotation[k];
        across += d * d;
    }
    across = sqrt(across);
    double pa = 1 - u, pb = u, unused, same = 0;
    if (across > 1e-9) {
        const double angle = firn_atan2_double(across, fabs(dot));
        firn_sincos_double((1 - u) * angle, &pa, &unused);
        firn_sincos_double(u * angle, &pb, &unused);
        pa /= across;
        pb /= across;
    }
    for (int k = 0; k < 4; k++) {
        near[k] = pa * a->rotation[k] + sign * pb * b->rotation[k];
        same += near[k] * p->rotation[k];
    }
    for (int k = 0; k < 4; k++) {
        const double d = p->rotation[k] - (same < 0 ? -1 : 1) * near[k];
        miss += d * d;
    }
    return 2 * sqrt(miss) <= TURN_TOLERANCE;
}

static firn_result add_key(tracer* t, const pose* p)
{
    if (t->key_count == KEYS_MAX) return too_long(t);
    void* keys = t->keys;
    if (!firn_reserve(&keys, &t->key_capacity, t->key_count + 1, sizeof *t->keys))
        return no_memory(t);
    t->keys = keys;
    t->keys[t->key_count++] =
        (firn_node_key){.time = p->time,
                        .position = firn_v3((firn_real)p->position[0], (firn_real)p->position[1],
                                            (firn_real)p->position[2]),
                        .rotation = {(firn_real)p->rotation[0], (firn_real)p->rotation[1],
                                     (firn_real)p->rotation[2], (firn_real)p->rotation[3]},
                        .scale = (firn_real)p->scale};
    return FIRN_OK;
}

// Adds the keys after `a`, up to and including `b`. Intervals are bisected with a stack on which
// the later half is pushed first, so that keys come out in order.
static firn_result add_interval(tracer* t, pose a, pose b)
{
    pose waiting[32];  // bisecting the longest clip down to STEP_MIN needs fewer
    int count = 0;
    waiting[count++] = b;
    while (count > 0) {
        const pose* end = &waiting[count - 1];
        const bool divisible = end->time - a.time >= 2 * STEP_MIN && count < 32;
        bool straight = true;
        pose middle = a;
        for (int k = 1; k <= 3 && straight && divisible; k++) {
            pose p;
            FIRN_TRY(find_pose(t, a.time + 0.25 * k * (end->time - a.time), &p));
            straight = is_on_line(&a, end, &p);
        }
        if (!straight) {
            FIRN_TRY(find_pose(t, 0.5 * (a.time + end->time), &middle));
            waiting[count++] = middle;
        } else {
            a = *end;
            count--;
            FIRN_TRY(add_key(t, &a));
        }
    }
    return FIRN_OK;
}

static int compare_times(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// The times of all keys that move the node, sorted and without duplicates.
static firn_result list_times(tracer* t)
{
    for (firn_local n = t->node; n >= 0; n = t->gltf->nodes[n].parent)
        for (int p = 0; p < FIRN_GLTF_WEIGHTS; p++) {
            const firn_gltf_curve* c = &t->gltf->nodes[n].curves[p];
            void* times = t->times;
            if (c->count > INT32_MAX / 2 - t->time_count ||
                !firn_reserve(&times, &t->time_capacity, t->time_count + c->count, sizeof(double)))
                return no_memory(t);
            t->times = times;
            for (firn_local k = 0; k < c->count; k++)
                t->times[t->time_count++] = (double)c->times[k];
        }
    if (t->time_count == 0)
        return firn_fail(t->error, FIRN_REFUSED_SCENE,
                         "%s: animation '%s' moves neither node '%s' nor one above it",
                         t->gltf->path, t->gltf->clip, t->gltf->nodes[t->node].name);
    qsort(t->times, (size_t)t->time_count, sizeof(double), compare_times);
    firn_local unique = 1;
    for (firn_local k = 1; k < t->time_count; k++)
        if (t->times[k] > t->times[unique - 1]) t->times[unique++] = t->times[k];
    t->time_count = unique;
    return FIRN_OK;
}

static firn_result list_chain(tracer* t)
{
    const firn_gltf_node* nodes = t->gltf->nodes;
    for (firn_local n = t->node; n >= 0; n = nodes[n].parent) t->chain_count++;
    t->chain = firn_alloc((size_t)t->chain_count, sizeof *t->chain);
    if (t->chain == NULL) return no_memory(t);
    firn_local k = t->chain_count;
    for (firn_local n = t->node; n >= 0; n = nodes[n].parent) t->chain[--k] = n;
    return FIRN_OK;
}

static firn_result trace(tracer* t)
{
    FIRN_TRY(list_chain(t));
    FIRN_TRY(list_times(t));
    pose a, b;
    FIRN_TRY(find_pose(t, t->times[0], &a));
    FIRN_TRY(add_key(t, &a));
    for (firn_local k = 1; k < t->time_count; k++, a = b) {
        FIRN_TRY(find_pose(t, t->times[k], &b));
        FIRN_TRY(add_interval(t, a, b));
    }
    return FIRN_OK;
}

firn_result firn_animation_node_path(const char* file, const char* clip, const char* node,
                                     firn_node_key** out_keys, firn_local* out_count,
                                     firn_error* error)
{
    if (!firn_gltf_is_file(file))
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "%s: paths of nodes come from .gltf or .glb files", file);
    firn_gltf* gltf;
    FIRN_TRY(firn_gltf_read(file, true, clip, &gltf, error));
    tracer t = {.gltf = gltf, .error = error};
    firn_result result = firn_gltf_find_node(gltf, node, &t.node, error);
    if (result == FIRN_OK) result = trace(&t);
    firn_free(t.chain);
    firn_free(t.times);
    firn_gltf_destroy(gltf);
    if (result != FIRN_OK) {
        firn_free(t.keys);
        return result;
    }
    *out_keys = t.keys;
    *out_count = t.key_count;
    return FIRN_OK;
}
