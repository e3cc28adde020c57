// SPDX-License-Identifier: MIT
// The files of a trim: names, leftovers, and one frame at a time.
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/draft.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/paths.h"
#include "output/run/trim.h"
#include "state/field_table.h"
#include "state/particles.h"

void firn_trim_name(const firn_manifest* manifest, int64_t frame, bool second,
                    char out_file[FIRN_ENTRY_BYTES])
{
    char stem[FIRN_STEM_BYTES];
    firn_path_stem(manifest->scene, stem);
    snprintf(out_file, FIRN_ENTRY_BYTES, "frames/%s%s.%04" PRId64 ".hdf", stem,
             second ? ".trim" : "", frame);
}

// ---- leftovers ----------------------------------------------------------------------------------

static bool skip_digits(const char** text)
{
    const char* at = *text;
    while (isdigit((unsigned char)*at)) at++;
    const bool some = at > *text;
    *text = at;
    return some;
}

// STEM.0001.hdf, STEM.trim.0001.hdf, STEM.0001.h5, STEM.0001.step12.h5
static bool is_ours(const char* name, const char* stem, const char* ending)
{
    const size_t length = strlen(stem);
    if (strncmp(name, stem, length) != 0) return false;
    name += length;
    if (strncmp(name, ".trim", 5) == 0 && strcmp(ending, ".hdf") == 0) name += 5;
    if (*name++ != '.' || !skip_digits(&name)) return false;
    if (strncmp(name, ".step", 5) == 0 && strcmp(ending, ".h5") == 0) {
        name += 5;
        if (!skip_digits(&name)) return false;
    }
    return strcmp(name, ending) == 0;
}

static bool is_listed(const firn_manifest* m, const char* file)
{
    for (firn_local k = 0; k < m->count; k++)
        if (strcmp(m->entries[k].file, file) == 0) return true;
    return false;
}

static firn_result clean_entries(const firn_cache* cache, DIR* list, const char* folder,
                                 const char* ending, firn_error* error)
{
    char stem[FIRN_STEM_BYTES], file[FIRN_ENTRY_BYTES];
    firn_path_stem(cache->manifest.scene, stem);
    errno = 0;
    for (const struct dirent* e; (e = readdir(list)) != NULL; errno = 0) {
        if (!is_ours(e->d_name, stem, ending)) continue;
        const int length = snprintf(file, sizeof file, "%s/%s", folder, e->d_name);
        if (length >= (int)sizeof file || is_listed(&cache->manifest, file)) continue;
        FIRN_TRY(firn_file_remove_inside(cache->dir, file, FIRN_ANY_SIZE, error));
    }
    if (errno == 0) return FIRN_OK;
    return firn_fail(error, FIRN_REFUSED_IO, "cannot list '%s/%s': %s", cache->dir, folder,
                     strerror(errno));
}

static firn_result clean_folder(const firn_cache* cache, const char* folder, const char* ending,
                                firn_error* error)
{
    char* path = NULL;
    FIRN_TRY(firn_path_print(&path, error, "%s/%s", cache->dir, folder));
    firn_draft_clean(path);
    DIR* list = opendir(path);
    firn_result r = FIRN_OK;
    if (list != NULL)
        r = clean_entries(cache, list, folder, ending, error);
    else if (errno != ENOENT)
        r = firn_fail(error, FIRN_REFUSED_IO, "cannot list '%s': %s", path, strerror(errno));
    if (list != NULL) closedir(list);
    firn_free(path);
    return r;
}

firn_result firn_trim_clean(const firn_cache* cache, firn_error* error)
{
    firn_draft_clean(cache->dir);
    FIRN_TRY(clean_folder(cache, "frames", ".hdf", error));
    return clean_folder(cache, "state", ".h5", error);
}

// ---- one frame ----------------------------------------------------------------------------------

