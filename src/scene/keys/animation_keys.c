// SPDX-License-Identifier: MIT
// Blocks `animation` and `motion` of a collider.
#include "scene/keys/animation_keys.h"

#include <sys/stat.h>

#include "core/memory.h"
#include "geometry/deform/deform_source.h"
#include "mesh/io/sequence.h"
#include "scene/write/keys_write.h"

#define MEBIBYTE 1048576.0

firn_animation_item firn_animation_item_default(void)
{
    return (firn_animation_item){.first = 1, .last = -1, .fps = 24, .speed = 1, .memory = 256};
}

// The last number for which there is a file, from `first` on.
static bool find_last(firn_scene_reader* r, const firn_animation_item* item, int64_t* out_last)
{
    firn_error error = {0};
    const firn_result first = firn_sequence_check(item->file, item->first, item->first, &error);
    *out_last = item->first;
    if (first != FIRN_OK) return true;  // opening it will say what is wrong
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

bool firn_animation_read(firn_scene_reader* r, const firn_doc_node* node,
                         const firn_animation_item* item, firn_deforming** out_deforming)
{
    if (item->voxel == 0 && !firn_deform_is_vdb(item->file)) {
        firn_doc_key_error(r->doc, node,
                           "'animation' of meshes needs the key 'voxel': the size of the level "
                           "sets that they become; a cell or half of one is good");
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
                      .fps = item->fps},
        .grid = item->grid,
        .velocity_grid = item->velocity_grid,
        .voxel = (firn_real)item->voxel,
        .broken = (firn_broken_mesh)item->if_broken,
        .start = item->start,
        .speed = item->speed,
        .loop = item->loop,
        .memory = (size_t)(item->memory * MEBIBYTE),
    };
    firn_error error = {0};
    const firn_result result = firn_deforming_open(&def, out_deforming, &error);
    const firn_doc_node* file = firn_doc_find(node, "file");
    return firn_read_check(r, file != NULL ? file : node, result, &error);
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
                                .if_broken = (int32_t)def->broken,
                                .start = def->start,
                                .speed = def->speed,
                                .loop = def->loop,
                                .memory = (double)def->memory / MEBIBYTE};
    char made_of[32];
    if (for_hash) {  // the same files elsewhere are the same body; memory changes nothing
        firn_print(made_of, sizeof made_of, "%016llx",
                   (unsigned long long)firn_deforming_hash(deforming));
        item.file = made_of;
        item.mesh = NULL;
        item.first = item.last = 0;
        item.memory = 0;
    }
    firn_keys_write(text, &firn_animation_keys, &item, digits);
}

// clang-format off
static const char* const broken_choices[] = {"refuse", "mend", NULL};
#define AT(field) offsetof(firn_animation_item, field)
static const firn_key animation_keys[] = {
    {"file", FIRN_KEY_PATH, AT(file), NULL, 0, 0, NULL, NULL, NULL, "Numbered meshes ('walk.%04d.obj'), a point cache (.pc2), a glTF animation, or numbered .vdb level sets; path relative to the scene file."},
    {"mesh", FIRN_KEY_PATH, AT(mesh), NULL, 0, 0, "none", NULL, NULL, "The mesh that the points of a .pc2 file belong to."},
    {"clip", FIRN_KEY_TEXT, AT(clip), NULL, 0, 0, "none", NULL, NULL, "glTF: name of the animation; else the first."},
    {"node", FIRN_KEY_TEXT, AT(node), NULL, 0, 0, "none", NULL, NULL, "glTF: only the meshes at and below this node; else all."},
    {"first", FIRN_KEY_INT, AT(first), NULL, 0, 1e9, "1", NULL, NULL, "Number of the first file."},
    {"last", FIRN_KEY_INT, AT(last), NULL, -1, 1e9, "-1", NULL, NULL, "Number of the last file; -1: the last there is."},
    {"fps", FIRN_KEY_REAL, AT(fps), "1/s", 1e-3, 1e4, "24", NULL, NULL, "Key frames per second of the animation."},
    {"grid", FIRN_KEY_TEXT, AT(grid), NULL, 0, 0, "none", NULL, NULL, "Name of the level set in the .vdb files; else the first."},
    {"velocity_grid", FIRN_KEY_TEXT, AT(velocity_grid), NULL, 0, 0, "none", NULL, NULL, "Name of the velocities in the .vdb files [m/s]; else v, vel or velocity, or what the level sets show."},
    {"voxel", FIRN_KEY_REAL, AT(voxel), "m", 0, 1e3, "0", NULL, NULL, "Of the level sets that meshes become; needed for meshes."},
    {"if_broken", FIRN_KEY_ENUM, AT(if_broken), NULL, 0, 0, "refuse", broken_choices, NULL, "What to do with meshes that are open or cut themselves."},
    {"start", FIRN_KEY_REAL, AT(start), "s", -1e6, 1e6, "0", NULL, NULL, "When it begins to play; at rest before."},
    {"speed", FIRN_KEY_REAL, AT(speed), "-", 1e-3, 1e3, "1", NULL, NULL, "Seconds of the animation per second."},
    {"loop", FIRN_KEY_BOOL, AT(loop), NULL, 0, 0, "false", NULL, NULL, "Begin again after the end instead of resting."},
    {"memory", FIRN_KEY_REAL, AT(memory), "-", 0, 1e6, "256", NULL, NULL, "How much of it is kept in memory [MiB]; the rest is made again when needed."},
};

#undef AT
#define AT(field) offsetof(firn_node_motion_item, field)
static const firn_key node_motion_keys[] = {
    {"file", FIRN_KEY_PATH, AT(file), NULL, 0, 0, NULL, NULL, NULL, "A .gltf or .glb file; path relative to the scene file."},
    {"node", FIRN_KEY_TEXT, AT(node), NULL, 0, 0, NULL, NULL, NULL, "The node whose path, turns and scale the shape follows."},
    {"clip", FIRN_KEY_TEXT, AT(clip), NULL, 0, 0, "none", NULL, NULL, "Name of the animation; else the first."},
    {"start", FIRN_KEY_REAL, AT(start), "s", -1e6, 1e6, "0", NULL, NULL, "When it begins to play; at rest before, and after its end."},
};
// clang-format on
const firn_key_block firn_animation_keys = {"animation",
                                            "A body that deforms: key frames of meshes or of level "
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
