// SPDX-License-Identifier: MIT
// What a trim keeps, in which order it works, and what it refuses.
#include "output/run/trim.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/file.h"
#include "output/export/export.h"
#include "output/run/run_lock.h"
#include "state/field_table.h"

typedef struct trim {
    const firn_trim_def* def;
    int packed;  // deflate level of what is rewritten; < 0: nothing is
    firn_cache cache;
    firn_cache_job frames;
    int64_t oldest_checkpoint;  // the first one that is kept; INT64_MAX: none
    uint32_t fields;            // FIRN_OUTPUT_BIT of those that are kept
    firn_trim_summary summary;
    firn_error trouble;  // of the first damaged frame
} trim;

static bool keeps_frame(const trim* t, int64_t frame)
{
    const firn_manifest_entry wanted = {.kind = FIRN_ENTRY_FRAME, .frame = frame};
    return firn_cache_job_wants(&t->frames, &wanted);
}

static bool is_derived(firn_entry_kind kind)
{
    return kind == FIRN_ENTRY_PLY || kind == FIRN_ENTRY_VTP || kind == FIRN_ENTRY_VDB;
}

// Whether an entry goes. Pictures stay: they are small, and the film is made from them.
static bool drops(void* user, const firn_manifest_entry* e)
{
    const trim* t = user;
    if (e->kind == FIRN_ENTRY_CHECKPOINT) return e->frame < t->oldest_checkpoint;
    return (e->kind == FIRN_ENTRY_FRAME || is_derived(e->kind)) && !keeps_frame(t, e->frame);
}

static uint64_t listed_bytes(const firn_manifest* m)
{
    uint64_t sum = 0;
    for (firn_local k = 0; k < m->count; k++) sum += m->entries[k].bytes;
    return sum;
}

static bool is_cancelled(const trim* t)
{
    return t->def->cancelled != NULL && t->def->cancelled(t->def->user);
}

// ---- what is kept -------------------------------------------------------------------------------

// The fields of the run's newest frame that can be read. FIRN_REFUSED_DAMAGED: none can.
static firn_result find_fields(const trim* t, uint32_t* out_fields, firn_error* error)
{
    const firn_manifest* m = &t->cache.manifest;
    firn_result r = FIRN_REFUSED_DAMAGED;
    *out_fields = 0;
    for (firn_local k = m->count - 1; k >= 0 && r == FIRN_REFUSED_DAMAGED; k--) {
        if (m->entries[k].kind != FIRN_ENTRY_FRAME) continue;
        firn_frame frame;
        r = firn_cache_frame(&t->cache, m->entries[k].frame, &frame, error);
        if (r != FIRN_OK) continue;
        for (int f = 0; f < FIRN_FRAME_FIELD_COUNT; f++)
            if (f != FIRN_FRAME_POSITION && frame.fields[f] != NULL)
                *out_fields |= FIRN_OUTPUT_BIT(f);
        firn_frame_destroy(&frame);
    }
    return r;
}

static firn_result refuse_field(const char* name, uint32_t has, const char* dir, firn_error* error)
{
    char list[512] = "";
    size_t at = 0;
    for (int f = 1; f < FIRN_FRAME_FIELD_COUNT; f++)
        if ((has & FIRN_OUTPUT_BIT(f)) != 0 && at < sizeof list)
            at += (size_t)snprintf(list + at, sizeof list - at, "%s%s", at > 0 ? ", " : "",
                                   firn_field_table[f].name);
    return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                     "the frames of '%s' have no field '%s': they "
                     "have %s",
                     dir, name, at > 0 ? list : "positions only");
}

static firn_result choose_fields(trim* t, firn_error* error)
{
    const firn_trim_def* def = t->def;
    uint32_t has;
    t->fields = UINT32_MAX;
    if (def->fields == NULL) return FIRN_OK;
    FIRN_TRY(find_fields(t, &has, error));
    t->fields = has & FIRN_OUTPUT_BIT(FIRN_FRAME_POWDER);  // tells snow from powder
    for (size_t k = 0; k < def->field_count; k++) {
        int found = -1;
        for (int f = 0; f < FIRN_FRAME_FIELD_COUNT; f++)
            if (strcmp(def->fields[k], firn_field_table[f].name) == 0) found = f;
        if (found == FIRN_FRAME_POSITION) continue;
        if (found < 0 || (has & FIRN_OUTPUT_BIT(found)) == 0)
            return refuse_field(def->fields[k], has, def->dir, error);
        t->fields |= FIRN_OUTPUT_BIT(found);
    }
    return FIRN_OK;
}

