// SPDX-License-Identifier: MIT
// Evaluates a glTF scene at a time: animation curves, node transforms, morph targets, skinning.
// glTF 2.0, sections 3.5.2 (transforms), 3.7.3 (skins), 3.7.2.2 (morph targets), 3.11 and appendix
// C (interpolation). All in double; sine and arc tangent come from math/ so that results are
// bitwise equal on every machine.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "mesh/io/gltf.h"

static firn_affine multiply(const firn_affine* a, const firn_affine* b)
{
    firn_affine c;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) {
            double sum = k == 3 ? a->m[i][3] : 0;
            for (int l = 0; l < 3; l++) sum += a->m[i][l] * b->m[l][k];
            c.m[i][k] = sum;
        }
    return c;
}

static double determinant(const firn_affine* a)
{
    const double(*m)[4] = a->m;
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

// Rotation as x, y, z, w. The length may be anything but zero.
static firn_affine compose(const double* t, const double* r, const double* s)
{
    const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3];
    const double n = square > 0 ? 2 / square : 0;  // zero quaternion: no rotation
    const double x = r[0], y = r[1], z = r[2], w = r[3];
    const double turn[3][3] = {{1 - n * (y * y + z * z), n * (x * y - z * w), n * (x * z + y * w)},
                               {n * (x * y + z * w), 1 - n * (x * x + z * z), n * (y * z - x * w)},
                               {n * (x * z - y * w), n * (y * z + x * w), 1 - n * (x * x + y * y)}};
    firn_affine a;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) a.m[i][k] = turn[i][k] * s[k];
        a.m[i][3] = t[i];
    }
    return a;
}

// Spherical linear interpolation of unit quaternions along the shorter arc. Appendix C.4.
static void slerp(const float* a, const float* b, double u, double* out)
{
    double from[4], to[4], la = 0, lb = 0, cosine = 0, sine = 0;
    for (int k = 0; k < 4; k++) {
        la += (double)a[k] * (double)a[k];
        lb += (double)b[k] * (double)b[k];
        cosine += (double)a[k] * (double)b[k];
    }
    const double fa = la > 0 ? 1 / sqrt(la) : 0;
    const double fb = (lb > 0 ? 1 / sqrt(lb) : 0) * (cosine < 0 ? -1 : 1);
    cosine = 0;
    for (int k = 0; k < 4; k++) {
        from[k] = fa * (double)a[k];
        to[k] = fb * (double)b[k];
        cosine += from[k] * to[k];
    }
    for (int k = 0; k < 4; k++) {  // unlike 1 - cosine^2, accurate also for small angles
        const double across = to[k] - cosine * from[k];
        sine += across * across;
    }
    sine = sqrt(sine);
    double pa = 1 - u, pb = u;
    if (sine > 1e-9) {
        const double angle = firn_atan2_double(sine, cosine);
        double unused;
        firn_sincos_double((1 - u) * angle, &pa, &unused);
        firn_sincos_double(u * angle, &pb, &unused);
        pa /= sine;
        pb /= sine;
    }
    for (int k = 0; k < 4; k++) out[k] = pa * from[k] + pb * to[k];
}

