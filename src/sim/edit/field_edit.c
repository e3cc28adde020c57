// SPDX-License-Identifier: MIT
// Fields that the caller writes: into copies, which are checked as a whole before the solver takes
// them over. So a value that is refused has never been part of the state.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/threads/copy.h"
#include "core/words.h"
#include "math/vec3.h"
#include "sim/edit/edit.h"
#include "sim/entry.h"
#include "state/field_values.h"

typedef struct field_copy {
    bool open;  // given to the caller
    void* data;
    size_t bytes;  // allocated
} field_copy;

struct firn_edit_fields {
    field_copy copy[FIRN_FIELDS_MAX];  // in the order of the particles' fields
    // when the first of them was given: their order is that of the particles then
    int64_t step, rollbacks;
    firn_local count;
};

void firn_edit_fields_destroy(firn_edit_fields* fields)
{
    for (int f = 0; f < FIRN_FIELDS_MAX && fields != NULL; f++) firn_free(fields->copy[f].data);
    firn_free(fields);
}

void firn_edit_fields_close(firn_edit_fields* fields)
{
    for (int f = 0; f < FIRN_FIELDS_MAX && fields != NULL; f++) fields->copy[f].open = false;
}

static bool any_open(const firn_edit_fields* fields)
{
    bool any = false;
    for (int f = 0; f < FIRN_FIELDS_MAX && fields != NULL; f++) any |= fields->copy[f].open;
    return any;
}

static bool is_current(const firn_sim* sim)
{
    const firn_edit_fields* e = sim->edit_fields;
    return e->step == sim->step && e->rollbacks == sim->rollbacks &&
           e->count == firn_sim_count(sim);
}

// Copies a field that the caller will write.
static firn_result open_copy(firn_sim* sim, const firn_field* field, field_copy* copy)
{
    const size_t bytes = (size_t)firn_sim_count(sim) * field->size;
    if (bytes > copy->bytes || copy->data == NULL) {
        firn_free(copy->data);
        copy->bytes = 0;
        copy->data = firn_alloc(bytes + 1, 1);
        if (copy->data == NULL)
            return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT, "no memory for a copy of '%s'",
                             field->name);
        copy->bytes = bytes;
    }
    if (bytes > 0) firn_share_copy(copy->data, field->data, bytes);
    copy->open = true;
    return FIRN_OK;
}

static firn_result find_field(firn_sim* sim, const char* name, const firn_field** out_field)
{
    const char* editable = sim->solver->editable;
    *out_field = name != NULL && firn_words_have(editable, name)
                     ? firn_particles_find(sim->solver->particles(sim->self), name)
                     : NULL;
    if (*out_field != NULL) return FIRN_OK;
    return firn_fail(&sim->error, FIRN_REFUSED_NAME,
                     "the field '%.60s' cannot be written; with solver '%s' these can, where the "
                     "simulation has them: %s",
                     name != NULL ? name : "(null)", sim->solver->name, editable);
}

static firn_result open_field(firn_sim* sim, const firn_field* field, firn_field_edit* out_edit)
{
    if (sim->edit_fields == NULL) sim->edit_fields = firn_alloc(1, sizeof *sim->edit_fields);
    firn_edit_fields* e = sim->edit_fields;
    if (e == NULL) return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT, "no memory for edits");
    if (any_open(e) && !is_current(sim)) firn_edit_fields_close(e);
    const firn_particles* p = sim->solver->particles(sim->self);
    field_copy* copy = &e->copy[field - p->fields];
    if (!copy->open) FIRN_TRY(open_copy(sim, field, copy));
    e->step = sim->step;
    e->rollbacks = sim->rollbacks;
    e->count = p->count;
    *out_edit = (firn_field_edit){.name = field->name,
                                  .unit = field->unit,
                                  .type = field->type,
                                  .count = p->count,
                                  .data = copy->data};
    return FIRN_OK;
}

