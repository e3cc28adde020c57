// SPDX-License-Identifier: MIT
// Finds scenes: by path, or by the name of a scene that ships with firn
// (scenes/KIND/NAME/scene.yaml).
#define _GNU_SOURCE  // dladdr
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build_info.h"
#include "core/file.h"
#include "core/input.h"
#include "core/memory.h"
#include "core/paths.h"
#include "core/suggest.h"
#include "core/text.h"
#include "sim/sim.h"

typedef struct scene_entry {
    char name[128];
    char title[256];
    char* path;  // owned
} scene_entry;

typedef struct scene_table {
    scene_entry* entries;  // owned
    firn_local count, capacity;
} scene_table;

static void destroy_table(scene_table* table)
{
    for (firn_local k = 0; k < table->count; k++) firn_free(table->entries[k].path);
    firn_free(table->entries);
}

// A file of any kind: reading it refuses those that are no regular ones, and says so.
static bool is_file(const char* path)
{
    struct stat s;
    return stat(path, &s) == 0 && !S_ISDIR(s.st_mode);
}

// Reads "title: …" of a scene file without parsing all of it, so that a list also has scenes with
// errors.
static void read_title(scene_entry* entry)
{
    FILE* f = NULL;
    if (firn_input_stream(entry->path, &f, NULL, NULL) != FIRN_OK) return;
    char line[400];
    while (fgets(line, sizeof line, f) != NULL) {
        if (strncmp(line, "title:", 6) != 0) continue;
        char* begin = line + 6 + strspn(line + 6, " \"'");
        char* end = begin + strcspn(begin, "\n\"");
        while (end > begin && (end[-1] == ' ' || end[-1] == '\'')) end--;
        *end = 0;
        snprintf(entry->title, sizeof entry->title, "%.200s", begin);
        break;
    }
    fclose(f);
}

static bool add(scene_table* table, const char* name, const char* path)
{
    for (firn_local k = 0; k < table->count; k++)
        if (strcmp(table->entries[k].name, name) == 0)
            return true;  // the first on the path has precedence
    if (!firn_reserve((void**)&table->entries, &table->capacity, table->count + 1,
                      sizeof *table->entries))
        return false;
    scene_entry* e = &table->entries[table->count];
    *e = (scene_entry){.path = firn_strdup(path)};
    if (e->path == NULL) return false;
    snprintf(e->name, sizeof e->name, "%.*s", (int)sizeof e->name - 1, name);
    table->count++;
    read_title(e);
    return true;
}

// Adds every folder below `root` (two levels: kind, then name) that contains a scene.yaml.
static bool scan(scene_table* table, const char* root, int depth)
{
    DIR* d = opendir(root);
    if (d == NULL) return true;
    bool ok = true;
    for (struct dirent* e = readdir(d); e != NULL && ok; e = readdir(d)) {
        if (e->d_name[0] == '.' || strcmp(e->d_name, "TEMPLATE") == 0) continue;
        char *file = NULL, *folder = NULL;
        const firn_result r = firn_path_print(&file, NULL, "%s/%s/scene.yaml", root, e->d_name);
        if (r == FIRN_OK && is_file(file))
            ok = add(table, e->d_name, file);
        else if (r == FIRN_OK && depth == 0)
            ok = firn_path_print(&folder, NULL, "%s/%s", root, e->d_name) == FIRN_OK &&
                 scan(table, folder, 1);
        else
            ok = r != FIRN_BROKEN_MEMORY;  // a path that is too long has no scene
        firn_free(file);
        firn_free(folder);
    }
    closedir(d);
    return ok;
}

static int by_name(const void* a, const void* b)
{
    return strcmp(((const scene_entry*)a)->name, ((const scene_entry*)b)->name);
}

// PREFIX/share/firn/scenes for a program or library in PREFIX/bin or PREFIX/lib[/TRIPLET].
static bool scan_beside(scene_table* table, const char* file)
{
    const char* slash = strrchr(file, '/');
    const int length = slash == NULL ? 0 : (int)(slash - file);
    static const char* const ways[] = {"/../share", "/../../share"};
    bool ok = true;
    for (size_t k = 0; k < 2 && ok && length > 0; k++) {
        char* root = NULL;
        const firn_result r =
            firn_path_print(&root, NULL, "%.*s%s/firn/scenes", length, file, ways[k]);
        ok = r == FIRN_OK ? scan(table, root, 0) : r != FIRN_BROKEN_MEMORY;
        firn_free(root);
    }
    return ok;
}

