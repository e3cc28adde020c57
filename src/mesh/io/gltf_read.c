// SPDX-License-Identifier: MIT
// Builds a scene from a glTF file: sorts nodes by depth, reads skins, finds the visible nodes; and
// hashes it.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"
#include "core/text.h"
#include "mesh/io/gltf.h"

#define LIST_MAX 20  // names in a message

static firn_result no_memory(const char* path, firn_error* error)
{
    return firn_fail(error, FIRN_BROKEN_MEMORY, "%s: no memory to read it", path);
}

// glTF matrices are column-major; the last row must be 0 0 0 1 and is not stored.
static firn_affine from_columns(const double* c)
{
    firn_affine a;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) a.m[i][k] = c[4 * k + i];
    return a;
}

static firn_result read_transform(const firn_gltf_file* f, firn_local row, firn_gltf_node* n,
                                  firn_error* error)
{
    double matrix[16];
    FIRN_TRY(firn_gltf_numbers(f, row, "matrix", 16, matrix, &n->has_matrix, error));
    if (n->has_matrix) n->matrix = from_columns(matrix);
    n->rotation[3] = 1;
    for (int k = 0; k < 3; k++) n->scale[k] = 1;
    FIRN_TRY(firn_gltf_numbers(f, row, "translation", 3, n->translation, NULL, error));
    FIRN_TRY(firn_gltf_numbers(f, row, "rotation", 4, n->rotation, NULL, error));
    return firn_gltf_numbers(f, row, "scale", 3, n->scale, NULL, error);
}

static firn_result read_node_weights(const firn_gltf_file* f, firn_local row, firn_gltf_node* n,
                                     firn_error* error)
{
    const firn_local array = firn_json_member(&f->json, row, "weights");
    if (array < 0 || f->json.values[array].type != FIRN_JSON_ARRAY) return FIRN_OK;
    const firn_local count = f->json.values[array].count;
    n->weights = firn_alloc((size_t)count, sizeof(float));
    if (n->weights == NULL && count > 0) return no_memory(f->path, error);
    n->weight_count = count;
    for (firn_local k = 0; k < count; k++) {
        double weight;
        if (!firn_json_number(&f->json, array + 1 + k, &weight))
            return firn_fail(error, FIRN_REFUSED_SCENE, "%s: byte %zu: 'weights' must be numbers",
                             f->path, firn_json_offset(&f->json, array));
        n->weights[k] = (float)weight;
    }
    return FIRN_OK;
}

// Sets the parent of each child; a node has at most one.
static firn_result read_children(const firn_gltf_file* f, firn_gltf* g, firn_local node,
                                 firn_error* error)
{
    const firn_json* json = &f->json;
    const firn_local list = firn_json_member(json, f->rows[FIRN_GLTF_NODES][node], "children");
    if (list < 0 || json->values[list].type != FIRN_JSON_ARRAY) return FIRN_OK;
    for (firn_local v = list + 1; v < json->values[list].next; v = json->values[v].next) {
        double child;
        if (!firn_json_number(json, v, &child) || child < 0 || child >= g->node_count ||
            child != floor(child))
            return firn_fail(error, FIRN_REFUSED_SCENE,
                             "%s: byte %zu: no such child: there are %d nodes", f->path,
                             firn_json_offset(json, v), (int)g->node_count);
        firn_gltf_node* c = &g->nodes[(firn_local)child];
        if (c->parent >= 0)
            return firn_fail(error, FIRN_REFUSED_SCENE,
                             "%s: byte %zu: nodes[%d] is a child of nodes[%d] and nodes[%d]",
                             f->path, firn_json_offset(json, v), (int)child, (int)c->parent,
                             (int)node);
        c->parent = node;
    }
    return FIRN_OK;
}

static firn_result read_nodes(const firn_gltf_file* f, firn_gltf* g, firn_error* error)
{
    const firn_local count = f->row_count[FIRN_GLTF_NODES];
    g->nodes = firn_alloc((size_t)count + 1, sizeof *g->nodes);
    g->order = firn_alloc((size_t)count + 1, sizeof *g->order);
    if (g->nodes == NULL || g->order == NULL) return no_memory(f->path, error);
    g->node_count = count;
    for (firn_local i = 0; i < count; i++) g->nodes[i].parent = -1;
    for (firn_local i = 0; i < count; i++) {
        const firn_local row = f->rows[FIRN_GLTF_NODES][i];
        firn_gltf_node* n = &g->nodes[i];
        n->name = firn_json_string(&f->json, firn_json_member(&f->json, row, "name"));
        if (n->name == NULL) return no_memory(f->path, error);
        FIRN_TRY(firn_gltf_index(f, row, "mesh", FIRN_GLTF_MESHES, &n->mesh, error));
        FIRN_TRY(firn_gltf_index(f, row, "skin", FIRN_GLTF_SKINS, &n->skin, error));
        FIRN_TRY(read_transform(f, row, n, error));
        FIRN_TRY(read_node_weights(f, row, n, error));
        FIRN_TRY(read_children(f, g, i, error));
    }
    return FIRN_OK;
}

