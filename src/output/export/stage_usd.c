// SPDX-License-Identifier: MIT
// A stage in the text form of Universal Scene Description (usda 1.0), read by Houdini, Blender,
// Omniverse and others:
//     /World/snow          Volume of the files vdb/NAME.0001.vdb: density and v
//     /World/particles     Points with velocities, ids and widths
//     /World/colliders/…   Xform and Mesh of each
//     /World/camera        Camera, vertical aperture 24 mm
//     /World/sun           DistantLight
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/paths.h"
#include "math/vec3.h"
#include "output/export/stage_usd_values.h"

#define APERTURE 0.24  // vertical; in tenths of a metre, as USD has it
#define PI 3.14159265358979323846

typedef struct named {
    char stem[FIRN_STEM_BYTES];
} named;

// ---- snow ---------------------------------------------------------------------------------------

// A path between @@@, in which a name's own @@@ is written \@@@.
static void put_escaped(firn_usd* u, const char* name)
{
    const char* end;
    for (; (end = strstr(name, "@@@")) != NULL; name = end + 3)
        firn_usd_put(u, "%.*s\\@@@", (int)(end - name), name);
    firn_usd_put(u, "%s", name);
}

static void put_file(firn_usd* u, const void* of, firn_local k)
{
    const named* n = of;
    const char* quotes = strchr(n->stem, '@') != NULL ? "@@@" : "@";
    firn_usd_put(u, "%s./vdb/", quotes);
    put_escaped(u, n->stem);
    firn_usd_put(u, ".%04" PRId64 ".vdb%s", u->stage->frames[k], quotes);
}

// Kernels reach beyond the particles by two widths at most; a particle's box says nothing of that,
// so that the box is larger by a part of its diagonal.
static void put_volume_box(firn_usd* u, const void* of, firn_local k)
{
    (void)of;
    const firn_stage_points* p = &u->stage->points[k];
    float side = 0;
    for (int d = 0; d < 3; d++) side = fmaxf(side, p->high[d] - p->low[d]);
    firn_usd_put_box(u, p->low, p->high, 0.1f * side);
}

static void put_volume(firn_usd* u)
{
    static const char* const grids[] = {"density", "v"};
    named n;
    firn_path_stem(u->stage->scene, n.stem);
    firn_usd_put(u, "\n    def Volume \"snow\"\n    {\n");
    for (int g = 0; g < 2; g++)
        firn_usd_put(u, "        custom rel field:%s = </World/snow/%s>\n", grids[g], grids[g]);
    firn_usd_put_attribute(u, "        ", "float3[] extent", NULL, true, put_volume_box, NULL);
    for (int g = 0; g < 2; g++) {
        firn_usd_put(u, "\n        def OpenVDBAsset \"%s\"\n        {\n", grids[g]);
        firn_usd_put(u, "            token fieldName = \"%s\"\n", grids[g]);
        firn_usd_put_attribute(u, "            ", "asset filePath", NULL, true, put_file, &n);
        firn_usd_put(u, "        }\n");
    }
    firn_usd_put(u, "    }\n");
}

static void put_rows(firn_usd* u, const float (*rows)[3], firn_local count)
{
    firn_usd_put(u, "[");
    for (firn_local p = 0; p < count && u->stream->reason == 0; p++)
        firn_usd_put_vector(
            u, firn_v3((firn_real)rows[p][0], (firn_real)rows[p][1], (firn_real)rows[p][2]),
            p == 0);
    firn_usd_put(u, "]");
}

static void put_positions(firn_usd* u, const void* of, firn_local k)
{
    (void)of;
    const firn_stage_points* p = &u->stage->points[k];
    put_rows(u, (const float(*)[3])p->position, p->count);
}

static void put_velocities(firn_usd* u, const void* of, firn_local k)
{
    (void)of;
    const firn_stage_points* p = &u->stage->points[k];
    put_rows(u, (const float(*)[3])p->velocity, p->velocity != NULL ? p->count : 0);
}

