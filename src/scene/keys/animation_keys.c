// SPDX-License-Identifier: MIT
// Blocks `animation` and `motion` of a collider.
#include "scene/keys/animation_keys.h"

#include <sys/stat.h>

#include "core/memory.h"
#include "geometry/deform/deform_source.h"
#include "geometry/deform/deforming.h"
#include "mesh/io/sequence.h"
#include "mesh/topology/mesh_inspect.h"
#include "scene/keys/shape_keys.h"
#include "scene/write/keys_write.h"

#define MEBIBYTE 1048576.0

firn_animation_item firn_animation_item_default(void)
{
    return (firn_animation_item){.first = 1,
                                 .last = -1,
                                 .fps = 24,
                                 .if_broken = FIRN_IF_BROKEN_AUTO,
                                 .speed = 1,
                                 .memory = 256,
                                 .scale = 1};
}

// The last number of the consecutive files from `first` on.
static bool find_last(firn_scene_reader* r, const firn_animation_item* item, int64_t* out_last)
{
    firn_error error = {0};
    const firn_result first = firn_sequence_check(item->file, item->first, item->first, &error);
    *out_last = item->first;
    if (first != FIRN_OK) return true;  // opening it reports the error
    for (int64_t n = item->first + 1; n - item->first < FIRN_SEQUENCE_COUNT_MAX; n++) {
        char* name = firn_sequence_name(item->file, n);
        struct stat status;
        if (name == NULL) r->out_of_memory = true;
        const bool there = name != NULL && stat(name, &status) == 0;
        firn_free(name);
        if (!there) break;
        *out_last = n;
    }
    return !r->out_of_memory;
}

// Tells that the first key frame is no solid. What cannot be read is reported when it is used.
static void warn_of_repair(firn_scene_reader* r, const firn_doc_node* node,
                           firn_deforming* deforming, double start)
{
    firn_mesh mesh;
    firn_mesh_report report;
    firn_error ignored;
    if (firn_deforming_mesh(deforming, start, &mesh, &ignored) != FIRN_OK) return;
    const bool known =
        mesh.triangle_count > 0 && firn_mesh_inspect(&mesh, &report, &ignored) == FIRN_OK;
    firn_mesh_destroy(&mesh);
    if (!known || firn_mesh_is_sound(&report)) return;
    char text[300];
    firn_mesh_report_text(&report, text, sizeof text);
    firn_doc_key_warning(r->doc, node, "the mesh is broken and is repaired: %s", text);
}

bool firn_animation_read(firn_scene_reader* r, const firn_doc_node* node,
                         const firn_animation_item* item, firn_deforming** out_deforming)
{
    if (item->voxel == 0 && !firn_deform_is_vdb(item->file)) {
        firn_doc_key_error(
            r->doc, node,
            "'animation' of meshes needs the key 'voxel', the voxel size of the level "
            "sets that they are converted to; use a cell or half of one");
        return false;
    }
    if (firn_deform_is_vdb(item->file) && (item->scale != 1 || item->up != 0)) {
        firn_doc_key_error(r->doc, node,
                           "'scale' and 'up' are for meshes; a .vdb file has a transform of its "
                           "own: write it in metres with y up");
        return false;
    }
    int64_t last = item->last;
    if (last < 0 && firn_sequence_is_pattern(item->file) && !find_last(r, item, &last))
        return false;
    const firn_deforming_def def = {
        .animation = {.file = item->file,
                      .mesh = item->mesh,
                      .clip = item->clip,
                      .node = item->node,
                      .first = item->first,
                      .last = last,
                      .fps = item->fps,
                      .scale = item->scale,
                      .z_up = item->up != 0},
        .grid = item->grid,
        .velocity_grid = item->velocity_grid,
        .voxel = (firn_real)item->voxel,
        .broken = item->if_broken == FIRN_IF_BROKEN_REFUSE ? FIRN_BROKEN_MESH_REFUSE
                                                           : FIRN_BROKEN_MESH_REPAIR,
        .broken_by_default = item->if_broken == FIRN_IF_BROKEN_AUTO,
        .start = item->start,
        .speed = item->speed,
        .loop = item->loop,
        .memory = (size_t)(item->memory * MEBIBYTE),
    };
    firn_error error = {0};
    const firn_result result = firn_deforming_open(&def, out_deforming, &error);
    const firn_doc_node* file = firn_doc_find(node, "file");
    if (!firn_read_check(r, file != NULL ? file : node, result, &error)) return false;
    if (def.broken_by_default && !r->dry) warn_of_repair(r, node, *out_deforming, item->start);
    return true;
}

void firn_animation_write(firn_text* text, const firn_deforming* deforming, bool for_hash,
                          int digits)
{
    const firn_deforming_def* def = firn_deforming_read_def(deforming);
    firn_animation_item item = {.file = (char*)def->animation.file,
                                .mesh = (char*)def->animation.mesh,
                                .clip = (char*)def->animation.clip,
                                .node = (char*)def->animation.node,
                                .grid = (char*)def->grid,
                                .velocity_grid = (char*)def->velocity_grid,
                                .first = def->animation.first,
                                .last = def->animation.last,
                                .fps = def->animation.fps,
                                .voxel = (double)def->voxel,
                                .if_broken = def->broken_by_default ? FIRN_IF_BROKEN_AUTO
                                             : def->broken == FIRN_BROKEN_MESH_REFUSE
                                                 ? FIRN_IF_BROKEN_REFUSE
                                                 : FIRN_IF_BROKEN_REPAIR,
                                .start = def->start,
                                .speed = def->speed,
                                .loop = def->loop,
                                .memory = (double)def->memory / MEBIBYTE,
                                .scale = def->animation.scale > 0 ? def->animation.scale : 1,
                                .up = def->animation.z_up};
    char made_of[32];
    firn_key_block block = firn_animation_keys;
    if (for_hash) {  // independent of the folder of the files and of the memory for key frames
        if (item.if_broken == FIRN_IF_BROKEN_REPAIR)
            item.if_broken = FIRN_IF_BROKEN_MEND;  // hashes contain the first name of the value
        if (item.if_broken == FIRN_IF_BROKEN_REFUSE)
            item.if_broken = FIRN_IF_BROKEN_AUTO;  // a solid is the same with both
        firn_print(made_of, sizeof made_of, "%016llx",
                   (unsigned long long)firn_deforming_hash(deforming));
        item.file = made_of;
        item.mesh = NULL;
        item.first = item.last = 0;
        item.memory = 0;
        block.key_count -= 2;  // `scale` and `up` are in what it is made of
    }
    firn_keys_write(text, &block, &item, digits);
}

