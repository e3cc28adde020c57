// SPDX-License-Identifier: MIT
// Text and rectangles on top of the picture, and measuring of text.
#include <math.h>
#include <stdlib.h>

#include "viewer/draw/draw_parts.h"

#define FLOATS 8           // per vertex: position, texel, colour
#define QUAD (6 * FLOATS)  // two triangles
#define BOX_MARGIN 0.4f    // around boxed text, relative to the line height
#define BOX_OPACITY 0.55f

bool view_text_create(view_draw* draw)
{
    draw->font = font_atlas_create(false);
    if (draw->font == NULL) return false;
    glGenVertexArrays(1, &draw->text_array);
    glGenBuffers(1, &draw->text_buffer);
    glBindVertexArray(draw->text_array);
    glBindBuffer(GL_ARRAY_BUFFER, draw->text_buffer);
    for (GLuint k = 0; k < 2; k++) {
        glVertexAttribPointer(k, 4, GL_FLOAT, GL_FALSE, FLOATS * sizeof(float),
                              (const void*)(k * 4 * sizeof(float)));
        glEnableVertexAttribArray(k);
    }
    glBindVertexArray(0);
    return true;
}

void view_text_destroy(view_draw* draw)
{
    font_atlas_destroy(draw->font);
    glDeleteVertexArrays(1, &draw->text_array);
    glDeleteBuffers(1, &draw->text_buffer);
    free(draw->text_vertices);
}

void view_draw_measure(view_draw* draw, float size, const char* text, float* out_width,
                       float* out_height)
{
    const font_size* font = font_atlas_size(draw->font, size);
    int width = 0, line = 0, lines = 1;
    for (const char* c = text; *c != '\0'; c++) {
        line = *c == '\n' ? 0 : line + font_size_glyph(font, *c)->advance;
        lines += *c == '\n';
        if (line > width) width = line;
    }
    *out_width = (float)width;
    *out_height = (float)(lines * font->pixels);
}

// Two triangles for a rectangle [pixels]; `glyph` null: filled.
static void add_quad(float* vertices, float x, float y, float width, float height,
                     const font_glyph* glyph, const float colour[4])
{
    static const float corners[6][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 0}, {0, 1}, {1, 1}};
    for (int k = 0; k < 6; k++) {
        float* v = vertices + k * FLOATS;
        v[0] = x + corners[k][0] * width;
        v[1] = y + corners[k][1] * height;
        v[2] = glyph != NULL ? (float)glyph->x + corners[k][0] * width : -1;
        v[3] = glyph != NULL ? (float)glyph->y + corners[k][1] * height : -1;
        for (int i = 0; i < 4; i++) v[4 + i] = colour[i];
    }
}

static bool make_room(view_draw* draw, int quads)
{
    if (quads <= draw->text_room) return true;
    float* item = realloc(draw->text_vertices, (size_t)quads * 2 * QUAD * sizeof(float));
    if (item == NULL) return false;
    draw->text_vertices = item;
    draw->text_room = 2 * quads;
    return true;
}

// Returns the number of quads added.
static int add_text(view_draw* draw, const view_text* item, float* vertices)
{
    const font_size* font = font_atlas_size(draw->font, item->size);
    const int left = (int)floorf(item->x + 0.5f);
    int x = left, y = (int)floorf(item->y + 0.5f), quads = 0;
    if (item->box) {
        float width, height;
        view_draw_measure(draw, item->size, item->text, &width, &height);
        const float margin = floorf(BOX_MARGIN * (float)font->pixels);
        const float ground[4] = {0.04f, 0.06f, 0.09f, BOX_OPACITY * item->colour[3]};
        add_quad(vertices, (float)x - margin, (float)y - margin, width + 2 * margin,
                 height + 2 * margin, NULL, ground);
        quads++;
    }
    for (const char* c = item->text; *c != '\0'; c++) {
        if (*c == '\n') {
            x = left;
            y += font->pixels;
            continue;
        }
        const font_glyph* glyph = font_size_glyph(font, *c);
        if (glyph->width > 0)
            add_quad(vertices + quads++ * QUAD, (float)(x + glyph->left),
                     (float)(y + font->ascent - glyph->top), glyph->width, glyph->height, glyph,
                     item->colour);
        x += glyph->advance;
    }
    return quads;
}

static int count_quads(const view_text* item)
{
    int quads = item->box;
    for (const char* c = item->text; *c != '\0'; c++) quads++;
    return quads;
}

static void send(view_draw* draw, int quads)
{
    view_program_use(draw, VIEW_TEXT, 0, 0, 0, 0);
    gl_texture_bind(VIEW_UNIT_GLYPHS, GL_TEXTURE_2D, font_atlas_texture(draw->font));
    glBindVertexArray(draw->text_array);
    glBindBuffer(GL_ARRAY_BUFFER, draw->text_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)quads * QUAD * sizeof(float)),
                 draw->text_vertices, GL_STREAM_DRAW);
    glDrawArrays(GL_TRIANGLES, 0, 6 * quads);
}

static void draw_rects(view_draw* draw, const view_frame* frame)
{
    if (frame->rect_count == 0 || !make_room(draw, frame->rect_count)) return;
    for (int k = 0; k < frame->rect_count; k++) {
        const view_rect* p = &frame->rects[k];
        add_quad(draw->text_vertices + k * QUAD, p->x, p->y, p->width, p->height, NULL, p->colour);
    }
    send(draw, frame->rect_count);
}

void view_text_draw(view_draw* draw, const view_frame* frame)
{
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    draw_rects(draw, frame);
    // One draw call per text: a new size may evict the glyphs of others from the atlas.
    for (int w = 0; w < frame->text_count; w++) {
        const view_text* item = &frame->texts[w];
        if (item->text == NULL || !make_room(draw, count_quads(item))) continue;
        const int quads = add_text(draw, item, draw->text_vertices);
        send(draw, quads);
    }
    glDisable(GL_BLEND);
}
