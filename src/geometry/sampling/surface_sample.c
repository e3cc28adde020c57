// SPDX-License-Identifier: MIT
// Poisson-disc sampling of an implicit surface, one tile at a time. Gissler 2020 samples triangles
// after Bell et al. 2005; colliders here are level sets, so space is subdivided instead:
//
//     the tile ──► 8 ──► 64 ──► cells of edge h ──darts──► h/2 ──darts──► ... ──► h/32
//
// A cell that the surface cannot intersect is dropped: |phi| never exceeds the distance. Into each
// other cell, in random order, a dart is thrown: a random point, projected to the surface and
// accepted if no particle is nearer than a radius. A cell that lies within a radius of a particle
// of its side is covered; the others are divided into eight. The size of the smallest cells bounds
// the holes: a point p in such a cell, whose dart y was rejected, has a particle within a radius
// plus |p - y|, which is at most about sqrt(3) h/32.
//
// The radius: a plane must get the volumes of one layer of a cubic lattice, for which the phi = 0.8
// of the paper was chosen: V_b = 0.8 / sum W = 1.14187 h^3 (VALIDATION T38), so that sum W =
// 0.70060 / h^3. A maximal sample of radius r has 0.69 / r^2 particles per square metre. At r =
// 0.843 h a plane gets V_b = 1.143 h^3 on average, with a standard deviation of 0.13, from 0.976
// particles per h^2; their volume per area is 1.114 h, 2.5 % less than the lattice's, because
// crowded particles have smaller volumes. Friction at distance h (the K of T38) is 0.55 / h^2 +-
// 0.04 over random positions; a lattice has 0.578 above a particle.
#include "geometry/sampling/surface_sample.h"

#include <math.h>

#include "core/memory.h"
#include "geometry/levelset/level_set_sample.h"
#include "geometry/sampling/cell_table.h"
#include "math/random.h"
#include "physics/sph_kernel.h"

#define LEVEL_DARTS 3     // cells of edge h: darts from here on
#define LEVEL_LAST 8      // cells of edge h/32
#define ROUNDS 3          // darts per cell of edge h: about as many as fit
#define SLACK 1.25        // interpolated phi of a level set may exceed the distance a little
#define WALKS 32          // maximum projection steps to the surface
#define ON_SURFACE 0.002  // [h] distance at which a point is on the surface
#define OFF_SURFACE 0.05  // [h] distance at which a point is rejected
#define SIDE (FIRN_TILE_SPACINGS + 2)  // cells of edge h along a tile with a margin of one

// A cube of the tile's subdivision.
struct firn_tile_cell {
    int16_t at[3];
    bool mixed;        // may contain surfaces of different sides
    firn_vec3 normal;  // at its centre
};

typedef struct sampler {
    const firn_surface* surface;
    const firn_tile_box* box;
    firn_tile_scratch* s;
    double h, radius;
    double low[3];                        // corner of the tile
    uint64_t seed, index;                 // of the next random number
    firn_local head[SIDE * SIDE * SIDE];  // first point of a cell; -1: none
} sampler;

// ---- the surface --------------------------------------------------------------------------------

firn_phi firn_surface_phi(const firn_surface* surface, firn_vec3 x)
{
    if (surface->set != NULL) return firn_level_set_sample(surface->set, x);
    firn_phi phi;
    phi.distance = firn_shape_sample(surface->shapes, surface->shape, x, &phi.normal);
    return phi;
}

bool firn_surface_project(const firn_surface* surface, double limit, firn_vec3* x,
                          firn_vec3* out_normal)
{
    const double enough = limit * ON_SURFACE / OFF_SURFACE;
    firn_phi phi = firn_surface_phi(surface, *x);
    for (int walk = 0; walk < WALKS && fabs((double)phi.distance) > enough; walk++) {
        *x = firn_v3_madd(*x, -phi.distance, phi.normal);
        phi = firn_surface_phi(surface, *x);
    }
    *out_normal = phi.normal;
    return fabs((double)phi.distance) <= limit;
}

firn_vec3 firn_surface_sink(const firn_surface* surface, firn_vec3 x, firn_vec3 normal,
                            double depth)
{
    for (int k = 0; depth > 0 && k < FIRN_SINK_TRIES; k++, depth /= 2) {
        const firn_vec3 in = firn_v3_madd(x, -(firn_real)depth, normal);
        if (firn_surface_deep(firn_surface_phi(surface, in).distance, depth)) return in;
    }
    return x;
}