// Computes the depth of each node and sorts nodes by depth: parents come first. Nodes of a cycle
// have no depth.
static firn_result sort_nodes(const char* path, firn_gltf* g, firn_error* error)
{
    const firn_local count = g->node_count;
    firn_local done = 0;
    bool* placed = firn_alloc((size_t)count + 1, sizeof *placed);
    if (placed == NULL) return no_memory(path, error);
    for (firn_local before = -1; done < count && done > before;) {
        before = done;
        for (firn_local i = 0; i < count; i++) {
            const firn_local parent = g->nodes[i].parent;
            if (placed[i] || (parent >= 0 && !placed[parent])) continue;
            placed[i] = true;
            g->order[done++] = i;
        }
    }
    firn_local stuck = 0;
    while (stuck < count && placed[stuck]) stuck++;
    firn_free(placed);
    if (stuck == count) return FIRN_OK;
    return firn_fail(error, FIRN_REFUSED_SCENE, "%s: nodes[%d] is part of a cycle", path,
                     (int)stuck);
}

// Marks the nodes that the file's scene shows: all below its roots. Without scenes all are shown.
static firn_result mark_scene(const firn_gltf_file* f, firn_gltf* g, firn_error* error)
{
    const firn_json* json = &f->json;
    firn_local scene;
    FIRN_TRY(firn_gltf_index(f, 0, "scene", FIRN_GLTF_SCENES, &scene, error));
    if (scene < 0 && f->row_count[FIRN_GLTF_SCENES] > 0) scene = 0;
    if (scene >= 0) {
        const firn_local list = firn_json_member(json, f->rows[FIRN_GLTF_SCENES][scene], "nodes");
        for (firn_local v = list + 1; list >= 0 && v < json->values[list].next;
             v = json->values[v].next) {
            double node;
            if (!firn_json_number(json, v, &node) || node < 0 || node >= g->node_count)
                return firn_fail(error, FIRN_REFUSED_SCENE,
                                 "%s: byte %zu: scenes[%d] names no node: there are %d", f->path,
                                 firn_json_offset(json, v), (int)scene, (int)g->node_count);
            g->nodes[(firn_local)node].in_scene = true;
        }
    }
    for (firn_local k = 0; k < g->node_count; k++) {
        firn_gltf_node* n = &g->nodes[g->order[k]];
        n->in_scene = n->in_scene || scene < 0 || (n->parent >= 0 && g->nodes[n->parent].in_scene);
    }
    return FIRN_OK;
}

static firn_result read_inverses(const firn_gltf_file* f, firn_local skin, firn_gltf_skin* out,
                                 firn_error* error)
{
    const firn_local row = f->rows[FIRN_GLTF_SKINS][skin];
    firn_local accessor, count;
    FIRN_TRY(firn_gltf_index(f, row, "inverseBindMatrices", FIRN_GLTF_ACCESSORS, &accessor, error));
    for (firn_local k = 0; k < out->joint_count; k++)
        for (int i = 0; i < 3; i++) out->inverses[k].m[i][i] = 1;  // identity is the default
    if (accessor < 0) return FIRN_OK;
    char purpose[160], name[90];
    float* values;
    firn_gltf_row_text(f, FIRN_GLTF_SKINS, skin, name, sizeof name);
    snprintf(purpose, sizeof purpose, "inverseBindMatrices of %s", name);
    FIRN_TRY(firn_gltf_read_floats(f, accessor, 16, purpose, &values, &count, error));
    for (firn_local k = 0; k < out->joint_count && k < count; k++) {
        double columns[16];
        for (int i = 0; i < 16; i++) columns[i] = (double)values[16 * (size_t)k + (size_t)i];
        out->inverses[k] = from_columns(columns);
    }
    firn_free(values);
    if (count >= out->joint_count) return FIRN_OK;
    return firn_fail(error, FIRN_REFUSED_SCENE, "%s: %s: %d matrices for %d joints", f->path,
                     purpose, (int)count, (int)out->joint_count);
}

