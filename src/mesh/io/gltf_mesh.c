// SPDX-License-Identifier: MIT
// The meshes of a glTF file: positions, triangles, morph targets, joints and skinning weights.
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "mesh/io/gltf.h"

enum { TRIANGLES = 4, STRIP = 5, FAN = 6 };  // other modes are points and lines

#define SETS_MAX 8  // JOINTS_0, JOINTS_1, ...: four joints each

typedef struct job {
    const firn_gltf_file* file;
    firn_local row;  // JSON value of the primitive
    char what[120];  // "meshes[0] ('Body'), primitive 0"
    firn_gltf_primitive* out;
    firn_error* error;
} job;

static firn_result no_memory(const job* j)
{
    return firn_fail(j->error, FIRN_BROKEN_MEMORY, "%s: no memory for %s", j->file->path, j->what);
}

static firn_result refuse_count(const job* j, const char* purpose, firn_local count)
{
    return firn_fail(j->error, FIRN_REFUSED_SCENE, "%s: %s: %d elements for %d vertices",
                     j->file->path, purpose, (int)count, (int)j->out->vertex_count);
}

static firn_result read_positions(const job* j, firn_local accessor)
{
    char purpose[160];
    snprintf(purpose, sizeof purpose, "POSITION of %s", j->what);
    return firn_gltf_read_floats(j->file, accessor, 3, purpose, &j->out->positions,
                                 &j->out->vertex_count, j->error);
}

// Corner k of triangle t in the index list. glTF 2.0, section 3.7.2.1: every second triangle of a
// strip has the opposite winding and is flipped here.
static firn_local corner(int64_t mode, firn_local t, int k)
{
    if (mode == TRIANGLES) return 3 * t + k;
    if (mode == STRIP) return k == 0 ? t : t + (t % 2 == 0 ? k : 3 - k);
    return k < 2 ? t + k + 1 : 0;
}

static firn_result read_triangles(const job* j, int64_t mode)
{
    firn_gltf_primitive* p = j->out;
    firn_local accessor, count = p->vertex_count;
    int32_t* indices = NULL;
    char purpose[160];
    snprintf(purpose, sizeof purpose, "the indices of %s", j->what);
    FIRN_TRY(firn_gltf_index(j->file, j->row, "indices", FIRN_GLTF_ACCESSORS, &accessor, j->error));
    if (accessor >= 0)
        FIRN_TRY(firn_gltf_read_indices(j->file, accessor, 1, p->vertex_count, purpose, &indices,
                                        &count, j->error));
    if (mode == TRIANGLES ? count % 3 != 0 : count < 3) {
        firn_free(indices);
        return firn_fail(j->error, FIRN_REFUSED_SCENE, "%s: %s are %d, which makes no triangles",
                         j->file->path, purpose, (int)count);
    }
    p->triangle_count = mode == TRIANGLES ? count / 3 : count - 2;
    p->triangles = firn_alloc((size_t)p->triangle_count, sizeof *p->triangles);
    for (firn_local t = 0; p->triangles != NULL && t < p->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const firn_local c = corner(mode, t, k);
            p->triangles[t][k] = indices != NULL ? indices[c] : c;
        }
    firn_free(indices);
    return p->triangles != NULL ? FIRN_OK : no_memory(j);
}

static firn_result read_targets(const job* j)
{
    firn_gltf_primitive* p = j->out;
    const firn_json* json = &j->file->json;
    const firn_local list = firn_json_member(json, j->row, "targets");
    if (list < 0 || json->values[list].type != FIRN_JSON_ARRAY) return FIRN_OK;
    p->target_count = json->values[list].count;
    const size_t size = 3 * (size_t)p->vertex_count;
    p->offsets = firn_alloc((size_t)p->target_count * size, sizeof(float));
    if (p->offsets == NULL && p->target_count > 0) return no_memory(j);
    firn_local target = list + 1;
    for (firn_local t = 0; t < p->target_count; t++, target = json->values[target].next) {
        char purpose[160];
        firn_local accessor, count;
        float* offsets;
        snprintf(purpose, sizeof purpose, "morph target %d of %s", (int)t, j->what);
        FIRN_TRY(
            firn_gltf_index(j->file, target, "POSITION", FIRN_GLTF_ACCESSORS, &accessor, j->error));
        if (accessor < 0) continue;  // morphs normals only
        FIRN_TRY(firn_gltf_read_floats(j->file, accessor, 3, purpose, &offsets, &count, j->error));
        if (count == p->vertex_count)
            memcpy(p->offsets + (size_t)t * size, offsets, size * sizeof(float));
        firn_free(offsets);
        if (count != p->vertex_count) return refuse_count(j, purpose, count);
    }
    return FIRN_OK;
}

