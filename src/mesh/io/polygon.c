// SPDX-License-Identifier: MIT
// Ear clipping (Meisters 1975): a convex corner whose triangle contains no other corner is an ear;
// clipping it leaves a smaller polygon, which has ears too. The ear with the shortest new edge is
// clipped first: this avoids slivers, and cuts a quadrilateral along its shorter diagonal. The
// polygon is projected along the axis nearest to its normal; orientation signs are exact
// (mesh/topology/exact_predicates.h).
#include "mesh/io/polygon.h"

#include "core/memory.h"
#include "mesh/topology/exact_predicates.h"

// Squared corners per byte: 200 for each of a million bytes take about a second. A polygon of
// n corners with vertices of its own has 16 n bytes at least.
#define WORK_PER_BYTE 200

typedef struct firn_polygon_corner {
    double at[2];           // projected; the polygon is counter-clockwise
    firn_local prev, next;  // corners that remain
    int turn;               // 1: convex, 0: straight, -1: reflex
    bool ear;
    double cut;  // squared length of the edge that clipping would create [m^2]
} corner;

void firn_polygon_destroy(firn_polygon* polygon)
{
    firn_free(polygon->corners);
    firn_free(polygon->ring);
    *polygon = (firn_polygon){0};
}

bool firn_polygon_add(firn_polygon* polygon, int32_t vertex)
{
    void* array = polygon->corners;
    if (!firn_reserve(&array, &polygon->capacity, polygon->count + 1, sizeof *polygon->corners))
        return false;
    polygon->corners = array;
    polygon->corners[polygon->count++] = vertex;
    return true;
}

bool firn_polygon_is_affordable(firn_polygon* polygon, size_t file_bytes)
{
    const double largest = FIRN_POLYGON_CORNERS_MAX, n = polygon->count;
    polygon->work += n * n;
    return polygon->work <= largest * largest + WORK_PER_BYTE * (double)file_bytes;
}

static void load(firn_vec3 x, double out[3])
{
    out[0] = (double)x.x;
    out[1] = (double)x.y;
    out[2] = (double)x.z;
}

// Projects the polygon along the largest component of its normal (Newell's method).
static void lay_out(const firn_polygon* polygon, const firn_vec3* vertices)
{
    const firn_local n = polygon->count;
    corner* ring = polygon->ring;
    double first[3], a[3], b[3], normal[3] = {0};
    load(vertices[polygon->corners[0]], first);
    for (firn_local i = 0; i < n; i++) {
        load(vertices[polygon->corners[i]], a);
        load(vertices[polygon->corners[(i + 1) % n]], b);
        for (int k = 0; k < 3; k++) {
            const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            normal[k] += (a[k1] - first[k1]) * (b[k2] - first[k2]) -
                         (a[k2] - first[k2]) * (b[k1] - first[k1]);
        }
    }
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(normal[k]) > fabs(normal[axis])) axis = k;
    const int k1 = (axis + (normal[axis] < 0 ? 2 : 1)) % 3, k2 = 3 - axis - k1;
    for (firn_local i = 0; i < n; i++) {
        load(vertices[polygon->corners[i]], a);
        ring[i] = (corner){
            .at = {a[k1], a[k2]}, .prev = i == 0 ? n - 1 : i - 1, .next = i == n - 1 ? 0 : i + 1};
    }
}

static bool same_place(const corner* a, const corner* b)
{
    return a->at[0] == b->at[0] && a->at[1] == b->at[1];
}

// Is p inside the triangle or on an edge, but not at one of its corners? Corners that coincide do
// not block an ear: a hole is joined to the outline by an edge that is traversed twice.
static bool stands_in(const corner* p, const corner* a, const corner* b, const corner* c)
{
    if (same_place(p, a) || same_place(p, b) || same_place(p, c)) return false;
    return firn_orient2(a->at, b->at, p->at) >= 0 && firn_orient2(b->at, c->at, p->at) >= 0 &&
           firn_orient2(c->at, a->at, p->at) >= 0;
}

// Updates the corner. Only corners that are not convex can block an ear.
static void judge(corner* ring, firn_local i)
{
    corner* c = &ring[i];
    const corner *a = &ring[c->prev], *b = &ring[c->next];
    const double dx = b->at[0] - a->at[0], dy = b->at[1] - a->at[1];
    c->cut = dx * dx + dy * dy;
    c->turn = firn_orient2(a->at, c->at, b->at);
    c->ear = c->turn > 0;
    for (firn_local k = b->next; c->ear && k != c->prev; k = ring[k].next)
        c->ear = ring[k].turn > 0 || !stands_in(&ring[k], a, c, b);
}

// The ear with the shortest new edge. If there is none (edges cross, or the area is zero): a
// straight corner, else a convex one, else any.
static firn_local choose(const corner* ring, firn_local start)
{
    firn_local best = start;
    int best_rank = -2;
    firn_local i = start;
    do {
        const int rank = ring[i].ear ? 2 : ring[i].turn == 0 ? 1 : ring[i].turn;
        if (rank > best_rank || (rank == best_rank && ring[i].cut < ring[best].cut)) {
            best = i;
            best_rank = rank;
        }
        i = ring[i].next;
    } while (i != start);
    return best;
}

static bool cut_ears(const firn_polygon* polygon, firn_mesh* mesh)
{
    corner* ring = polygon->ring;
    const int32_t* vertex = polygon->corners;
    const firn_local n = polygon->count;
    for (firn_local i = 0; i < n; i++)
        ring[i].turn = firn_orient2(ring[ring[i].prev].at, ring[i].at, ring[ring[i].next].at);
    for (firn_local i = 0; i < n; i++) judge(ring, i);
    firn_local start = 0;
    for (firn_local left = n; left > 3; left--) {
        const firn_local i = choose(ring, start);
        const firn_local a = ring[i].prev, b = ring[i].next;
        if (!firn_mesh_add_triangle(mesh, vertex[a], vertex[i], vertex[b])) return false;
        ring[a].next = b;
        ring[b].prev = a;
        // Update both orientations first: each corner may block the other's ear.
        ring[a].turn = firn_orient2(ring[ring[a].prev].at, ring[a].at, ring[b].at);
        ring[b].turn = firn_orient2(ring[a].at, ring[b].at, ring[ring[b].next].at);
        judge(ring, a);
        judge(ring, b);
        start = a < b ? a : b;
    }
    const firn_local a = ring[start].prev, b = ring[start].next;
    return firn_mesh_add_triangle(mesh, vertex[a], vertex[start], vertex[b]);
}

bool firn_polygon_cut(firn_polygon* polygon, firn_mesh* mesh)
{
    const firn_local n = polygon->count;
    bool good = true;
    FIRN_ASSERT(n <= FIRN_POLYGON_CORNERS_MAX);
    if (n == 3) {
        good = firn_mesh_add_triangle(mesh, polygon->corners[0], polygon->corners[1],
                                      polygon->corners[2]);
    } else if (n > 3) {
        void* array = polygon->ring;
        good = firn_reserve(&array, &polygon->ring_capacity, n, sizeof(corner));
        polygon->ring = array;
        if (good) {
            lay_out(polygon, mesh->vertices);
            good = cut_ears(polygon, mesh);
        }
    }
    polygon->count = 0;
    return good;
}
