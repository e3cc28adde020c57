// SPDX-License-Identifier: MIT
// Settings of the pictures of a run.
#include "run/render/render_settings.h"

#include <stdio.h>
#include <string.h>

#include "core/file.h"
#include "core/hash.h"
#include "core/memory.h"
#include "core/paths.h"
#include "core/text.h"
#include "geometry/collider/collider.h"
#include "run/render/render_camera.h"
#include "scene/data/snow.h"
#include "scene/keys/blocks.h"
#include "scene/keys/look_keys.h"
#include "scene/parse/parse.h"
#include "scene/write/keys_write.h"
#include "sim/sim.h"

#define DIGITS 17  // enough to distinguish all doubles

// True for "materials.NAME.look" and what follows it.
static bool is_of_look(const char* key, size_t length)
{
    static const char materials[] = "materials.", look[] = ".look";
    size_t at = strlen(materials);
    if (strncmp(key, materials, at) != 0) return false;
    at += strcspn(key + at, ".=");
    if (strncmp(key + at, look, strlen(look)) != 0) return false;
    at += strlen(look);
    return at == length || (at < length && key[at] == '.');
}

// True for "render", "render.samples", "colliders.0.surface", "colliders.0.surface.colour",
// "materials.ice.look": keys that change pictures but not the simulation.
static bool is_of_pictures(const char* key, size_t length)
{
    static const char render[] = "render", colliders[] = "colliders.", surface[] = ".surface";
    size_t at = strlen(render);
    if (is_of_look(key, length)) return true;
    if (strncmp(key, render, at) != 0) {
        at = strlen(colliders);
        if (strncmp(key, colliders, at) != 0) return false;
        const size_t digits = strspn(key + at, "0123456789");
        at += digits;
        if (digits == 0 || strncmp(key + at, surface, strlen(surface)) != 0) return false;
        at += strlen(surface);
    }
    return at == length || (at < length && key[at] == '.');
}

static firn_result check_overrides(const char* const* overrides, size_t count, firn_error* error)
{
    for (size_t k = 0; k < count; k++) {
        const size_t length = strcspn(overrides[k], "=");
        if (overrides[k][length] == '=' && is_of_pictures(overrides[k], length)) continue;
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "'%.200s' cannot be set here: the simulation is done, only render "
                         "settings may change, such as render.samples=256 or "
                         "colliders.0.surface.kind=metal",
                         overrides[k]);
    }
    return FIRN_OK;
}

static firn_result load_scene(const char* dir, const firn_scene_options* options,
                              firn_scene_data* out_scene, firn_error* error)
{
    char* path = NULL;
    FIRN_TRY(firn_path_print(&path, error, "%s/scene.yaml", dir));
    firn_diagnostics diagnostics = {0};
    firn_result r = firn_scene_parse_file(path, firn_scene_solvers, firn_solver_count, options,
                                          out_scene, &diagnostics);
    firn_free(path);
    if (r != FIRN_OK) {
        char* text = firn_diagnostics_text(&diagnostics);
        for (size_t n = text != NULL ? strlen(text) : 0; n > 0 && text[n - 1] == '\n'; n--)
            text[n - 1] = 0;
        r = firn_fail(error, r, "the scene of the pictures cannot be read:\n%s",
                      text != NULL && text[0] != 0 ? text : "out of memory");
        firn_free(text);
    }
    firn_diagnostics_destroy(&diagnostics);
    return r;
}

firn_result firn_render_scene_load(const char* dir, const char* const* overrides,
                                   size_t override_count, firn_scene_data* out_scene,
                                   firn_error* error)
{
    return firn_render_scene_load_by(dir, NULL, overrides, override_count, out_scene, error);
}

firn_result firn_render_scene_load_by(const char* dir, const char* camera,
                                      const char* const* overrides, size_t override_count,
                                      firn_scene_data* out_scene, firn_error* error)
{
    firn_render_camera choice = {0};
    FIRN_TRY(check_overrides(overrides, override_count, error));
    FIRN_TRY(firn_render_camera_choose(camera, &choice, error));
    const char** all = firn_alloc(override_count + 1, sizeof *all);
    size_t count = 0;
    if (all != NULL && choice.override != NULL) all[count++] = choice.override;
    for (size_t k = 0; all != NULL && k < override_count; k++) all[count++] = overrides[k];
    const firn_scene_options options = {
        .camera = choice.name, .overrides = all, .override_count = count};
    const firn_result r = all != NULL ? load_scene(dir, &options, out_scene, error)
                                      : firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    firn_free(all);
    firn_free(choice.override);
    return r;
}

// "{surface: {kind: metal, ...}}", or "{}" where the scene has no surface.
static void add_collider(firn_text* text, const firn_collider* collider)
{
    firn_text line = {0};
    firn_look_write(&line, &collider->look);
    if (line.failed) text->failed = true;
    const char* from = line.data != NULL ? line.data + strspn(line.data, " ") : "";
    firn_text_add(text, "{%.*s}", (int)strcspn(from, "\n"), from);
    firn_text_destroy(&line);
}