// The last key at or before `time`, and the fraction of the way to the next: 0 to 1.
static firn_local find_key(const firn_gltf_curve* c, double time, double* out_u)
{
    firn_local low = 0, high = c->count - 1;
    *out_u = 0;
    if (!(time > (double)c->times[0])) return 0;
    if (time >= (double)c->times[high]) return high;
    while (high - low > 1) {
        const firn_local middle = low + (high - low) / 2;
        if ((double)c->times[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    *out_u = (time - (double)c->times[low]) / ((double)c->times[high] - (double)c->times[low]);
    return low;
}

// Cubic spline interpolation. Appendix C.5.
static void evaluate_cubic(const firn_gltf_curve* c, firn_local k, double u, double* out)
{
    const size_t w = (size_t)c->width;
    const float* a = c->values + (3 * (size_t)k + 1) * w;
    for (size_t i = 0; i < w; i++) out[i] = (double)a[i];
    if (u <= 0) return;
    const float *leave = a + w, *arrive = a + 2 * w, *b = a + 3 * w;
    const double dt = (double)c->times[k + 1] - (double)c->times[k], u2 = u * u, u3 = u2 * u;
    for (size_t i = 0; i < w; i++)
        out[i] = (2 * u3 - 3 * u2 + 1) * (double)a[i] + dt * (u3 - 2 * u2 + u) * (double)leave[i] +
                 (3 * u2 - 2 * u3) * (double)b[i] + dt * (u3 - u2) * (double)arrive[i];
}

// `out` [width] is unchanged when the curve has no keys.
static void evaluate(const firn_gltf_curve* c, bool rotation, double time, double* out)
{
    if (c->count == 0) return;
    double u;
    const firn_local k = find_key(c, time, &u);
    if (c->interpolation == FIRN_GLTF_CUBIC) {
        evaluate_cubic(c, k, u, out);
        return;
    }
    const size_t w = (size_t)c->width;
    const float* a = c->values + (size_t)k * w;
    if (c->interpolation == FIRN_GLTF_STEP || u <= 0) {
        for (size_t i = 0; i < w; i++) out[i] = (double)a[i];
    } else if (rotation) {
        slerp(a, a + w, u, out);
    } else {
        for (size_t i = 0; i < w; i++) out[i] = (1 - u) * (double)a[i] + u * (double)a[w + i];
    }
}

static firn_affine local_transform(const firn_gltf_node* n, double time)
{
    if (n->has_matrix) return n->matrix;
    double t[3], r[4], s[3];
    memcpy(t, n->translation, sizeof t);
    memcpy(r, n->rotation, sizeof r);
    memcpy(s, n->scale, sizeof s);
    evaluate(&n->curves[FIRN_GLTF_TRANSLATION], false, time, t);
    evaluate(&n->curves[FIRN_GLTF_ROTATION], true, time, r);
    evaluate(&n->curves[FIRN_GLTF_SCALE], false, time, s);
    return compose(t, r, s);
}

void firn_gltf_world(const firn_gltf* gltf, double time, firn_affine* out_world)
{
    for (firn_local k = 0; k < gltf->node_count; k++) {
        const firn_local i = gltf->order[k];
        const firn_gltf_node* n = &gltf->nodes[i];
        const firn_affine local = local_transform(n, time);
        out_world[i] = n->parent < 0 ? local : multiply(&out_world[n->parent], &local);
    }
}

firn_affine firn_gltf_world_of(const firn_gltf* gltf, double time, const firn_local* chain,
                               firn_local count)
{
    firn_affine world = local_transform(&gltf->nodes[chain[0]], time);
    for (firn_local k = 1; k < count; k++) {
        const firn_affine local = local_transform(&gltf->nodes[chain[k]], time);
        world = multiply(&world, &local);
    }
    return world;
}

bool firn_gltf_is_below(const firn_gltf* gltf, firn_local node, firn_local ancestor)
{
    while (node >= 0 && node != ancestor) node = gltf->nodes[node].parent;
    return node >= 0 || ancestor < 0;
}

typedef struct poser {
    const firn_gltf* gltf;
    const firn_gltf_node* node;
    firn_affine transform;      // of a mesh without skin
    const firn_affine* joints;  // [joint_count] from bind pose to world; null: no skin
    const double* weights;      // [target_count] of the morph targets
} poser;

static void pose_vertex(const poser* p, const firn_gltf_primitive* q, firn_local v, double* out)
{
    double x[3], sum[3] = {0};
    for (int i = 0; i < 3; i++) x[i] = (double)q->positions[3 * (size_t)v + (size_t)i];
    for (firn_local t = 0; t < q->target_count; t++) {
        if (p->weights[t] == 0) continue;
        const size_t at = 3 * ((size_t)t * (size_t)q->vertex_count + (size_t)v);
        for (size_t i = 0; i < 3; i++) x[i] += p->weights[t] * (double)q->offsets[at + i];
    }
    const int influences = p->joints != NULL ? q->influences : 1;
    for (int k = 0; k < influences; k++) {
        const size_t at = (size_t)v * (size_t)influences + (size_t)k;
        const double share = p->joints != NULL ? (double)q->joint_share[at] : 1;
        const firn_affine* a = p->joints != NULL ? &p->joints[q->joints[at]] : &p->transform;
        if (share == 0) continue;
        for (int i = 0; i < 3; i++)
            sum[i] +=
                share * (a->m[i][0] * x[0] + a->m[i][1] * x[1] + a->m[i][2] * x[2] + a->m[i][3]);
    }
    memcpy(out, sum, sizeof sum);
}

static firn_result add_primitive(const poser* p, const firn_gltf_primitive* q, firn_mesh* mesh,
                                 firn_error* error)
{
    const firn_local base = mesh->vertex_count;
    // A mirroring transform inverts the winding (section 3.7.4): flip the triangles back.
    const bool mirrored = determinant(p->joints != NULL ? &p->joints[0] : &p->transform) < 0;
    bool good = true;
    for (firn_local v = 0; good && v < q->vertex_count; v++) {
        double x[3];
        pose_vertex(p, q, v, x);
        const firn_vec3 to = firn_v3((firn_real)x[0], (firn_real)x[1], (firn_real)x[2]);
        if (!(fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2]))) <= FIRN_MESH_COORDINATE_MAX))
            return firn_fail(error, FIRN_REFUSED_SCENE,
                             "%s: node '%s', vertex %d comes to (%g, %g, %g): coordinates must be "
                             "within %g m",
                             p->gltf->path, p->node->name, (int)v, x[0], x[1], x[2],
                             FIRN_MESH_COORDINATE_MAX);
        good = firn_mesh_add_vertex(mesh, to);
    }
    for (firn_local t = 0; good && t < q->triangle_count; t++) {
        const int32_t* c = q->triangles[t];
        good = firn_mesh_add_triangle(mesh, base + c[0], base + c[mirrored ? 2 : 1],
                                      base + c[mirrored ? 1 : 2]);
    }
    return good ? FIRN_OK : firn_mesh_cannot_grow(mesh, p->gltf->path, error);
}

