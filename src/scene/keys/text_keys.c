// SPDX-License-Identifier: MIT
// Text shapes of a scene file: the keys of the shape `text`.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/memory.h"
#include "core/paths.h"
#include "geometry/levelset/level_set_mesh.h"
#include "geometry/text/text_shape.h"
#include "scene/data/scene.h"
#include "scene/data/scene_shapes.h"
#include "scene/keys/shape_keys.h"
#include "scene/parse/reader.h"
#include "scene/write/keys_write.h"

#define WORDS_MAX 64          // per scene: each can take megabytes
#define VOXELS_PER_SIZE 60.0  // voxels per letter height: a bold stroke is about fifteen wide
#define VOXELS_PER_DEPTH 4.0  // voxels per depth, at least, for thin text

typedef struct text_args {
    char *text, *font;
    double size, depth, spacing;  // [m]
    double line_height;
    int32_t align;  // firn_align
    double voxel;   // [m]; 0: automatic
} text_args;

static void set_defaults(void* at)
{
    *(text_args*)at = (text_args){.line_height = 1, .align = FIRN_ALIGN_LEFT};
}

// The keys that the scene is written with, including the voxel.
static char* describe(const firn_text_def* def)
{
    text_args args = {.text = (char*)def->text,
                      .font = (char*)def->font,
                      .size = def->size,
                      .depth = def->depth,
                      .spacing = def->spacing,
                      .line_height = def->line_height,
                      .align = (int32_t)def->align,
                      .voxel = def->voxel};
    firn_text text = {0};
    firn_text_add(&text, "text: ");
    firn_keys_write(&text, &firn_text_keys, &args, 17);
    return firn_text_take(&text);
}

firn_result firn_scene_add_text(firn_scene_data* scene, const firn_text_def* def,
                                firn_local* out_shape, firn_error* error)
{
    const firn_level_set* set;
    FIRN_TRY(firn_level_set_from_text(def, &set, error));
    const firn_result result =
        firn_scene_add_level_set(scene, set, describe(def), out_shape, error);
    firn_level_set_release(set);  // the scene holds its own reference
    return result;
}

// A font next to the scene file has priority over an installed one. The tree gets the absolute
// path, so that a copy of the scene elsewhere (in a run's folder) still finds it.
static bool find_beside(firn_scene_reader* r, const firn_doc_node* node, text_args* s)
{
    char* path = NULL;
    struct stat status;
    if (s->font[0] == '/' || r->folder == NULL) return true;
    const firn_result result = firn_path_print(&path, NULL, "%s/%s", r->folder, s->font);
    if (result == FIRN_REFUSED_IO) return true;  // too long to be a file
    const bool found = path != NULL && stat(path, &status) == 0 && S_ISREG(status.st_mode);
    char* text = found ? firn_doc_copy_text(r->doc, path, strlen(path)) : NULL;
    if (text == NULL) {
        r->out_of_memory |= path == NULL || found;
        firn_free(path);
        return !r->out_of_memory;
    }
    firn_doc_node* font = firn_doc_find(node, "font");
    if (font != NULL) font->text = text;
    firn_free(s->font);
    s->font = path;
    return true;
}

// A placeholder of similar extent, for variants that are not selected.
static void add_stand_in(firn_scene_reader* r, const firn_doc_node* node, void* at)
{
    const firn_shape_node box = {
        .kind = FIRN_SHAPE_BOX, .a = -1, .b = -1, .p = {0, 0, 0, 1, 1, 1, 0}, .q = {1, 0, 0, 0}};
    firn_error error = {0};
    firn_read_check(r, node, firn_shapes_add(&r->scene->shapes, &box, at, &error), &error);
}

static void finish_text(firn_scene_reader* r, const firn_doc_node* node, void* item, void* at,
                        bool valid)
{
    text_args* s = item;
    if (!valid) return;
    if (r->scene->shapes.level_set_count >= WORDS_MAX) {
        firn_doc_key_error(r->doc, node, "more than %d words and meshes", WORDS_MAX);
        return;
    }
    if (!find_beside(r, node, s)) return;
    if (r->dry) {
        add_stand_in(r, node, at);
        return;
    }
    const double voxel = fmin(s->size / VOXELS_PER_SIZE, s->depth / VOXELS_PER_DEPTH);
    const firn_text_def def = {.text = s->text,
                               .font = s->font,
                               .size = s->size,
                               .depth = s->depth,
                               .spacing = s->spacing,
                               .line_height = s->line_height,
                               .align = (firn_align)s->align,
                               .voxel = s->voxel > 0 ? s->voxel : voxel};
    firn_error error = {0};
    firn_local shape = -1;
    const firn_result result = firn_scene_add_text(r->scene, &def, &shape, &error);
    const firn_doc_node* font = firn_doc_find(node, "font");
    const bool is_font = result == FIRN_REFUSED_NAME && font != NULL;
    if (firn_read_check(r, is_font ? font : node, result, &error)) *(firn_local*)at = shape;
}

static const char* const aligns[] = {"left", "center", "right", NULL};
#define AT(field) offsetof(text_args, field)
static const firn_key text_keys[] = {
    {"text", FIRN_KEY_TEXT, AT(text), NULL, 0, 0, NULL, NULL, NULL,
     "The text, in quotes; \\n starts a new line."},
    {"font", FIRN_KEY_TEXT, AT(font), NULL, 0, 0, NULL, NULL, NULL,
     "A font file, path relative to the scene file, or the file name of an installed font: "
     "DejaVuSans-Bold."},
    {"size", FIRN_KEY_REAL, AT(size), "m", 1e-4, 1e4, NULL, NULL, NULL,
     "Height of a capital letter; the first baseline is at y = 0."},
    {"depth", FIRN_KEY_REAL, AT(depth), "m", 1e-4, 1e4, NULL, NULL, NULL,
     "Thickness along z, half of it on each side of z = 0."},
    {"spacing", FIRN_KEY_REAL, AT(spacing), "m", -1e4, 1e4, "0", NULL, NULL,
     "Extra space between letters; negative: tighter."},
    {"line_height", FIRN_KEY_REAL, AT(line_height), "-", -100, 100, "1", NULL, NULL,
     "Line spacing, relative to that of the font."},
    {"align", FIRN_KEY_ENUM, AT(align), NULL, 0, 0, "left", aligns, NULL,
     "Which part of each line is at x = 0."},
    {"voxel", FIRN_KEY_REAL, AT(voxel), "m", 1e-6, 1e3, "size / 60, at most depth / 4", NULL, NULL,
     "Voxel size of the level set that the letters are converted to; smaller details are lost."},
};
const firn_key_block firn_text_keys = {"text",
                                       "Extruded text in a font.",
                                       text_keys,
                                       FIRN_KEY_COUNT(text_keys),
                                       sizeof(text_args),
                                       set_defaults,
                                       finish_text};
