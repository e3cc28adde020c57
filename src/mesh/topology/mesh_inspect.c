// SPDX-License-Identifier: MIT
// Is a mesh the surface of a solid? In a closed one each edge belongs to two triangles (or to pairs
// of them, where solids touch) that traverse it in opposite directions.
#include "mesh/topology/mesh_inspect.h"

#include <string.h>

#include "core/memory.h"
#include "core/sort_keys.h"
#include "core/text.h"
#include "core/threads/atomics.h"
#include "core/threads/team.h"
#include "mesh/topology/mesh_intersect.h"
#include "mesh/topology/triangle_pair.h"
#include "mesh/topology/weld.h"

// Key of an edge: both vertices, the smaller first, and one bit that is set if the triangle
// traverses it from the larger to the smaller. Vertices have 28 bits.
static uint64_t edge_key(int32_t from, int32_t to)
{
    const uint64_t low = (uint64_t)(from < to ? from : to),
                   high = (uint64_t)(from < to ? to : from);
    return low << 32 | high << 1 | (from > to);
}

// Lists all edges. Omits those of triangles with two welded corners, which would only pair with
// each other.
static firn_local list_edges(const firn_mesh* mesh, uint64_t* keys)
{
    firn_local count = 0;
    for (firn_local k = 0; k < mesh->triangle_count; k++) {
        const int32_t* c = mesh->triangles[k];
        if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) continue;
        for (int i = 0; i < 3; i++) keys[count++] = edge_key(c[i], c[(i + 1) % 3]);
    }
    return count;
}

static void judge_edges(const uint64_t* keys, firn_local count, firn_mesh_report* report)
{
    for (firn_local begin = 0, end; begin < count; begin = end) {
        firn_local back = 0;  // edges from the larger to the smaller vertex
        for (end = begin; end < count && keys[end] >> 1 == keys[begin] >> 1; end++)
            back += (firn_local)(keys[end] & 1);
        const firn_local all = end - begin;
        if (2 * (int64_t)back == all) continue;
        if (all == 1)
            report->open_edges++;
        else if (all == 2)
            report->flipped_edges++;
        else
            report->crowded_edges++;
    }
}

static firn_result inspect_edges(const firn_mesh* mesh, firn_mesh_report* report)
{
    firn_key_sort sort = {0};
    const firn_result result =
        firn_key_sort_reserve(&sort, 3 * mesh->triangle_count, firn_team_size());
    if (result == FIRN_OK) {
        const uint64_t* keys;
        const firn_local* order;
        const firn_local count = list_edges(mesh, sort.key[0]);
        firn_key_sort_run(&sort, count, &keys, &order);
        judge_edges(keys, count, report);
    }
    firn_key_sort_destroy(&sort);
    return result;
}

typedef struct flat_count {
    const firn_mesh* mesh;
    int64_t* total;
} flat_count;

static void count_flat(const void* self, firn_local begin, firn_local end)
{
    const flat_count* f = self;
    int64_t flat = 0;
    for (firn_local k = begin; k < end; k++) {
        const int32_t* c = f->mesh->triangles[k];
        const firn_vec3* v = f->mesh->vertices;
        flat += firn_triangle_is_flat(v[c[0]], v[c[1]], v[c[2]]);
    }
    firn_atomic_add(f->total, flat);
}

firn_result firn_mesh_inspect(const firn_mesh* mesh, firn_mesh_report* out_report,
                              firn_error* error)
{
    *out_report = (firn_mesh_report){0};
    if (mesh->triangle_count == 0) return FIRN_OK;
    firn_mesh welded = {0};
    firn_mesh_report report = {.volume = firn_mesh_volume(mesh)};
    report.inside_out = report.volume < 0;
    firn_result result = firn_mesh_weld(mesh, &welded);
    if (result == FIRN_OK) result = inspect_edges(&welded, &report);
    if (result == FIRN_OK) result = firn_mesh_count_cuts(&welded, &report.intersections);
    int64_t flat = 0;
    if (result == FIRN_OK)
        firn_share(welded.triangle_count, 256, count_flat, &(flat_count){&welded, &flat});
    report.flat_triangles = (firn_local)flat;
    firn_mesh_destroy(&welded);
    if (result != FIRN_OK)
        return firn_fail(error, result, "no memory to inspect a mesh of %lld triangles",
                         (long long)mesh->triangle_count);
    *out_report = report;
    return FIRN_OK;
}

bool firn_mesh_is_sound(const firn_mesh_report* report)
{
    return report->open_edges == 0 && report->crowded_edges == 0 && report->flipped_edges == 0 &&
           report->intersections == 0;
}

// Appends "3 open edges" or "1 open edge", with a comma before all but the first.
static void add_part(char* out, size_t size, const char* prefix, firn_local count, const char* one,
                     const char* many)
{
    if (count == 0) return;
    const size_t length = strlen(out);
    firn_print(out + length, size - length, "%s%s%lld %s", length > 0 ? ", " : "", prefix,
               (long long)count, count == 1 ? one : many);
}

void firn_mesh_report_text(const firn_mesh_report* report, char* out_text, size_t size)
{
    if (size == 0) return;
    out_text[0] = '\0';
    add_part(out_text, size, "", report->open_edges, "open edge", "open edges");
    add_part(out_text, size, "", report->crowded_edges, "edge of more than two triangles",
             "edges of more than two triangles");
    add_part(out_text, size, "", report->flipped_edges,
             "edge between triangles that face opposite ways",
             "edges between triangles that face opposite ways");
    add_part(out_text, size, report->intersections >= FIRN_MESH_CUTS_MAX ? "at least " : "",
             report->intersections, "pair of triangles that cut each other",
             "pairs of triangles that cut each other");
}
