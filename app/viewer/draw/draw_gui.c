// SPDX-License-Identifier: MIT
// Draws the triangles of the panels over the picture.
#include "viewer/draw/draw_gui.h"

#include <stddef.h>

#include "viewer/draw/draw_parts.h"

bool view_gui_create(view_draw* draw)
{
    view_gui_parts* g = &draw->gui;
    glGenVertexArrays(1, &g->array);
    glGenBuffers(2, g->buffers);
    glGenTextures(1, &g->glyphs);
    glBindVertexArray(g->array);
    glBindBuffer(GL_ARRAY_BUFFER, g->buffers[0]);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, g->buffers[1]);
    const GLsizei stride = sizeof(view_gui_vertex);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, stride, (const void*)0);
    glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride,
                          (const void*)offsetof(view_gui_vertex, rgba));
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glBindVertexArray(0);
    return glGetError() == GL_NO_ERROR;
}

void view_gui_destroy(view_draw* draw)
{
    view_gui_parts* g = &draw->gui;
    glDeleteVertexArrays(1, &g->array);
    glDeleteBuffers(2, g->buffers);
    glDeleteTextures(1, &g->glyphs);
}

static void send_glyphs(view_draw* draw, const view_gui* gui)
{
    view_gui_parts* g = &draw->gui;
    gl_texture_bind(VIEW_UNIT_GLYPHS, GL_TEXTURE_2D, g->glyphs);
    if (g->glyph_version == gui->glyph_version) return;
    g->glyph_version = gui->glyph_version;
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, gui->glyph_width, gui->glyph_height, 0, GL_RED,
                 GL_UNSIGNED_BYTE, gui->glyphs);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
}

static void draw_list(const view_gui_list* list, int width, int height)
{
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof *list->vertices * list->vertex_count,
                 list->vertices, GL_STREAM_DRAW);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)sizeof *list->indices * list->index_count,
                 list->indices, GL_STREAM_DRAW);
    for (int k = 0; k < list->command_count; k++) {
        const view_gui_command* c = &list->commands[k];
        const int left = c->left > 0 ? (int)c->left : 0;
        const int right = c->right < (float)width ? (int)c->right : width;
        const int top = c->top > 0 ? (int)c->top : 0;
        const int bottom = c->bottom < (float)height ? (int)c->bottom : height;
        if (right <= left || bottom <= top) continue;
        glScissor(left, height - bottom, right - left, bottom - top);
        glDrawElementsBaseVertex(GL_TRIANGLES, c->count, GL_UNSIGNED_SHORT,
                                 (const void*)(sizeof *list->indices * (size_t)c->first), c->base);
    }
}

void view_gui_draw(view_draw* draw, const view_frame* frame)
{
    const int width = frame->full_width > frame->width ? frame->full_width : frame->width;
    if (frame->gui == NULL || frame->gui->list_count == 0) return;
    glViewport(0, 0, width, frame->height);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glEnable(GL_SCISSOR_TEST);
    if (width > frame->width) {  // nothing of the picture is below the panels
        glScissor(frame->width, 0, width - frame->width, frame->height);
        glClearColor(0.06f, 0.09f, 0.13f, 1);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    view_program_use(draw, VIEW_GUI, 2 / (float)width, 2 / (float)frame->height, 0, 0);
    send_glyphs(draw, frame->gui);
    glBindVertexArray(draw->gui.array);
    glBindBuffer(GL_ARRAY_BUFFER, draw->gui.buffers[0]);
    for (int k = 0; k < frame->gui->list_count; k++)
        draw_list(&frame->gui->lists[k], width, frame->height);
    glBindVertexArray(0);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_BLEND);
}