// The weights of a node's morph targets: animated, else the node's, else the mesh's.
static void find_weights(const firn_gltf* g, const firn_gltf_node* n, double time, double* out)
{
    const firn_gltf_mesh* m = &g->meshes[n->mesh];
    for (firn_local t = 0; t < m->target_count; t++)
        out[t] = (double)(t < n->weight_count ? n->weights[t] : m->weights[t]);
    evaluate(&n->curves[FIRN_GLTF_WEIGHTS], false, time, out);
}

static firn_result add_node(const firn_gltf* g, firn_local i, double time, const firn_affine* world,
                            firn_mesh* mesh, firn_error* error)
{
    const firn_gltf_node* n = &g->nodes[i];
    const firn_gltf_mesh* m = &g->meshes[n->mesh];
    const firn_gltf_skin* skin = n->skin >= 0 ? &g->skins[n->skin] : NULL;
    double* weights = firn_alloc((size_t)m->target_count + 1, sizeof *weights);
    firn_affine* joints = firn_alloc(skin != NULL ? (size_t)skin->joint_count : 1, sizeof *joints);
    firn_result result = FIRN_OK;
    if (weights == NULL || joints == NULL) {
        result = firn_fail(error, FIRN_BROKEN_MEMORY, "%s: no memory to pose it", g->path);
    } else {
        find_weights(g, n, time, weights);
        for (firn_local k = 0; skin != NULL && k < skin->joint_count; k++)
            joints[k] = multiply(&world[skin->joints[k]], &skin->inverses[k]);
        const poser p = {g, n, world[i], skin != NULL ? joints : NULL, weights};
        for (firn_local k = 0; result == FIRN_OK && k < m->primitive_count; k++)
            result = add_primitive(&p, &m->primitives[k], mesh, error);
    }
    firn_free(weights);
    firn_free(joints);
    return result;
}

