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
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "solver/sph/laws/contact_sums.h"
#include "solver/sph/laws/heat.h"
#include "solver/sph/laws/mirror.h"

// A snow particle whose sums over boundary particles are computed, with what heat needs.
typedef struct asker {
    firn_sph_asker law;
    const firn_sph* m;
    firn_real conductivity;  // of the material [W/m/K]
} asker;

static void add_one(asker* a, firn_local b, firn_sph_contact_sums* t)
{
    const firn_sph* m = a->m;
    const firn_local at = m->wall.order != NULL ? m->wall.order[b] : b;
    const firn_sph_sample sample = {m->wall.x[b], m->boundary.velocity[at], m->boundary.normal[at],
                                    m->boundary.volume[at], m->boundary.body[at]};
    const firn_collider* body = &m->base.colliders[sample.body];
    const firn_real kernel = firn_sph_contact_add(&a->law, &sample, body, t);
    if (m->heats) firn_sph_contact_warm(body, kernel, a->conductivity, a->law.h, t);
}

static void sum_particle(const firn_sph* m, const firn_neighbour_runs* runs, firn_local i,
                         firn_sph_contact_sums* out)
{
    firn_sph_contact_sums t = firn_sph_contact_none(i);
    const firn_sph_material* mat = &m->materials[m->p.material[i]];
    const bool snow = mat->phase == FIRN_PHASE_SNOW;
    asker a = {.law = {.x = m->p.position[i],
                       .h = (firn_real)m->spacing,
                       .rest_density = m->p.fresh_density[i],
                       .fluid = !snow,
                       .coulomb = m->def.contact == FIRN_SPH_COULOMB && snow},
               .m = m,
               .conductivity = m->base.scene->materials[m->p.material[i]].snow.conductivity};
    for (int run = 0; run < runs->count; run++)
        for (firn_local b = runs->begin[run]; b < runs->end[run]; b++) add_one(&a, b, &t);
    firn_sph_contact_smooth(&a.law, m->def.contact == FIRN_SPH_CONTACT_PAPER, &t);
    firn_sph_contact_rub(&a.law, &t);
    firn_sph_contact_face(a.law.h, &t);
    t.fluid = !snow;
    if (!snow)
        firn_sph_contact_mirror(&a.law, mat, (firn_real)m->def.boundary_volume, m->p.mass[i], &t);
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
