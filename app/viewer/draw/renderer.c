// SPDX-License-Identifier: MIT
// Builds a session's frames for draw.h.
#include "viewer/draw/renderer.h"

#include <stdlib.h>
#include <string.h>

#include "viewer/input/tools.h"
#include "viewer/panels/panels.h"

#define MESH_NONE -2        // nothing to draw; -1 is a plane
#define DEFORMED_ROOM 1024  // initial capacity [vertices]

struct view_renderer {
    view_draw* draw;
    int* meshes;               // [collider_count] mesh numbers of draw.h
    view_collider* colliders;  // [collider_count]
    int collider_count;
    uint64_t deformed;   // version of the snapshot whose deforming meshes were uploaded
    float (*points)[3];  // scratch: vertices, then normals
    int64_t room;
    uint8_t* pixels;
    size_t pixel_room;
    view_overlay overlay;
};

// ---- meshes -------------------------------------------------------------------------------------

static bool make_room(view_renderer* renderer, int64_t vertices)
{
    if (vertices <= renderer->room) return true;
    const int64_t room = vertices > DEFORMED_ROOM ? vertices : DEFORMED_ROOM;
    free(renderer->points);
    renderer->points = malloc((size_t)room * 2 * sizeof *renderer->points);
    renderer->room = renderer->points ? room : 0;
    return renderer->points != NULL;
}

// Converts to float: the library's reals may be doubles.
static bool convert(view_renderer* renderer, const firn_body_mesh* mesh)
{
    if (!make_room(renderer, mesh->vertex_count)) return false;
    float(*normals)[3] = renderer->points + mesh->vertex_count;
    for (int64_t k = 0; k < mesh->vertex_count; k++) {
        const firn_vec3 x = mesh->vertices[k], n = mesh->normals[k];
        const float at[3] = {(float)x.x, (float)x.y, (float)x.z};
        const float up[3] = {(float)n.x, (float)n.y, (float)n.z};
        memcpy(renderer->points[k], at, sizeof at);
        memcpy(normals[k], up, sizeof up);
    }
    return true;
}

// Uploads a new mesh, or new triangles of an existing one. False: out of memory.
static bool send(view_renderer* renderer, const firn_body_mesh* mesh, int* number)
{
    if (mesh->triangle_count == 0) return true;
    if (!convert(renderer, mesh)) return false;
    const float(*x)[3] = (const float(*)[3])renderer->points;
    const float(*n)[3] = (const float(*)[3])(renderer->points + mesh->vertex_count);
    const int32_t(*t)[3] = (const int32_t(*)[3])mesh->triangles;
    if (*number >= 0)
        return view_draw_set_mesh(renderer->draw, *number, x, n, mesh->vertex_count, t,
                                  mesh->triangle_count);
    const int added =
        view_draw_add_mesh(renderer->draw, x, n, mesh->vertex_count, t, mesh->triangle_count);
    if (added < 0) return false;
    *number = added;
    return true;
}

static void send_deformed(view_renderer* renderer, const view_snapshot* now)
{
    if (renderer->deformed == now->version) return;
    renderer->deformed = now->version;
    for (int b = 0; b < now->collider_count && b < renderer->collider_count; b++)
        if (now->colliders[b].info.deforms)
            send(renderer, &now->colliders[b].mesh,
                 &renderer->meshes[b]);  // on failure keep the old mesh
}

firn_result view_renderer_create(view_source* source, view_renderer** out_stage, firn_error* error)
{
    const int count = source->ops->latest(source)->collider_count;
    view_renderer* renderer = calloc(1, sizeof *renderer);
    if (!renderer) return view_refuse(error, FIRN_BROKEN_MEMORY, "out of memory");
    renderer->meshes = calloc((size_t)count + 1, sizeof *renderer->meshes);
    renderer->colliders = calloc((size_t)count + 1, sizeof *renderer->colliders);
    bool fine = renderer->meshes && renderer->colliders;
    char problem[512] = "";
    if (fine && !view_draw_create(&renderer->draw, problem, sizeof problem)) {
        view_renderer_destroy(renderer);
        return view_refuse(error, FIRN_REFUSED_BACKEND, problem);
    }
    for (int b = 0; fine && b < count; b++) {
        renderer->collider_count = b + 1;
        renderer->meshes[b] = MESH_NONE;
        const firn_body_mesh* mesh = source->ops->mesh(source, b);
        if (mesh) fine = send(renderer, mesh, &renderer->meshes[b]);
    }
    if (!fine) {
        view_renderer_destroy(renderer);
        return view_refuse(error, FIRN_BROKEN_MEMORY, "out of memory for the scene's colliders");
    }
    *out_stage = renderer;
    return FIRN_OK;
}

