// SPDX-License-Identifier: MIT
// Widgets of the panels, in C over Dear ImGui (C++, gui_imgui.cc is the only file that sees it).
// Immediate mode: each frame a function describes all widgets again, and each call returns what the
// user did to its widget. Input is queued by gui_event; gui_update runs as many frames as the queue
// needs, so that a press and a release between two pictures are still a click.
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "viewer/draw/draw_gui.h"
#include "viewer/input/event.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gui gui;
typedef void (*gui_build_fn)(void* user);

// Null: out of memory. Only one may exist. `font`: a TrueType file; null: ImGui's own font.
gui* gui_create(const char* font);
void gui_destroy(gui* g);

void gui_event(gui* g, const view_event* event);
// Calls `build` once or more. `scale`: of fonts and widgets, 1 on a screen of standard density.
// `seconds`: since the last call.
void gui_update(gui* g, int width, int height, double scale, double seconds, gui_build_fn build,
                void* user);
// Triangles of the last update; borrowed until the next one. Null: nothing yet.
const view_gui* gui_triangles(const gui* g);
bool gui_wants_mouse(const gui* g);  // it is over a widget, or a list is open
bool gui_wants_text(const gui* g);   // a text field is active

// ---- widgets, inside `build` only -----------------------------------------------------------

// The bar that holds all sections, at this place [pixels].
void gui_bar_begin(float x, float y, float width, float height);
void gui_bar_end(void);
// A header that opens and closes; true: its contents are shown.
bool gui_section(const char* title, bool open);
void gui_text(const char* text);
void gui_note(const char* text);  // small print, wrapped
// "name        value" in two columns; the value may be null.
void gui_row(const char* name, const char* value);
// The same with three numbers, to as many digits, at most three, as there is room for.
void gui_row_numbers(const char* name, const double values[3]);
void gui_space(void);
// Puts the next widget beside the last one.
void gui_beside(void);
// `width`: as a share of the bar; 0: as wide as its text. `hint` is shown below the mouse.
bool gui_button(const char* label, double width, const char* hint);
bool gui_check(const char* label, bool* value, const char* hint);
// Choose one of `items`.
bool gui_choice(const char* label, const char* const* items, int count, int* chosen);
bool gui_slider(const char* label, double* value, double low, double high, bool logarithmic,
                const char* format);
// True when the edit is finished (enter, tab, a click elsewhere).
bool gui_number(const char* label, double* value, const char* format);
bool gui_numbers(const char* label, double values[3], const char* format);
bool gui_word(const char* label, char* text, size_t size);

// A horizontal bar of colours from low to high.
void gui_colours(void (*colour)(const void* user, float at, float out[3]), const void* user);

typedef struct gui_series {
    const char* label;
    const double* values;  // [count]; NaN: a gap
    float colour[3];       // sRGB
} gui_series;

typedef struct gui_plot_def {
    const char* title;
    const char* unit;
    const double* times;  // [count] ascending [s]
    int count;
    const gui_series* series;
    int series_count;
    double now;      // [s] a vertical line; NaN: none
    bool from_zero;  // the scale contains 0
} gui_plot_def;
void gui_plot(const gui_plot_def* def);

#ifdef __cplusplus
}
#endif
