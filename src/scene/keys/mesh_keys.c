// SPDX-License-Identifier: MIT
// Shapes from files: the keys of `mesh` and `level_set`.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "firn/defs.h"
#include "geometry/levelset/level_set_mesh.h"
#include "mesh/io/gltf.h"
#include "scene/data/scene.h"
#include "scene/data/scene_shapes.h"
#include "scene/keys/shape_keys.h"
#include "scene/parse/reader.h"
#include "scene/write/keys_write.h"

#define SETS_MAX 64  // per scene: each can take megabytes; bits of firn_scene_reader.unsure_sets
#define UNDECIDED_MAX 0.5  // of what may be inside of a mesh that snow fills

typedef struct mesh_args {
    char* file;
    double voxel;  // [m]; 0: automatic
    double scale;
    int32_t if_broken;  // firn_if_broken
    int32_t up;         // 0: y, 1: z
    char* node;
    int32_t coordinates;  // 0: of the file, 1: of the node
} mesh_args;

typedef struct set_args {
    char *file, *grid;
} set_args;

static void mesh_defaults(void* at)
{
    *(mesh_args*)at = (mesh_args){.scale = 1, .if_broken = FIRN_IF_BROKEN_AUTO};
}

// ---- meshes -------------------------------------------------------------------------------------

// A mesh from the arrays of the def, whose indices and coordinates are checked.
static firn_result copy_arrays(const firn_mesh_def* def, firn_mesh* mesh, firn_error* error)
{
    if (def->vertices == NULL || def->triangles == NULL || def->triangle_count < 1)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a mesh needs a file, or vertices and at least one triangle");
    // beyond what indices can name: never the size of the arrays
    if (def->vertex_count < 0 || def->vertex_count > INT32_MAX || def->triangle_count > INT32_MAX)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a mesh of %lld vertices and %lld triangles: at most %d of each are "
                         "possible",
                         (long long)def->vertex_count, (long long)def->triangle_count, INT32_MAX);
    for (int64_t i = 0; i < def->vertex_count; i++) {
        if (!firn_v3_is_finite(def->vertices[i]))
            return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                             "vertex %lld of the mesh is NaN or infinite", (long long)i);
        if (!firn_mesh_add_vertex(mesh, def->vertices[i]))
            return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for a mesh of %lld vertices",
                             (long long)def->vertex_count);
    }
    for (int64_t t = 0; t < def->triangle_count; t++) {
        const int32_t* c = def->triangles + 3 * t;
        for (int k = 0; k < 3; k++)
            if (c[k] < 0 || c[k] >= def->vertex_count)
                return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                                 "triangle %lld of the mesh refers to vertex %d of %lld",
                                 (long long)t, (int)c[k], (long long)def->vertex_count);
        if (!firn_mesh_add_triangle(mesh, c[0], c[1], c[2]))
            return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for a mesh of %lld triangles",
                             (long long)def->triangle_count);
    }
    return FIRN_OK;
}

// The keys that the scene is written with, including the voxel. A mesh from arrays has no file: its
// name contains a hash instead.
static char* describe_mesh(const firn_mesh_def* def, uint64_t hash, double voxel)
{
    char name[80];
    firn_print(name, sizeof name, "mesh-from-a-program-%016llx.ply", (unsigned long long)hash);
    mesh_args args = {
        .file = def->file != NULL ? (char*)def->file : name,
        .voxel = voxel,
        .scale = def->scale,
        .if_broken = def->mend ? FIRN_IF_BROKEN_REPAIR : FIRN_IF_BROKEN_AUTO,
        .up = def->z_up,
        .node = (char*)def->node,
        .coordinates = def->node_coordinates,
    };
    firn_text text = {0};
    firn_text_add(&text, "mesh: ");
    firn_keys_write(&text, &firn_mesh_keys, &args, 17);
    return firn_text_take(&text);
}

// Only a glTF file has nodes.
static firn_result read_file(const char* file, const char* node, bool own, firn_mesh* out_mesh,
                             firn_error* error)
{
    if (node == NULL && own)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "%s: a mesh in the coordinates of a node needs the name of the node",
                         file);
    if (node == NULL) return firn_mesh_read(file, out_mesh, error);
    if (firn_gltf_is_file(file)) return firn_mesh_read_gltf_node(file, node, own, out_mesh, error);
    return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                     "%s: node '%s' is looked for, but only .gltf and .glb files have nodes", file,
                     node);
}

