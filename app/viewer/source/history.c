// SPDX-License-Identifier: MIT
// Values over time.
#define _GNU_SOURCE  // asprintf
#include "viewer/source/history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS_MAX 512

void view_history_clear(view_history* h)
{
    h->count = h->fragment_count = 0;
    h->every = 1;
    h->skipped = 0;
}

// Keeps every second sample.
static void thin(view_history* h)
{
    for (int k = 0; k < h->count / 2; k++) {
        h->times[k] = h->times[2 * k];
        for (int q = 0; q < VIEW_QUANTITIES; q++) h->values[q][k] = h->values[q][2 * k];
    }
    h->count /= 2;
    h->every *= 2;
}

void view_history_add(view_history* h, double time, const double values[VIEW_QUANTITIES])
{
    if (h->every < 1) h->every = 1;
    if (h->skipped++ % h->every != 0) return;
    if (h->count == VIEW_HISTORY_ROOM) thin(h);
    h->times[h->count] = time;
    for (int q = 0; q < VIEW_QUANTITIES; q++) h->values[q][h->count] = values[q];
    h->count++;
}

void view_history_add_fragments(view_history* h, double time, double fragments)
{
    int at = h->fragment_count;
    while (at > 0 && h->fragment_times[at - 1] >= time - 1e-9) at--;
    const bool known = at < h->fragment_count && fabs(h->fragment_times[at] - time) <= 1e-9;
    if (!known && h->fragment_count == VIEW_HISTORY_ROOM) {
        for (int k = 0; k < VIEW_HISTORY_ROOM / 2; k++) {
            h->fragment_times[k] = h->fragment_times[2 * k];
            h->fragments[k] = h->fragments[2 * k];
        }
        h->fragment_count /= 2;
        at /= 2;
    }
    if (!known) {
        const size_t after = (size_t)(h->fragment_count - at) * sizeof *h->fragments;
        memmove(&h->fragment_times[at + 1], &h->fragment_times[at], after);
        memmove(&h->fragments[at + 1], &h->fragments[at], after);
        h->fragment_count++;
    }
    h->fragment_times[at] = time;
    h->fragments[at] = fragments;
}

void view_history_follow(view_history* h, const view_snapshot* s)
{
    const double last = h->count > 0 ? h->times[h->count - 1] : -1;
    if (s->time < last) view_history_clear(h);
    if (s->time != last && s->step > 0) {  // before the first step energies are not known
        const double values[VIEW_QUANTITIES] = {s->kinetic, s->elastic, s->potential, s->iterations,
                                                1e3 * s->step_seconds};
        view_history_add(h, s->time, values);
    }
    if (s->fragments >= 0) view_history_add_fragments(h, s->time, (double)s->fragments);
}

// ---- stats.csv ----------------------------------------------------------------------------------

typedef struct columns {
    int time, of[VIEW_QUANTITIES];  // -1: missing
    bool seconds[COLUMNS_MAX];      // columns of stages, whose sum is the time of a step
} columns;

static bool read_header(char* line, columns* c)
{
    static const char* const names[] = {"kinetic", "elastic", "potential", "iterations"};
    *c = (columns){.time = -1, .of = {-1, -1, -1, -1, -1}};
    char* rest = line;
    int k = 0;
    for (char* word; (word = strsep(&rest, ",\n")) != NULL && k < COLUMNS_MAX; k++) {
        if (strcmp(word, "time") == 0) c->time = k;
        for (int q = 0; q < 4; q++)
            if (strcmp(word, names[q]) == 0) c->of[q] = k;
        c->seconds[k] = strncmp(word, "seconds_", 8) == 0;
    }
    return c->time >= 0;
}

static void read_row(view_history* h, char* line, const columns* c)
{
    double time = NAN, values[VIEW_QUANTITIES] = {NAN, NAN, NAN, NAN, 0};
    char* rest = line;
    int k = 0;
    for (char* word; (word = strsep(&rest, ",\n")) != NULL && k < COLUMNS_MAX; k++) {
        const double value = strtod(word, NULL);
        if (k == c->time) time = value;
        for (int q = 0; q < VIEW_STEP_MS; q++)
            if (k == c->of[q]) values[q] = value;
        if (c->seconds[k]) values[VIEW_STEP_MS] += 1e3 * value;
    }
    if (isfinite(time)) view_history_add(h, time, values);
}

bool view_history_read(view_history* h, const char* dir)
{
    char* path = NULL;
    char* line = NULL;
    size_t room = 0;
    columns c;
    view_history_clear(h);
    if (asprintf(&path, "%s/stats.csv", dir) < 0) return false;
    FILE* file = fopen(path, "r");
    free(path);
    if (!file) return false;
    const bool good = getline(&line, &room, file) > 0 && read_header(line, &c);
    while (good && getline(&line, &room, file) > 0) read_row(h, line, &c);
    free(line);
    fclose(file);
    return good && h->count > 0;
}