// Reads the file back and compares it with the frame, bit for bit.
static firn_result check_written(const char* path, const firn_frame* frame, firn_error* error)
{
    firn_frame now;
    FIRN_TRY(firn_frame_read(path, &now, error));
    bool same = now.count == frame->count && now.body_count == frame->body_count &&
                now.info.frame == frame->info.frame;
    for (int f = 0; f < FIRN_FRAME_FIELD_COUNT && same; f++) {
        const bool has = frame->fields[f] != NULL;
        same = has == (now.fields[f] != NULL);
        if (same && has)
            same =
                memcmp(frame->fields[f], now.fields[f],
                       (size_t)frame->count * firn_field_type_size(firn_field_table[f].type)) == 0;
    }
    firn_frame_destroy(&now);
    if (same) return FIRN_OK;
    return firn_fail(error, FIRN_REFUSED_IO,
                     "'%s' was not read back as it was written: the frame stays as it was", path);
}

static firn_result write_second(const char* path, firn_frame* frame, uint32_t kept, int compression,
                                firn_error* error)
{
    void* all[FIRN_FRAME_FIELD_COUNT];
    memcpy(all, frame->fields, sizeof all);
    for (int f = 0; f < FIRN_FRAME_FIELD_COUNT; f++)
        if (f != FIRN_FRAME_POSITION && (kept & FIRN_OUTPUT_BIT(f)) == 0) frame->fields[f] = NULL;
    firn_result r = firn_frame_write(path, frame, compression, error);
    if (r == FIRN_OK) r = check_written(path, frame, error);
    memcpy(frame->fields, all, sizeof all);
    return r;
}

firn_result firn_trim_rewrite(firn_cache* cache, int64_t frame, uint32_t kept, int compression,
                              bool* out_changed, firn_local* out_particles, firn_error* error)
{
    firn_manifest* m = &cache->manifest;
    const firn_manifest_entry old = *firn_manifest_find(m, FIRN_ENTRY_FRAME, frame);
    firn_frame data;
    char file[FIRN_ENTRY_BYTES], *path = NULL;
    uint64_t bytes = 0, checksum = 0;
    *out_changed = false;
    firn_trim_name(m, frame, true, file);
    // one that a trim has written and could not rename
    if (strcmp(old.file, file) == 0) firn_trim_name(m, frame, false, file);
    FIRN_TRY(firn_cache_frame(cache, frame, &data, error));
    *out_particles = data.count;
    firn_result r = firn_path_print(&path, error, "%s/%s", cache->dir, file);
    if (r == FIRN_OK) r = write_second(path, &data, kept, compression, error);
    if (r == FIRN_OK) r = firn_file_checksum(path, &bytes, &checksum, error);
    firn_frame_destroy(&data);
    if (path != NULL && (r != FIRN_OK || (bytes == old.bytes && checksum == old.checksum)))
        firn_file_remove_inside(cache->dir, file, FIRN_ANY_SIZE, NULL);
    else if (r == FIRN_OK)
        *out_changed = true;
    firn_free(path);
    // what cannot be read back is no damage of the run
    if (r != FIRN_OK) return r;
    return *out_changed ? firn_manifest_replace(m, cache->dir, FIRN_ENTRY_FRAME, frame, file, error)
                        : FIRN_OK;
}

// ---- names --------------------------------------------------------------------------------------

static bool has_second_name(const firn_manifest* m, const firn_manifest_entry* entry)
{
    char file[FIRN_ENTRY_BYTES];
    if (entry->kind != FIRN_ENTRY_FRAME) return false;
    firn_trim_name(m, entry->frame, true, file);
    return strcmp(entry->file, file) == 0;
}

firn_result firn_trim_rename(firn_cache* cache, firn_error* error)
{
    firn_manifest* m = &cache->manifest;
    bool any = false, made = true;
    char file[FIRN_ENTRY_BYTES];
    for (firn_local k = 0; k < m->count && made; k++) {
        if (!has_second_name(m, &m->entries[k])) continue;
        any = true;
        firn_trim_name(m, m->entries[k].frame, false, file);
        FIRN_TRY(firn_file_link_inside(cache->dir, m->entries[k].file, file, &made, error));
    }
    if (!any || !made) return FIRN_OK;
    for (firn_local k = 0; k < m->count; k++)
        if (has_second_name(m, &m->entries[k]))
            firn_trim_name(m, m->entries[k].frame, false, m->entries[k].file);
    FIRN_TRY(firn_manifest_write(cache->dir, m, error));
    return firn_trim_clean(cache, error);  // the second names, which are no longer listed
}
