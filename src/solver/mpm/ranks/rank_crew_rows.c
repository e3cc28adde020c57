// SPDX-License-Identifier: MIT
// What rank 0 asks of the others when it reads and replaces particles in rows.
#include "core/memory.h"
#include "solver/mpm/ranks/rank_crew_own.h"

static firn_result read_ahead(firn_mpm_crew* crew, int64_t field, int64_t first, firn_error* error)
{
    firn_crew_window* w = &crew->window;
    const int64_t left = crew->count - first;
    *w = (firn_crew_window){w->data, field, first,
                            left < FIRN_MPM_ROWS_MOST ? left : FIRN_MPM_ROWS_MOST};
    const firn_mpm_rows_order order = {field, first, w->rows};
    firn_mpm_crew_order(crew, FIRN_CREW_GIVE, &order, sizeof order);
    const firn_result r = firn_mpm_rows_give(crew->mine, crew->rows, &order, w->data, error);
    if (r != FIRN_OK) w->rows = 0;
    return r;
}

static firn_result read_rows(void* self, int field, firn_local first, firn_local rows, void* out,
                             firn_error* error)
{
    firn_mpm_crew* crew = ((firn_mpm*)self)->crew;
    const firn_crew_window* w = &crew->window;
    const size_t size =
        field == FIRN_ROWS_DENSITY ? sizeof(firn_real) : crew->mine->base.store.fields[field].size;
    char* to = out;
    while (rows > 0) {
        if (w->field != field || first < w->first || first >= w->first + w->rows)
            FIRN_TRY(read_ahead(crew, field, first, error));
        const int64_t left = w->first + w->rows - first;
        const firn_local part = left < rows ? (firn_local)left : rows;
        memcpy(to, w->data + (size_t)(first - w->first) * size, (size_t)part * size);
        to += (size_t)part * size;
        first += part;
        rows -= part;
    }
    return FIRN_OK;
}

firn_result firn_mpm_rows_open(void* self, firn_particle_rows* out_rows, firn_error* error)
{
    firn_mpm* m = self;
    firn_mpm_crew* crew = m->crew;
    FIRN_TRY(firn_mpm_crew_settle(m, error));
    if (crew->window.data == NULL)
        crew->window.data = firn_alloc(FIRN_MPM_ROWS_MOST, sizeof(firn_mat3));
    if (crew->window.data == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for reading the particles");
    crew->window.rows = 0;
    firn_mpm_crew_order(crew, FIRN_CREW_FIND_ROWS, NULL, 0);
    FIRN_TRY(firn_mpm_rows_find(crew->mine, &crew->rows, error));
    *out_rows = (firn_particle_rows){m, crew->count, read_rows};
    return FIRN_OK;
}

void firn_mpm_rows_close(void* self)
{
    firn_mpm_crew_of(self)->window.rows = 0;
}

firn_result firn_mpm_refill_begin(void* self, firn_local count, firn_error* error)
{
    return firn_mpm_crew_fill(firn_mpm_crew_of(self), count, error);
}

firn_result firn_mpm_refill_put(void* self, int field, firn_local first, firn_local rows,
                                const void* data, firn_error* error)
{
    const firn_mpm_rows_order order = {field, first, rows};
    return firn_mpm_crew_put(firn_mpm_crew_of(self), &order, data, error);
}

void firn_mpm_refill_end(void* self)
{
    firn_mpm_crew* crew = firn_mpm_crew_of(self);
    crew->host_newer = crew->fetched = false;
}
