// SPDX-License-Identifier: MIT
// Diffusion solver on mid cells. A face without a neighbouring snow cell is a surface. Each round
// gathers incident light at the surfaces (ambient.h) and relaxes the diffusion equation; several
// rounds let light travel between surfaces.
//
// Threads: red-black Gauss-Seidel with over-relaxation. Cells of even parity are stored first; one
// parity reads only the other while it is written, so the result does not depend on the number of
// threads.
#include "render/preview/snow/snow_light_own.h"

#include <string.h>

#include "core/memory.h"
#include "core/threads/team.h"
#include "render/preview/snow/snow_build.h"
#include "render/preview/snow/snow_rays.h"

#define FULL 0.30f  // minimum occupancy of a snow cell
#define ROUNDS 5    // of gathering incident light
#define SWEEPS 14   // of relaxation per round
#define OVER 1.6f   // over-relaxation factor: best for snow some 15 cells thick

static float mid_of(const firn_snow_volume* v, int32_t place)
{
    const int32_t x = place & 3, y = place >> 2 & 3, z = place >> 4 & 3;
    const float* mid = v->mid + (size_t)(place >> 6) * FIRN_SNOW_MID;
    return mid[((z + 1) * 6 + y + 1) * 6 + x + 1];
}

// Parity of a cell. Blocks are four cells wide, so it depends only on the position in the block.
static int parity(int32_t place)
{
    return ((place & 3) + (place >> 2 & 3) + (place >> 4 & 3)) & 1;
}

static void find_snow(const void* self, firn_local begin, firn_local end)
{
    const firn_light_work* w = self;
    for (firn_local p = begin; p < end; p++)
        w->index[p] = mid_of(&w->view->volume, p) >= FULL ? 0 : FIRN_SNOW_AIR;
}

static firn_result number_cells(firn_light_work* w, firn_error* error)
{
    const firn_snow_volume* v = &w->view->volume;
    const int32_t places = v->block_count * 64;
    w->index = firn_alloc((size_t)places + 1, sizeof *w->index);
    w->has_surface = firn_alloc((size_t)v->block_count, sizeof *w->has_surface);
    if (w->index == NULL || w->has_surface == NULL) return firn_snow_no_memory(error);
    firn_share(places, 1024, find_snow, w);
    for (int colour = 0; colour < 2; colour++) {
        for (int32_t p = 0; p < places; p++)
            if (w->index[p] != FIRN_SNOW_AIR && parity(p) == colour) w->index[p] = w->count++;
        if (colour == 0) w->even_count = w->count;
    }
    w->open = firn_alloc((size_t)v->block_count * FIRN_SNOW_MID, sizeof *w->open);
    w->cells = firn_alloc((size_t)w->count + 1, sizeof *w->cells);
    w->skins = firn_alloc((size_t)w->count + 1, sizeof *w->skins);
    w->u = firn_alloc((size_t)w->count + 1, sizeof *w->u);
    w->e = firn_alloc((size_t)w->count + 1, sizeof *w->e);
    if (w->open == NULL || w->cells == NULL || w->skins == NULL || w->u == NULL || w->e == NULL)
        return firn_snow_no_memory(error);
    for (int32_t p = 0; p < places; p++)
        if (w->index[p] != FIRN_SNOW_AIR) w->skins[w->index[p]].place = p;
    return FIRN_OK;
}

// Index of the neighbour of cell `place` along `axis`, up or down.
static int32_t beside(const firn_light_work* w, int32_t place, int axis, int up)
{
    const firn_snow_volume* v = &w->view->volume;
    const int shift = 2 * axis, at = place >> shift & 3;
    if (up ? at < 3 : at > 0) return w->index[place + (up ? 1 : -1) * (1 << shift)];
    int32_t b[3];
    memcpy(b, v->at[place >> 6], sizeof b);
    b[axis] += up ? 1 : -1;
    const int32_t block = firn_snow_block_in(v, b);
    if (block < 0) return FIRN_SNOW_AIR;
    return w->index[block * 64 + ((place & 63) ^ (3 << shift))];
}

