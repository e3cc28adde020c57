// SPDX-License-Identifier: MIT
// Locations of the keys of a scene.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/paths.h"
#include "scene/data/scene.h"
#include "scene/parse/reader.h"

#define LOCATIONS_MAX 2000  // in a longer scene later keys get the location of their block

static bool keep(firn_scene_data* scene, const firn_doc* doc, const firn_doc_node* node,
                 const char* path)
{
    if (!firn_reserve((void**)&scene->locations, &scene->location_capacity,
                      scene->location_count + 1, sizeof *scene->locations))
        return false;
    const bool keyed = node->key != NULL;
    const firn_doc_source* source = &doc->sources[keyed ? node->key_source : node->source];
    firn_scene_location location = {.key = firn_strdup(path)};
    if (location.key == NULL) return false;
    if (source->text == NULL) {
        location.origin = firn_strdup(source->name);
        if (location.origin == NULL) {
            firn_free(location.key);
            return false;
        }
    } else {
        location.line = keyed ? node->key_line : node->line;
        location.column = keyed ? node->key_column : node->column;
    }
    scene->locations[scene->location_count++] = location;
    return true;
}

static bool keep_children(firn_scene_data* scene, const firn_doc* doc, const firn_doc_node* node,
                          const char* prefix, int depth)
{
    firn_local index = 0;
    for (const firn_doc_node* child = node->first; child != NULL; child = child->next, index++) {
        if (scene->location_count >= LOCATIONS_MAX) return true;
        char key[256];
        const char* dot = prefix[0] != 0 ? "." : "";
        if (child->key != NULL)
            snprintf(key, sizeof key, "%s%s%s", prefix, dot, child->key);
        else
            snprintf(key, sizeof key, "%s%s%d", prefix, dot, (int)index);
        if (!keep(scene, doc, child, key)) return false;
        if (depth < 3 && !keep_children(scene, doc, child, key, depth + 1)) return false;
    }
    return true;
}

bool firn_scene_keep_locations(firn_scene_data* scene, const firn_doc* doc)
{
    return keep_children(scene, doc, doc->root, "", 1);
}

// The name of the folder that "." and similar paths refer to; null if it has none.
static char* name_of_folder(const char* path, size_t length)
{
    char* folder = firn_strndup(path, length);
    char* real = firn_alloc(PATH_MAX, 1);  // as realpath wants it
    const char* slash = folder != NULL && real != NULL && realpath(folder, real) != NULL
                            ? strrchr(real, '/')
                            : NULL;
    char* name = slash != NULL && slash[1] != 0 ? firn_strdup(slash + 1) : NULL;
    firn_free(folder);
    firn_free(real);
    return name;
}

static char* find_name(const char* path)
{
    size_t end = strlen(path);
    const char* slash = strrchr(path, '/');
    const char* base = slash != NULL ? slash + 1 : path;
    if (strcmp(base, "scene.yaml") == 0 && slash != NULL && slash > path) {  // use its folder
        end = (size_t)(slash - path);
        base = slash;
        while (base > path && base[-1] != '/') base--;
        const size_t length = end - (size_t)(base - path);
        if (length == 0 || (base[0] == '.' && (length == 1 || (length == 2 && base[1] == '.')))) {
            char* name = name_of_folder(path, end);
            if (name != NULL) return name;
        }
    } else {
        const char* dot = strrchr(base, '.');
        if (dot != NULL && dot > base) end = (size_t)(dot - path);
    }
    return firn_strndup(base, end - (size_t)(base - path));
}

// The name is part of the names of folders and files.
char* firn_scene_name_of(const char* path)
{
    char* name = find_name(path);
    char stem[FIRN_STEM_BYTES];
    if (name == NULL) return NULL;
    firn_path_stem(name, stem);
    firn_free(name);
    return firn_strdup(stem);
}
