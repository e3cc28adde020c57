// SPDX-License-Identifier: MIT
#include "run/render/render_camera.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "mesh/io/gltf.h"

#define KEY "render.camera="

static char* finish_text(firn_text* text)
{
    firn_text_add(text, "}");
    return firn_text_take(text);
}

// {file: "/abs/shot.glb", name: "Close"}; the scene's own paths are relative to its folder.
static firn_result choose_file(const char* path, const char* name, char** out, firn_error* error)
{
    char* whole = realpath(path, NULL);  // allocated by libc
    if (whole == NULL)
        return firn_fail(error, FIRN_REFUSED_IO, "the camera's file '%s' cannot be read", path);
    firn_text text = {0};
    firn_text_add(&text, KEY "{file: ");
    firn_text_add_json(&text, whole);
    free(whole);
    if (name != NULL) {
        firn_text_add(&text, ", name: ");
        firn_text_add_json(&text, name);
    }
    *out = finish_text(&text);
    return *out != NULL ? FIRN_OK : firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
}

firn_result firn_render_camera_choose(const char* text, firn_render_camera* out_camera,
                                      firn_error* error)
{
    *out_camera = (firn_render_camera){0};
    if (text == NULL) return FIRN_OK;
    if (text[0] == 0)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "an empty camera: name one, or leave the option out");
    if (text[0] == '{') {
        firn_text set = {0};
        firn_text_add(&set, KEY "%s", text);
        out_camera->override = firn_text_take(&set);
        if (out_camera->override != NULL) return FIRN_OK;
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    }
    if (firn_gltf_is_file(text)) return choose_file(text, NULL, &out_camera->override, error);
    const char* colon = strrchr(text, ':');
    char* path = colon != NULL ? firn_strndup(text, (size_t)(colon - text)) : NULL;
    firn_result r = FIRN_OK;
    if (path != NULL && firn_gltf_is_file(path))
        r = choose_file(path, colon + 1, &out_camera->override, error);
    else
        out_camera->name = text;
    firn_free(path);
    return r;
}