// Damaged checkpoints do not count: --resume needs one that is intact.
static firn_result choose_checkpoints(trim* t, firn_error* error)
{
    const firn_manifest* m = &t->cache.manifest;
    const int64_t most = t->def->checkpoints;
    int64_t intact = 0;
    for (firn_local k = 0; k < m->count; k++)
        t->summary.checkpoints += m->entries[k].kind == FIRN_ENTRY_CHECKPOINT;
    t->summary.checkpoints_kept = t->summary.checkpoints;
    t->oldest_checkpoint = -1;
    if (most < 0 || t->summary.checkpoints == 0) return FIRN_OK;
    if (most == 0 && !t->def->without_resume)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "without its checkpoints '%s' could not be resumed: keep one, or say that "
                         "it shall not be resumed",
                         t->def->dir);
    t->oldest_checkpoint = most == 0 ? INT64_MAX : -1;
    for (firn_local k = m->count - 1; k >= 0 && intact < most; k--) {
        if (m->entries[k].kind != FIRN_ENTRY_CHECKPOINT) continue;
        firn_error why;
        const firn_result r = firn_manifest_verify(&m->entries[k], t->cache.dir, &why);
        if (r != FIRN_OK && r != FIRN_REFUSED_DAMAGED) return firn_fail(error, r, "%s", why.text);
        if (r == FIRN_OK && ++intact == most) t->oldest_checkpoint = m->entries[k].frame;
    }
    t->summary.checkpoints_kept = 0;
    for (firn_local k = 0; k < m->count; k++)
        t->summary.checkpoints_kept += m->entries[k].kind == FIRN_ENTRY_CHECKPOINT &&
                                       m->entries[k].frame >= t->oldest_checkpoint;
    return FIRN_OK;
}

static firn_result plan(trim* t, firn_error* error)
{
    const firn_trim_def* def = t->def;
    const firn_frame_choice choice = {.begin = def->frame_begin,
                                      .end = def->frame_end,
                                      .step = def->frame_step,
                                      .frames = def->frames,
                                      .count = def->frame_count};
    const firn_manifest* m = &t->cache.manifest;
    FIRN_TRY(firn_cache_job_begin(&t->cache, &choice, &t->frames, error));
    for (firn_local k = 0; k < m->count; k++)
        t->summary.frames += m->entries[k].kind == FIRN_ENTRY_FRAME;
    t->summary.frames_kept = t->frames.wanted;
    FIRN_TRY(choose_fields(t, error));
    FIRN_TRY(choose_checkpoints(t, error));
    t->summary.bytes_before = t->summary.bytes_after = listed_bytes(m);
    return FIRN_OK;
}

// ---- work ---------------------------------------------------------------------------------------

// The list of the .vtp files in the run's folder, without those that were dropped.
static firn_result list_series(trim* t, firn_error* error)
{
    firn_manifest* m = &t->cache.manifest;
    const firn_manifest_entry* series = firn_manifest_find(m, FIRN_ENTRY_SERIES, 0);
    if (series == NULL) return FIRN_OK;
    const firn_manifest_entry old = *series;
    FIRN_TRY(firn_export_series(t->cache.dir, m->scene, m->fps, 0, m->frame_end, error));
    FIRN_TRY(firn_manifest_add(m, t->cache.dir, FIRN_ENTRY_SERIES, 0, old.file, error));
    return firn_manifest_write(t->cache.dir, m, error);
}

