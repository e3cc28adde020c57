// SPDX-License-Identifier: MIT
// Meshes from PLY files: the elements `vertex` and `face`, in either order; others are skipped.
#include <stdio.h>
#include <string.h>

#include "mesh/io/ply_data.h"
#include "mesh/io/polygon.h"
#include "mesh/mesh.h"

#define LOCATION_MAX 1200  // [bytes]

typedef struct reader {
    firn_ply_data ply;
    firn_mesh mesh;
    firn_polygon polygon;
    size_t bytes;  // of the file
} reader;

static firn_result check_limit(const reader* r, const firn_ply_element* element)
{
    if (element->count <= FIRN_MESH_COUNT_MAX) return FIRN_OK;
    return firn_fail(r->ply.error, FIRN_REFUSED_SCENE,
                     "%s: %lld of element '%s', at most %d: make the mesh coarser", r->ply.path,
                     (long long)element->count, element->name, FIRN_MESH_COUNT_MAX);
}

static firn_result read_vertices(reader* r, const firn_ply_element* element)
{
    static const char* const names[3] = {"x", "y", "z"};
    double values[FIRN_PLY_PROPERTIES_MAX];
    char location[LOCATION_MAX];
    int at[3];
    FIRN_TRY(firn_ply_check_count(&r->ply, element));
    FIRN_TRY(check_limit(r, element));
    for (int k = 0; k < 3; k++)
        FIRN_TRY(firn_ply_find_scalar(&r->ply, element, names[k], true, &at[k]));
    for (int64_t i = 0; i < element->count; i++) {
        FIRN_TRY(firn_ply_read_item(&r->ply, element, values));
        for (int k = 0; k < 3; k++) {
            const double x = values[at[k]];
            if (x >= -FIRN_MESH_COORDINATE_MAX && x <= FIRN_MESH_COORDINATE_MAX) continue;
            firn_ply_location(&r->ply, location, sizeof location);
            return firn_fail(r->ply.error, FIRN_REFUSED_SCENE,
                             "%s%s of vertex %lld is %g, must be between %g and %g", location,
                             names[k], (long long)i, x, -FIRN_MESH_COORDINATE_MAX,
                             FIRN_MESH_COORDINATE_MAX);
        }
        const firn_vec3 x =
            firn_v3((firn_real)values[at[0]], (firn_real)values[at[1]], (firn_real)values[at[2]]);
        if (!firn_mesh_add_vertex(&r->mesh, x))
            return firn_mesh_cannot_grow(&r->mesh, r->ply.path, r->ply.error);
    }
    return FIRN_OK;
}

// The list of a face's vertices has two common names.
static firn_result find_corners(reader* r, const firn_ply_element* element)
{
    for (int i = 0; i < element->property_count; i++) {
        const firn_ply_property* p = &r->ply.header->properties[element->first + i];
        if (strcmp(p->name, "vertex_indices") != 0 && strcmp(p->name, "vertex_index") != 0)
            continue;
        if (p->count_type == FIRN_PLY_NONE || p->type >= FIRN_PLY_FLOAT32)
            return firn_fail(r->ply.error, FIRN_REFUSED_SCENE,
                             "%s: property '%s' of 'face' must be a list of whole numbers",
                             r->ply.path, p->name);
        r->ply.list = p;
        r->ply.list_max = FIRN_POLYGON_CORNERS_MAX;
        return FIRN_OK;
    }
    return firn_fail(r->ply.error, FIRN_REFUSED_SCENE,
                     "%s: element 'face' has no list 'vertex_indices'", r->ply.path);
}

static firn_result refuse_face(const reader* r, const char* what, double number,
                               const char* instead)
{
    char location[LOCATION_MAX];
    firn_ply_location(&r->ply, location, sizeof location);
    return firn_fail(r->ply.error, FIRN_REFUSED_SCENE, "%s%s %.10g%s", location, what, number,
                     instead);
}

