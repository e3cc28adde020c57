// SPDX-License-Identifier: MIT
// Diffusion solver on mid cells. A face without a neighbouring snow cell is a surface. Each round
// gathers incident light at the surfaces (ambient.h) and relaxes the diffusion equation; several
// rounds let light travel between surfaces.
//
// Threads: red-black Gauss-Seidel with over-relaxation. Cells of even parity are stored first; one
// parity reads only the other while it is written, so the result does not depend on the number of
// threads.
#include "render/preview/snow/snow_light.h"

#include <string.h>

#include "core/memory.h"
#include "core/threads/team.h"
#include "render/preview/ambient.h"
#include "render/preview/snow/snow_build.h"
#include "render/preview/snow/snow_rays.h"

#define FULL 0.30f    // minimum occupancy of a snow cell
#define ROUNDS 5      // of gathering incident light
#define SWEEPS 14     // of relaxation per round
#define OVER 1.6f     // over-relaxation factor: best for snow some 15 cells thick
#define INSIDE 1e-3f  // interpolation weight of cells without a surface
#define AIR (-1)

// What relaxation reads of a cell. Apart from the rest: sweeps read all cells, 140 times.
typedef struct snow_cell {
    int32_t next[6];  // neighbours -x +x -y +y -z +z; AIR: surface
    float area;       // of its surface, in cell faces
} snow_cell;

typedef struct snow_skin {
    int32_t place;   // block * 64 + x + 4 y + 16 z
    firn_vec3 from;  // [m] point just outside the surface where incident light is gathered
    firn_vec3 normal;
    float sun;  // irradiance of the sun relative to a surface that faces it
} snow_skin;

typedef struct light_work {
    firn_view* view;
    int round;
    int32_t count, even_count;  // cells; the first `even_count` of them have even parity
    uint8_t* has_surface;       // owned; [block_count]
    int32_t* index;             // owned; [block_count * 64]: cell index, or AIR
    int32_t* open;              // owned; [block_count * FIRN_SNOW_MID]: cell with a surface, or AIR
    snow_cell* cells;           // owned; [count]
    snow_skin* skins;           // owned; [count]
    float (*u)[4];              // owned; [count]
    float (*e)[4];  // owned; [count] incident light E, as radiance of a white diffuse surface
} light_work;

static int64_t window_index(const firn_snow_volume* v, const int32_t at[3])
{
    return ((int64_t)at[2] * v->size[1] + at[1]) * v->size[0] + at[0];
}

// Block at position `at` of the window; -1: air, or outside.
static int32_t block_in(const firn_snow_volume* v, const int32_t at[3])
{
    for (int a = 0; a < 3; a++)
        if (at[a] < 0 || at[a] >= v->size[a]) return -1;
    return v->table[window_index(v, at)];
}

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
    const light_work* w = self;
    for (firn_local p = begin; p < end; p++)
        w->index[p] = mid_of(&w->view->volume, p) >= FULL ? 0 : AIR;
}

static firn_result number_cells(light_work* w, firn_error* error)
{
    const firn_snow_volume* v = &w->view->volume;
    const int32_t places = v->block_count * 64;
    w->index = firn_alloc((size_t)places + 1, sizeof *w->index);
    w->has_surface = firn_alloc((size_t)v->block_count, sizeof *w->has_surface);
    if (w->index == NULL || w->has_surface == NULL) return firn_snow_no_memory(error);
    firn_share(places, 1024, find_snow, w);
    for (int colour = 0; colour < 2; colour++) {
        for (int32_t p = 0; p < places; p++)
            if (w->index[p] != AIR && parity(p) == colour) w->index[p] = w->count++;
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
        if (w->index[p] != AIR) w->skins[w->index[p]].place = p;
    return FIRN_OK;
}

// Index of the neighbour of cell `place` along `axis`, up or down.
static int32_t beside(const light_work* w, int32_t place, int axis, int up)
{
    const firn_snow_volume* v = &w->view->volume;
    const int shift = 2 * axis, at = place >> shift & 3;
    if (up ? at < 3 : at > 0) return w->index[place + (up ? 1 : -1) * (1 << shift)];
    int32_t b[3];
    memcpy(b, v->at[place >> 6], sizeof b);
    b[axis] += up ? 1 : -1;
    const int32_t block = block_in(v, b);
    if (block < 0) return AIR;
    return w->index[block * 64 + ((place & 63) ^ (3 << shift))];
}

static void find_surface(const light_work* w, snow_cell* c, snow_skin* s)
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
            open += next == AIR;
            if (next == AIR && (sun[axis] > 0) == (up != 0))
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
    const light_work* w = self;
    for (firn_local i = begin; i < end; i++) find_surface(w, &w->cells[i], &w->skins[i]);
}