void view_renderer_destroy(view_renderer* renderer)
{
    if (!renderer) return;
    if (renderer->draw) view_draw_destroy(renderer->draw);
    free(renderer->meshes);
    free(renderer->colliders);
    free(renderer->points);
    free(renderer->pixels);
    free(renderer);
}

// ---- a frame ------------------------------------------------------------------------------------

static void set_pose(view_collider* collider, const firn_body_pose* pose)
{
    const float w = (float)pose->rotation.w, x = (float)pose->rotation.x,
                y = (float)pose->rotation.y, z = (float)pose->rotation.z;
    const float rotation[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
        2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    const float position[3] = {(float)pose->position.x, (float)pose->position.y,
                               (float)pose->position.z};
    memcpy(collider->rotation, rotation, sizeof rotation);
    memcpy(collider->position, position, sizeof position);
    collider->scale = (float)pose->scale;
}

// Tools have their own colours, to distinguish them from the scene's colliders.
static void set_colour(view_collider* collider, const view_session* s, int b,
                       const firn_body_info* info)
{
    static const float ball[3] = {0.75f, 0.12f, 0.05f}, plow[3] = {0.85f, 0.38f, 0.03f};
    const float* colour = b == s->source->ball ? ball : b == s->source->plow ? plow : info->colour;
    memcpy(collider->colour, colour, sizeof collider->colour);
}

static int gather_colliders(view_renderer* renderer, const view_session* s)
{
    int count = 0;
    for (int b = 0; b < s->now->collider_count && b < renderer->collider_count; b++) {
        const firn_body_info* info = &s->now->colliders[b].info;
        const int mesh = info->bounded ? renderer->meshes[b] : -1;
        if (info->hidden || mesh == MESH_NONE || view_tools_is_parked(s, b)) continue;
        view_collider* collider = &renderer->colliders[count++];
        *collider = (view_collider){.mesh = mesh, .marked = b == s->tools.held};
        set_pose(collider, &info->pose);
        set_colour(collider, s, b, info);
        const float point[3] = {(float)info->point.x, (float)info->point.y, (float)info->point.z};
        const float normal[3] = {(float)info->normal.x, (float)info->normal.y,
                                 (float)info->normal.z};
        memcpy(collider->point, point, sizeof point);
        memcpy(collider->normal, normal, sizeof normal);
    }
    return count;
}

static view_snow gather_snow(const view_session* s)
{
    const view_snapshot* now = s->now;
    const bool coloured =
        now->has_value && *s->colouring.field && strcmp(now->value_name, s->colouring.field) == 0;
    return (view_snow){.count = now->count,
                       .position = (const float(*)[3])now->position,
                       .radius = now->has_radius ? now->radius : NULL,
                       .radius_all = (float)(VIEW_COVER * s->source->view.spacing),
                       .value = coloured ? now->value : NULL,
                       .low = (float)s->colouring.low,
                       .high = (float)s->colouring.high,
                       .map = s->map,
                       .phase = now->has_phase ? now->phase : NULL,
                       .version = now->version};
}

void view_renderer_draw(view_renderer* renderer, const view_session* s)
{
    const double* sun = s->source->view.sun;
    send_deformed(renderer, s->now);
    view_overlay_compose(&renderer->overlay, s, renderer->draw);
    const view_frame frame = {.width = view_scene_width(s),
                              .full_width = s->width,
                              .height = s->height,
                              .camera = view_orbit_camera(&s->camera),
                              .sun = {(float)sun[0], (float)sun[1], (float)sun[2]},
                              .style = s->style,
                              .shadows = s->shadows,
                              .snow = gather_snow(s),
                              .colliders = renderer->colliders,
                              .collider_count = gather_colliders(renderer, s),
                              .rects = renderer->overlay.rects,
                              .rect_count = renderer->overlay.rect_count,
                              .texts = renderer->overlay.texts,
                              .text_count = renderer->overlay.text_count,
                              .gui = view_panels_triangles(s)};
    view_draw_frame(renderer->draw, &frame);
}

const uint8_t* view_renderer_read(view_renderer* renderer, const view_session* s)
{
    const size_t bytes = (size_t)s->width * (size_t)s->height * 3;
    if (bytes > renderer->pixel_room) {
        free(renderer->pixels);
        renderer->pixels = malloc(bytes);
        renderer->pixel_room = renderer->pixels ? bytes : 0;
    }
    if (renderer->pixels) view_draw_read(renderer->draw, s->width, s->height, renderer->pixels);
    return renderer->pixels;
}