static void find_surface(const firn_light_work* w, firn_snow_cell* c, firn_snow_skin* s)
{
    const firn_view* view = w->view;
    const firn_snow_volume* v = &view->volume;
    const firn_real sun[3] = {view->day.sun.x, view->day.sun.y, view->day.sun.z};
    float faces = 0, toward_sun = 0;
    bool sheet = false;
    for (int axis = 0; axis < 3; axis++) {
        int open = 0;
        for (int up = 0; up < 2; up++) {
            const int32_t next = beside(w, s->place, axis, up);
            c->next[2 * axis + up] = next;
            open += next == FIRN_SNOW_AIR;
            if (next == FIRN_SNOW_AIR && (sun[axis] > 0) == (up != 0))
                toward_sun += (float)firn_abs(sun[axis]);
        }
        faces += (float)(open * open);
        sheet |= open == 2;
    }
    // an oblique plane appears as stairs; the norm of the face counts recovers its area
    c->area = sqrtf(faces);
    if (!(c->area > 0)) return;
    const int32_t* at = v->at[s->place >> 6];
    const firn_real h = 2 * v->voxel;
    const firn_vec3 x =
        firn_v3((firn_real)(v->low[0] + (double)h * (4 * at[0] + (s->place & 3) + 0.5)),
                (firn_real)(v->low[1] + (double)h * (4 * at[1] + (s->place >> 2 & 3) + 0.5)),
                (firn_real)(v->low[2] + (double)h * (4 * at[2] + (s->place >> 4 & 3) + 0.5)));
    s->normal = firn_snow_normal(v, x, firn_v3(0, 1, 0));
    s->from = firn_v3_madd(x, 2 * v->voxel, s->normal);
    // a thin sheet is open on both sides, and one of them may face the sun whatever the normal is
    const float facing = (float)firn_v3_dot(s->normal, view->day.sun);
    float toward = fmaxf((facing + FIRN_SNOW_WRAP) / (1 + FIRN_SNOW_WRAP), 0);
    if (sheet && toward_sun > c->area * toward) toward = toward_sun / c->area;
    if (toward > 0) s->sun = toward * firn_sun_visibility(view, s->from, 0.5f);
}

static void find_surfaces(const void* self, firn_local begin, firn_local end)
{
    const firn_light_work* w = self;
    for (firn_local i = begin; i < end; i++) find_surface(w, &w->cells[i], &w->skins[i]);
}

// Initialises cells without a surface to the mean over those with one.
static void fill_inside(firn_light_work* w)
{
    double sum[3] = {0, 0, 0}, area = 0;
    for (int32_t i = 0; i < w->count; i++) {
        area += (double)w->cells[i].area;
        for (int q = 0; q < 3; q++) sum[q] += (double)(w->cells[i].area * w->e[i][q]);
    }
    for (int32_t i = 0; i < w->count; i++)
        for (int q = 0; q < 3 && !(w->cells[i].area > 0); q++) w->u[i][q] = (float)(sum[q] / area);
}

static void gather_range(const void* self, firn_local begin, firn_local end)
{
    const firn_light_work* w = self;
    const firn_view* view = w->view;
    for (firn_local i = begin; i < end; i++) {
        const firn_snow_skin* s = &w->skins[i];
        if (!(w->cells[i].area > 0)) continue;
        const firn_rgb e = firn_rgb_madd(firn_ambient_light(view, s->from, s->normal, -1), s->sun,
                                         view->day.direct);
        w->e[i][0] = e.r;
        w->e[i][1] = e.g;
        w->e[i][2] = e.b;
        if (w->round == 0) memcpy(w->u[i], w->e[i], sizeof w->u[i]);
    }
}

static void gather_incident(firn_light_work* w)
{
    firn_share(w->count, 16, gather_range, w);
    if (w->round == 0) fill_inside(w);
}

// Coefficients of snow_medium.h for four bands; the fourth only fills the vector.
typedef struct relax_weights {
    float link[4], link_own[4], skin[4], skin_own[4];
} relax_weights;

