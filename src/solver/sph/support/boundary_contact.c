// SPDX-License-Identifier: MIT
// Sums over boundary particles. Snow is sorted by cell; the boundary particles have cells of the
// same size, so that those near a cell are found once for all its particles:
//
//     cell c of the snow ──► nine runs of boundary particles ──► a record per particle of c
//                             none: no particle of c is near a collider
#include "solver/sph/support/boundary_contact.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/threads/team.h"
#include "geometry/collider/collider.h"
#include "math/mat3.h"
#include "physics/heat.h"
#include "physics/sph_adhesion.h"
#include "physics/sph_kernel.h"
#include "physics/viscosity.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"

// One snow particle whose sums over boundary particles are computed.
typedef struct asker {
    const firn_sph* m;
    firn_vec3 x;
    firn_real h, rest_density;  // rho_0 of the material
    firn_real conductivity;     // of the material [W/m/K]
    bool fluid;                 // has the pressure of one; colliders do not rub it
    firn_real weight;           // sum V_b |grad W_ib| [1/m]
    firn_vec3 velocity;         // the same with v_b [1/s]
    bool coulomb;               // friction of colliders that have no viscosity of their own
    firn_real friction;         // sum V_b |grad W_ib| mu_b of these [1/m]
} asker;

static void add_one(asker* a, firn_local b, firn_sph_contact_sums* t)
{
    const firn_sph* m = a->m;
    const firn_local at = m->wall.order != NULL ? m->wall.order[b] : b;
    const firn_vec3 x_ib = firn_v3_sub(a->x, m->wall.x[b]);
    const firn_real r2 = firn_v3_dot(x_ib, x_ib), h = a->h;
    if (!(r2 < 4 * h * h)) return;
    const firn_real r = firn_sqrt(r2), V_b = m->boundary.volume[at];
    const firn_local number = m->boundary.body[at];
    const firn_collider* body = &m->base.colliders[number];
    t->body = t->body == FIRN_SPH_NO_BODY || t->body == number ? number : FIRN_SPH_BODIES;
    const firn_vec3 v_b = m->boundary.velocity[at];
    const firn_real slope = V_b * firn_sph_dw_over_r(r, h), kernel = V_b * firn_sph_w(r, h);
    const firn_vec3 g = firn_v3_scale(x_ib, slope);
    t->gradient = firn_v3_add(t->gradient, g);
    t->kernel += kernel;
    t->moment = firn_m3_add(t->moment, firn_m3_outer(g, firn_v3_scale(x_ib, -1)));
    const firn_real weight = -slope * r;
    a->weight += weight;
    a->velocity = firn_v3_madd(a->velocity, weight, v_b);
    t->normal = firn_v3_madd(t->normal, weight, m->boundary.normal[at]);
    t->divergence += firn_v3_dot(v_b, g);
    const bool rubs = a->coulomb && !body->sticky && !(body->viscosity >= 0);
    if (rubs) a->friction += weight * body->friction;
    const firn_real nu_b = a->fluid || rubs ? 0 : firn_collider_viscosity(body);
    const firn_real drag = -nu_b * slope * r2 / (r2 + (firn_real)0.01 * h * h);
    t->drag += drag;
    t->drag_velocity = firn_v3_madd(t->drag_velocity, drag, v_b);
    if (body->adhesion > 0 && r > 0)
        t->adhesion = firn_v3_madd(
            t->adhesion, -body->adhesion * a->rest_density * V_b * firn_sph_adhesion(r, 2 * h) / r,
            x_ib);
    if (m->heats && !isnan(body->temperature)) {
        const firn_real rate =
            kernel * firn_heat_transfer_to(body->heat_transfer, a->conductivity, h / 2);
        t->heat_rate += rate;
        t->heat_power += rate * body->temperature;
    }
}

// A random sample of a plane is bumpy: the sums over it have a part along the surface that brakes
// whatever slides. Where the normals of all particles agree, that part is left out. At edges and in
// corners they do not: the sums stay as they are.
#define FLAT ((firn_real)0.98)   // |mean normal|: 11 degrees on both sides
#define ROUGH ((firn_real)0.85)  // 32 degrees

