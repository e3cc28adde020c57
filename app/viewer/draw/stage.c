// SPDX-License-Identifier: MIT
// A session's frame, put together for draw.h.
#include "viewer/draw/stage.h"

#include <stdlib.h>
#include <string.h>

#include "viewer/input/tools.h"

#define MESH_NONE -2        // nothing to draw; -1 is a plane
#define COVER 0.58f         // radius of particles that have none, in their distance: no gaps
#define DEFORMED_ROOM 1024  // vertices, at first

struct view_stage {
    view_draw* draw;
    int* meshes;        // [body_count] as draw.h numbers them
    view_body* bodies;  // [body_count]
    int body_count;
    uint64_t deformed;   // version of the snapshot whose deforming bodies were sent
    float (*points)[3];  // scratch for a mesh: vertices, then normals
    int64_t room;
    uint8_t* pixels;
    size_t pixel_room;
    view_overlay overlay;
};

// ---- meshes -------------------------------------------------------------------------------------

static bool make_room(view_stage* stage, int64_t vertices)
{
    if (vertices <= stage->room) return true;
    const int64_t room = vertices > DEFORMED_ROOM ? vertices : DEFORMED_ROOM;
    free(stage->points);
    stage->points = malloc((size_t)room * 2 * sizeof *stage->points);
    stage->room = stage->points ? room : 0;
    return stage->points != NULL;
}

// The library's numbers may be doubles; normals come after the vertices.
static bool convert(view_stage* stage, const firn_body_mesh* mesh)
{
    if (!make_room(stage, mesh->vertex_count)) return false;
    float(*normals)[3] = stage->points + mesh->vertex_count;
    for (int64_t k = 0; k < mesh->vertex_count; k++) {
        const firn_vec3 x = mesh->vertices[k], n = mesh->normals[k];
        const float at[3] = {(float)x.x, (float)x.y, (float)x.z};
        const float up[3] = {(float)n.x, (float)n.y, (float)n.z};
        memcpy(stage->points[k], at, sizeof at);
        memcpy(normals[k], up, sizeof up);
    }
    return true;
}

// A new mesh, or other triangles for one that was sent before. False: memory is out.
static bool send(view_stage* stage, const firn_body_mesh* mesh, int* number)
{
    if (mesh->triangle_count == 0) return true;
    if (!convert(stage, mesh)) return false;
    const float(*x)[3] = (const float(*)[3])stage->points;
    const float(*n)[3] = (const float(*)[3])(stage->points + mesh->vertex_count);
    const int32_t(*t)[3] = (const int32_t(*)[3])mesh->triangles;
    if (*number >= 0)
        return view_draw_set_mesh(stage->draw, *number, x, n, mesh->vertex_count, t,
                                  mesh->triangle_count);
    const int added =
        view_draw_add_mesh(stage->draw, x, n, mesh->vertex_count, t, mesh->triangle_count);
    if (added < 0) return false;
    *number = added;
    return true;
}

static void send_deformed(view_stage* stage, const view_snapshot* now)
{
    if (stage->deformed == now->version) return;
    stage->deformed = now->version;
    for (int b = 0; b < now->body_count && b < stage->body_count; b++)
        if (now->bodies[b].info.deforms)
            send(stage, &now->bodies[b].mesh, &stage->meshes[b]);  // else: as it was before
}

firn_result view_stage_create(view_source* source, view_stage** out_stage, firn_error* error)
{
    const int count = source->ops->take(source)->body_count;
    view_stage* stage = calloc(1, sizeof *stage);
    if (!stage) return view_refuse(error, FIRN_BROKEN_MEMORY, "out of memory");
    stage->meshes = calloc((size_t)count + 1, sizeof *stage->meshes);
    stage->bodies = calloc((size_t)count + 1, sizeof *stage->bodies);
    bool fine = stage->meshes && stage->bodies;
    char problem[512] = "";
    if (fine && !view_draw_create(&stage->draw, problem, sizeof problem)) {
        view_stage_destroy(stage);
        return view_refuse(error, FIRN_REFUSED_BACKEND, problem);
    }
    for (int b = 0; fine && b < count; b++) {
        stage->body_count = b + 1;
        stage->meshes[b] = MESH_NONE;
        const firn_body_mesh* mesh = source->ops->mesh(source, b);
        if (mesh) fine = send(stage, mesh, &stage->meshes[b]);
    }
    if (!fine) {
        view_stage_destroy(stage);
        return view_refuse(error, FIRN_BROKEN_MEMORY, "out of memory for the bodies of the scene");
    }
    *out_stage = stage;
    return FIRN_OK;
}