static void put_ids(firn_usd* u, const void* of, firn_local k)
{
    (void)of;
    const firn_stage_points* s = &u->stage->points[k];
    firn_usd_put(u, "[");
    for (firn_local p = 0; p < s->count && s->id != NULL; p++)
        firn_usd_put(u, "%s%" PRIu32, p > 0 ? ", " : "", s->id[p]);
    firn_usd_put(u, "]");
}

static void put_widths(firn_usd* u, const void* of, firn_local k)
{
    (void)of;
    const firn_stage_points* s = &u->stage->points[k];
    firn_usd_put(u, "[");
    for (firn_local p = 0; p < s->count; p++)
        firn_usd_put(u, "%s%.9g", p > 0 ? ", " : "", (double)s->width[p]);
    firn_usd_put(u, "]");
}

static void put_points_box(firn_usd* u, const void* of, firn_local k)
{
    (void)of;
    const firn_stage_points* s = &u->stage->points[k];
    firn_usd_put_box(u, s->low, s->high, s->count > 0 ? s->width[0] : 0);
}

// What any of the frames has.
static void put_points(firn_usd* u)
{
    bool any = false, velocities = false, ids = false;
    for (firn_local k = 0; k < u->stage->sample_count; k++) {
        any = any || u->stage->points[k].count > 0;
        velocities = velocities || u->stage->points[k].velocity != NULL;
        ids = ids || u->stage->points[k].id != NULL;
    }
    if (!any) return;
    static const char* const in = "        ";
    firn_usd_put(u, "\n    def Points \"particles\"\n    {\n");
    firn_usd_put_attribute(u, in, "float3[] extent", NULL, true, put_points_box, NULL);
    firn_usd_put_attribute(u, in, "point3f[] points", NULL, true, put_positions, NULL);
    if (velocities)
        firn_usd_put_attribute(u, in, "vector3f[] velocities", NULL, true, put_velocities, NULL);
    if (ids) firn_usd_put_attribute(u, in, "int64[] ids", NULL, true, put_ids, NULL);
    firn_usd_put_attribute(u, in, "float[] widths", "vertex", true, put_widths, NULL);
    firn_usd_put(u, "%scolor3f[] primvars:displayColor = [(0.9, 0.93, 0.97)]\n    }\n", in);
}

// ---- colliders ----------------------------------------------------------------------------------

static void put_pose(firn_usd* u, const void* of, firn_local k)
{
    firn_usd_put_pose(u, &((const firn_stage_body*)of)->poses[k]);
}

static void put_vectors(firn_usd* u, const firn_vec3* x, int64_t count)
{
    firn_usd_put(u, "[");
    for (int64_t i = 0; i < count && u->stream->reason == 0; i++)
        firn_usd_put_vector(u, x[i], i == 0);
    firn_usd_put(u, "]");
}

static const firn_body_mesh* mesh_of(const void* body, firn_local k)
{
    const firn_stage_body* b = body;
    return &b->meshes[b->deforms ? k : 0];
}

static void put_vertices(firn_usd* u, const void* of, firn_local k)
{
    put_vectors(u, mesh_of(of, k)->vertices, mesh_of(of, k)->vertex_count);
}

static void put_normals(firn_usd* u, const void* of, firn_local k)
{
    put_vectors(u, mesh_of(of, k)->normals, mesh_of(of, k)->vertex_count);
}

static void put_corners(firn_usd* u, const void* of, firn_local k)
{
    const firn_body_mesh* m = mesh_of(of, k);
    firn_usd_put(u, "[");
    for (int64_t i = 0; i < 3 * m->triangle_count && u->stream->reason == 0; i++)
        firn_usd_put(u, "%s%" PRId32, i > 0 ? ", " : "", m->triangles[i]);
    firn_usd_put(u, "]");
}

static void put_counts(firn_usd* u, const void* of, firn_local k)
{
    const firn_body_mesh* m = mesh_of(of, k);
    firn_usd_put(u, "[");
    for (int64_t i = 0; i < m->triangle_count && u->stream->reason == 0; i++)
        firn_usd_put(u, i > 0 ? ", 3" : "3");
    firn_usd_put(u, "]");
}