static firn_result add_placed(firn_scene_data* scene, const firn_mesh_def* def, firn_mesh* mesh,
                              firn_mesh_report* out_report, firn_local* out_shape,
                              firn_error* error)
{
    const uint64_t hash = firn_mesh_hash(mesh);
    firn_mesh_to_metres(mesh, def->scale, def->z_up);
    const firn_mesh_level_set_args args = {
        .voxel = def->voxel > 0 ? (firn_real)def->voxel
                                : firn_level_set_voxel_for(firn_mesh_bounds(mesh)),
        .broken = def->mend ? FIRN_BROKEN_MESH_REPAIR : FIRN_BROKEN_MESH_REFUSE,
        .keep = true};
    const firn_level_set* set;
    FIRN_TRY(firn_level_set_from_mesh(mesh, &args, &set, out_report, error));
    const firn_result result = firn_scene_add_level_set(
        scene, set, describe_mesh(def, hash, (double)args.voxel), out_shape, error);
    firn_level_set_release(set);  // the scene holds its own reference
    return result;
}

firn_result firn_scene_add_mesh(firn_scene_data* scene, const firn_mesh_def* def,
                                struct firn_mesh_report* out_report, firn_local* out_shape,
                                firn_error* error)
{
    *out_report = (firn_mesh_report){0};
    if (!(def->scale > 0 && def->scale <= 1e9) || !(def->voxel >= 0))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a mesh needs a scale above 0, not %g, and a voxel above 0 m, or 0 to "
                         "have one chosen, not %g",
                         def->scale, def->voxel);
    firn_mesh mesh = {0};
    firn_result result = def->file != NULL
                             ? read_file(def->file, def->node, def->node_coordinates, &mesh, error)
                             : copy_arrays(def, &mesh, error);
    if (result == FIRN_OK) result = add_placed(scene, def, &mesh, out_report, out_shape, error);
    firn_mesh_destroy(&mesh);
    return result;
}

// Parses the keys of a mesh from the text that the scene is written with.
static firn_result parse_text(char* text, mesh_args* args, firn_error* error)
{
    firn_diagnostics diagnostics = {0};
    firn_locale locale = firn_locale_open();
    firn_doc doc;
    firn_doc_init(&doc, &diagnostics);
    firn_key_block keys = firn_mesh_keys;
    keys.finish = NULL;  // parses the keys only: the shape exists
    firn_scene_reader reader = {.doc = &doc};
    const int source = firn_doc_add_source(&doc, "mesh", text, strlen(text));
    firn_doc_node* root = source < 0 ? NULL : firn_doc_read(&doc, source, text, strlen(text));
    firn_doc_node* node = root == NULL ? NULL : firn_doc_find(root, "mesh");
    const bool ok = node != NULL && firn_read_block(&reader, &keys, "mesh", node, args, NULL);
    const bool out_of_memory = doc.out_of_memory || reader.out_of_memory || source < 0;
    firn_doc_destroy(&doc);
    firn_locale_close(&locale);
    firn_diagnostics_destroy(&diagnostics);
    if (ok) return FIRN_OK;
    firn_keys_release(&firn_mesh_keys, args);
    return out_of_memory
               ? firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the keys of a mesh")
               : firn_fail(error, FIRN_REFUSED_SCENE, "the keys of a mesh cannot be parsed again");
}

// Repairing closed the holes of a mesh, so its triangles are not the surface of the level set.
static firn_result drop_open(firn_mesh* mesh, firn_error* error)
{
    firn_mesh_report report;
    const firn_result result = firn_mesh_inspect(mesh, &report, error);
    if (result != FIRN_OK || report.open_edges > 0) firn_mesh_destroy(mesh);
    return result;
}

