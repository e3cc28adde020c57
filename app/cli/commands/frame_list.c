// SPDX-License-Identifier: MIT
// Parses lists of frames.
#include "cli/commands/frame_list.h"

#include <stdlib.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/exit_codes.h"
#include "cli/option_values.h"

enum { FRAMES_MAX = 1000000 };  // as many as a scene may have

static const char expected[] =
    "frames such as 12, 4:9, 4:, 0:96:4 (every fourth), or a list such as 1,5,20:30";

// Parses "4:9:2" with any part omitted; without a colon begin and end are the same.
static bool parse_range(const char* text, size_t length, cli_frame_list* out)
{
    char word[96];
    char* part[3] = {word, NULL, NULL};
    int parts = 1;
    if (length == 0 || length >= sizeof word) return false;
    memcpy(word, text, length);
    word[length] = '\0';
    for (char* c = word; *c; c++) {
        if (*c != ':') continue;
        *c = '\0';
        if (parts == 3) return false;
        part[parts++] = c + 1;
    }
    *out = (cli_frame_list){.begin = 0, .end = -1, .step = 1};
    int64_t* const value[3] = {&out->begin, &out->end, &out->step};
    for (int i = 0; i < parts; i++) {
        if (*part[i] == '\0') continue;
        if (cli_value_int(part[i], value[i]) != NULL || *value[i] < 0) return false;
    }
    if (parts == 1) out->end = out->begin;
    return out->step >= 1 && (out->end < 0 || out->begin <= out->end);
}

static int by_number(const void* a, const void* b)
{
    const int64_t x = *(const int64_t*)a, y = *(const int64_t*)b;
    return (x > y) - (x < y);
}

static bool add_range(cli_frame_list* list, const cli_frame_list* range)
{
    if (range->end < 0) return false;  // the last frame is unknown here
    for (int64_t f = range->begin; f <= range->end; f += range->step) {
        if (list->count == FRAMES_MAX) return false;
        list->frames[list->count++] = f;
    }
    return true;
}

static bool parse_list(const char* text, cli_frame_list* list)
{
    while (true) {
        cli_frame_list range;
        const size_t length = strcspn(text, ",");
        if (!parse_range(text, length, &range) || !add_range(list, &range)) return false;
        if (text[length] == '\0') break;
        text += length + 1;
    }
    qsort(list->frames, list->count, sizeof *list->frames, by_number);
    size_t unique = 0;
    for (size_t i = 0; i < list->count; i++)
        if (unique == 0 || list->frames[i] != list->frames[unique - 1])
            list->frames[unique++] = list->frames[i];
    list->count = unique;
    return true;
}

const char* cli_frame_list_parse(const char* text, cli_frame_list* out)
{
    *out = (cli_frame_list){.begin = 0, .end = -1, .step = 1};
    if (strchr(text, ',') == NULL) return parse_range(text, strlen(text), out) ? NULL : expected;
    out->frames = malloc(FRAMES_MAX * sizeof *out->frames);
    if (out->frames == NULL) return "a list that fits into memory";
    return parse_list(text, out) ? NULL : expected;
}

int cli_frame_list_option(const char* command, const char* text, cli_frame_list* out)
{
    *out = (cli_frame_list){.begin = 0, .end = -1, .step = 1};
    const char* wanted = text != NULL ? cli_frame_list_parse(text, out) : NULL;
    if (wanted == NULL) return CLI_EXIT_OK;
    return cli_usage_error(command, "option '--frames': '%s' is not %s", text, wanted);
}

bool cli_frame_list_has(const cli_frame_list* list, int64_t frame)
{
    if (list->frames == NULL)
        return frame >= list->begin && (list->end < 0 || frame <= list->end) &&
               (frame - list->begin) % list->step == 0;
    return bsearch(&frame, list->frames, list->count, sizeof *list->frames, by_number) != NULL;
}

void cli_frame_list_free(cli_frame_list* list)
{
    free(list->frames);
    *list = (cli_frame_list){.begin = 0, .end = -1, .step = 1};
}