bool firn_surface_misses(const firn_surface* surface, firn_vec3 centre, double half)
{
    const double phi = (double)firn_surface_phi(surface, centre).distance;
    return fabs(phi) > SLACK * 1.7320508075688772 * half;
}

int64_t firn_tile_index(firn_real x, double spacing)
{
    return (int64_t)floor((double)x / (FIRN_TILE_SPACINGS * spacing));
}

bool firn_tile_sees(const firn_tile_box* box, double margin, firn_vec3 x)
{
    const double edge = FIRN_TILE_SPACINGS * box->spacing;
    const double own[3] = {(double)x.x, (double)x.y, (double)x.z};
    for (int d = 0; d < 3; d++) {
        const double in = own[d] - edge * box->at[d];
        if (in < -margin || in > edge + margin) return false;
    }
    return true;
}

static bool is_in_tile(const firn_tile_box* box, firn_vec3 x)
{
    return firn_tile_index(x.x, box->spacing) == box->at[0] &&
           firn_tile_index(x.y, box->spacing) == box->at[1] &&
           firn_tile_index(x.z, box->spacing) == box->at[2];
}

// ---- points by cell -----------------------------------------------------------------------------

// Index of the cell of edge h, including the margin.
static void find_cell(const sampler* k, firn_vec3 x, int out[3])
{
    const double own[3] = {(double)x.x, (double)x.y, (double)x.z};
    for (int d = 0; d < 3; d++) {
        const int cell = (int)floor((own[d] - k->low[d]) / k->h) + 1;
        out[d] = cell < 0 ? 0 : cell >= SIDE ? SIDE - 1 : cell;
    }
}

bool firn_surface_points_add(firn_surface_points* points, firn_surface_point point)
{
    if (!firn_reserve((void**)&points->items, &points->capacity, points->count + 1,
                      sizeof *points->items))
        return false;
    points->items[points->count++] = point;
    return true;
}

static bool link_point(sampler* k, firn_local p)
{
    if (!firn_reserve((void**)&k->s->next, &k->s->next_capacity, p + 1, sizeof *k->s->next))
        return false;
    int cell[3];
    find_cell(k, k->s->points.items[p].x, cell);
    firn_local* head = &k->head[(cell[2] * SIDE + cell[1]) * SIDE + cell[0]];
    k->s->next[p] = *head;
    *head = p;
    return true;
}

// Calls `visit` for the points of the 27 cells around x, which include all within a radius, until
// it returns true.
typedef bool (*visitor)(const sampler* k, const firn_surface_point* point, void* context);

static bool visit_around(const sampler* k, firn_vec3 x, visitor visit, void* context)
{
    int cell[3];
    find_cell(k, x, cell);
    for (int c = cell[2] - 1; c <= cell[2] + 1; c++)
        for (int b = cell[1] - 1; b <= cell[1] + 1; b++)
            for (int a = cell[0] - 1; a <= cell[0] + 1; a++) {
                if (a < 0 || b < 0 || c < 0 || a >= SIDE || b >= SIDE || c >= SIDE) continue;
                firn_local p = k->head[(c * SIDE + b) * SIDE + a];
                for (; p >= 0; p = k->s->next[p])
                    if (visit(k, &k->s->points.items[p], context)) return true;
            }
    return false;
}

static double square(double a)
{
    return a * a;
}

static double distance_2(firn_vec3 a, firn_vec3 b)
{
    return square((double)a.x - (double)b.x) + square((double)a.y - (double)b.y) +
           square((double)a.z - (double)b.z);
}

static bool is_same_side(firn_vec3 a, firn_vec3 b)
{
    return (double)firn_v3_dot(a, b) > FIRN_DISC_SIDES;
}

static bool keeps_off(const sampler* k, const firn_surface_point* point, void* context)
{
    const firn_surface_point* next = context;
    return distance_2(point->x, next->x) < square(k->radius) &&
           is_same_side(point->normal, next->normal);
}

// ---- darts --------------------------------------------------------------------------------------