// Copies four joints and weights of every vertex into the wider rows.
static firn_result read_joint_set(const job* j, int set, firn_local joints, firn_local shares)
{
    firn_gltf_primitive* p = j->out;
    char purpose[160];
    int32_t* joint;
    float* share;
    firn_local joint_count, share_count;
    snprintf(purpose, sizeof purpose, "JOINTS_%d of %s", set, j->what);
    FIRN_TRY(firn_gltf_read_indices(j->file, joints, 4, 1 << 16, purpose, &joint, &joint_count,
                                    j->error));
    snprintf(purpose, sizeof purpose, "WEIGHTS_%d of %s", set, j->what);
    const firn_result result =
        firn_gltf_read_floats(j->file, shares, 4, purpose, &share, &share_count, j->error);
    if (result != FIRN_OK) {
        firn_free(joint);
        return result;
    }
    const bool good = joint_count == p->vertex_count && share_count == p->vertex_count;
    for (firn_local v = 0; good && v < p->vertex_count; v++)
        for (int k = 0; k < 4; k++) {
            const size_t to = (size_t)v * (size_t)p->influences + (size_t)(4 * set + k);
            p->joints[to] = joint[4 * (size_t)v + (size_t)k];
            p->joint_share[to] = share[4 * (size_t)v + (size_t)k];
        }
    firn_free(joint);
    firn_free(share);
    return good ? FIRN_OK : refuse_count(j, purpose, joint_count);
}

// Normalises the weights: writers round them, so that the sum is not quite 1. A vertex without
// weights follows the first joint, as in other readers.
static firn_result scale_shares(const job* j)
{
    firn_gltf_primitive* p = j->out;
    for (firn_local v = 0; v < p->vertex_count; v++) {
        float* share = p->joint_share + (size_t)v * (size_t)p->influences;
        double sum = 0;
        for (int k = 0; k < p->influences; k++) {
            if (share[k] < 0)
                return firn_fail(j->error, FIRN_REFUSED_SCENE,
                                 "%s: %s: vertex %d has a joint weight of %g, must not be negative",
                                 j->file->path, j->what, (int)v, (double)share[k]);
            sum += (double)share[k];
        }
        if (sum > 0) {
            for (int k = 0; k < p->influences; k++) share[k] = (float)((double)share[k] / sum);
        } else {
            share[0] = 1;
        }
    }
    return FIRN_OK;
}

static firn_result read_joints(const job* j, firn_local attributes)
{
    firn_gltf_primitive* p = j->out;
    firn_local joints[SETS_MAX], shares[SETS_MAX];
    int sets = 0;
    for (; sets < SETS_MAX; sets++) {
        char name[24];
        snprintf(name, sizeof name, "JOINTS_%d", sets);
        FIRN_TRY(firn_gltf_index(j->file, attributes, name, FIRN_GLTF_ACCESSORS, &joints[sets],
                                 j->error));
        snprintf(name, sizeof name, "WEIGHTS_%d", sets);
        FIRN_TRY(firn_gltf_index(j->file, attributes, name, FIRN_GLTF_ACCESSORS, &shares[sets],
                                 j->error));
        if (joints[sets] < 0 || shares[sets] < 0) break;
    }
    if (sets == 0) return FIRN_OK;
    p->influences = 4 * sets;
    const size_t size = (size_t)p->vertex_count * (size_t)p->influences;
    p->joints = firn_alloc(size, sizeof *p->joints);
    p->joint_share = firn_alloc(size, sizeof *p->joint_share);
    if (p->joints == NULL || p->joint_share == NULL) return no_memory(j);
    for (int s = 0; s < sets; s++) FIRN_TRY(read_joint_set(j, s, joints[s], shares[s]));
    return scale_shares(j);
}