static firn_result read_skin(const firn_gltf_file* f, firn_local skin, firn_local node_count,
                             firn_gltf_skin* out, firn_error* error)
{
    const firn_json* json = &f->json;
    const firn_local row = f->rows[FIRN_GLTF_SKINS][skin];
    const firn_local list = firn_json_member(json, row, "joints");
    if (list < 0 || json->values[list].type != FIRN_JSON_ARRAY || json->values[list].count == 0)
        return firn_fail(error, FIRN_REFUSED_SCENE, "%s: byte %zu: skins[%d] has no joints",
                         f->path, firn_json_offset(json, row), (int)skin);
    const firn_local count = json->values[list].count;
    out->joints = firn_alloc((size_t)count, sizeof *out->joints);
    out->inverses = firn_alloc((size_t)count, sizeof *out->inverses);
    if (out->joints == NULL || out->inverses == NULL) return no_memory(f->path, error);
    out->joint_count = count;
    for (firn_local k = 0; k < count; k++) {
        double node;  // numbers have no children: one value each
        if (!firn_json_number(json, list + 1 + k, &node) || node < 0 || node >= node_count)
            return firn_fail(error, FIRN_REFUSED_SCENE,
                             "%s: byte %zu: joint %d of skins[%d] is no node: there are %d",
                             f->path, firn_json_offset(json, list), (int)k, (int)skin,
                             (int)node_count);
        out->joints[k] = (firn_local)node;
    }
    return read_inverses(f, skin, out, error);
}

// A mesh with a skin must have joint indices, and each must be in the skin's list.
static firn_result check_skinned(const firn_gltf* g, firn_local node, firn_error* error)
{
    const firn_gltf_node* n = &g->nodes[node];
    if (n->mesh < 0 || n->skin < 0) return FIRN_OK;
    const firn_gltf_mesh* mesh = &g->meshes[n->mesh];
    for (firn_local k = 0; k < mesh->primitive_count; k++) {
        const firn_gltf_primitive* p = &mesh->primitives[k];
        const size_t size = (size_t)p->vertex_count * (size_t)p->influences;
        if (p->vertex_count > 0 && p->influences == 0)
            return firn_fail(error, FIRN_REFUSED_SCENE,
                             "%s: nodes[%d] ('%s') has a skin, but its mesh has no JOINTS_0 and "
                             "WEIGHTS_0",
                             g->path, (int)node, n->name);
        for (size_t i = 0; i < size; i++)
            if (p->joints[i] >= g->skins[n->skin].joint_count)
                return firn_fail(error, FIRN_REFUSED_SCENE,
                                 "%s: meshes[%d], vertex %zu: joint %d, but skins[%d] has %d",
                                 g->path, (int)n->mesh, i / (size_t)p->influences,
                                 (int)p->joints[i], (int)n->skin,
                                 (int)g->skins[n->skin].joint_count);
    }
    return FIRN_OK;
}

static firn_result read_parts(const firn_gltf_file* f, firn_gltf* g, firn_error* error)
{
    FIRN_TRY(read_nodes(f, g, error));
    FIRN_TRY(sort_nodes(f->path, g, error));
    FIRN_TRY(mark_scene(f, g, error));
    g->skins = firn_alloc((size_t)f->row_count[FIRN_GLTF_SKINS] + 1, sizeof *g->skins);
    g->meshes = firn_alloc((size_t)f->row_count[FIRN_GLTF_MESHES] + 1, sizeof *g->meshes);
    if (g->skins == NULL || g->meshes == NULL) return no_memory(f->path, error);
    g->skin_count = f->row_count[FIRN_GLTF_SKINS];
    g->mesh_count = f->row_count[FIRN_GLTF_MESHES];
    for (firn_local s = 0; s < g->skin_count; s++)
        FIRN_TRY(read_skin(f, s, g->node_count, &g->skins[s], error));
    for (firn_local m = 0; m < g->mesh_count; m++)
        FIRN_TRY(firn_gltf_read_mesh(f, m, &g->meshes[m], error));
    for (firn_local n = 0; n < g->node_count; n++) FIRN_TRY(check_skinned(g, n, error));
    return FIRN_OK;
}

firn_result firn_gltf_read(const char* path, bool animated, const char* clip, firn_gltf** out_gltf,
                           firn_error* error)
{
    firn_gltf_file file;
    FIRN_TRY(firn_gltf_file_open(path, &file, error));
    firn_gltf* g = firn_alloc(1, sizeof *g);
    firn_result result = g != NULL ? FIRN_OK : no_memory(path, error);
    if (g != NULL) {
        g->path = firn_strdup(path);
        result = g->path != NULL ? read_parts(&file, g, error) : no_memory(path, error);
    }
    if (result == FIRN_OK && animated) result = firn_gltf_read_clip(&file, clip, g, error);
    firn_gltf_file_close(&file);
    if (result != FIRN_OK) {
        firn_gltf_destroy(g);
        return result;
    }
    *out_gltf = g;
    return FIRN_OK;
}

