// SPDX-License-Identifier: MIT
// Colliders: upload and drawing of their meshes.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "viewer/draw/draw_parts.h"

static bool send(GLenum kind, GLuint buffer, const void* data, int64_t bytes)
{
    glBindBuffer(kind, buffer);
    glBufferData(kind, (GLsizeiptr)bytes, data, GL_DYNAMIC_DRAW);
    return glGetError() != GL_OUT_OF_MEMORY;
}

static void bound(view_mesh* mesh, const float (*vertices)[3], int64_t count)
{
    for (int k = 0; k < 3; k++) {
        mesh->low[k] = count > 0 ? vertices[0][k] : 0;
        mesh->high[k] = mesh->low[k];
    }
    for (int64_t v = 1; v < count; v++)
        for (int k = 0; k < 3; k++) {
            mesh->low[k] = fminf(mesh->low[k], vertices[v][k]);
            mesh->high[k] = fmaxf(mesh->high[k], vertices[v][k]);
        }
}

bool view_draw_set_mesh(view_draw* draw, int mesh, const float (*vertices)[3],
                        const float (*normals)[3], int64_t vertex_count,
                        const int32_t (*triangles)[3], int64_t triangle_count)
{
    if (mesh < 0 || mesh >= draw->mesh_count || triangle_count > INT32_MAX / 3) return false;
    view_mesh* m = &draw->meshes[mesh];
    glBindVertexArray(m->array);
    bool good = true;
    const float(*const arrays[2])[3] = {vertices, normals};
    for (GLuint k = 0; k < 2; k++) {
        good = send(GL_ARRAY_BUFFER, m->buffers[k], arrays[k], vertex_count * 12) && good;
        glVertexAttribPointer(k, 3, GL_FLOAT, GL_FALSE, 0, NULL);
        glEnableVertexAttribArray(k);
    }
    good = send(GL_ELEMENT_ARRAY_BUFFER, m->buffers[2], triangles, triangle_count * 12) && good;
    glBindVertexArray(0);
    m->index_count = good ? (GLsizei)(3 * triangle_count) : 0;
    bound(m, vertices, vertex_count);
    return good;
}

int view_draw_add_mesh(view_draw* draw, const float (*vertices)[3], const float (*normals)[3],
                       int64_t vertex_count, const int32_t (*triangles)[3], int64_t triangle_count)
{
    if (draw->mesh_count == draw->mesh_room) {
        const int room = 2 * draw->mesh_room + 16;
        view_mesh* meshes = realloc(draw->meshes, (size_t)room * sizeof *meshes);
        if (meshes == NULL) return -1;
        draw->meshes = meshes;
        draw->mesh_room = room;
    }
    view_mesh* m = &draw->meshes[draw->mesh_count++];
    *m = (view_mesh){0};
    glGenVertexArrays(1, &m->array);
    glGenBuffers(3, m->buffers);
    if (view_draw_set_mesh(draw, draw->mesh_count - 1, vertices, normals, vertex_count, triangles,
                           triangle_count))
        return draw->mesh_count - 1;
    glDeleteVertexArrays(1, &m->array);
    glDeleteBuffers(3, m->buffers);
    draw->mesh_count--;
    return -1;
}

void view_colliders_destroy(view_draw* draw)
{
    for (int k = 0; k < draw->mesh_count; k++) {
        glDeleteVertexArrays(1, &draw->meshes[k].array);
        glDeleteBuffers(3, draw->meshes[k].buffers);
    }
    free(draw->meshes);
}

static const view_mesh* mesh_of(const view_draw* draw, const view_collider* collider)
{
    return collider->mesh >= 0 && collider->mesh < draw->mesh_count ? &draw->meshes[collider->mesh]
                                                                    : NULL;
}

void view_colliders_draw(view_draw* draw, const view_frame* frame, view_program program)
{
    const GLuint id = draw->programs[program];
    glUseProgram(id);
    const GLint place = glGetUniformLocation(id, "pose");
    const GLint colour = glGetUniformLocation(id, "colour");
    for (int b = 0; b < frame->collider_count; b++) {
        const view_collider* collider = &frame->colliders[b];
        const view_mesh* mesh = mesh_of(draw, collider);
        if (mesh == NULL || mesh->index_count == 0) continue;
        float pose[16] = {[15] = 1};
        for (int row = 0; row < 3; row++) {
            for (int column = 0; column < 3; column++)
                pose[4 * column + row] = collider->scale * collider->rotation[3 * row + column];
            pose[12 + row] = collider->position[row];
        }
        glUniformMatrix4fv(place, 1, GL_FALSE, pose);
        glUniform4f(colour, collider->colour[0], collider->colour[1], collider->colour[2],
                    collider->marked);
        glBindVertexArray(mesh->array);
        glDrawElements(GL_TRIANGLES, mesh->index_count, GL_UNSIGNED_INT, NULL);
    }
}

// Bounding sphere of a collider [m].
static float bounding_sphere(const view_mesh* mesh, const view_collider* collider, float centre[3])
{
    float radius = 0;
    for (int row = 0; row < 3; row++) {
        centre[row] = collider->position[row];
        for (int k = 0; k < 3; k++)
            centre[row] += collider->scale * collider->rotation[3 * row + k] * 0.5f *
                           (mesh->low[k] + mesh->high[k]);
        const float half = 0.5f * (mesh->high[row] - mesh->low[row]);
        radius += half * half;
    }
    return collider->scale * sqrtf(radius);
}

void view_colliders_bound(const view_draw* draw, const view_frame* frame, float low[3],
                          float high[3])
{
    float snow_low[3], snow_high[3], diagonal = 0;
    memcpy(snow_low, low, sizeof snow_low);
    memcpy(snow_high, high, sizeof snow_high);
    for (int k = 0; k < 3; k++) diagonal += (high[k] - low[k]) * (high[k] - low[k]);
    diagonal = sqrtf(diagonal);
    for (int b = 0; b < frame->collider_count; b++) {
        const view_mesh* mesh = mesh_of(draw, &frame->colliders[b]);
        if (mesh == NULL) continue;
        float centre[3], apart = 0;
        const float radius = bounding_sphere(mesh, &frame->colliders[b], centre);
        for (int k = 0; k < 3; k++) {
            const float out = fmaxf(fmaxf(snow_low[k] - centre[k], centre[k] - snow_high[k]), 0);
            apart += out * out;
        }
        // Skip hills and parked tools: including them would cost too much shadow map resolution.
        if (diagonal > 0 && (radius > diagonal || sqrtf(apart) > radius + diagonal)) continue;
        for (int k = 0; k < 3; k++) {
            low[k] = fminf(low[k], centre[k] - radius);
            high[k] = fmaxf(high[k], centre[k] + radius);
        }
    }
}
