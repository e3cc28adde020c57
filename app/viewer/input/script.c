// SPDX-License-Identifier: MIT
// Scripts: parsing, and execution by the session's clock.
#include "viewer/input/script.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "viewer/draw/png_write.h"
#include "viewer/input/controls.h"
#include "viewer/source/write_csv.h"

typedef enum action_kind {
    ACTION_EVENT,
    ACTION_GLIDE,
    ACTION_WAIT,
    ACTION_SCREENSHOT,
    ACTION_PARTICLES,
    ACTION_COLLIDERS
} action_kind;

typedef struct action {
    action_kind kind;
    view_event event;
    double seconds;
    char* path;  // owned; null: none
} action;

struct view_script {
    action* actions;
    int count, room, next;
    double until;  // [s] of the session's clock: wait until then
    bool gliding;
    double from_x, from_y, began;
    double x, y;             // mouse position
    bool waits_for_picture;  // the next action needs the drawn picture
};

// ---- reading ------------------------------------------------------------------------------------

typedef struct key_name {
    const char* name;
    int key;
} key_name;

static int key_of(const char* name)
{
    static const key_name names[] = {{"space", ' '},
                                     {"escape", VIEW_KEY_ESCAPE},
                                     {"left", VIEW_KEY_LEFT},
                                     {"right", VIEW_KEY_RIGHT},
                                     {"home", VIEW_KEY_HOME},
                                     {"end", VIEW_KEY_END},
                                     {"f12", VIEW_KEY_F12},
                                     {"F12", VIEW_KEY_F12},
                                     {"tab", VIEW_KEY_TAB},
                                     {"enter", VIEW_KEY_ENTER},
                                     {"delete", VIEW_KEY_DELETE},
                                     {"backspace", VIEW_KEY_BACKSPACE}};
    if (name[0] && !name[1]) return name[0] >= 'A' && name[0] <= 'Z' ? name[0] + 32 : name[0];
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(names[k].name, name) == 0) return names[k].key;
    return -1;
}

static bool read_button(const char* name, view_button* out)
{
    static const char* const names[] = {"left", "right", "middle"};
    for (int k = 0; k < 3; k++) {
        if (strcmp(names[k], name) != 0) continue;
        *out = (view_button)k;
        return true;
    }
    return false;
}

// Parses the arguments of `verb`; null: valid, else the expected syntax.
static const char* read_action(action* a, const char* verb, char* rest)
{
    char word[512] = "", extra[2][16] = {"", ""};
    double x = 0, y = 0, seconds = 0;
    view_event* e = &a->event;
    a->kind = ACTION_EVENT;
    if (strcmp(verb, "key") == 0) {
        e->kind = VIEW_EVENT_KEY;
        e->key = sscanf(rest, "%511s", word) == 1 ? key_of(word) : -1;
        e->character = e->key == ' ' ? ' ' : e->key >= 0 && !word[1] ? word[0] : 0;
        return e->key >= 0 ? NULL
                           : "key NAME: a character, space, left, right, home, end, backspace, "
                             "delete, enter, tab, f12";
    }
    if (strcmp(verb, "press") == 0) {
        e->kind = VIEW_EVENT_PRESS;
        const int n = sscanf(rest, "%511s %lf %lf %15s %15s", word, &x, &y, extra[0], extra[1]);
        for (int k = 0; k < 2; k++) {
            e->shift = e->shift || strcmp(extra[k], "shift") == 0;
            e->control = e->control || strcmp(extra[k], "control") == 0;
        }
        e->x = x;
        e->y = y;
        return n >= 3 && read_button(word, &e->button) ? NULL : "press left|right|middle X Y";
    }
    if (strcmp(verb, "release") == 0) {
        e->kind = VIEW_EVENT_RELEASE;
        const bool good = sscanf(rest, "%511s", word) == 1 && read_button(word, &e->button);
        return good ? NULL : "release left|right|middle";
    }
    if (strcmp(verb, "move") == 0) {
        e->kind = VIEW_EVENT_MOVE;
        return sscanf(rest, "%lf %lf", &e->x, &e->y) == 2 ? NULL : "move X Y";
    }
    if (strcmp(verb, "scroll") == 0) {
        e->kind = VIEW_EVENT_SCROLL;
        return sscanf(rest, "%lf", &e->scroll) == 1 ? NULL : "scroll NOTCHES";
    }
    if (strcmp(verb, "glide") == 0) {
        a->kind = ACTION_GLIDE;
        const bool good = sscanf(rest, "%lf %lf %lf", &e->x, &e->y, &a->seconds) == 3;
        return good && a->seconds > 0 ? NULL : "glide X Y SECONDS";
    }
    if (strcmp(verb, "wait") == 0) {
        a->kind = ACTION_WAIT;
        const bool good = sscanf(rest, "%lf", &seconds) == 1 && seconds >= 0;
        a->seconds = seconds;
        return good ? NULL : "wait SECONDS";
    }
    return "key, press, move, glide, release, scroll, wait, screenshot, particles, colliders or "
           "quit";
}