void firn_gltf_destroy(firn_gltf* g)
{
    if (g == NULL) return;
    for (firn_local n = 0; n < g->node_count; n++) {
        firn_free(g->nodes[n].name);
        firn_free(g->nodes[n].weights);
        for (int c = 0; c < FIRN_GLTF_PROPERTIES; c++) {
            firn_free(g->nodes[n].curves[c].times);
            firn_free(g->nodes[n].curves[c].values);
        }
    }
    for (firn_local m = 0; m < g->mesh_count; m++) firn_gltf_mesh_destroy(&g->meshes[m]);
    for (firn_local s = 0; s < g->skin_count; s++) {
        firn_free(g->skins[s].joints);
        firn_free(g->skins[s].inverses);
    }
    firn_free(g->nodes);
    firn_free(g->order);
    firn_free(g->meshes);
    firn_free(g->skins);
    firn_free(g->clip);
    firn_free(g->path);
    firn_free(g);
}

firn_result firn_gltf_find_node(const firn_gltf* gltf, const char* name, firn_local* out_node,
                                firn_error* error)
{
    firn_local found = -1, times = 0, listed = 0;
    firn_text names = {0};
    for (firn_local n = 0; n < gltf->node_count; n++) {
        if (strcmp(gltf->nodes[n].name, name) == 0) {
            found = n;
            times++;
        }
        if (gltf->nodes[n].name[0] == '\0' || ++listed > LIST_MAX) continue;
        firn_text_add(&names, "%s%s", listed == 1 ? "" : ", ", gltf->nodes[n].name);
    }
    firn_result result = FIRN_OK;
    if (times > 1)
        result = firn_fail(error, FIRN_REFUSED_NAME,
                           "%s: %d nodes are called '%s': give them different names", gltf->path,
                           (int)times, name);
    else if (times == 0)
        result = firn_fail(error, FIRN_REFUSED_NAME, "%s: no node is called '%s'; there are: %s%s",
                           gltf->path, name, names.data != NULL ? names.data : "none with a name",
                           listed > LIST_MAX ? ", ..." : "");
    else
        *out_node = found;
    firn_text_destroy(&names);
    return result;
}

static uint64_t hash_curve(const firn_gltf_curve* c, uint64_t h)
{
    if (c->count == 0) return firn_hash("-", 1, h);
    const size_t values =
        (size_t)c->count * (size_t)c->width * (c->interpolation == FIRN_GLTF_CUBIC ? 3 : 1);
    h = firn_hash(&c->interpolation, sizeof c->interpolation, h);
    h = firn_hash(c->times, (size_t)c->count * sizeof(float), h);
    return firn_hash(c->values, values * sizeof(float), h);
}

static uint64_t hash_node(const firn_gltf_node* n, uint64_t h)
{
    const firn_local links[5] = {n->parent, n->mesh, n->skin, n->in_scene, n->has_matrix};
    h = firn_hash(links, sizeof links, h);
    h = firn_hash(&n->matrix, sizeof n->matrix, h);
    h = firn_hash(n->translation, sizeof n->translation, h);
    h = firn_hash(n->rotation, sizeof n->rotation, h);
    h = firn_hash(n->scale, sizeof n->scale, h);
    h = firn_hash(n->weights, (size_t)n->weight_count * sizeof(float), h);
    for (int p = 0; p < FIRN_GLTF_PROPERTIES; p++) h = hash_curve(&n->curves[p], h);
    return h;
}

uint64_t firn_gltf_hash(const firn_gltf* gltf)
{
    uint64_t h = 0;
    for (firn_local i = 0; i < gltf->node_count; i++) h = hash_node(&gltf->nodes[i], h);
    for (firn_local s = 0; s < gltf->skin_count; s++) {
        const firn_gltf_skin* k = &gltf->skins[s];
        h = firn_hash(k->joints, (size_t)k->joint_count * sizeof *k->joints, h);
        h = firn_hash(k->inverses, (size_t)k->joint_count * sizeof *k->inverses, h);
    }
    for (firn_local m = 0; m < gltf->mesh_count; m++) {
        const firn_gltf_mesh* mesh = &gltf->meshes[m];
        h = firn_hash(mesh->weights, (size_t)mesh->target_count * sizeof(float), h);
        for (firn_local k = 0; k < mesh->primitive_count; k++) {
            const firn_gltf_primitive* p = &mesh->primitives[k];
            const size_t v = (size_t)p->vertex_count, n = v * (size_t)p->influences;
            h = firn_hash(p->positions, 3 * v * sizeof(float), h);
            h = firn_hash(p->triangles, (size_t)p->triangle_count * sizeof *p->triangles, h);
            h = firn_hash(p->offsets, (size_t)p->target_count * 3 * v * sizeof(float), h);
            h = firn_hash(p->joints, n * sizeof *p->joints, h);
            h = firn_hash(p->joint_share, n * sizeof *p->joint_share, h);
        }
    }
    return h;
}