firn_result firn_sim_field_edit(firn_sim* sim, const char* name, firn_field_edit* out_edit)
{
    FIRN_TRY(firn_sim_edit_begin(sim, "firn_sim_field_edit"));
    if (name == NULL || out_edit == NULL)
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT,
                         "firn_sim_field_edit needs the name of a field and room for the array");
    const firn_field* field;
    FIRN_TRY(find_field(sim, name, &field));
    FIRN_TRY(firn_sim_settle(sim));  // the order must not change while it is open
    const firn_entry entry = firn_sim_enter(sim);
    const firn_result r = open_field(sim, field, out_edit);
    firn_leave(entry);
    return r;
}

static firn_result refuse(firn_sim* sim, firn_local p, const char* what)
{
    const uint32_t* id = firn_particles_find(sim->solver->particles(sim->self), "id")->data;
    return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT, "%s (its id is %u); no edit was taken",
                     what, (unsigned)id[p]);
}

// What the table of fields does not say: how far the solver reaches, absolute zero.
static firn_result check_range(firn_sim* sim, const firn_field* values)
{
    const firn_local count = firn_sim_count(sim);
    char what[160];
    if (strcmp(values->name, "position") == 0) {
        const firn_vec3* x = values->data;
        const firn_real reach = (firn_real)sim->solver->reach(sim->self);
        for (firn_local p = 0; p < count; p++) {
            if (firn_abs(x[p].x) < reach && firn_abs(x[p].y) < reach && firn_abs(x[p].z) < reach)
                continue;
            snprintf(what, sizeof what,
                     "'position' of particle %d is (%g, %g, %g) m; the solver reaches %g m", (int)p,
                     (double)x[p].x, (double)x[p].y, (double)x[p].z, (double)reach);
            return refuse(sim, p, what);
        }
    }
    if (strcmp(values->name, "temperature") == 0) {
        const firn_real* T = values->data;
        for (firn_local p = 0; p < count; p++) {
            if (firn_sim_temperature_is_valid((double)T[p])) continue;
            snprintf(what, sizeof what, "'temperature' of particle %d is %g degC", (int)p,
                     (double)T[p]);
            return refuse(sim, p, what);
        }
    }
    return FIRN_OK;
}

static firn_result check(firn_sim* sim, const firn_field* values)
{
    const firn_value_limits limits = {.material_count = sim->scene.material_count,
                                      .before_first_step = sim->step == 0};
    firn_invalid_value invalid;
    if (!firn_field_find_invalid(values, firn_sim_count(sim), &limits, &invalid))
        return check_range(sim, values);
    char what[256];
    firn_invalid_value_print(&invalid, &limits, what, sizeof what);
    return refuse(sim, invalid.particle, what);
}

static firn_result commit(firn_sim* sim)
{
    const firn_particles* p = sim->solver->particles(sim->self);
    const firn_edit_fields* e = sim->edit_fields;
    for (int f = 0; f < p->field_count; f++) {
        if (!e->copy[f].open) continue;
        firn_field values = p->fields[f];
        values.data = e->copy[f].data;
        FIRN_TRY(check(sim, &values));
    }
    // positions come first: only they may lack memory
    for (int f = 0; f < p->field_count; f++)
        if (e->copy[f].open)
            FIRN_TRY(sim->solver->write(sim->self, &p->fields[f], e->copy[f].data, &sim->error));
    firn_sim_edited(sim);
    return FIRN_OK;
}

firn_result firn_sim_edit_commit(firn_sim* sim)
{
    FIRN_TRY(firn_sim_edit_begin(sim, "firn_sim_edit_commit"));
    if (!any_open(sim->edit_fields))
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT,
                         "firn_sim_edit_commit: no field was opened by firn_sim_field_edit since "
                         "the last step or edit");
    firn_result r = FIRN_REFUSED_ARGUMENT;
    if (is_current(sim)) {
        const firn_entry entry = firn_sim_enter(sim);
        r = commit(sim);
        firn_leave(entry);
    } else {
        firn_fail(&sim->error, r,
                  "firn_sim_edit_commit: the simulation was stepped since the fields were opened");
    }
    firn_edit_fields_close(sim->edit_fields);
    return r;
}