static const char* read_line(action* a, char* line)
{
    char verb[32] = "";
    int used = 0;
    *a = (action){0};
    sscanf(line, "%31s%n", verb, &used);
    char* rest = line + used;
    if (strcmp(verb, "quit") == 0) {
        a->event.kind = VIEW_EVENT_CLOSE;
        return NULL;
    }
    static const struct {
        const char* verb;
        action_kind kind;
    } writers[] = {{"screenshot", ACTION_SCREENSHOT},
                   {"particles", ACTION_PARTICLES},
                   {"colliders", ACTION_COLLIDERS},
                   {"bodies", ACTION_COLLIDERS}};
    for (size_t k = 0; k < sizeof writers / sizeof *writers; k++) {
        if (strcmp(verb, writers[k].verb) != 0) continue;
        a->kind = writers[k].kind;
        rest += strspn(rest, " \t");
        a->path = strndup(rest, strcspn(rest, " \t"));
        return a->path && *a->path ? NULL : "the name of a file";
    }
    return read_action(a, verb, rest);
}

static bool append(view_script* script, const action* a)
{
    if (script->count == script->room) {
        const int room = script->room ? 2 * script->room : 32;
        action* more = realloc(script->actions, (size_t)room * sizeof *more);
        if (!more) return false;
        script->actions = more;
        script->room = room;
    }
    script->actions[script->count++] = *a;
    return true;
}

static firn_result read_next(view_script* script, char* line, const char* path, int number,
                             firn_error* error)
{
    line[strcspn(line, "#\r\n")] = '\0';
    if (strspn(line, " \t") == strlen(line)) return FIRN_OK;
    action a;
    const char* expected = read_line(&a, line);
    if (!expected && append(script, &a)) return FIRN_OK;
    free(a.path);
    if (!expected) return view_refuse(error, FIRN_BROKEN_MEMORY, "out of memory");
    error->code = FIRN_REFUSED_SCENE;
    snprintf(error->text, sizeof error->text, "%s:%d: '%s': expected %s", path, number,
             line + strspn(line, " \t"), expected);
    return FIRN_REFUSED_SCENE;
}

static firn_result read_lines(view_script* script, FILE* file, const char* path, firn_error* error)
{
    char* line = NULL;
    size_t room = 0;
    firn_result r = FIRN_OK;
    for (int number = 1; r == FIRN_OK && getline(&line, &room, file) >= 0; number++)
        r = read_next(script, line, path, number, error);
    free(line);
    return r;
}

// A regular file for reading, or null with errno: a pipe would block for ever, a device has no end.
static FILE* open_regular(const char* path)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return NULL;
    struct stat about;
    const bool regular = fstat(file, &about) == 0 && S_ISREG(about.st_mode);
    FILE* stream = regular ? fdopen(file, "r") : NULL;
    if (stream) return stream;
    const int reason = regular ? errno : EINVAL;
    close(file);
    errno = reason;
    return NULL;
}

