// SPDX-License-Identifier: MIT
// The camera as a block of a scene, and as options of the command line.
#include <errno.h>
#include <string.h>

#include "viewer/save/save.h"

firn_result view_save_camera(const view_session* s, const char* path, firn_error* error)
{
    const view_vec eye = view_orbit_eye(&s->camera), at = s->camera.target;
    // what follows a line break in a name would be read as keys
    const int name_length = (int)strcspn(s->source->name, "\n\r");
    FILE* file = fopen(path, "w");
    bool good = file != NULL;
    if (good) {
        fprintf(
            file,
            "# Camera of '%.*s': a block for a scene, or options of firn run, view and render:\n"
            "#   --set 'render.camera.eye=[%.7g, %.7g, %.7g]' \\\n"
            "#   --set 'render.camera.look_at=[%.7g, %.7g, %.7g]' --set render.camera.fov=%.7g\n"
            "render:\n"
            "  camera:\n"
            "    eye: [%.7g, %.7g, %.7g]\n"
            "    look_at: [%.7g, %.7g, %.7g]\n"
            "    fov: %.7g\n",
            name_length, s->source->name, eye.x, eye.y, eye.z, at.x, at.y, at.z, s->camera.fov,
            eye.x, eye.y, eye.z, at.x, at.y, at.z, s->camera.fov);
        good = !ferror(file);
        good = fclose(file) == 0 && good;
    }
    if (good) return FIRN_OK;
    error->code = FIRN_REFUSED_IO;
    snprintf(error->text, sizeof error->text, "cannot write '%s': %s", path, strerror(errno));
    return FIRN_REFUSED_IO;
}