static firn_result read_face(reader* r)
{
    const firn_local count = r->mesh.vertex_count;
    if (r->ply.number_count < 3)
        return refuse_face(r, "the number of a face's corners is", r->ply.number_count,
                           ", must be at least 3");
    for (firn_local k = 0; k < r->ply.number_count; k++) {
        const double vertex = r->ply.numbers[k];
        // Text files may write integers as reals.
        if (!(vertex >= 0 && vertex < count && vertex == (double)(int32_t)vertex)) {
            char instead[80];
            snprintf(instead, sizeof instead, ", but there are %lld, counted from 0",
                     (long long)count);
            return refuse_face(r, "face names vertex", vertex, instead);
        }
        if (!firn_polygon_add(&r->polygon, (int32_t)vertex))
            return firn_mesh_cannot_grow(&r->mesh, r->ply.path, r->ply.error);
    }
    if (!firn_polygon_is_affordable(&r->polygon, r->bytes)) {
        char location[LOCATION_MAX];
        firn_ply_location(&r->ply, location, sizeof location);
        return firn_fail(r->ply.error, FIRN_REFUSED_SCENE, "%s" FIRN_POLYGON_TOO_MUCH_WORK,
                         location);
    }
    if (!firn_polygon_cut(&r->polygon, &r->mesh))
        return firn_mesh_cannot_grow(&r->mesh, r->ply.path, r->ply.error);
    return FIRN_OK;
}

static firn_result read_faces(reader* r, const firn_ply_element* element)
{
    double values[FIRN_PLY_PROPERTIES_MAX];
    FIRN_TRY(firn_ply_check_count(&r->ply, element));
    FIRN_TRY(check_limit(r, element));
    FIRN_TRY(find_corners(r, element));
    for (int64_t i = 0; i < element->count; i++) {
        FIRN_TRY(firn_ply_read_item(&r->ply, element, values));
        FIRN_TRY(read_face(r));
    }
    r->ply.list = NULL;
    return FIRN_OK;
}

// Faces need their vertices: if faces come first they are skipped, and read in a second pass.
static firn_result read_elements(reader* r)
{
    const firn_ply_header* header = r->ply.header;
    const firn_ply_element* vertices = firn_ply_find_element(&r->ply, "vertex");
    const firn_ply_element* faces = firn_ply_find_element(&r->ply, "face");
    if (vertices == NULL)
        return firn_fail(r->ply.error, FIRN_REFUSED_SCENE, "%s: there is no element 'vertex'",
                         r->ply.path);
    if (faces == NULL || faces->count == 0)
        return firn_fail(r->ply.error, FIRN_REFUSED_SCENE,
                         "%s: there is no element 'face', or it is empty: points alone have no "
                         "inside",
                         r->ply.path);
    firn_ply_data early = {0};
    for (int e = 0; e < header->element_count; e++) {
        const firn_ply_element* element = &header->elements[e];
        if (element == faces && faces < vertices) early = r->ply;
        if (element == vertices)
            FIRN_TRY(read_vertices(r, element));
        else if (element == faces && faces > vertices)
            FIRN_TRY(read_faces(r, element));
        else
            FIRN_TRY(firn_ply_skip(&r->ply, element));
    }
    if (early.at == NULL) return FIRN_OK;
    r->ply.at = early.at;
    r->ply.line = early.line;
    return read_faces(r, faces);
}

firn_result firn_mesh_parse_ply(const char* path, const char* data, size_t bytes, firn_mesh* out,
                                firn_error* error)
{
    reader r = {.bytes = bytes};
    *out = (firn_mesh){0};
    firn_result result = firn_ply_open(path, data, bytes, &r.ply, error);
    if (result == FIRN_OK) result = read_elements(&r);
    firn_ply_close(&r.ply);
    firn_polygon_destroy(&r.polygon);
    if (result == FIRN_OK)
        *out = r.mesh;
    else
        firn_mesh_destroy(&r.mesh);
    return result;
}