void view_stage_destroy(view_stage* stage)
{
    if (!stage) return;
    if (stage->draw) view_draw_destroy(stage->draw);
    free(stage->meshes);
    free(stage->bodies);
    free(stage->points);
    free(stage->pixels);
    free(stage);
}

// ---- a frame ------------------------------------------------------------------------------------

static void set_pose(view_body* body, const firn_body_pose* pose)
{
    const float w = (float)pose->rotation.w, x = (float)pose->rotation.x,
                y = (float)pose->rotation.y, z = (float)pose->rotation.z;
    const float rotation[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
        2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    const float position[3] = {(float)pose->position.x, (float)pose->position.y,
                               (float)pose->position.z};
    memcpy(body->rotation, rotation, sizeof rotation);
    memcpy(body->position, position, sizeof position);
    body->scale = (float)pose->scale;
}

// The tools are coloured as tools are: what is brought is told from what the scene has.
static void set_colour(view_body* body, const view_session* s, int b, const firn_body_info* info)
{
    static const float ball[3] = {0.75f, 0.12f, 0.05f}, plow[3] = {0.85f, 0.38f, 0.03f};
    const float* colour = b == s->source->ball ? ball : b == s->source->plow ? plow : info->colour;
    memcpy(body->colour, colour, sizeof body->colour);
}

static int gather_bodies(view_stage* stage, const view_session* s)
{
    int count = 0;
    for (int b = 0; b < s->now->body_count && b < stage->body_count; b++) {
        const firn_body_info* info = &s->now->bodies[b].info;
        const int mesh = info->bounded ? stage->meshes[b] : -1;
        if (info->hidden || mesh == MESH_NONE || view_tools_is_away(s, b)) continue;
        view_body* body = &stage->bodies[count++];
        *body = (view_body){.mesh = mesh, .marked = b == s->tools.held};
        set_pose(body, &info->pose);
        set_colour(body, s, b, info);
        const float point[3] = {(float)info->point.x, (float)info->point.y, (float)info->point.z};
        const float normal[3] = {(float)info->normal.x, (float)info->normal.y,
                                 (float)info->normal.z};
        memcpy(body->point, point, sizeof point);
        memcpy(body->normal, normal, sizeof normal);
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
                       .radius_all = COVER * (float)s->source->view.spacing,
                       .value = coloured ? now->value : NULL,
                       .low = (float)s->colouring.low,
                       .high = (float)s->colouring.high,
                       .phase = now->has_phase ? now->phase : NULL,
                       .version = now->version};
}

void view_stage_draw(view_stage* stage, const view_session* s)
{
    const double* sun = s->source->view.sun;
    send_deformed(stage, s->now);
    view_overlay_compose(&stage->overlay, s, stage->draw);
    const view_frame frame = {.width = s->width,
                              .height = s->height,
                              .camera = view_orbit_camera(&s->camera),
                              .sun = {(float)sun[0], (float)sun[1], (float)sun[2]},
                              .style = s->style,
                              .shadows = s->shadows,
                              .snow = gather_snow(s),
                              .bodies = stage->bodies,
                              .body_count = gather_bodies(stage, s),
                              .patches = stage->overlay.patches,
                              .patch_count = stage->overlay.patch_count,
                              .words = stage->overlay.words,
                              .word_count = stage->overlay.word_count};
    view_draw_frame(stage->draw, &frame);
}

const uint8_t* view_stage_read(view_stage* stage, const view_session* s)
{
    const size_t bytes = (size_t)s->width * (size_t)s->height * 3;
    if (bytes > stage->pixel_room) {
        free(stage->pixels);
        stage->pixels = malloc(bytes);
        stage->pixel_room = stage->pixels ? bytes : 0;
    }
    if (stage->pixels) view_draw_read(stage->draw, s->width, s->height, stage->pixels);
    return stage->pixels;
}
