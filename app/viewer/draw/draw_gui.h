// SPDX-License-Identifier: MIT
// Triangles of the panels, as a library of widgets produces them: positions in pixels, one texture
// with glyphs (white where there are none).
#pragma once
#include <stdint.h>

typedef struct view_gui_vertex {
    float x, y;       // [pixels] from the top left corner
    float u, v;       // 0..1 in the texture
    uint8_t rgba[4];  // sRGB and opacity
} view_gui_vertex;

typedef struct view_gui_command {
    float left, top, right, bottom;  // [pixels] clip rectangle
    int first, count;                // indices
    int base;                        // added to the indices
} view_gui_command;

typedef struct view_gui_list {
    const view_gui_vertex* vertices;
    int vertex_count;
    const uint16_t* indices;
    int index_count;
    const view_gui_command* commands;
    int command_count;
} view_gui_list;

typedef struct view_gui {
    const view_gui_list* lists;
    int list_count;
    const uint8_t* glyphs;  // [glyph_height][glyph_width] coverage
    int glyph_width, glyph_height;
    uint64_t glyph_version;  // changes with the texture
} view_gui;