static void smooth(const asker* a, firn_sph_contact_sums* t)
{
    if (a->fluid) return;  // it needs the exact gradient of the density
    const firn_real length = firn_v3_length(t->normal);
    const firn_real share = a->weight > 0 ? length / a->weight : 0;
    t->normal = length > 0 ? firn_v3_scale(t->normal, 1 / length) : firn_v3(0, 0, 0);
    if (a->m->def.contact == FIRN_SPH_CONTACT_PAPER || !(share > ROUGH)) return;
    const firn_real x = firn_min((share - ROUGH) / (FLAT - ROUGH), 1);
    t->flat = x * x * (3 - 2 * x);
    const firn_vec3 before = t->gradient;
    t->gradient = firn_sph_along_normal(t, t->gradient);
    t->adhesion = firn_sph_along_normal(t, t->adhesion);
    // sum V_b (v_b - u) . grad W_ib is 0 for snow that moves with the collider, as before
    const firn_vec3 change = firn_v3_sub(t->gradient, before);
    t->divergence += firn_v3_dot(a->velocity, change) / a->weight;
}

// [-] K^2 over what a wall must add to the sum of densities at rest. One spacing from a plane's
// boundary particles K is 0.21 with 8 % of noise, and 1 - 0.85 is missing (VALIDATION T34): 0.29,
// at which the gradient is right, too. Water that moves keeps 0.04 spacings more; with a quarter
// more it ends at the surface of colliders, at half a spacing (theory/sph.md, "Water").
#define WALL_KERNEL ((firn_real)0.36)

// What a fluid has of a wall. Boundary particles have their whole volume, without phi. Their part K
// of the density enters as K^2 / WALL_KERNEL, and its gradient, exactly, as 2 K / WALL_KERNEL grad
// K: the factor 2 is that of a mirror image, as p_i + p_j and v_j - v_i count what is behind the
// wall as often as what is before it (theory/sph.md, "Water").
static void mirror(const asker* a, const firn_sph_material* mat, firn_sph_contact_sums* t)
{
    const firn_sph* m = a->m;
    const firn_real whole = 1 / (firn_real)m->def.boundary_volume;
    const firn_real K = whole * t->kernel, slope = 2 * K / WALL_KERNEL;
    if (mat->viscosity > 0 && !mat->slips && a->weight > 0) {
        t->drag =
            firn_viscosity_wall(mat->viscosity, a->h, firn_min(t->kernel / FIRN_HEAT_RESTING, 1),
                                m->p.mass[t->particle]);
        t->drag_velocity = firn_v3_scale(a->velocity, t->drag / a->weight);
    }
    t->kernel = K * K / WALL_KERNEL;
    t->mirror = slope * whole;
    t->gradient = firn_v3_scale(t->gradient, t->mirror);
    t->divergence *= t->mirror;
}

// What step 6 needs for Coulomb's friction: the mean coefficient, and a drag of 1/s in place of the
// one that it finds.
static void ready_friction(const asker* a, firn_sph_contact_sums* t)
{
    if (!(a->friction > 0)) return;
    t->friction = a->friction / a->weight;
    t->drag += 1;
    t->drag_velocity = firn_v3_madd(t->drag_velocity, 1 / a->weight, a->velocity);
}

static void sum_particle(const firn_sph* m, const firn_neighbour_runs* runs, firn_local i,
                         firn_sph_contact_sums* out)
{
    firn_sph_contact_sums t = {.particle = i, .body = FIRN_SPH_NO_BODY, .mirror = 1};
    asker a = {.m = m,
               .x = m->p.position[i],
               .h = (firn_real)m->spacing,
               .rest_density = m->p.fresh_density[i],
               .fluid = m->materials[m->p.material[i]].phase != FIRN_PHASE_SNOW,
               .coulomb = m->def.contact == FIRN_SPH_COULOMB &&
                          m->materials[m->p.material[i]].phase == FIRN_PHASE_SNOW,
               .conductivity = m->base.scene->materials[m->p.material[i]].snow.conductivity};
    for (int run = 0; run < runs->count; run++)
        for (firn_local b = runs->begin[run]; b < runs->end[run]; b++) add_one(&a, b, &t);
    smooth(&a, &t);
    ready_friction(&a, &t);
    const firn_real area = firn_heat_face(a.h, t.kernel);
    t.heat_rate *= area;
    t.heat_power *= area;
    t.fluid = a.fluid;
    if (a.fluid) mirror(&a, &m->materials[m->p.material[i]], &t);
    *out = t;
    const firn_sph_work* w = &m->w;
    w->B[0][i] = t.gradient.x;
    w->B[1][i] = t.gradient.y;
    w->B[2][i] = t.gradient.z;
    w->wall_kernel[i] = t.kernel;
    w->wall_divergence[i] = t.divergence;
}