// ", materials: [{look: {kind: water, ...}}, {}]"; nothing where all materials look like snow.
static void add_looks(firn_text* text, const firn_scene_data* scene)
{
    bool any = false;
    for (firn_local m = 0; m < scene->material_count; m++) {
        const firn_material_look look = firn_material_look_of(&scene->materials[m]);
        any |= firn_look_is_smooth(&look);
    }
    for (firn_local m = 0; any && m < scene->material_count; m++) {
        const firn_material_look look = firn_material_look_of(&scene->materials[m]);
        firn_text_add(text, m == 0 ? ", materials: [{" : "}, {");
        firn_material_look_write(text, "", &look);
    }
    if (any) firn_text_add(text, "}]");
}

char* firn_render_settings(const firn_scene_data* scene)
{
    firn_locale locale = firn_locale_open();
    firn_text text = {0};
    firn_text_add(&text, "{render: ");
    firn_keys_write(&text, &firn_render_keys, &scene->render, DIGITS);
    firn_text_add(&text, ", colliders: [");
    for (firn_local k = 0; k < scene->collider_count; k++) {
        if (k > 0) firn_text_add(&text, ", ");
        add_collider(&text, &scene->colliders[k]);
    }
    firn_text_add(&text, "]");
    add_looks(&text, scene);
    firn_text_add(&text, "}");
    firn_locale_close(&locale);
    return firn_text_take(&text);
}

firn_result firn_render_origin(const firn_scene_data* scene, uint64_t* out_hash, firn_error* error)
{
    uint64_t hash = scene->hash;
    if (scene->render.sky_picture != NULL) {
        uint64_t bytes, checksum;
        firn_error why;
        if (firn_file_checksum(scene->render.sky_picture, &bytes, &checksum, &why) != FIRN_OK)
            return firn_fail(error, FIRN_REFUSED_SCENE, "the sky image: %s", why.text);
        hash = firn_hash(&checksum, sizeof checksum, hash);
    }
    // of a glTF camera, what its file says
    const firn_render_block* r = &scene->render;
    if (r->camera_track_count > 0)
        hash = firn_hash(r->camera_track, (size_t)r->camera_track_count * sizeof *r->camera_track,
                         hash);
    *out_hash = hash;
    return FIRN_OK;
}

// ---- differences --------------------------------------------------------------------------------

enum { DEPTH_MAX = 16 };

// A position in a flow mapping "{a: {b: [1, 2]}, c: 3}": the keys that lead there.
typedef struct place {
    char bracket[DEPTH_MAX];
    const char* key[DEPTH_MAX];  // start of the key; of mappings only
    int depth;
} place;

// Reads one character of the text, or a whole string. Returns the number of characters read.
static size_t walk(place* p, const char* at)
{
    const bool inside = p->depth > 0 && p->depth <= DEPTH_MAX;
    if (*at == '{' || *at == '[') {
        if (p->depth < DEPTH_MAX) {
            p->bracket[p->depth] = *at;
            p->key[p->depth] = at + 1;
        }
        p->depth++;
    } else if (*at == '}' || *at == ']') {
        if (p->depth > 0) p->depth--;
    } else if (*at == ',' && inside && p->bracket[p->depth - 1] == '{') {
        p->key[p->depth - 1] = at + 1;
    } else if (*at == '"') {
        size_t k = 1;
        while (at[k] != 0 && at[k] != '"') k += at[k] == '\\' && at[k + 1] != 0 ? 2 : 1;
        return at[k] != 0 ? k + 1 : k;
    }
    return 1;
}

static place find_place(const char* text, size_t end)
{
    place p = {0};
    for (size_t k = 0; k < end && text[k] != 0;) k += walk(&p, text + k);
    if (p.depth > DEPTH_MAX) p.depth = DEPTH_MAX;
    return p;
}

// Get the name "medium.albedo" and the start of its value.
static const char* name_place(const place* p, char* out_name, size_t size)
{
    const char* value = "";
    size_t used = 0;
    out_name[0] = 0;
    for (int d = 0; d < p->depth; d++) {
        if (p->bracket[d] != '{') continue;
        const char* key = p->key[d] + strspn(p->key[d], " ");
        const size_t length = strcspn(key, ":,{}[]");
        const int wrote =
            snprintf(out_name + used, size - used, "%s%.*s", used > 0 ? "." : "", (int)length, key);
        if (wrote < 0 || used + (size_t)wrote >= size) break;
        used += (size_t)wrote;
        value = key + length + (key[length] == ':');
        value += strspn(value, " ");
    }
    return value;
}

// Copies a value up to the start of the next key.
static void copy_value(const char* value, char* out, size_t size)
{
    place p = {0};
    size_t length = 0;
    while (value[length] != 0 && (p.depth > 0 || strchr(",}]", value[length]) == NULL))
        length += walk(&p, value + length);
    snprintf(out, size, length < size ? "%.*s" : "%.*s…", (int)(length < size ? length : size - 4),
             value);
}

void firn_render_difference(const char* before, const char* now, char* out_text, size_t size)
{
    size_t k = 0;
    while (before[k] != 0 && before[k] == now[k]) k++;
    const place a = find_place(before, k), b = find_place(now, k);
    char name_a[128], name_b[128], value_a[96], value_b[96];
    copy_value(name_place(&a, name_a, sizeof name_a), value_a, sizeof value_a);
    copy_value(name_place(&b, name_b, sizeof name_b), value_b, sizeof value_b);
    if (strcmp(name_a, name_b) == 0)
        snprintf(out_text, size, "%s was %s and is %s", name_a, value_a, value_b);
    else  // a key that only one of them contains
        snprintf(out_text, size, "%s was %s, %s is %s", name_a, value_a, name_b, value_b);
}
