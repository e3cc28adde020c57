// SPDX-License-Identifier: MIT
// The scene of a live simulation as YAML. The library writes it into the folder of a run: a run
// that ends with the current frame is written to a temporary folder, and removed.
#define _GNU_SOURCE  // asprintf
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "viewer/source/file_read.h"
#include "viewer/source/live_worker.h"

void view_live_begin_descriptions(view_live* l)
{
    // as little as possible besides scene.yaml; the scene is the viewer's own
    static const char* const settings[][2] = {{"output.preview", "false"},
                                              {"output.film", "false"},
                                              {"output.stats", "false"},
                                              {"output.fields", "[id]"},
                                              {"output.compression", "0"}};
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++)
        firn_scene_set(l->scene, settings[k][0], settings[k][1]);
    const char* where = getenv("TMPDIR");
    char* folder = NULL;
    if (asprintf(&folder, "%s/firn-view-XXXXXX", where && *where ? where : "/tmp") < 0) return;
    if (!mkdtemp(folder)) {
        free(folder);
        return;
    }
    l->folder = folder;
    l->def.output_dir = folder;
    l->def.overwrite = true;
    l->def.frame_end = 0;
}

void view_live_end_descriptions(view_live* l)
{
    if (l->folder) view_folder_remove(l->folder);
    free(l->folder);
}

char* view_live_describe(view_live* l)
{
    if (!l->folder || firn_sim_run(l->sim) != FIRN_OK) return NULL;
    char* text = view_file_read(l->folder, "scene.yaml");
    view_folder_remove(l->folder);
    return text;
}