firn_result firn_scene_read_mesh(const firn_scene_data* scene, firn_local level_set,
                                 firn_mesh* out_mesh, firn_error* error)
{
    *out_mesh = (firn_mesh){0};
    char* text = level_set < scene->level_set_text_count ? scene->level_set_texts[level_set] : NULL;
    if (text == NULL || strncmp(text, "mesh:", 5) != 0) return FIRN_OK;
    mesh_args args;
    mesh_defaults(&args);
    FIRN_TRY(parse_text(text, &args, error));
    firn_result result = read_file(args.file, args.node, args.coordinates != 0, out_mesh, error);
    if (result == FIRN_OK) {
        firn_mesh_to_metres(out_mesh, args.scale, args.up != 0);
        if (args.if_broken != FIRN_IF_BROKEN_REFUSE) result = drop_open(out_mesh, error);
    }
    firn_keys_release(&firn_mesh_keys, &args);
    return result;
}

firn_result firn_scene_mesh_file(const firn_scene_data* scene, firn_local level_set,
                                 char** out_file, char** out_node, firn_error* error)
{
    *out_file = *out_node = NULL;
    char* text = level_set < scene->level_set_text_count ? scene->level_set_texts[level_set] : NULL;
    if (text == NULL || strncmp(text, "mesh:", 5) != 0) return FIRN_OK;
    mesh_args args;
    mesh_defaults(&args);
    FIRN_TRY(parse_text(text, &args, error));
    if (firn_gltf_is_file(args.file)) {
        *out_file = args.file;
        *out_node = args.node;
        args.file = args.node = NULL;
    }
    firn_keys_release(&firn_mesh_keys, &args);
    return FIRN_OK;
}

// ---- .vdb files ---------------------------------------------------------------------------------

firn_result firn_scene_add_vdb(firn_scene_data* scene, const char* file, const char* grid,
                               firn_local* out_shape, firn_error* error)
{
    const firn_level_set* set;
    FIRN_TRY(firn_level_set_from_vdb(file, grid, &set, error));
    set_args args = {.file = (char*)file, .grid = (char*)grid};
    firn_text text = {0};
    firn_text_add(&text, "level_set: ");
    firn_keys_write(&text, &firn_level_set_keys, &args, 17);
    const firn_result result =
        firn_scene_add_level_set(scene, set, firn_text_take(&text), out_shape, error);
    firn_level_set_release(set);
    return result;
}

// ---- the blocks ---------------------------------------------------------------------------------

// Checks what both kinds share, before a file is opened. True: continue and read it.
static bool begin(firn_scene_reader* r, const firn_doc_node* node, void* at)
{
    if (r->scene->shapes.level_set_count >= SETS_MAX) {
        firn_doc_key_error(r->doc, node, "more than %d texts, meshes and level sets", SETS_MAX);
        return false;
    }
    if (!r->dry) return true;
    const firn_shape_node box = {// a placeholder in variants that are not selected
                                 .kind = FIRN_SHAPE_BOX,
                                 .a = -1,
                                 .b = -1,
                                 .p = {0, 0, 0, 1, 1, 1, 0},
                                 .q = {1, 0, 0, 0}};
    firn_error error = {0};
    firn_read_check(r, node, firn_shapes_add(&r->scene->shapes, &box, at, &error), &error);
    return false;
}

// Notes a level set whose mesh is open so far that snow cannot be filled into it.
static void note_unsure(firn_scene_reader* r, const firn_doc_node* node, const mesh_args* args,
                        firn_local shape)
{
    firn_mesh mesh;
    double share = 0;
    firn_error error = {0};
    const int32_t set = r->scene->shapes.nodes[shape].a;
    firn_result result = read_file(args->file, args->node, args->coordinates != 0, &mesh, &error);
    if (result == FIRN_OK) {
        result = firn_mesh_undecided(&mesh, &share, &error);
        firn_mesh_destroy(&mesh);
    }
    if (!firn_read_check(r, node, result, &error)) return;
    if (share > UNDECIDED_MAX) r->unsure_sets |= UINT64_C(1) << set;
}

