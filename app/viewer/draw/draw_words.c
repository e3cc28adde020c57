// SPDX-License-Identifier: MIT
// Words and rectangles on top of the picture, and how much room words take.
#include <math.h>
#include <stdlib.h>

#include "viewer/draw/draw_parts.h"

#define FLOATS 8           // of a vertex: place and texel, colour
#define QUAD (6 * FLOATS)  // two triangles
#define BOX_MARGIN 0.4f    // of a line's height, around words with a box
#define BOX_OPACITY 0.55f

bool view_words_create(view_draw* draw)
{
    draw->font = font_atlas_create(false);
    if (draw->font == NULL) return false;
    glGenVertexArrays(1, &draw->words_array);
    glGenBuffers(1, &draw->words_buffer);
    glBindVertexArray(draw->words_array);
    glBindBuffer(GL_ARRAY_BUFFER, draw->words_buffer);
    for (GLuint k = 0; k < 2; k++) {
        glVertexAttribPointer(k, 4, GL_FLOAT, GL_FALSE, FLOATS * sizeof(float),
                              (const void*)(k * 4 * sizeof(float)));
        glEnableVertexAttribArray(k);
    }
    glBindVertexArray(0);
    return true;
}

void view_words_destroy(view_draw* draw)
{
    font_atlas_destroy(draw->font);
    glDeleteVertexArrays(1, &draw->words_array);
    glDeleteBuffers(1, &draw->words_buffer);
    free(draw->words);
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

// Two triangles over a rectangle of the screen [pixels]; `texel` null: plain.
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
    if (quads <= draw->words_room) return true;
    float* words = realloc(draw->words, (size_t)quads * 2 * QUAD * sizeof(float));
    if (words == NULL) return false;
    draw->words = words;
    draw->words_room = 2 * quads;
    return true;
}

// Returns how many quads were added.
static int add_words(view_draw* draw, const view_words* words, float* vertices)
{
    const font_size* font = font_atlas_size(draw->font, words->size);
    const int left = (int)floorf(words->x + 0.5f);
    int x = left, y = (int)floorf(words->y + 0.5f), quads = 0;
    if (words->box) {
        float width, height;
        view_draw_measure(draw, words->size, words->text, &width, &height);
        const float margin = floorf(BOX_MARGIN * (float)font->pixels);
        const float ground[4] = {0.04f, 0.06f, 0.09f, BOX_OPACITY * words->colour[3]};
        add_quad(vertices, (float)x - margin, (float)y - margin, width + 2 * margin,
                 height + 2 * margin, NULL, ground);
        quads++;
    }
    for (const char* c = words->text; *c != '\0'; c++) {
        if (*c == '\n') {
            x = left;
            y += font->pixels;
            continue;
        }
        const font_glyph* glyph = font_size_glyph(font, *c);
        if (glyph->width > 0)
            add_quad(vertices + quads++ * QUAD, (float)(x + glyph->left),
                     (float)(y + font->ascent - glyph->top), glyph->width, glyph->height, glyph,
                     words->colour);
        x += glyph->advance;
    }
    return quads;
}

static int count_quads(const view_words* words)
{
    int quads = words->box;
    for (const char* c = words->text; *c != '\0'; c++) quads++;
    return quads;
}

static void send(view_draw* draw, int quads)
{
    view_program_use(draw, VIEW_WORDS, 0, 0, 0, 0);
    gl_texture_bind(VIEW_UNIT_GLYPHS, GL_TEXTURE_2D, font_atlas_texture(draw->font));
    glBindVertexArray(draw->words_array);
    glBindBuffer(GL_ARRAY_BUFFER, draw->words_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)quads * QUAD * sizeof(float)), draw->words,
                 GL_STREAM_DRAW);
    glDrawArrays(GL_TRIANGLES, 0, 6 * quads);
}

static void draw_patches(view_draw* draw, const view_frame* frame)
{
    if (frame->patch_count == 0 || !make_room(draw, frame->patch_count)) return;
    for (int k = 0; k < frame->patch_count; k++) {
        const view_patch* p = &frame->patches[k];
        add_quad(draw->words + k * QUAD, p->x, p->y, p->width, p->height, NULL, p->colour);
    }
    send(draw, frame->patch_count);
}

void view_words_draw(view_draw* draw, const view_frame* frame)
{
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    draw_patches(draw, frame);
    // Each block apart: a size that is new may throw away the letters of others.
    for (int w = 0; w < frame->word_count; w++) {
        const view_words* words = &frame->words[w];
        if (words->text == NULL || !make_room(draw, count_quads(words))) continue;
        const int quads = add_words(draw, words, draw->words);
        send(draw, quads);
    }
    glDisable(GL_BLEND);
}