static void relax(const firn_light_work* w, const relax_weights* weights, int32_t i)
{
    const firn_snow_cell* c = &w->cells[i];
    float sum[4] = {0, 0, 0, 0}, links = 0;
    for (int k = 0; k < 6; k++) {
        if (c->next[k] == FIRN_SNOW_AIR) continue;
        const float* other = w->u[c->next[k]];
        for (int q = 0; q < 4; q++) sum[q] += other[q];
        links += 1;
    }
    float in[4], own[4];
    for (int q = 0; q < 4; q++) {
        in[q] = weights->link[q] * sum[q];
        own[q] = weights->link_own[q] * links;
    }
    for (int q = 0; q < 4 && c->area > 0; q++) {
        in[q] += c->area * weights->skin[q] * w->e[i][q];
        own[q] += c->area * weights->skin_own[q];
    }
    for (int q = 0; q < 4; q++) w->u[i][q] += OVER * (in[q] / own[q] - w->u[i][q]);
}

typedef struct sweep_args {
    const firn_light_work* w;
    relax_weights weights;
    int32_t first;  // cell of the parity
} sweep_args;

static void relax_range(const void* self, firn_local begin, firn_local end)
{
    const sweep_args* a = self;
    for (firn_local i = begin; i < end; i++) relax(a->w, &a->weights, a->first + i);
}

static void sweep(const firn_light_work* w)
{
    sweep_args even = {.w = w}, odd;
    for (int q = 0; q < 4; q++) {
        const firn_snow_band* b = &w->view->medium.band[q < 3 ? q : 0];
        even.weights.link[q] = b->link;
        even.weights.link_own[q] = b->link_own;
        even.weights.skin[q] = b->skin;
        even.weights.skin_own[q] = b->skin_own;
    }
    odd = even;
    odd.first = w->even_count;
    for (int k = 0; k < SWEEPS; k++) {
        firn_share(w->even_count, 256, relax_range, &even);
        firn_share(w->count - w->even_count, 256, relax_range, &odd);
    }
}

static firn_result solve(firn_light_work* w, firn_error* error)
{
    firn_view* view = w->view;
    const firn_snow_volume* v = &view->volume;
    FIRN_TRY(number_cells(w, error));
    const size_t window = (size_t)v->size[0] * (size_t)v->size[1] * (size_t)v->size[2];
    firn_snow_light light = {
        .below = firn_alloc((size_t)v->block_count * FIRN_SNOW_MID, sizeof *light.below),
        .surface = firn_alloc((size_t)v->block_count * FIRN_SNOW_MID, sizeof *light.surface),
        .coarse = firn_alloc(window, sizeof *light.coarse)};
    if (light.below == NULL || light.surface == NULL || light.coarse == NULL) {
        firn_snow_light_destroy(&light);
        return firn_snow_no_memory(error);
    }
    firn_share(w->count, 16, find_surfaces, w);
    for (w->round = 0; w->round < ROUNDS; w->round++) {
        gather_incident(w);
        sweep(w);
        view->light = light;  // later rounds gather the light of snow surfaces too
        if (w->round == 0) firn_light_find_open(w);
        firn_light_write_surfaces(w);
    }
    firn_light_write_below(w);
    return FIRN_OK;
}

firn_result firn_snow_light_build(firn_view* view, firn_error* error)
{
    view->light = (firn_snow_light){0};
    if (view->volume.block_count == 0) return FIRN_OK;
    firn_light_work w = {.view = view};
    const firn_result result = solve(&w, error);
    firn_free(w.index);
    firn_free(w.has_surface);
    firn_free(w.open);
    firn_free(w.cells);
    firn_free(w.skins);
    firn_free(w.u);
    firn_free(w.e);
    return result;
}

void firn_snow_light_destroy(firn_snow_light* light)
{
    firn_free(light->below);
    firn_free(light->surface);
    firn_free(light->coarse);
    *light = (firn_snow_light){0};
}