static void put_mesh_box(firn_usd* u, const void* of, firn_local k)
{
    const firn_body_mesh* m = mesh_of(of, k);
    float low[3] = {0}, high[3] = {0};
    for (int64_t i = 0; i < m->vertex_count; i++) {
        const float x[3] = {(float)m->vertices[i].x, (float)m->vertices[i].y,
                            (float)m->vertices[i].z};
        for (int d = 0; d < 3; d++) {
            low[d] = i == 0 ? x[d] : fminf(low[d], x[d]);
            high[d] = i == 0 ? x[d] : fmaxf(high[d], x[d]);
        }
    }
    firn_usd_put_box(u, low, high, 0);
}

static void put_body(firn_usd* u, const firn_stage_body* body)
{
    static const char* const in = "                ";
    const bool moves = firn_stage_body_moves(u->stage, body);
    const bool changes = body->deforms && firn_stage_glb_misfit(u->stage, body) != NULL;
    bool has_normals = true;
    const firn_local meshes = body->deforms ? u->stage->sample_count : 1;
    for (firn_local k = 0; k < meshes; k++)
        has_normals = has_normals && body->meshes[k].normals != NULL;
    firn_usd_put(u, "\n        def Xform \"%s\"\n        {\n", body->name);
    if (body->hidden) firn_usd_put(u, "            token visibility = \"invisible\"\n");
    firn_usd_put_attribute(u, "            ", "matrix4d xformOp:transform", NULL, moves, put_pose,
                           body);
    firn_usd_put(u, "            uniform token[] xformOpOrder = [\"xformOp:transform\"]\n");
    firn_usd_put(u, "\n            def Mesh \"mesh\"\n            {\n");
    firn_usd_put(u, "%suniform bool doubleSided = 1\n", in);
    firn_usd_put_attribute(u, in, "float3[] extent", NULL, body->deforms, put_mesh_box, body);
    firn_usd_put_attribute(u, in, "int[] faceVertexCounts", NULL, changes, put_counts, body);
    firn_usd_put_attribute(u, in, "int[] faceVertexIndices", NULL, changes, put_corners, body);
    if (has_normals)
        firn_usd_put_attribute(u, in, "normal3f[] normals", "vertex", body->deforms, put_normals,
                               body);
    firn_usd_put_attribute(u, in, "point3f[] points", NULL, body->deforms, put_vertices, body);
    firn_usd_put(u, "%scolor3f[] primvars:displayColor = [(%.6g, %.6g, %.6g)]\n", in,
                 (double)body->colour[0], (double)body->colour[1], (double)body->colour[2]);
    firn_usd_put(u, "%suniform token subdivisionScheme = \"none\"\n            }\n        }\n", in);
}

static void put_colliders(firn_usd* u)
{
    firn_usd_put(u, "\n    def Scope \"colliders\"\n    {\n");
    for (firn_local b = 0; b < u->stage->body_count; b++)
        if (u->stage->bodies[b].meshes[0].triangle_count > 0) put_body(u, &u->stage->bodies[b]);
    firn_usd_put(u, "    }\n");
}

// ---- camera and sun -----------------------------------------------------------------------------

static firn_vec3 from_doubles(const double v[3])
{
    return firn_v3((firn_real)v[0], (firn_real)v[1], (firn_real)v[2]);
}

// Axes with z along `back`, and y upwards as far as it can be.
static void put_frame(firn_usd* u, firn_vec3 back, firn_vec3 origin)
{
    const firn_vec3 z = firn_v3_normalize(back, firn_v3(0, 0, 1));
    const firn_vec3 x = firn_v3_normalize(firn_v3_cross(firn_v3(0, 1, 0), z), firn_v3(1, 0, 0));
    firn_usd_put_matrix(u, x, firn_v3_cross(z, x), z, origin);
}

static void put_camera_frame(firn_usd* u, const void* of, firn_local k)
{
    (void)of;
    const firn_vec3 eye = from_doubles(u->stage->views[k].eye);
    put_frame(u, firn_v3_sub(eye, from_doubles(u->stage->views[k].look_at)), eye);
}

static void put_focal_length(firn_usd* u, const void* of, firn_local k)
{
    (void)of;
    const double half = u->stage->views[k].fov_deg * PI / 360;
    firn_usd_put(u, "%.9g", APERTURE / (2 * tan(half)));
}

