// SPDX-License-Identifier: MIT
// The manifest of a run: its list of files, on disk and in memory.
#include "output/run/manifest.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/paths.h"
#include "output/run/manifest_json.h"
#include "output/run/stream.h"

#define MANIFEST_BYTES_MAX ((size_t)256 << 20)  // more than a million entries

#define RESERVED_MAX 16384  // entries, 5 MB
#define FILE_NAME "manifest.json"

// Whether DIR/folder has files; hidden ones do not count.
static firn_result find_files(const char* dir, const char* folder, bool* out_found,
                              firn_error* error)
{
    char* path = NULL;
    FIRN_TRY(firn_path_print(&path, error, "%s/%s", dir, folder));
    firn_result r = FIRN_OK;
    if (!firn_file_is_missing(path)) {
        DIR* open = opendir(path);
        errno = open == NULL ? errno : 0;
        for (struct dirent* e = NULL; open != NULL && (e = readdir(open)) != NULL;)
            if (e->d_name[0] != '.') *out_found = true;
        if (errno != 0)
            r = firn_fail(error, FIRN_REFUSED_IO, "cannot list '%s': %s", path, strerror(errno));
        if (open != NULL) closedir(open);
    }
    firn_free(path);
    return r;
}

// A folder without a manifest is one without a run, unless there are frames or checkpoints: firn
// writes the manifest before them, so that somebody has removed it.
static firn_result refuse_missing(const char* dir, firn_error* error)
{
    bool found = false;
    FIRN_TRY(find_files(dir, "frames", &found, error));
    FIRN_TRY(find_files(dir, "state", &found, error));
    if (!found) return firn_fail(error, FIRN_REFUSED_NAME, "no run found in '%s'", dir);
    return firn_fail(error, FIRN_REFUSED_DAMAGED,
                     "'%s' has frames or checkpoints, but no manifest.json, which lists them: put "
                     "it back, or choose another folder",
                     dir);
}

static firn_result read_file(const char* path, firn_manifest* out_manifest, firn_error* error)
{
    char* text;
    size_t length;
    FIRN_TRY(firn_file_read(path, MANIFEST_BYTES_MAX, &text, &length, error));
    const firn_result result = firn_manifest_parse(text, length, path, out_manifest, error);
    firn_free(text);
    return result;
}

firn_result firn_manifest_read(const char* dir, firn_manifest* out_manifest, firn_error* error)
{
    char* path = NULL;
    FIRN_TRY(firn_path_print(&path, error, "%s/" FILE_NAME, dir));
    const bool missing = firn_file_is_missing(path);
    firn_result result =
        missing ? refuse_missing(dir, error) : read_file(path, out_manifest, error);
    // another process may have written it, and frames, since the first look
    if (missing && result == FIRN_REFUSED_DAMAGED && !firn_file_is_missing(path))
        result = read_file(path, out_manifest, error);
    firn_free(path);
    return result;
}

static void add_to_stream(void* user, const void* text, size_t bytes)
{
    firn_stream_add(user, text, bytes);
}

firn_result firn_manifest_write(const char* dir, const firn_manifest* manifest, firn_error* error)
{
    char* path = NULL;
    firn_stream stream;
    FIRN_TRY(firn_path_print(&path, error, "%s/" FILE_NAME, dir));
    firn_result result = firn_stream_open(&stream, path, error);
    if (result == FIRN_OK)
        result = firn_stream_commit(&stream,
                                    firn_manifest_print(manifest, add_to_stream, &stream, error));
    firn_free(path);
    return result;
}

firn_result firn_manifest_reserve(firn_manifest* manifest, int64_t count, firn_error* error)
{
    const int64_t most = count < RESERVED_MAX ? count : RESERVED_MAX;
    if (firn_reserve((void**)&manifest->entries, &manifest->capacity, (firn_local)most,
                     sizeof *manifest->entries))
        return FIRN_OK;
    return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for a manifest of %d files",
                     (int)most);
}

void firn_manifest_destroy(firn_manifest* manifest)
{
    firn_free(manifest->entries);
    *manifest = (firn_manifest){0};
}