#define AT(field) offsetof(firn_animation_item, field)
static const firn_key animation_keys[] = {
    {"file", FIRN_KEY_PATH, AT(file), NULL, 0, 0, NULL, NULL, NULL,
     "Numbered meshes ('walk.%04d.obj'), a point cache (.pc2), a glTF animation, or numbered .vdb "
     "level sets; path relative to the scene file."},
    {"mesh", FIRN_KEY_PATH, AT(mesh), NULL, 0, 0, "none", NULL, NULL,
     "The rest mesh of a .pc2 file."},
    {"clip", FIRN_KEY_TEXT, AT(clip), NULL, 0, 0, "none", NULL, NULL,
     "glTF: name of the animation; default: all that move different things."},
    {"node", FIRN_KEY_TEXT, AT(node), NULL, 0, 0, "none", NULL, NULL,
     "glTF: only the meshes at and below this node; default: all meshes."},
    {"first", FIRN_KEY_INT, AT(first), NULL, 0, 1e9, "1", NULL, NULL, "Number of the first file."},
    {"last", FIRN_KEY_INT, AT(last), NULL, -1, 1e9, "-1", NULL, NULL,
     "Number of the last file; -1: the last that exists."},
    {"fps", FIRN_KEY_REAL, AT(fps), "1/s", 1e-3, 1e4, "24", NULL, NULL,
     "Key frames per second of the animation."},
    {"grid", FIRN_KEY_TEXT, AT(grid), NULL, 0, 0, "none", NULL, NULL,
     "Name of the level set grid in the .vdb files; default: the first level set."},
    {"velocity_grid", FIRN_KEY_TEXT, AT(velocity_grid), NULL, 0, 0, "none", NULL, NULL,
     "Name of the velocity grid in the .vdb files [m/s]; default: v, vel or velocity, or else the "
     "normal motion of the surface between two level sets."},
    {"voxel", FIRN_KEY_REAL, AT(voxel), "m", 0, 1e3, "0", NULL, NULL,
     "Voxel size of the level sets that meshes are converted to; required for meshes."},
    {"if_broken", FIRN_KEY_ENUM, AT(if_broken), NULL, 0, 0, "auto", firn_if_broken_choices, NULL,
     "What to do with meshes that are open or intersect themselves; `auto` repairs them with a "
     "warning; `mend` is an old name of `repair`."},
    {"start", FIRN_KEY_REAL, AT(start), "s", -1e6, 1e6, "0", NULL, NULL,
     "Time at which the animation starts; at rest before."},
    {"speed", FIRN_KEY_REAL, AT(speed), "-", 1e-3, 1e3, "1", NULL, NULL,
     "Playback speed: seconds of the animation per simulated second."},
    {"loop", FIRN_KEY_BOOL, AT(loop), NULL, 0, 0, "false", NULL, NULL,
     "Start again after the end instead of resting."},
    {"memory", FIRN_KEY_REAL, AT(memory), "-", 0, 1e6, "256", NULL, NULL,
     "Memory for cached key frames [MiB]; others are rebuilt when needed."},
    {"scale", FIRN_KEY_REAL, AT(scale), "-", 1e-6, 1e6, "1", NULL, NULL,
     "Scale factor of the coordinates of meshes: 0.01 for files in centimetres."},
    {"up", FIRN_KEY_ENUM, AT(up), NULL, 0, 0, "y", firn_up_choices, NULL,
     "Up axis of the files of meshes; z is rotated to y."},
};

#undef AT
#define AT(field) offsetof(firn_node_motion_item, field)
static const firn_key node_motion_keys[] = {
    {"file", FIRN_KEY_PATH, AT(file), NULL, 0, 0, NULL, NULL, NULL,
     "A .gltf or .glb file; path relative to the scene file."},
    {"node", FIRN_KEY_TEXT, AT(node), NULL, 0, 0, NULL, NULL, NULL,
     "The node whose position, rotation and scale the shape follows."},
    {"clip", FIRN_KEY_TEXT, AT(clip), NULL, 0, 0, "none", NULL, NULL,
     "Name of the animation; default: all that move different things."},
    {"start", FIRN_KEY_REAL, AT(start), "s", -1e6, 1e6, "0", NULL, NULL,
     "Time at which the animation starts; at rest before it and after its end."},
};
const firn_key_block firn_animation_keys = {
    "animation",
    "A deforming collider: key frames of meshes or of level "
    "sets.",
    animation_keys,
    FIRN_KEY_COUNT(animation_keys),
    sizeof(firn_animation_item),
    NULL,
    NULL};
const firn_key_block firn_node_motion_keys = {"motion",
                                              "The motion of a node of a glTF file.",
                                              node_motion_keys,
                                              FIRN_KEY_COUNT(node_motion_keys),
                                              sizeof(firn_node_motion_item),
                                              NULL,
                                              NULL};
