// SPDX-License-Identifier: MIT
// Caches level sets between runs. A file is
//     header   magic, key, sizes, origin and voxel, the mesh's report, checksum of what follows
//     table    size x * y * z int32
//     values   block_count * 512 reals
// in native byte order: the magic number of a file with another byte order does not match.
#define _GNU_SOURCE  // utimensat, struct timespec in struct stat
#include "geometry/levelset/level_set_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/draft.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/memory.h"
#include "core/paths.h"

#define MAGIC 0x3130534c4e524946ull  // "FIRNLS01"
#define ENDING ".firnls"
#define FILE_MAX \
    ((uint64_t)1 << 28)  // [bytes] larger ones are not cached: they would evict all others

// Without padding, so that the checksum covers all bytes.
typedef struct header {
    uint64_t magic, key, checksum;
    int64_t real_bytes, block_count;
    int64_t size[4];  // the last one is 0
    double origin[3], voxel, band;
    int64_t edges[3], flat_triangles, intersections, inside_out;  // of the report
    double volume;
} header;

char* firn_level_set_cache_folder(void)
{
    const char *own = getenv("FIRN_CACHE"), *user = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    char* path = NULL;
    if (own != NULL && own[0] != '\0') {
        if (strcmp(own, "off") != 0) firn_path_print(&path, NULL, "%s", own);
    } else if (user != NULL && user[0] == '/') {
        firn_path_print(&path, NULL, "%s/firn", user);
    } else if (home != NULL && home[0] == '/') {
        firn_path_print(&path, NULL, "%s/.cache/firn", home);
    }
    return path;
}

// Owned by the caller; null: there is no cache.
static char* file_of(const char* folder, uint64_t key)
{
    char* path = NULL;
    if (folder == NULL) return NULL;
    firn_path_print(&path, NULL, "%s/%016llx" ENDING, folder, (unsigned long long)key);
    return path;
}

// ---- writing ------------------------------------------------------------------------------------

static header describe(uint64_t key, const firn_level_set* set, const firn_mesh_report* r)
{
    return (header){.magic = MAGIC,
                    .key = key,
                    .real_bytes = sizeof(firn_real),
                    .block_count = set->block_count,
                    .size = {set->size[0], set->size[1], set->size[2], 0},
                    .origin = {(double)set->origin.x, (double)set->origin.y, (double)set->origin.z},
                    .voxel = (double)set->voxel,
                    .band = (double)set->band,
                    .edges = {r->open_edges, r->crowded_edges, r->flipped_edges},
                    .flat_triangles = r->flat_triangles,
                    .intersections = r->intersections,
                    .inside_out = r->inside_out,
                    .volume = r->volume};
}

static size_t table_bytes(const header* h)
{
    return (size_t)(h->size[0] * h->size[1] * h->size[2]) * sizeof(int32_t);
}

static size_t value_bytes(const header* h)
{
    return (size_t)h->block_count * FIRN_LEVEL_SET_NODES * sizeof(firn_real);
}

static uint64_t checksum(header h, const void* table, const void* value)
{
    h.checksum = 0;
    const uint64_t hash = firn_hash(&h, sizeof h, MAGIC);
    return firn_hash(value, value_bytes(&h), firn_hash(table, table_bytes(&h), hash));
}

static firn_result write_parts(const firn_draft* draft, const header* h, const firn_level_set* set)
{
    FILE* file = firn_draft_stream(draft);
    if (file == NULL) return FIRN_REFUSED_IO;
    bool good = fwrite(h, sizeof *h, 1, file) == 1;
    good = good && fwrite(set->table, 1, table_bytes(h), file) == table_bytes(h);
    good = good && fwrite(set->value, 1, value_bytes(h), file) == value_bytes(h);
    good = fclose(file) == 0 && good;
    return good ? FIRN_OK : FIRN_REFUSED_IO;
}

void firn_level_set_cache_write(uint64_t key, const firn_level_set* set,
                                const firn_mesh_report* report)
{
    header h = describe(key, set, report);
    const uint64_t bytes = sizeof h + table_bytes(&h) + value_bytes(&h);
    if (bytes > FILE_MAX) return;
    char* folder = firn_level_set_cache_folder();
    char* path = file_of(folder, key);
    firn_draft draft;
    if (path != NULL && firn_folder_make(folder, NULL) == FIRN_OK) {
        firn_draft_clean(folder);
        firn_level_set_cache_trim(folder, FIRN_CACHE_BYTES - bytes);
        h.checksum = checksum(h, set->table, set->value);
        if (firn_draft_create(path, &draft, NULL) == FIRN_OK)
            firn_draft_commit(&draft, write_parts(&draft, &h, set), NULL);
    }
    firn_free(path);
    firn_free(folder);
}

// ---- reading ------------------------------------------------------------------------------------