static double throw_die(sampler* k)
{
    return firn_random_unit(k->seed, k->index++);
}

// False: out of memory. A rejected dart is not a failure.
static bool throw_dart(sampler* k, firn_vec3 from)
{
    firn_surface_point next = {.x = from};
    if (!firn_surface_project(k->surface, OFF_SURFACE * k->h, &next.x, &next.normal)) return true;
    if (!is_in_tile(k->box, next.x) || visit_around(k, next.x, keeps_off, &next)) return true;
    return firn_surface_points_add(&k->s->points, next) && link_point(k, k->s->points.count - 1);
}

static double edge_of(const sampler* k, int level)
{
    return FIRN_TILE_SPACINGS * k->h / (1 << level);
}

// A point of a cell; coordinates 0 to 1 along each axis.
static firn_vec3 point_in(const sampler* k, const struct firn_tile_cell* cell, double edge,
                          double a, double b, double c)
{
    return firn_v3((firn_real)(k->low[0] + (cell->at[0] + a) * edge),
                   (firn_real)(k->low[1] + (cell->at[1] + b) * edge),
                   (firn_real)(k->low[2] + (cell->at[2] + c) * edge));
}

static void shuffle(sampler* k, struct firn_tile_cell* cells, firn_local count)
{
    for (firn_local i = count - 1; i > 0; i--) {
        const firn_local j = (firn_local)(throw_die(k) * (i + 1));
        const struct firn_tile_cell kept = cells[i];
        cells[i] = cells[j];
        cells[j] = kept;
    }
}

// Throws one dart into every cell. Those of the last level start at the centre: they bound the
// holes.
static bool throw_round(sampler* k, struct firn_tile_cell* cells, firn_local count, int level)
{
    const double edge = edge_of(k, level);
    shuffle(k, cells, count);
    for (firn_local i = 0; i < count; i++) {
        const struct firn_tile_cell* cell = &cells[i];
        if (level < LEVEL_LAST) {
            const double a = throw_die(k), b = throw_die(k), c = throw_die(k);
            if (!throw_dart(k, point_in(k, cell, edge, a, b, c))) return false;
            continue;
        }
        if (!throw_dart(k, point_in(k, cell, edge, 0.5, 0.5, 0.5))) return false;
        for (int n = 0; cell->mixed && n < 8; n++)
            if (!throw_dart(k, point_in(k, cell, edge, n & 1, n >> 1 & 1, n >> 2))) return false;
    }
    return true;
}

// ---- cells --------------------------------------------------------------------------------------

// The sides of surfaces in a cell that no particle covers yet.
typedef struct cover {
    firn_vec3 centre;
    double half;
    firn_vec3 normal[9];
    int count;
} cover;

// Removes the sides for which the whole cell is within a radius of this point.
static bool take_cover(const sampler* k, const firn_surface_point* point, void* context)
{
    cover* c = context;
    const double far_2 = square(fabs((double)point->x.x - (double)c->centre.x) + c->half) +
                         square(fabs((double)point->x.y - (double)c->centre.y) + c->half) +
                         square(fabs((double)point->x.z - (double)c->centre.z) + c->half);
    if (far_2 >= square(k->radius)) return false;
    int left = 0;
    for (int n = 0; n < c->count; n++)
        if (!is_same_side(point->normal, c->normal[n])) c->normal[left++] = c->normal[n];
    c->count = left;
    return left == 0;
}

// A thin plate through a cell has a corner on each of its sides: the normals at the corners show
// whether both sides are present. A cell in which all agree is not tested again, nor are its
// children.
static bool is_covered(const sampler* k, struct firn_tile_cell* cell, int level)
{
    const double edge = edge_of(k, level);
    cover c = {.centre = point_in(k, cell, edge, 0.5, 0.5, 0.5), .half = edge / 2, .count = 1};
    c.normal[0] = cell->normal;
    bool agree = true;
    for (int n = 0; cell->mixed && n < 8; n++) {
        const firn_vec3 corner = point_in(k, cell, edge, n & 1, n >> 1 & 1, n >> 2);
        c.normal[c.count] = firn_surface_phi(k->surface, corner).normal;
        agree = agree && (double)firn_v3_dot(c.normal[c.count], cell->normal) > -FIRN_DISC_SIDES;
        c.count++;
    }
    cell->mixed = cell->mixed && !agree;
    return visit_around(k, c.centre, take_cover, &c);
}

