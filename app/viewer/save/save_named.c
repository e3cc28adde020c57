// SPDX-License-Identifier: MIT
// Saving by key: names and messages.
#define _GNU_SOURCE  // asprintf
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "viewer/names.h"
#include "viewer/save/save.h"

// The scene in the folder of a run, or the one that was loaded.
static firn_result save_scene(const view_save_def* d, const view_session* s, const char* path,
                              firn_error* error)
{
    if (!d->dir) return view_save_scene(d, s, path, error);
    char* of_run = NULL;
    if (asprintf(&of_run, "%s/scene.yaml", d->dir) < 0)
        return view_refuse(error, FIRN_BROKEN_MEMORY, "out of memory");
    const view_save_def def = {.scene = of_run};
    const firn_result r = view_save_scene(&def, s, path, error);
    free(of_run);
    return r;
}

void view_save_named(const view_save_def* d, view_session* s, bool camera)
{
    firn_error error = {0};
    char name[160];
    snprintf(name, sizeof name, camera ? "%s-camera" : "%s", s->source->name);
    char* path = view_name_reserve(name, "yaml");
    if (!path) {
        view_session_show_message(s, "nothing is saved: %s", strerror(errno));
        return;
    }
    const firn_result r =
        camera ? view_save_camera(s, path, &error) : save_scene(d, s, path, &error);
    if (r == FIRN_OK) {
        view_session_show_message(s, "%s: %s", camera ? "camera" : "scene", path);
    } else {
        unlink(path);  // the empty file that reserved the name
        view_session_show_message(s, "%s", error.text);
    }
    free(path);
}
