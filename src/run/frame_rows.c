// SPDX-License-Identifier: MIT
#include "run/frame_rows.h"

#include "core/memory.h"
#include "run/run_frame.h"

bool firn_frame_rows_suffice(const firn_sim* sim)
{
    const firn_output_block* out = &sim->scene.output;
    const bool others = (out->points & ~(uint32_t)FIRN_POINTS_VTKHDF) != 0 || out->volume != 0;
    return sim->has_ranks && sim->solver->rows_open != NULL && !others;
}

firn_result firn_frame_rows_open(firn_sim* sim, bool rows, firn_particle_rows* out_rows,
                                 bool* out_reads)
{
    *out_reads = false;
    if (rows) {
        const firn_result r = sim->solver->rows_open(sim->self, out_rows, &sim->error);
        *out_reads = r == FIRN_OK;
        if (r != FIRN_BROKEN_DIVERGED) return r;
    }
    return firn_sim_fetch(sim);
}

void firn_frame_rows_close(firn_sim* sim)
{
    sim->solver->rows_close(sim->self);
}

// The row field that a frame's field is.
static int find(const firn_sim* sim, int field)
{
    const firn_particles* list = sim->solver->particles(sim->self);
    const char* name = firn_field_table[field].name;
    if (field == FIRN_FRAME_DENSITY) return FIRN_ROWS_DENSITY;
    const firn_field* found = firn_particles_find(list, name);
    if (found == NULL && firn_field_old_name(name) != NULL)
        found = firn_particles_find(list, firn_field_old_name(name));
    return found != NULL ? (int)(found - list->fields) : FIRN_ROWS_NONE;
}

static bool is_drawn(const firn_sim* sim, int field)
{
    return field == FIRN_FRAME_POSITION || field == FIRN_FRAME_DENSITY ||
           field == FIRN_FRAME_MASS || field == FIRN_FRAME_ID || field == FIRN_FRAME_MATERIAL ||
           field == FIRN_FRAME_RADIUS || field == sim->scene.render.colour_by.field;
}

firn_result firn_frame_rows_take(firn_sim* sim, const firn_particle_rows* rows,
                                 firn_frame* out_frame, void* loaded[FIRN_FRAME_FIELD_COUNT])
{
    *out_frame = (firn_frame){.info = firn_run_frame_info(sim), .count = rows->count, .rows = rows};
    for (int f = 0; f < FIRN_FRAME_FIELD_COUNT; f++) {
        const int field = find(sim, f);
        out_frame->row_field[f] = field;
        if (field == FIRN_ROWS_NONE || !sim->scene.output.preview || !is_drawn(sim, f)) continue;
        FIRN_TRY(firn_particle_rows_load(
            rows, field, firn_field_type_size(firn_field_table[f].type), &loaded[f], &sim->error));
        out_frame->fields[f] = loaded[f];
    }
    return FIRN_OK;
}

void firn_frame_rows_unload(void* loaded[FIRN_FRAME_FIELD_COUNT])
{
    for (int f = 0; f < FIRN_FRAME_FIELD_COUNT; f++) {
        firn_free(loaded[f]);
        loaded[f] = NULL;
    }
}