// Finds scenes relative to the library or program, so that an installation may be moved.
static bool scan_installation(scene_table* table)
{
    Dl_info info;
    bool ok = true;
    if (dladdr((const void*)(uintptr_t)&firn_scene_list, &info) != 0 && info.dli_fname != NULL &&
        info.dli_fname[0] == '/')
        ok = scan_beside(table, info.dli_fname);
    char* program = firn_alloc(PATH_MAX, 1);
    if (program == NULL) return false;
    const ssize_t length = readlink("/proc/self/exe", program, PATH_MAX - 1);
    if (length > 0) ok = ok && scan_beside(table, program);
    firn_free(program);
    return ok;
}

// Searches FIRN_SCENE_PATH (colon-separated), beside the library, the source tree, and the
// installation folder.
static bool find_all(scene_table* table)
{
    bool ok = true;
    const char* path = getenv("FIRN_SCENE_PATH");
    while (ok && path != NULL && *path != 0) {
        const size_t length = strcspn(path, ":");
        char* root = firn_strndup(path, length);
        ok = root != NULL && (length == 0 || scan(table, root, 0));
        firn_free(root);
        path += length + (path[length] == ':');
    }
    ok = ok && scan_installation(table);
    ok = ok && scan(table, FIRN_BUILD_SOURCE_DIR "/scenes", 0);
    ok = ok && scan(table, FIRN_BUILD_DATA_DIR "/scenes", 0);
    if (table->count > 1)
        qsort(table->entries, (size_t)table->count, sizeof *table->entries, by_name);
    return ok;
}

static firn_result not_found(const scene_table* table, const char* name, firn_error* error)
{
    const char* names[256];
    size_t count = 0;
    for (firn_local k = 0; k < table->count && count < 256; k++)
        names[count++] = table->entries[k].name;
    const char* near = firn_suggest(name, names, count);
    if (near != NULL)
        return firn_fail(error, FIRN_REFUSED_NAME,
                         "there is no scene file or shipped scene '%s' (did you mean '%s'?)", name,
                         near);
    return firn_fail(error, FIRN_REFUSED_NAME,
                     "there is no scene file or shipped scene '%s'; 'firn scenes' lists them",
                     name);
}

// Also if something is there that cannot be examined: opening it then says why.
static bool may_be_file(const char* path)
{
    struct stat s;
    if (stat(path, &s) == 0) return !S_ISDIR(s.st_mode);
    return errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG;
}

firn_result firn_scene_resolve(const char* path_or_name, char** out_path, firn_error* error)
{
    char* inside = NULL;
    // no path if it would be too long: then there is no such file
    if (firn_path_print(&inside, error, "%s/scene.yaml", path_or_name) == FIRN_BROKEN_MEMORY)
        return FIRN_BROKEN_MEMORY;
    const char* found = may_be_file(path_or_name)               ? path_or_name
                        : inside != NULL && may_be_file(inside) ? inside
                                                                : NULL;
    scene_table table = {0};
    firn_result r = FIRN_OK;
    if (found == NULL) {
        if (!find_all(&table)) r = firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
        for (firn_local k = 0; k < table.count && found == NULL; k++)
            if (strcmp(table.entries[k].name, path_or_name) == 0) found = table.entries[k].path;
        if (r == FIRN_OK && found == NULL) r = not_found(&table, path_or_name, error);
    }
    if (r == FIRN_OK) {
        *out_path = firn_strdup(found);
        if (*out_path == NULL) r = firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    }
    destroy_table(&table);
    firn_free(inside);
    return r;
}

firn_result firn_scene_list(char** out_text, firn_error* out_error)
{
    out_error = firn_call(out_error);
    if (out_text == NULL)
        return firn_fail(out_error, FIRN_REFUSED_ARGUMENT, "firn_scene_list needs room for text");
    scene_table table = {0};
    firn_text text = {0};
    text.failed = !find_all(&table);
    for (firn_local k = 0; k < table.count; k++)
        firn_text_add(&text, "%s\t%s\t%s\n", table.entries[k].name, table.entries[k].title,
                      table.entries[k].path);
    destroy_table(&table);
    char* taken = firn_text_take(&text);
    if (taken == NULL) return firn_fail(out_error, FIRN_BROKEN_MEMORY, "out of memory");
    *out_text = taken;
    return FIRN_OK;
}