static bool is_sound(const header* h, uint64_t key, size_t bytes)
{
    const double blocks = (double)h->size[0] * (double)h->size[1] * (double)h->size[2];
    return h->magic == MAGIC && h->key == key && h->real_bytes == sizeof(firn_real) &&
           h->size[0] > 0 && h->size[1] > 0 && h->size[2] > 0 &&
           blocks * FIRN_LEVEL_SET_NODES <= FIRN_LEVEL_SET_VOXELS_MAX && h->block_count > 0 &&
           (double)h->block_count <= blocks && bytes == sizeof *h + table_bytes(h) + value_bytes(h);
}

static bool adopt(const header* h, const char* data, const firn_level_set** out_set)
{
    int32_t* table = firn_alloc(table_bytes(h), 1);
    firn_real* value = firn_alloc(value_bytes(h), 1);
    bool good = table != NULL && value != NULL;
    if (good) {
        memcpy(table, data, table_bytes(h));
        memcpy(value, data + table_bytes(h), value_bytes(h));
        const firn_level_set parts = {
            .origin = {(firn_real)h->origin[0], (firn_real)h->origin[1], (firn_real)h->origin[2]},
            .voxel = (firn_real)h->voxel,
            .size = {(int32_t)h->size[0], (int32_t)h->size[1], (int32_t)h->size[2]},
            .table = table,
            .value = value,
            .block_count = (firn_local)h->block_count,
            .band = (firn_real)h->band};
        good = firn_level_set_adopt(&parts, out_set, NULL) == FIRN_OK;
    }
    if (!good) {
        firn_free(table);
        firn_free(value);
    }
    return good;
}

bool firn_level_set_cache_read(uint64_t key, const firn_level_set** out_set,
                               firn_mesh_report* out_report)
{
    char* folder = firn_level_set_cache_folder();
    char* path = file_of(folder, key);
    firn_free(folder);
    char* data = NULL;
    size_t bytes = 0;
    header h;
    bool good = path != NULL && firn_file_read(path, FILE_MAX, &data, &bytes, NULL) == FIRN_OK &&
                bytes >= sizeof h;
    if (good) memcpy(&h, data, sizeof h);
    good = good && is_sound(&h, key, bytes) &&
           checksum(h, data + sizeof h, data + sizeof h + table_bytes(&h)) == h.checksum &&
           adopt(&h, data + sizeof h, out_set);
    if (good) {
        *out_report = (firn_mesh_report){.open_edges = (firn_local)h.edges[0],
                                         .crowded_edges = (firn_local)h.edges[1],
                                         .flipped_edges = (firn_local)h.edges[2],
                                         .flat_triangles = (firn_local)h.flat_triangles,
                                         .intersections = (firn_local)h.intersections,
                                         .inside_out = h.inside_out != 0,
                                         .volume = h.volume};
        utimensat(AT_FDCWD, path, NULL, 0);  // mark as recently used
    }
    firn_free(data);
    firn_free(path);
    return good;
}

// ---- eviction -----------------------------------------------------------------------------------

typedef struct cache_file {
    char name[64];
    struct timespec used;
    uint64_t bytes;
} cache_file;

static int by_age(const void* a, const void* b)
{
    const cache_file *x = a, *y = b;
    if (x->used.tv_sec != y->used.tv_sec) return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
    if (x->used.tv_nsec != y->used.tv_nsec) return x->used.tv_nsec < y->used.tv_nsec ? -1 : 1;
    return strcmp(x->name, y->name);
}

// Lists cache files in the folder; other files are never touched.
static firn_local list_files(DIR* open, cache_file** out_files)
{
    firn_local count = 0, capacity = 0;
    cache_file* files = NULL;
    const struct dirent* entry;
    while ((entry = readdir(open)) != NULL) {
        struct stat s;
        const size_t length = strlen(entry->d_name);
        if (strstr(entry->d_name, ENDING) == NULL || length >= sizeof files->name ||
            fstatat(dirfd(open), entry->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(s.st_mode))
            continue;
        if (!firn_reserve((void**)&files, &capacity, count + 1, sizeof *files)) break;
        memcpy(files[count].name, entry->d_name, length + 1);
        files[count].used = s.st_mtim;
        files[count++].bytes = (uint64_t)s.st_size;
    }
    *out_files = files;
    return count;
}

void firn_level_set_cache_trim(const char* folder, uint64_t bytes)
{
    DIR* open = opendir(folder);
    if (open == NULL) return;
    cache_file* files = NULL;
    const firn_local count = list_files(open, &files);
    if (count > 0) qsort(files, (size_t)count, sizeof *files, by_age);
    uint64_t total = 0;
    for (firn_local f = 0; f < count; f++) total += files[f].bytes;
    for (firn_local f = 0; f < count && total > bytes; f++)
        if (unlinkat(dirfd(open), files[f].name, 0) == 0) total -= files[f].bytes;
    firn_free(files);
    closedir(open);
}
