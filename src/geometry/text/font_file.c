// SPDX-License-Identifier: MIT
// Finds font files. The result does not depend on the order in which the system lists folders.
#include "geometry/text/font_file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "core/memory.h"
#include "core/paths.h"
#include "core/suggest.h"
#include "core/text.h"

#define DEPTH_MAX 8    // depth of folders; symbolic links may form cycles
#define NAME_SIZE 256  // [bytes] of a file name

static const char* const endings[] = {".ttf", ".otf", ".ttc", ".otc", ".pfb", ".pfa"};
enum { ENDING_COUNT = sizeof endings / sizeof *endings };

typedef struct search {
    const char* name;  // requested name, with or without extension
    char* found;       // owned; first match in alphabetical order; null when none yet
    bool out_of_memory;
    char near[NAME_SIZE];  // installed name most similar to the requested one; "" when none
} search;

// Length of a font's file name without its extension; 0 when it is no font file.
static size_t stem_length(const char* file)
{
    const size_t length = strlen(file);
    for (int k = 0; k < ENDING_COUNT; k++) {
        const size_t ending = strlen(endings[k]);
        if (length > ending && strcasecmp(file + length - ending, endings[k]) == 0)
            return length - ending;
    }
    return 0;
}

// Keeps the more similar of two names, so that no list of all of them is needed.
static void keep_near(search* s, const char* file, size_t stem)
{
    char name[NAME_SIZE];
    if (stem >= sizeof name) return;
    memcpy(name, file, stem);
    name[stem] = 0;
    const bool first = s->near[0] == 0 || strcmp(name, s->near) < 0;  // breaks ties
    const char* const names[2] = {first ? name : s->near, first ? s->near : name};
    const char* near = firn_suggest(s->name, names, s->near[0] != 0 ? 2 : 1);
    if (near == name) memcpy(s->near, name, stem + 1);
}

static void look_at(search* s, const char* path, const char* file)
{
    const size_t stem = stem_length(file);
    if (stem == 0) return;
    const bool same = strcmp(file, s->name) == 0 ||
                      (strlen(s->name) == stem && strncmp(file, s->name, stem) == 0);
    if (!same) {
        keep_near(s, file, stem);
    } else if (s->found == NULL || strcmp(path, s->found) < 0) {
        firn_free(s->found);
        s->found = firn_strdup(path);
        s->out_of_memory |= s->found == NULL;
    }
}

static void walk(search* s, const char* folder, int depth)
{
    DIR* d = opendir(folder);
    if (d == NULL) return;
    for (struct dirent* e = readdir(d); e != NULL; e = readdir(d)) {
        struct stat status;
        if (e->d_name[0] == '.') continue;
        char* path = NULL;
        const firn_result r = firn_path_print(&path, NULL, "%s/%s", folder, e->d_name);
        s->out_of_memory |= r == FIRN_BROKEN_MEMORY;
        const bool there = r == FIRN_OK && stat(path, &status) == 0;
        if (there && S_ISDIR(status.st_mode) && depth < DEPTH_MAX)
            walk(s, path, depth + 1);
        else if (there && S_ISREG(status.st_mode))
            look_at(s, path, e->d_name);
        firn_free(path);
    }
    closedir(d);
}

// Folder `k` of installed fonts, owned by the caller; null when it is unknown (no home directory).
static char* font_folder(search* s, int k)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    char* folder = NULL;
    firn_result r = FIRN_OK;
    if (k == 0 && data != NULL && data[0] == '/')
        r = firn_path_print(&folder, NULL, "%s/fonts", data);
    else if (k == 0 && home != NULL && home[0] != 0)
        r = firn_path_print(&folder, NULL, "%s/.local/share/fonts", home);
    else if (k == 1 && home != NULL && home[0] != 0)
        r = firn_path_print(&folder, NULL, "%s/.fonts", home);
    else if (k >= 2)
        r = firn_path_print(&folder, NULL, "%s",
                            k == 2 ? "/usr/local/share/fonts" : "/usr/share/fonts");
    s->out_of_memory |= r == FIRN_BROKEN_MEMORY;
    return folder;
}
enum { FOLDER_COUNT = 4 };

static firn_result refuse(search* s, firn_error* error)
{
    firn_text folders = {0};
    for (int k = 0; k < FOLDER_COUNT; k++) {
        char* folder = font_folder(s, k);
        if (folder != NULL) firn_text_add(&folders, "%s%s", folders.length > 0 ? ", " : "", folder);
        firn_free(folder);
    }
    char hint[NAME_SIZE + 40] = "";
    if (s->near[0] != 0) snprintf(hint, sizeof hint, " (did you mean '%s'?)", s->near);
    firn_fail(error, FIRN_REFUSED_NAME,
              "there is no font '%.200s'%s; looked for a file of that name and in %s. Debian "
              "has DejaVuSans-Bold in the package fonts-dejavu-core",
              s->name, hint, folders.data != NULL ? folders.data : "no folders");
    firn_text_destroy(&folders);
    return FIRN_REFUSED_NAME;
}

firn_result firn_font_find(const char* name, char** out_path, firn_error* error)
{
    struct stat status;
    search s = {.name = name};
    if (stat(name, &status) == 0 && S_ISREG(status.st_mode)) {
        s.found = firn_strdup(name);
        s.out_of_memory = s.found == NULL;
    }
    for (int k = 0; k < FOLDER_COUNT && s.found == NULL && strchr(name, '/') == NULL; k++) {
        char* folder = font_folder(&s, k);
        if (folder != NULL) walk(&s, folder, 0);
        firn_free(folder);
    }
    if (s.out_of_memory) {
        firn_free(s.found);
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for finding the font '%.200s'",
                         name);
    }
    if (s.found == NULL) return refuse(&s, error);
    *out_path = s.found;
    return FIRN_OK;
}