firn_result firn_gltf_pose(const firn_gltf* gltf, double time, firn_local node, firn_mesh* out_mesh,
                           firn_error* error)
{
    firn_mesh mesh = {0};
    *out_mesh = mesh;
    firn_affine* world = firn_alloc((size_t)gltf->node_count + 1, sizeof *world);
    if (world == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "%s: no memory to pose it", gltf->path);
    firn_gltf_world(gltf, time, world);
    firn_result result = FIRN_OK;
    for (firn_local i = 0; result == FIRN_OK && i < gltf->node_count; i++)
        if (gltf->nodes[i].mesh >= 0 && gltf->nodes[i].in_scene &&
            firn_gltf_is_below(gltf, i, node))
            result = add_node(gltf, i, time, world, &mesh, error);
    firn_free(world);
    if (result == FIRN_OK && mesh.triangle_count == 0)
        result = firn_fail(error, FIRN_REFUSED_SCENE, "%s: there are no triangles%s%s%s",
                           gltf->path, node >= 0 ? " at or below node '" : " in its scene",
                           node >= 0 ? gltf->nodes[node].name : "", node >= 0 ? "'" : "");
    if (result != FIRN_OK) {
        firn_mesh_destroy(&mesh);
        return result;
    }
    *out_mesh = mesh;
    return FIRN_OK;
}

firn_result firn_mesh_read_gltf(const char* path, firn_mesh* out_mesh, firn_error* error)
{
    firn_gltf* gltf;
    *out_mesh = (firn_mesh){0};
    FIRN_TRY(firn_gltf_read(path, false, NULL, &gltf, error));
    const firn_result result = firn_gltf_pose(gltf, 0, -1, out_mesh, error);
    firn_gltf_destroy(gltf);
    return result;
}

// From the world to the coordinates of `a`: (R x + t)^-1. False: `a` has no volume.
static bool invert(const firn_affine* a, firn_affine* out)
{
    const double d = determinant(a);
    if (!(fabs(d) > 1e-30) || !isfinite(1 / d)) return false;
    const double(*m)[4] = a->m;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const int r = (k + 1) % 3, s = (k + 2) % 3, p = (i + 1) % 3, q = (i + 2) % 3;
            out->m[i][k] = (m[r][p] * m[s][q] - m[r][q] * m[s][p]) / d;
        }
    for (int i = 0; i < 3; i++) {
        out->m[i][3] = 0;
        for (int k = 0; k < 3; k++) out->m[i][3] -= out->m[i][k] * m[k][3];
    }
    return true;
}

static firn_result to_own_coordinates(const firn_gltf* gltf, firn_local node, firn_mesh* mesh,
                                      firn_error* error)
{
    firn_affine inverse;
    firn_affine* world = firn_alloc((size_t)gltf->node_count, sizeof *world);
    if (world == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "%s: no memory to pose it", gltf->path);
    firn_gltf_world(gltf, 0, world);
    const bool possible = invert(&world[node], &inverse);
    firn_free(world);
    if (!possible)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "%s: node '%s' is scaled to nothing, so it has no coordinates of its own",
                         gltf->path, gltf->nodes[node].name);
    for (firn_local v = 0; v < mesh->vertex_count; v++) {
        const firn_vec3 x = mesh->vertices[v];
        double own[3];
        for (int i = 0; i < 3; i++)
            own[i] = inverse.m[i][0] * (double)x.x + inverse.m[i][1] * (double)x.y +
                     inverse.m[i][2] * (double)x.z + inverse.m[i][3];
        mesh->vertices[v] = firn_v3((firn_real)own[0], (firn_real)own[1], (firn_real)own[2]);
    }
    return FIRN_OK;
}

firn_result firn_mesh_read_gltf_node(const char* path, const char* node, bool own,
                                     firn_mesh* out_mesh, firn_error* error)
{
    firn_gltf* gltf;
    firn_local number = -1;
    *out_mesh = (firn_mesh){0};
    FIRN_TRY(firn_gltf_read(path, false, NULL, &gltf, error));
    firn_result result = firn_gltf_find_node(gltf, node, &number, error);
    if (result == FIRN_OK) result = firn_gltf_pose(gltf, 0, number, out_mesh, error);
    if (result == FIRN_OK && own) result = to_own_coordinates(gltf, number, out_mesh, error);
    if (result != FIRN_OK) firn_mesh_destroy(out_mesh);
    firn_gltf_destroy(gltf);
    return result;
}