// A primitive of points or lines stays empty.
static firn_result read_primitive(const job* j)
{
    int64_t mode;
    firn_local position;
    const firn_local attributes = firn_json_member(&j->file->json, j->row, "attributes");
    FIRN_TRY(firn_gltf_count(j->file, j->row, "mode", TRIANGLES, &mode, j->error));
    if (mode < TRIANGLES) return FIRN_OK;
    if (mode > FAN)
        return firn_fail(j->error, FIRN_REFUSED_SCENE, "%s: %s has mode %lld, must be 0 to 6",
                         j->file->path, j->what, (long long)mode);
    FIRN_TRY(
        firn_gltf_index(j->file, attributes, "POSITION", FIRN_GLTF_ACCESSORS, &position, j->error));
    if (position < 0)
        return firn_fail(j->error, FIRN_REFUSED_SCENE, "%s: %s has no POSITION", j->file->path,
                         j->what);
    FIRN_TRY(read_positions(j, position));
    FIRN_TRY(read_triangles(j, mode));
    FIRN_TRY(read_targets(j));
    return read_joints(j, attributes);
}

// Default weights of the morph targets: the mesh's, else zero.
static firn_result read_weights(const firn_gltf_file* file, firn_local row, firn_gltf_mesh* mesh,
                                firn_error* error)
{
    for (firn_local p = 0; p < mesh->primitive_count; p++)
        if (mesh->primitives[p].target_count > mesh->target_count)
            mesh->target_count = mesh->primitives[p].target_count;
    if (mesh->target_count == 0) return FIRN_OK;
    mesh->weights = firn_alloc((size_t)mesh->target_count, sizeof(float));
    double* weights = firn_alloc((size_t)mesh->target_count, sizeof(double));
    firn_result result = FIRN_OK;
    if (mesh->weights == NULL || weights == NULL)
        result = firn_fail(error, FIRN_BROKEN_MEMORY, "%s: no memory to read it", file->path);
    else
        result = firn_gltf_numbers(file, row, "weights", mesh->target_count, weights, NULL, error);
    for (firn_local t = 0; result == FIRN_OK && t < mesh->target_count; t++)
        mesh->weights[t] = (float)weights[t];
    firn_free(weights);
    return result;
}

firn_result firn_gltf_read_mesh(const firn_gltf_file* file, firn_local mesh, firn_gltf_mesh* out,
                                firn_error* error)
{
    const firn_json* json = &file->json;
    const firn_local row = file->rows[FIRN_GLTF_MESHES][mesh];
    const firn_local list = firn_json_member(json, row, "primitives");
    if (list < 0 || json->values[list].type != FIRN_JSON_ARRAY)
        return firn_fail(error, FIRN_REFUSED_SCENE, "%s: byte %zu: meshes[%d] has no primitives",
                         file->path, firn_json_offset(json, row), (int)mesh);
    const firn_local count = json->values[list].count;
    out->primitives = firn_alloc((size_t)count, sizeof *out->primitives);
    if (out->primitives == NULL && count > 0)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "%s: no memory to read it", file->path);
    out->primitive_count = count;
    char name[90];
    firn_gltf_row_text(file, FIRN_GLTF_MESHES, mesh, name, sizeof name);
    firn_local value = list + 1;
    for (firn_local p = 0; p < count; p++, value = json->values[value].next) {
        job j = {.file = file, .row = value, .out = &out->primitives[p], .error = error};
        snprintf(j.what, sizeof j.what, "%s, primitive %d", name, (int)p);
        FIRN_TRY(read_primitive(&j));
    }
    return read_weights(file, row, out, error);
}

void firn_gltf_mesh_destroy(firn_gltf_mesh* mesh)
{
    for (firn_local k = 0; k < mesh->primitive_count; k++) {
        firn_gltf_primitive* p = &mesh->primitives[k];
        firn_free(p->positions);
        firn_free(p->triangles);
        firn_free(p->offsets);
        firn_free(p->joints);
        firn_free(p->joint_share);
    }
    firn_free(mesh->primitives);
    firn_free(mesh->weights);
    *mesh = (firn_gltf_mesh){0};
}