static bool push_cell(firn_tile_scratch* s, int list, struct firn_tile_cell cell)
{
    if (!firn_reserve((void**)&s->cells[list], &s->cell_capacity[list], s->cell_count[list] + 1,
                      sizeof *s->cells[list]))
        return false;
    s->cells[list][s->cell_count[list]++] = cell;
    return true;
}

// Subdivides the cells of list `from` and keeps children that may contain uncovered surface.
static bool divide(sampler* k, int from, int level)
{
    firn_tile_scratch* s = k->s;
    const double edge = edge_of(k, level + 1);
    s->cell_count[1 - from] = 0;
    for (firn_local i = 0; i < s->cell_count[from]; i++) {
        struct firn_tile_cell whole = s->cells[from][i];
        if (level >= LEVEL_DARTS && is_covered(k, &whole, level)) continue;
        for (int n = 0; n < 8; n++) {
            struct firn_tile_cell part = whole;
            for (int d = 0; d < 3; d++) part.at[d] = (int16_t)(2 * whole.at[d] + (n >> d & 1));
            if (!part.mixed && is_covered(k, &part, level + 1)) continue;  // avoids evaluating phi
            const firn_phi phi =
                firn_surface_phi(k->surface, point_in(k, &part, edge, 0.5, 0.5, 0.5));
            if (fabs((double)phi.distance) > SLACK * 1.7320508075688772 * edge / 2) continue;
            part.normal = phi.normal;
            if (!push_cell(s, 1 - from, part)) return false;
        }
    }
    return true;
}

firn_result firn_tile_sample(const firn_surface* surface, const firn_tile_box* box,
                             firn_tile_scratch* scratch)
{
    sampler k = {.surface = surface, .box = box, .s = scratch, .h = box->spacing};
    k.radius = FIRN_DISC_RADIUS * k.h;
    k.seed = firn_random_bits(box->seed, firn_cell_key(box->at[0], box->at[1], box->at[2]));
    for (int d = 0; d < 3; d++) k.low[d] = FIRN_TILE_SPACINGS * k.h * box->at[d];
    for (int c = 0; c < SIDE * SIDE * SIDE; c++) k.head[c] = -1;
    for (firn_local p = 0; p < scratch->points.count; p++)
        if (!link_point(&k, p)) return FIRN_BROKEN_MEMORY;
    int list = 0;
    scratch->cell_count[0] = 0;
    if (!push_cell(scratch, 0, (struct firn_tile_cell){.mixed = true})) return FIRN_BROKEN_MEMORY;
    for (int level = 0; level <= LEVEL_LAST; level++) {
        const int rounds = level < LEVEL_DARTS ? 0 : level == LEVEL_DARTS ? ROUNDS : 1;
        for (int r = 0; r < rounds; r++)
            if (!throw_round(&k, scratch->cells[list], scratch->cell_count[list], level))
                return FIRN_BROKEN_MEMORY;
        if (level == LEVEL_LAST) break;
        if (!divide(&k, list, level)) return FIRN_BROKEN_MEMORY;
        list = 1 - list;
    }
    return FIRN_OK;
}

void firn_tile_volumes(firn_surface_point* points, firn_local count,
                       const firn_surface_points* around, double spacing, double factor)
{
    const double reach_2 = square(FIRN_SPH_SUPPORT * spacing);
    for (firn_local b = 0; b < count; b++) {
        double sum = 0;
        for (firn_local j = 0; j < count + around->count; j++) {
            const firn_surface_point* other = j < count ? &points[j] : &around->items[j - count];
            const double r_2 = distance_2(points[b].x, other->x);
            if (r_2 >= reach_2) continue;
            sum += (double)firn_sph_w((firn_real)sqrt(r_2), (firn_real)spacing);
        }
        points[b].volume = (firn_real)(factor / sum);
    }
}

void firn_tile_scratch_destroy(firn_tile_scratch* scratch)
{
    firn_free(scratch->points.items);
    firn_free(scratch->next);
    for (int i = 0; i < 2; i++) firn_free(scratch->cells[i]);
    *scratch = (firn_tile_scratch){0};
}