static void finish_mesh(firn_scene_reader* r, const firn_doc_node* node, void* item, void* at,
                        bool valid)
{
    const mesh_args* s = item;
    if (!valid || !begin(r, node, at)) return;
    const firn_mesh_def def = {.file = s->file,
                               .voxel = s->voxel,
                               .scale = s->scale,
                               .z_up = s->up != 0,
                               .mend = s->if_broken != FIRN_IF_BROKEN_REFUSE,
                               .node = s->node,
                               .node_coordinates = s->coordinates != 0};
    firn_error error = {0};
    firn_local shape = -1;
    firn_mesh_report report;
    const firn_result result = firn_scene_add_mesh(r->scene, &def, &report, &shape, &error);
    const firn_doc_node* file = firn_doc_find(node, "file");
    if (!firn_read_check(r, file != NULL ? file : node, result, &error)) return;
    *(firn_local*)at = shape;
    if (firn_mesh_is_sound(&report)) return;
    if (s->if_broken == FIRN_IF_BROKEN_AUTO && report.open_edges > 0)
        note_unsure(r, node, s, shape);
    char text[300];
    firn_mesh_report_text(&report, text, sizeof text);
    firn_doc_key_warning(r->doc, node, "the mesh is broken and was repaired: %s", text);
}

static void set_defaults(void* at)
{
    *(set_args*)at = (set_args){0};
}

static void finish_level_set(firn_scene_reader* r, const firn_doc_node* node, void* item, void* at,
                             bool valid)
{
    const set_args* s = item;
    if (!valid || !begin(r, node, at)) return;
    firn_error error = {0};
    firn_local shape = -1;
    const firn_result result = firn_scene_add_vdb(r->scene, s->file, s->grid, &shape, &error);
    const firn_doc_node* file = firn_doc_find(node, "file");
    if (firn_read_check(r, file != NULL ? file : node, result, &error)) *(firn_local*)at = shape;
}

const char* const firn_if_broken_choices[] = {"refuse", "mend", "repair", "auto", NULL};
const char* const firn_up_choices[] = {"y", "z", NULL};
static const char* const coordinates_choices[] = {"file", "node", NULL};
#define AT(field) offsetof(mesh_args, field)
static const firn_key mesh_keys[] = {
    {"file", FIRN_KEY_PATH, AT(file), NULL, 0, 0, NULL, NULL, NULL,
     "A closed mesh: .obj, .ply, .stl, .gltf or .glb; path relative to the scene file."},
    {"voxel", FIRN_KEY_REAL, AT(voxel), "m", 1e-6, 1e3, "largest side / 100, less for thin meshes",
     NULL, NULL,
     "Voxel size of the level set that the mesh is converted to; smaller details are lost."},
    {"scale", FIRN_KEY_REAL, AT(scale), "-", 1e-6, 1e6, "1", NULL, NULL,
     "Scale factor of its coordinates: 0.001 for a file in millimetres."},
    {"up", FIRN_KEY_ENUM, AT(up), NULL, 0, 0, "y", firn_up_choices, NULL,
     "Up axis of the file; z is rotated to y."},
    {"if_broken", FIRN_KEY_ENUM, AT(if_broken), NULL, 0, 0, "auto", firn_if_broken_choices, NULL,
     "What to do with a mesh that is open or intersects itself; `repair` takes points with a "
     "winding number above 0.5 as inside; `auto` does the same, but refuses it for snow where the "
     "winding number does not tell; `mend` is an old name of `repair`."},
    {"node", FIRN_KEY_TEXT, AT(node), NULL, 0, 0, "none", NULL, NULL,
     "glTF: only the meshes at and below this node; default: all meshes."},
    {"coordinates", FIRN_KEY_ENUM, AT(coordinates), NULL, 0, 0, "file", coordinates_choices, NULL,
     "`file`: the mesh is where the file puts it. `node`: about the origin of `node`, so that "
     "`motion` by the same node moves it as in the file."},
};
static const firn_key level_set_keys[] = {
    {"file", FIRN_KEY_PATH, offsetof(set_args, file), NULL, 0, 0, NULL, NULL, NULL,
     "A .vdb file; path relative to the scene file."},
    {"grid", FIRN_KEY_TEXT, offsetof(set_args, grid), NULL, 0, 0, "none", NULL, NULL,
     "Name of the grid; default: the first level set of the file."},
};
const firn_key_block firn_mesh_keys = {"mesh",
                                       "A solid from a triangle mesh.",
                                       mesh_keys,
                                       FIRN_KEY_COUNT(mesh_keys),
                                       sizeof(mesh_args),
                                       mesh_defaults,
                                       finish_mesh};
const firn_key_block firn_level_set_keys = {
    "level_set",      "A solid from a level set in a .vdb file.",
    level_set_keys,   FIRN_KEY_COUNT(level_set_keys),
    sizeof(set_args), set_defaults,
    finish_level_set};