// Index of an entry, or where it would be inserted: by frame, frames before checkpoints.
static firn_local index_of(const firn_manifest* m, firn_entry_kind kind, int64_t frame)
{
    firn_local low = 0, high = m->count;
    while (low < high) {
        const firn_local middle = low + (high - low) / 2;
        const firn_manifest_entry* e = &m->entries[middle];
        if (e->frame < frame || (e->frame == frame && e->kind < kind))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const firn_manifest_entry* firn_manifest_find(const firn_manifest* manifest, firn_entry_kind kind,
                                              int64_t frame)
{
    const firn_local k = index_of(manifest, kind, frame);
    if (k == manifest->count) return NULL;
    const firn_manifest_entry* e = &manifest->entries[k];
    return e->kind == kind && e->frame == frame ? e : NULL;
}

// Inserts an entry that is not in the list and for which there is room.
static void insert(firn_manifest* m, const firn_manifest_entry* entry)
{
    const firn_local k = index_of(m, entry->kind, entry->frame);
    memmove(&m->entries[k + 1], &m->entries[k], (size_t)(m->count - k) * sizeof *entry);
    m->entries[k] = *entry;
    m->count++;
}

firn_result firn_manifest_measure(const char* dir, firn_entry_kind kind, int64_t frame,
                                  const char* file, firn_manifest_entry* out_entry,
                                  firn_error* error)
{
    firn_manifest_entry entry = {.kind = kind, .frame = frame};
    if (strlen(file) >= sizeof entry.file || !firn_path_is_inside(file) || frame < 0)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "'%.300s' (frame %" PRId64
                         ") cannot be listed in a manifest: file names must "
                         "be relative, without '..', and shorter than 256 bytes",
                         file, frame);
    memcpy(entry.file, file, strlen(file) + 1);
    char* path = NULL;
    FIRN_TRY(firn_path_print(&path, error, "%s/%s", dir, file));
    const firn_result measured = firn_file_checksum(path, &entry.bytes, &entry.checksum, error);
    firn_free(path);
    if (measured == FIRN_OK) *out_entry = entry;
    return measured;
}

firn_result firn_manifest_put(firn_manifest* manifest, const char* dir,
                              const firn_manifest_entry* entry, firn_error* error)
{
    if (firn_manifest_find(manifest, entry->kind, entry->frame) == NULL) {
        if (manifest->count == INT32_MAX ||
            !firn_reserve((void**)&manifest->entries, &manifest->capacity, manifest->count + 1,
                          sizeof *entry))
            return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for the manifest of '%s'",
                             dir);
        insert(manifest, entry);
    } else {
        manifest->entries[index_of(manifest, entry->kind, entry->frame)] = *entry;
    }
    return FIRN_OK;
}

firn_result firn_manifest_add(firn_manifest* manifest, const char* dir, firn_entry_kind kind,
                              int64_t frame, const char* file, firn_error* error)
{
    firn_manifest_entry entry;
    FIRN_TRY(firn_manifest_measure(dir, kind, frame, file, &entry, error));
    return firn_manifest_put(manifest, dir, &entry, error);
}

// Removes the files of dropped entries, unless a kept entry has the same file.
static firn_result remove_files(const firn_manifest_entry* dropped, firn_local count,
                                const firn_manifest* kept, const char* dir, firn_error* error)
{
    firn_result result = FIRN_OK;
    for (firn_local k = 0; k < count; k++) {
        bool in_use = false;
        for (firn_local i = 0; i < kept->count && !in_use; i++)
            in_use = strcmp(kept->entries[i].file, dropped[k].file) == 0;
        if (in_use) continue;
        firn_error why = {0};
        const firn_result r = firn_file_remove_inside(dir, dropped[k].file, dropped[k].bytes, &why);
        // a file that is not the one listed, a damaged one or somebody else's, stays
        if (r != FIRN_OK && r != FIRN_REFUSED_DAMAGED && result == FIRN_OK)
            result = firn_fail(error, r, "%s", why.text);
    }
    return result;
}