static firn_result make_room(firn_sph* m, firn_local contacts)
{
    if (contacts <= m->contact_capacity) return FIRN_OK;
    const size_t n = (size_t)contacts + (size_t)contacts / 8 + 64;
    firn_free(m->contact);
    m->contact_capacity = 0;
    m->contact = firn_alloc(n, sizeof *m->contact);
    if (m->contact == NULL) return FIRN_BROKEN_MEMORY;
    m->contact_capacity = (firn_local)n;
    return FIRN_OK;
}

// contact_first[c]: how many records cell c has.
static void count_cells(const void* self, firn_local begin, firn_local end)
{
    const firn_sph* m = self;
    firn_neighbour_walk walk = {0};
    for (firn_local c = begin; c < end; c++) {
        const firn_neighbour_runs runs = firn_neighbours_walk(&m->wall, &walk, m->cells.keys[c]);
        m->contact_first[c] = runs.count > 0 ? m->cells.begin[c + 1] - m->cells.begin[c] : 0;
    }
}

// contact_first[c]: where the records of cell c begin; as many as it has particles, or none.
static firn_result find_cells(firn_sph* m)
{
    const firn_local cells = m->cells.cell_count;
    if (cells + 1 > m->contact_first_capacity) {
        const size_t n = (size_t)cells + (size_t)cells / 8 + 64;
        firn_free(m->contact_first);
        m->contact_first_capacity = 0;
        m->contact_first = firn_alloc(n, sizeof *m->contact_first);
        if (m->contact_first == NULL) return FIRN_BROKEN_MEMORY;
        m->contact_first_capacity = (firn_local)n;
    }
    firn_share(cells, 128, count_cells, m);  // 40 ns a cell
    firn_local sum = 0;
    for (firn_local c = 0; c < cells; c++) {
        const firn_local own = m->contact_first[c];
        m->contact_first[c] = sum;
        sum += own;
    }
    m->contact_first[cells] = sum;
    m->contact_count = sum;
    return make_room(m, sum);
}

static void clear_slices(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_work* w = &((const firn_sph*)self)->w;
    firn_real* const arrays[] = {w->B[0],  w->B[1],  w->B[2],        w->LB[0],
                                 w->LB[1], w->LB[2], w->wall_kernel, w->wall_divergence};
    const size_t first = (size_t)begin * FIRN_SLICE, count = (size_t)(end - begin) * FIRN_SLICE;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        memset(arrays[k] + first, 0, count * sizeof(firn_real));
}

static void sum_cells(const void* self, firn_local begin, firn_local end)
{
    const firn_sph* m = self;
    for (firn_local c = begin; c < end; c++) {
        if (m->contact_first[c] == m->contact_first[c + 1]) continue;
        const firn_neighbour_runs runs = firn_neighbours_around(&m->wall, m->cells.keys[c]);
        firn_sph_contact_sums* out = m->contact + m->contact_first[c];
        for (firn_local i = m->cells.begin[c]; i < m->cells.begin[c + 1]; i++)
            sum_particle(m, &runs, i, out++);
    }
}

firn_result firn_sph_sum_contacts(firn_sph* m)
{
    m->contact_count = 0;
    // 512 bytes a slice
    firn_share(firn_slices_of(m->p.count), 128, clear_slices, m);
    if (m->boundary.count == 0) return FIRN_OK;
    FIRN_TRY(find_cells(m));
    firn_share(m->cells.cell_count, 4, sum_cells, m);  // 8 particles and 200 ns each, or nothing
    return FIRN_OK;
}