// Initialises cells without a surface to the mean over those with one.
static void fill_inside(light_work* w)
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
    const light_work* w = self;
    const firn_view* view = w->view;
    for (firn_local i = begin; i < end; i++) {
        const snow_skin* s = &w->skins[i];
        if (!(w->cells[i].area > 0)) continue;
        const firn_rgb e = firn_rgb_madd(firn_ambient_light(view, s->from, s->normal, -1), s->sun,
                                         view->day.direct);
        w->e[i][0] = e.r;
        w->e[i][1] = e.g;
        w->e[i][2] = e.b;
        if (w->round == 0) memcpy(w->u[i], w->e[i], sizeof w->u[i]);
    }
}

static void gather_incident(light_work* w)
{
    firn_share(w->count, 16, gather_range, w);
    if (w->round == 0) fill_inside(w);
}

// Coefficients of snow_medium.h for four bands; the fourth only fills the vector.
typedef struct relax_weights {
    float link[4], link_own[4], skin[4], skin_own[4];
} relax_weights;

static void relax(const light_work* w, const relax_weights* weights, int32_t i)
{
    const snow_cell* c = &w->cells[i];
    float sum[4] = {0, 0, 0, 0}, links = 0;
    for (int k = 0; k < 6; k++) {
        if (c->next[k] == AIR) continue;
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
    const light_work* w;
    relax_weights weights;
    int32_t first;  // cell of the parity
} sweep_args;

static void relax_range(const void* self, firn_local begin, firn_local end)
{
    const sweep_args* a = self;
    for (firn_local i = begin; i < end; i++) relax(a->w, &a->weights, a->first + i);
}

static void sweep(const light_work* w)
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

// Cells at the slots of a block with its ghost layer; AIR: none.
static void find_slots(const light_work* w, int32_t block, int32_t out_cells[FIRN_SNOW_MID])
{
    const firn_snow_volume* v = &w->view->volume;
    const int32_t* at = v->at[block];
    int32_t around[27];
    for (int32_t n = 0; n < 27; n++)
        around[n] = block_in(
            v, (const int32_t[3]){at[0] + n % 3 - 1, at[1] + n / 3 % 3 - 1, at[2] + n / 9 - 1});
    for (int32_t k = 0; k < FIRN_SNOW_MID; k++) {
        const int32_t at6[3] = {k % 6 - 1, k / 6 % 6 - 1, k / 36 - 1};
        int32_t place = 0;
        for (int a = 0; a < 3; a++) place |= (at6[a] & 3) << (2 * a);
        const int32_t other =
            around[(at6[0] + 4) / 4 + (at6[1] + 4) / 4 * 3 + (at6[2] + 4) / 4 * 9];
        out_cells[k] = other >= 0 ? w->index[other * 64 + place] : AIR;
    }
}

// Whether a slot is in the block itself, not in its ghost layer.
static bool is_own(int32_t k)
{
    const int32_t x = k % 6, y = k / 6 % 6, z = k / 36;
    return x >= 1 && x <= 4 && y >= 1 && y <= 4 && z >= 1 && z <= 4;
}

// Notes the cells with a surface, and the occupancy of snow cells: crumbs do not occlude.
static void find_open(const void* self, firn_local begin, firn_local end)
{
    const light_work* w = self;
    const firn_snow_volume* v = &w->view->volume;
    for (firn_local b = begin; b < end; b++) {
        int32_t cells[FIRN_SNOW_MID];
        find_slots(w, b, cells);
        const size_t first = (size_t)b * FIRN_SNOW_MID;
        float full = 0;
        for (int32_t k = 0; k < FIRN_SNOW_MID; k++) {
            const int32_t i = cells[k];
            w->open[first + (size_t)k] = i != AIR && w->cells[i].area > 0 ? i : AIR;
            if (i != AIR && is_own(k)) full += v->mid[first + (size_t)k] / 64;
        }
        w->view->light.coarse[window_index(v, v->at[b])][3] = full;
    }
}

// Writes the radiance of a block's surfaces with its ghost layer, and their mean. Slots without a
// surface are 0 and stay so.
static void write_surface(const light_work* w, int32_t block)
{
    firn_view* view = w->view;
    const size_t first = (size_t)block * FIRN_SNOW_MID;
    float total[4] = {0, 0, 0, 0};
    for (int32_t k = 0; k < FIRN_SNOW_MID; k++) {
        const int32_t i = w->open[first + (size_t)k];
        if (i == AIR) continue;
        float* surface = view->light.surface[first + (size_t)k];
        for (int q = 0; q < 3; q++) {
            const firn_snow_band* band = &view->medium.band[q];
            surface[q] = band->give * w->e[i][q] + band->glow * fmaxf(w->u[i][q], 0);
        }
        surface[3] = 1;
        for (int q = 0; q < 4 && is_own(k); q++) total[q] += surface[q];
    }
    float* c = view->light.coarse[window_index(&view->volume, view->volume.at[block])];
    w->has_surface[block] = total[3] >= 1;
    for (int q = 0; q < 3; q++) c[q] = w->has_surface[block] ? c[3] * total[q] / total[3] : 0;
}

static void write_surfaces(const void* self, firn_local begin, firn_local end)
{
    for (firn_local b = begin; b < end; b++) write_surface(self, b);
}

// Writes the mean radiance in the cells of blocks with their ghost layers, which only shading
// reads.
static void write_below(const void* self, firn_local begin, firn_local end)
{
    const light_work* w = self;
    for (firn_local b = begin; b < end; b++) {
        int32_t cells[FIRN_SNOW_MID];
        find_slots(w, b, cells);
        for (int32_t k = 0; k < FIRN_SNOW_MID; k++) {
            const int32_t i = cells[k];
            if (i == AIR) continue;
            float* below = w->view->light.below[(size_t)b * FIRN_SNOW_MID + (size_t)k];
            below[3] = w->cells[i].area > 0 ? 1 : INSIDE;
            for (int q = 0; q < 3; q++) below[q] = below[3] * fmaxf(w->u[i][q], 0);
        }
    }
}

typedef struct hidden_args {
    const light_work* w;
    double all[4];  // sums over blocks with a surface
} hidden_args;

static void fill_blocks(const void* self, firn_local begin, firn_local end)
{
    const hidden_args* a = self;
    const light_work* w = a->w;
    const firn_snow_volume* v = &w->view->volume;
    float(*coarse)[4] = w->view->light.coarse;
    for (firn_local b = begin; b < end; b++) {
        const int64_t cell = window_index(v, v->at[b]);
        if (w->has_surface[b] || !(coarse[cell][3] > 0)) continue;
        double near[4] = {0, 0, 0, 0};
        for (int k = 0; k < 27; k++) {
            const int32_t other[3] = {v->at[b][0] + k % 3 - 1, v->at[b][1] + k / 3 % 3 - 1,
                                      v->at[b][2] + k / 9 - 1};
            const int32_t block = block_in(v, other);
            for (int q = 0; q < 4 && block >= 0 && w->has_surface[block]; q++)
                near[q] += (double)coarse[window_index(v, other)][q];
        }
        const double* from = near[3] > 0 ? near : a->all;
        for (int q = 0; q < 3 && from[3] > 0; q++)
            coarse[cell][q] = coarse[cell][3] * (float)(from[q] / from[3]);
    }
}

// Long steps of a cone may end inside snow whose surface they crossed: blocks without a surface
// take the mean of neighbouring blocks that have one, or of all blocks.
static void fill_hidden(const light_work* w)
{
    const firn_snow_volume* v = &w->view->volume;
    hidden_args a = {.w = w};
    for (int32_t b = 0; b < v->block_count; b++)
        for (int q = 0; q < 4 && w->has_surface[b]; q++)
            a.all[q] += (double)w->view->light.coarse[window_index(v, v->at[b])][q];
    firn_share(v->block_count, 16, fill_blocks, &a);
}

static firn_result solve(light_work* w, firn_error* error)
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
        if (w->round == 0) firn_share(v->block_count, 2, find_open, w);
        firn_share(v->block_count, 4, write_surfaces, w);
        fill_hidden(w);
    }
    firn_share(v->block_count, 2, write_below, w);
    return FIRN_OK;
}

firn_result firn_snow_light_build(firn_view* view, firn_error* error)
{
    view->light = (firn_snow_light){0};
    if (view->volume.block_count == 0) return FIRN_OK;
    light_work w = {.view = view};
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