firn_result view_script_read(const char* path, view_script** out_script, firn_error* error)
{
    FILE* file = open_regular(path);
    if (!file) {
        error->code = FIRN_REFUSED_SCENE;
        snprintf(error->text, sizeof error->text, "cannot read the script '%s': %s", path,
                 errno == EINVAL ? "it is not a regular file" : strerror(errno));
        return FIRN_REFUSED_SCENE;
    }
    view_script* script = calloc(1, sizeof *script);
    const firn_result r = script ? read_lines(script, file, path, error)
                                 : view_refuse(error, FIRN_BROKEN_MEMORY, "out of memory");
    fclose(file);
    if (r != FIRN_OK)
        view_script_free(script);
    else
        *out_script = script;
    return r;
}

void view_script_free(view_script* script)
{
    if (!script) return;
    for (int k = 0; k < script->count; k++) free(script->actions[k].path);
    free(script->actions);
    free(script);
}

bool view_script_waits(const view_script* script)
{
    return script->waits_for_picture;
}

bool view_script_is_done(const view_script* script)
{
    return script->next >= script->count;
}

// ---- playing ------------------------------------------------------------------------------------

static void send(view_script* script, view_session* s, view_event event)
{
    const bool has_place = event.kind == VIEW_EVENT_PRESS || event.kind == VIEW_EVENT_MOVE;
    if (!has_place) {
        event.x = script->x;
        event.y = script->y;
    }
    script->x = event.x;
    script->y = event.y;
    view_controls_event(s, &event);
}

// Moves the mouse one step; true: it has arrived.
static bool glide(view_script* script, view_session* s, const action* a)
{
    if (!script->gliding) {
        script->gliding = true;
        script->from_x = script->x;
        script->from_y = script->y;
        script->began = s->clock;
    }
    const double share = view_clamp((s->clock - script->began) / a->seconds, 0, 1);
    view_event e = {.kind = VIEW_EVENT_MOVE};
    e.x = script->from_x + share * (a->event.x - script->from_x);
    e.y = script->from_y + share * (a->event.y - script->from_y);
    send(script, s, e);
    script->gliding = share < 1;
    return !script->gliding;
}

void view_script_before(view_script* script, view_session* s)
{
    script->waits_for_picture = false;
    while (script->next < script->count && s->clock >= script->until - 1e-9 && !s->quit) {
        const action* a = &script->actions[script->next];
        switch (a->kind) {
        case ACTION_EVENT: send(script, s, a->event); break;
        case ACTION_WAIT: script->until = s->clock + a->seconds; break;
        case ACTION_GLIDE:
            if (!glide(script, s, a)) return;
            break;
        case ACTION_SCREENSHOT:
        case ACTION_PARTICLES:
        case ACTION_COLLIDERS: script->waits_for_picture = true; return;
        }
        script->next++;
    }
}

firn_result view_script_after(view_script* script, view_session* s, view_renderer* renderer,
                              firn_error* error)
{
    if (!script->waits_for_picture) return FIRN_OK;
    const action* a = &script->actions[script->next++];
    bool good = true;
    errno = 0;
    if (a->kind == ACTION_SCREENSHOT) {
        const uint8_t* pixels = view_renderer_read(renderer, s);
        good = pixels && view_png_write(a->path, s->width, s->height, pixels);
    } else {
        good = a->kind == ACTION_PARTICLES ? view_write_particles(a->path, s->now)
                                           : view_write_colliders(a->path, s->now);
    }
    if (good) return FIRN_OK;
    error->code = FIRN_REFUSED_IO;
    snprintf(error->text, sizeof error->text, "cannot write '%s': %s", a->path,
             strerror(errno ? errno : ENOMEM));
    return FIRN_REFUSED_IO;
}
