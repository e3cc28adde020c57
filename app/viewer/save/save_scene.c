// SPDX-License-Identifier: MIT
// The scene of a session as a file that the command line runs.
#define _GNU_SOURCE  // vasprintf
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "viewer/save/save.h"

#define OVERRIDES_MAX (VIEW_CHANGES_MAX + 16)

typedef struct overrides {
    char* items[OVERRIDES_MAX];  // owned
    size_t count;
    bool failed;  // out of memory
} overrides;

__attribute__((format(printf, 2, 3))) static void add(overrides* o, const char* format, ...)
{
    va_list list;
    va_start(list, format);
    if (o->count == OVERRIDES_MAX || vasprintf(&o->items[o->count], format, list) < 0)
        o->failed = true;
    else
        o->count++;
    va_end(list);
}

static void add_vector(overrides* o, const char* key, double x, double y, double z)
{
    add(o, "%s=[%.7g, %.7g, %.7g]", key, x, y, z);
}

// Everything that keys and panels may have changed.
static void add_session(overrides* o, const view_session* s)
{
    const view_vec eye = view_orbit_eye(&s->camera), at = s->camera.target;
    const view_snapshot* now = s->now;
    for (int k = 0; k < s->change_count; k++)
        add(o, "%s=%s", s->changes[k].key, s->changes[k].value);
    if (s->gravity_changed)
        add_vector(o, "gravity", now->gravity[0], now->gravity[1], now->gravity[2]);
    if (s->wind_changed) add_vector(o, "air.velocity", now->wind[0], now->wind[1], now->wind[2]);
    if (!isnan(s->celsius)) add(o, "air.temperature=%.7g", s->celsius);
    add_vector(o, "render.camera.eye", eye.x, eye.y, eye.z);
    add_vector(o, "render.camera.look_at", at.x, at.y, at.z);
    add(o, "render.camera.fov=%.7g", s->camera.fov);
    const firn_field_info* field = firn_field_find(s->colouring.field);
    if (!*s->colouring.field || !field) return;
    add(o, "render.colour_by.field=%s", field->key);
    add(o, "render.colour_by.from=%.7g", s->colouring.low);
    add(o, "render.colour_by.to=%.7g", s->colouring.high);
}

static firn_result load(const view_save_def* d, const overrides* o, firn_scene* scene,
                        firn_error* error)
{
    firn_load_def def = d->load ? *d->load : firn_default_load_def();
    const size_t before = def.override_count;
    const char** all = calloc(before + o->count + 1, sizeof *all);
    if (!all || o->failed) {
        free(all);
        return view_refuse(error, FIRN_BROKEN_MEMORY, "out of memory");
    }
    for (size_t k = 0; k < before; k++) all[k] = def.overrides[k];
    for (size_t k = 0; k < o->count; k++) all[before + k] = o->items[k];
    def.overrides = all;
    def.override_count = before + o->count;
    const firn_result r = firn_scene_load(scene, d->scene, &def);
    free(all);
    return r == FIRN_OK ? r : view_refuse(error, r, firn_scene_messages(scene));
}

// Whether the block `render.camera` of the text has key frames, which would override the camera.
static bool has_camera_keys(const char* text)
{
    const char* render = strstr(text, "\nrender:");
    const char* camera = render ? strstr(render, "camera:") : NULL;
    const char* keys = camera ? strstr(camera, "keys:") : NULL;
    if (!keys) return false;
    for (const char* c = render + 2; c < keys; c++)  // another block may have begun
        if (c[-1] == '\n' && *c != ' ') return false;
    return true;
}

// The scene with all overrides as YAML; free it with firn_text_free.
static firn_result write_scene(const view_save_def* d, const overrides* o, char** out_text,
                               firn_error* error)
{
    firn_scene* scene = NULL;
    firn_result r = firn_scene_create(&scene);
    if (r == FIRN_OK) r = load(d, o, scene, error);
    if (r == FIRN_OK) *out_text = firn_scene_yaml(scene);
    firn_scene_destroy(scene);
    if (r != FIRN_OK || *out_text) return r;
    return view_refuse(error, FIRN_BROKEN_MEMORY, "out of memory");
}

static firn_result write_file(const char* path, const char* text, firn_error* error)
{
    FILE* file = fopen(path, "w");
    bool good = file != NULL && fputs(text, file) >= 0;
    if (file) good = fclose(file) == 0 && good;
    if (good) return FIRN_OK;
    error->code = FIRN_REFUSED_IO;
    snprintf(error->text, sizeof error->text, "cannot write '%s': %s", path, strerror(errno));
    return FIRN_REFUSED_IO;
}

firn_result view_save_scene(const view_save_def* d, const view_session* s, const char* path,
                            firn_error* error)
{
    overrides o = {.count = 0};
    char* text = NULL;
    add_session(&o, s);
    firn_result r = write_scene(d, &o, &text, error);
    if (r == FIRN_OK && has_camera_keys(text)) {
        add(&o, "render.camera.keys=[]");
        firn_text_free(text);
        text = NULL;
        r = write_scene(d, &o, &text, error);
    }
    if (r == FIRN_OK) r = write_file(path, text, error);
    for (size_t k = 0; k < o.count; k++) free(o.items[k]);
    firn_text_free(text);
    return r;
}