static firn_result rewrite_frames(trim* t, firn_error* error)
{
    const firn_log log = {t->def->log, t->def->user};
    firn_manifest* m = &t->cache.manifest;
    for (firn_local k = 0; k < m->count; k++) {
        const int64_t frame = m->entries[k].frame;
        if (m->entries[k].kind != FIRN_ENTRY_FRAME) continue;
        if (is_cancelled(t))
            return firn_fail(error, FIRN_INTERRUPTED,
                             "interrupted before frame %" PRId64 "; the run is whole", frame);
        bool changed = false;
        firn_local particles = 0;
        firn_error own = {0};
        const firn_result r =
            firn_trim_rewrite(&t->cache, frame, t->fields, t->packed, &changed, &particles, &own);
        if (r == FIRN_REFUSED_DAMAGED) {
            firn_log_write(&log, FIRN_LOG_WARNING, "trim.damaged",
                           "frame %" PRId64 " stays as it is: %s", frame, own.text);
            if (t->summary.damaged++ == 0) t->trouble = own;
        } else if (r != FIRN_OK) {
            return firn_fail(error, r, "%s", own.text);
        }
        t->summary.frames_rewritten += changed;
        t->frames.done++;
        firn_cache_job_report(&t->frames, frame, (double)frame / m->fps, particles,
                              t->def->progress, t->def->user);
    }
    return FIRN_OK;
}

// Removes the files that were made from dropped frames, before the manifest forgets them: exports
// have the same names, so that those which it does not list are never removed.
static firn_result remove_derived(const trim* t, firn_error* error)
{
    const firn_manifest* m = &t->cache.manifest;
    for (firn_local k = 0; k < m->count; k++) {
        const firn_manifest_entry* e = &m->entries[k];
        if (!is_derived(e->kind) || keeps_frame(t, e->frame)) continue;
        firn_error why;
        const firn_result r = firn_file_remove_inside(t->cache.dir, e->file, e->bytes, &why);
        if (r != FIRN_OK && r != FIRN_REFUSED_DAMAGED) return firn_fail(error, r, "%s", why.text);
    }
    return FIRN_OK;
}

static firn_result work(trim* t, firn_error* error)
{
    FIRN_TRY(firn_trim_clean(&t->cache, error));
    FIRN_TRY(remove_derived(t, error));
    FIRN_TRY(firn_manifest_drop(&t->cache.manifest, t->cache.dir, drops, t, error));
    FIRN_TRY(list_series(t, error));
    firn_result r = t->packed >= 0 ? rewrite_frames(t, error) : FIRN_OK;
    if (r == FIRN_OK || r == FIRN_INTERRUPTED) {
        firn_error why;
        const firn_result named = firn_trim_rename(&t->cache, r == FIRN_OK ? error : &why);
        if (r == FIRN_OK) r = named;
    }
    t->summary.bytes_after = listed_bytes(&t->cache.manifest);
    if (r != FIRN_OK || t->summary.damaged == 0) return r;
    return firn_fail(error, FIRN_REFUSED_DAMAGED,
                     "%" PRId64 " of %" PRId64 " frames could not be read and stay as they are; "
                     "the first: %s",
                     t->summary.damaged, t->summary.frames_kept, t->trouble.text);
}

static void tell(trim* t)
{
    const firn_manifest* m = &t->cache.manifest;
    for (firn_local k = 0; k < m->count; k++)
        if (drops(t, &m->entries[k])) t->summary.bytes_after -= m->entries[k].bytes;
    if (t->packed >= 0) t->summary.frames_rewritten = t->summary.frames_kept;
}

firn_result firn_trim_run(const firn_trim_def* def, int packed, firn_trim_summary* out_summary,
                          firn_error* error)
{
    if (def->compression < -1 || def->compression > 9)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "compression level %d is out of range: use 0 (none) to 9 (smallest)",
                         def->compression);
    if (def->checkpoints < -1)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "%" PRId64 " checkpoints cannot be kept: use 0 or more, -1 for all",
                         def->checkpoints);
    trim t = {.def = def, .packed = packed};
    firn_run_lock lock = {0};
    FIRN_TRY(firn_cache_open(def->dir, &t.cache, error));
    firn_result r = firn_run_lock_take(def->dir, &lock, error);
    if (r == FIRN_OK) {  // what another process has written until now
        firn_cache_close(&t.cache);
        r = firn_cache_open(def->dir, &t.cache, error);
    }
    if (r == FIRN_OK) r = plan(&t, error);
    if (r == FIRN_OK && def->dry_run) tell(&t);
    if (r == FIRN_OK && !def->dry_run) r = work(&t, error);
    firn_cache_close(&t.cache);
    firn_run_lock_release(&lock);
    *out_summary = t.summary;
    return r;
}