// Moves entries that are dropped out of the list, to `out_dropped`; counts them where it is null.
static firn_local drop(firn_manifest* m, firn_manifest_choice drops, void* user,
                       firn_manifest_entry* out_dropped)
{
    firn_local kept = 0;
    for (firn_local k = 0; k < m->count; k++) {
        const bool goes = drops(user, &m->entries[k]);
        if (goes && out_dropped != NULL) *out_dropped++ = m->entries[k];
        if (goes) continue;
        if (out_dropped != NULL) m->entries[kept] = m->entries[k];
        kept++;
    }
    const firn_local dropped = m->count - kept;
    if (out_dropped != NULL) m->count = kept;
    return dropped;
}

firn_result firn_manifest_drop(firn_manifest* manifest, const char* dir, firn_manifest_choice drops,
                               void* user, firn_error* error)
{
    const firn_local count = drop(manifest, drops, user, NULL);
    if (count == 0) return FIRN_OK;
    firn_manifest_entry* dropped = firn_alloc((size_t)count, sizeof *dropped);
    if (dropped == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for the manifest of '%s'", dir);
    drop(manifest, drops, user, dropped);
    // write the list first: it must never name a file that was removed
    firn_result result = firn_manifest_write(dir, manifest, error);
    if (result == FIRN_OK)
        result = remove_files(dropped, count, manifest, dir, error);
    else
        for (firn_local k = 0; k < count; k++) insert(manifest, &dropped[k]);
    firn_free(dropped);
    return result;
}

typedef struct range {
    firn_entry_kind kind;
    int64_t first, last;
} range;

static bool is_outside(void* user, const firn_manifest_entry* e)
{
    const range* r = user;
    return e->kind == r->kind && (e->frame < r->first || e->frame > r->last);
}

firn_result firn_manifest_keep(firn_manifest* manifest, const char* dir, firn_entry_kind kind,
                               int64_t first, int64_t last, firn_error* error)
{
    range r = {kind, first, last};
    return firn_manifest_drop(manifest, dir, is_outside, &r, error);
}

firn_result firn_manifest_write_keeping(firn_manifest* manifest, const char* dir,
                                        firn_entry_kind kind, int64_t first, int64_t last,
                                        firn_error* error)
{
    range r = {kind, first, last};
    if (drop(manifest, is_outside, &r, NULL) == 0) return firn_manifest_write(dir, manifest, error);
    return firn_manifest_drop(manifest, dir, is_outside, &r, error);
}

firn_result firn_manifest_replace(firn_manifest* manifest, const char* dir, firn_entry_kind kind,
                                  int64_t frame, const char* file, firn_error* error)
{
    const firn_manifest_entry* before = firn_manifest_find(manifest, kind, frame);
    firn_manifest_entry old = {0};
    if (before != NULL) old = *before;
    FIRN_TRY(firn_manifest_add(manifest, dir, kind, frame, file, error));
    FIRN_TRY(firn_manifest_write(dir, manifest, error));
    return before != NULL ? remove_files(&old, 1, manifest, dir, error) : FIRN_OK;
}

static firn_result verify(const firn_manifest_entry* entry, const char* path, firn_error* error)
{
    uint64_t bytes, checksum;
    if (firn_file_is_missing(path))
        return firn_fail(error, FIRN_REFUSED_DAMAGED,
                         "'%s' is missing, although the manifest lists it", path);
    FIRN_TRY(firn_file_checksum(path, &bytes, &checksum, error));
    if (bytes != entry->bytes)
        return firn_fail(error, FIRN_REFUSED_DAMAGED,
                         "'%s' is damaged: it has %" PRIu64 " bytes, the manifest says %" PRIu64,
                         path, bytes, entry->bytes);
    if (checksum != entry->checksum)
        return firn_fail(error, FIRN_REFUSED_DAMAGED,
                         "'%s' is damaged: its checksum is not the one in the manifest", path);
    return FIRN_OK;
}

firn_result firn_manifest_verify(const firn_manifest_entry* entry, const char* dir,
                                 firn_error* error)
{
    if (!firn_path_is_inside(entry->file))
        return firn_fail(error, FIRN_REFUSED_DAMAGED, "'%s' is outside the folder of the run",
                         entry->file);
    char* path = NULL;
    FIRN_TRY(firn_path_print(&path, error, "%s/%s", dir, entry->file));
    const firn_result result = verify(entry, path, error);
    firn_free(path);
    return result;
}