static void put_focus(firn_usd* u, const void* of, firn_local k)
{
    (void)of;
    const firn_stage_view* v = &u->stage->views[k];
    const firn_vec3 way = firn_v3_sub(from_doubles(v->look_at), from_doubles(v->eye));
    firn_usd_put(u, "%.9g", u->stage->focus > 0 ? u->stage->focus : (double)firn_v3_length(way));
}

static void put_camera_and_sun(firn_usd* u)
{
    static const char* const in = "        ";
    const firn_stage* s = u->stage;
    bool moves = false;
    for (firn_local k = 1; k < s->sample_count; k++)
        moves = moves || memcmp(&s->views[k], &s->views[0], sizeof *s->views) != 0;
    firn_usd_put(u, "\n    def Camera \"camera\"\n    {\n");
    firn_usd_put(u, "%sfloat2 clippingRange = (0.01, 10000)\n", in);
    firn_usd_put_attribute(u, in, "float focalLength", NULL, moves, put_focal_length, NULL);
    firn_usd_put_attribute(u, in, "float focusDistance", NULL, moves, put_focus, NULL);
    firn_usd_put(u, "%sfloat horizontalAperture = %.9g\n", in, APERTURE * s->aspect);
    firn_usd_put(u, "%sfloat verticalAperture = %.9g\n", in, APERTURE);
    firn_usd_put_attribute(u, in, "matrix4d xformOp:transform", NULL, moves, put_camera_frame,
                           NULL);
    firn_usd_put(u, "%suniform token[] xformOpOrder = [\"xformOp:transform\"]\n    }\n", in);
    firn_usd_put(u, "\n    def DistantLight \"sun\"\n    {\n");
    firn_usd_put(u, "%sfloat inputs:angle = %.9g\n", in, s->sun_size);
    firn_usd_put(u, "%sfloat inputs:intensity = %.9g\n", in, s->sun_strength);
    firn_usd_put(u, "%smatrix4d xformOp:transform = ", in);
    put_frame(u, from_doubles(s->sun), firn_v3(0, 0, 0));  // it shines along its -z
    firn_usd_put(u, "\n%suniform token[] xformOpOrder = [\"xformOp:transform\"]\n    }\n", in);
}

// ---- the stage ----------------------------------------------------------------------------------

static firn_result put_header(firn_usd* u)
{
    const firn_stage* s = u->stage;
    firn_text t = {0};
    firn_text_add(&t, "#usda 1.0\n(\n    defaultPrim = \"World\"\n    doc = ");
    char origin[200];
    snprintf(origin, sizeof origin, "firn: %s", s->scene);
    firn_text_add_json(&t, origin);
    firn_text_add(&t, "\n    endTimeCode = %" PRId64 "\n    framesPerSecond = ",
                  s->frames[s->sample_count - 1]);
    firn_text_add_number(&t, s->fps);
    firn_text_add(&t, "\n    metersPerUnit = 1\n    startTimeCode = %" PRId64, s->frames[0]);
    firn_text_add(&t, "\n    timeCodesPerSecond = ");
    firn_text_add_number(&t, s->fps);
    firn_text_add(&t, "\n    upAxis = \"%s\"\n)\n\ndef Xform \"World\"\n{\n", u->z_up ? "Z" : "Y");
    return firn_stream_add_text(u->stream, &t);
}

firn_result firn_stage_usd_write(const char* path, const firn_stage* stage, bool z_up,
                                 firn_error* error)
{
    firn_stream s;
    FIRN_TRY(firn_stream_open(&s, path, error));
    firn_usd usd = {&s, stage, z_up};
    const firn_result r = put_header(&usd);
    firn_locale locale = firn_locale_open();
    if (r == FIRN_OK) {
        if (stage->has_volumes) put_volume(&usd);
        put_points(&usd);
        put_colliders(&usd);
        put_camera_and_sun(&usd);
        firn_usd_put(&usd, "}\n");
    }
    firn_locale_close(&locale);
    return firn_stream_commit(&s, r);
}
