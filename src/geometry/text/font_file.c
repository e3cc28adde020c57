// SPDX-License-Identifier: MIT
// Finds font files. The result does not depend on the order in which the system lists folders.
#include "geometry/text/font_file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "core/suggest.h"

#define DEPTH_MAX 8     // depth of folders; symbolic links may form cycles
#define PATH_SIZE 4096  // [bytes]
#define NAME_SIZE 256   // [bytes] of a file name

static const char* const endings[] = {".ttf", ".otf", ".ttc", ".otc", ".pfb", ".pfa"};
enum { ENDING_COUNT = sizeof endings / sizeof *endings };

typedef struct search {
    const char* name;       // requested name, with or without extension
    char found[PATH_SIZE];  // first match in alphabetical order; "" when none yet
    char near[NAME_SIZE];   // installed name most similar to the requested one; "" when none
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
    if (!same)
        keep_near(s, file, stem);
    else if (s->found[0] == 0 || strcmp(path, s->found) < 0)
        snprintf(s->found, sizeof s->found, "%s", path);
}

static void walk(search* s, const char* folder, int depth)
{
    DIR* d = opendir(folder);
    if (d == NULL) return;
    for (struct dirent* e = readdir(d); e != NULL; e = readdir(d)) {
        char path[PATH_SIZE];
        const int length = snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        struct stat status;
        if (e->d_name[0] == '.' || length >= (int)sizeof path || stat(path, &status) != 0) continue;
        if (S_ISDIR(status.st_mode) && depth < DEPTH_MAX)
            walk(s, path, depth + 1);
        else if (S_ISREG(status.st_mode))
            look_at(s, path, e->d_name);
    }
    closedir(d);
}

// Folder `k` of installed fonts; false when it is unknown (no home directory).
static bool font_folder(int k, char* out, size_t size)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    int length = -1;
    if (k == 0 && data != NULL && data[0] == '/')
        length = snprintf(out, size, "%s/fonts", data);
    else if (k == 0 && home != NULL && home[0] != 0)
        length = snprintf(out, size, "%s/.local/share/fonts", home);
    else if (k == 1 && home != NULL && home[0] != 0)
        length = snprintf(out, size, "%s/.fonts", home);
    else if (k >= 2)
        length = snprintf(out, size, "%s", k == 2 ? "/usr/local/share/fonts" : "/usr/share/fonts");
    return length > 0 && (size_t)length < size;
}
enum { FOLDER_COUNT = 4 };

static firn_result refuse(const search* s, firn_error* error)
{
    char folders[1200] = "", folder[PATH_SIZE], hint[NAME_SIZE + 40] = "";
    size_t used = 0;
    for (int k = 0; k < FOLDER_COUNT; k++) {
        if (!font_folder(k, folder, sizeof folder) || used + strlen(folder) + 3 > sizeof folders)
            continue;
        used += (size_t)snprintf(folders + used, sizeof folders - used, "%s%s",
                                 used > 0 ? ", " : "", folder);
    }
    if (s->near[0] != 0) snprintf(hint, sizeof hint, " (did you mean '%s'?)", s->near);
    return firn_fail(
        error, FIRN_REFUSED_NAME,
        "there is no font '%.200s'%s; looked for a file of that name and in %s. Debian "
        "has DejaVuSans-Bold in the package fonts-dejavu-core",
        s->name, hint, folders);
}

firn_result firn_font_find(const char* name, char* out_path, size_t size, firn_error* error)
{
    struct stat status;
    search s = {.name = name};
    const bool is_path = stat(name, &status) == 0 && S_ISREG(status.st_mode);
    if (is_path && strlen(name) < sizeof s.found) memcpy(s.found, name, strlen(name) + 1);
    for (int k = 0; k < FOLDER_COUNT && s.found[0] == 0 && strchr(name, '/') == NULL; k++) {
        char folder[PATH_SIZE];
        if (font_folder(k, folder, sizeof folder)) walk(&s, folder, 0);
    }
    if (s.found[0] == 0) return refuse(&s, error);
    if (strlen(s.found) >= size)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "the path of the font '%.200s' is too long",
                         name);
    memcpy(out_path, s.found, strlen(s.found) + 1);
    return FIRN_OK;
}
