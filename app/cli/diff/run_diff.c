// SPDX-License-Identifier: MIT
// What two runs have in common, and where they differ.
#define _GNU_SOURCE  // asprintf
#include "cli/diff/run_diff.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static firn_result refuse(firn_error* error, firn_result code, const char* text, const char* what)
{
    error->code = code;
    snprintf(error->text, sizeof error->text, "'%s': %s", what, text);
    return code;
}

// The scene of a run as text, owned by the caller.
static firn_result read_scene(const char* dir, char** out_text, firn_error* error)
{
    enum { MOST = 16 << 20 };
    char* path = NULL;
    if (asprintf(&path, "%s/scene.yaml", dir) < 0)
        return refuse(error, FIRN_BROKEN_MEMORY, "out of memory", dir);
    FILE* file = fopen(path, "re");
    char* text = calloc(MOST + 1, 1);
    firn_result r = FIRN_OK;
    if (file == NULL)
        r = refuse(error, errno == ENOENT ? FIRN_REFUSED_NAME : FIRN_REFUSED_IO, strerror(errno),
                   path);
    else if (text == NULL)
        r = refuse(error, FIRN_BROKEN_MEMORY, "out of memory", path);
    else if (fread(text, 1, MOST, file) == 0 && ferror(file))
        r = refuse(error, FIRN_REFUSED_IO, strerror(errno), path);
    if (file != NULL) fclose(file);
    if (r == FIRN_OK)
        *out_text = text;
    else
        free(text);
    free(path);
    return r;
}

static firn_result compare_scenes(cli_run_diff* d, firn_error* error)
{
    char* text[2] = {NULL, NULL};
    firn_result r = read_scene(d->dir[0], &text[0], error);
    if (r == FIRN_OK) r = read_scene(d->dir[1], &text[1], error);
    if (r == FIRN_OK) r = firn_yaml_differences(text[0], text[1], &d->keys, error);
    free(text[0]);
    free(text[1]);
    if (r != FIRN_OK) return r;
    for (const char* c = d->keys; *c != '\0'; c++) d->key_count += *c == '\n';
    return FIRN_OK;
}

// Lists the chosen frames of both runs, ascending.
static firn_result list_frames(cli_run_diff* d, firn_replay* const replays[2],
                               const cli_frame_list* list, firn_error* error)
{
    const int64_t* frames[2];
    int count[2], at[2] = {0, 0};
    for (int k = 0; k < 2; k++) count[k] = firn_replay_frames(replays[k], &frames[k]);
    d->frames = calloc((size_t)count[0] + (size_t)count[1] + 1, sizeof *d->frames);
    if (d->frames == NULL) return refuse(error, FIRN_BROKEN_MEMORY, "out of memory", d->dir[0]);
    while (at[0] < count[0] || at[1] < count[1]) {
        int64_t next = INT64_MAX;
        for (int k = 0; k < 2; k++)
            if (at[k] < count[k] && frames[k][at[k]] < next) next = frames[k][at[k]];
        cli_frame_diff f = {.frame = next};
        for (int k = 0; k < 2; k++) {
            f.in[k] = at[k] < count[k] && frames[k][at[k]] == next;
            at[k] += f.in[k];
        }
        if (cli_frame_list_has(list, next)) d->frames[d->frame_count++] = f;
    }
    if (d->frame_count > 0) return FIRN_OK;
    return refuse(error, FIRN_REFUSED_NAME, "neither run has one of these frames", d->dir[0]);
}

static firn_result compare_frames(cli_run_diff* d, firn_replay* const replays[2], firn_error* error)
{
    for (int i = 0; i < d->frame_count; i++) {
        cli_frame_diff* f = &d->frames[i];
        if (!f->in[0] || !f->in[1]) continue;
        for (int k = 0; k < 2; k++) {
            const firn_result r = firn_replay_seek(replays[k], f->frame, error);
            if (r != FIRN_OK) return r;
        }
        cli_frame_diff_make(replays, f);
        d->common++;
        d->different += !f->same;
    }
    return FIRN_OK;
}

// Figures of the common frames of run k. A frame without masses has none.
static firn_result measure(cli_run_diff* d, int k, int threads, firn_error* error)
{
    firn_measure_def def = firn_default_measure_def();
    int64_t* frames = calloc((size_t)d->common + 1, sizeof *frames);
    if (frames == NULL) return refuse(error, FIRN_BROKEN_MEMORY, "out of memory", d->dir[k]);
    for (int i = 0; i < d->frame_count; i++)
        if (d->frames[i].in[0] && d->frames[i].in[1])
            frames[def.frame_count++] = d->frames[i].frame;
    def.input_dir = d->dir[k];
    def.frames = frames;
    def.threads = threads;
    firn_frame_measure* rows = NULL;
    int count = 0;
    const firn_result r = firn_cache_measure(&def, &rows, &count, error);
    for (int i = 0, row = 0; r == FIRN_OK && i < d->frame_count && row < count; i++) {
        cli_frame_diff* f = &d->frames[i];
        if (f->frame != rows[row].frame) continue;
        f->figures[k] = rows[row++];
        f->figures[k].loads = NULL;  // freed with the rows
        f->figures[k].colliders = 0;
        f->measured = true;
    }
    firn_measure_free(rows);
    free(frames);
    return r;
}

static firn_result add_figures(cli_run_diff* d, int threads, firn_error* error)
{
    firn_result r = FIRN_OK;
    for (int k = 0; k < 2 && r == FIRN_OK && d->common > 0; k++) {
        r = measure(d, k, threads, error);
        if (r != FIRN_REFUSED_ARGUMENT) continue;
        snprintf(d->no_figures, sizeof d->no_figures, "%.250s", error->text);
        for (int i = 0; i < d->frame_count; i++) d->frames[i].measured = false;
        return FIRN_OK;
    }
    return r;
}

firn_result cli_run_diff_make(const char* a, const char* b, const cli_frame_list* list, int threads,
                              cli_run_diff* out, firn_error* error)
{
    *out = (cli_run_diff){.dir = {a, b}};
    firn_replay* replays[2] = {NULL, NULL};
    firn_result r = FIRN_OK;
    for (int k = 0; k < 2 && r == FIRN_OK; k++)
        r = firn_cache_read(out->dir[k], false, &out->info[k], error);
    if (r == FIRN_OK) r = compare_scenes(out, error);
    for (int k = 0; k < 2 && r == FIRN_OK; k++)
        r = firn_replay_open(out->dir[k], &replays[k], error);
    if (r == FIRN_OK) r = list_frames(out, replays, list, error);
    if (r == FIRN_OK) r = compare_frames(out, replays, error);
    for (int k = 0; k < 2; k++) firn_replay_close(replays[k]);
    if (r == FIRN_OK) r = add_figures(out, threads, error);
    for (int k = 0; k < 2 && r == FIRN_OK; k++)
        r = cli_stats_sum(out->dir[k], &out->steps[k], &out->seconds[k], error);
    out->equal = out->key_count == 0 && out->different == 0 && out->common == out->frame_count &&
                 strcmp(out->info[0].solver, out->info[1].solver) == 0;
    return r;
}

void cli_run_diff_destroy(cli_run_diff* diff)
{
    firn_text_free(diff->keys);
    free(diff->frames);
    *diff = (cli_run_diff){0};
}
