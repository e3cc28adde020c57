// SPDX-License-Identifier: MIT
// Sums over contacts: chunks of fixed size in double, then integers, so that they do not depend on
// the number of threads.
#include <string.h>

#include "core/threads/team.h"
#include "solver/mpm/rigid/mpm_contacts.h"

typedef struct sum_pass {
    const firn_mpm_contacts* t;
    const firn_mpm_contact_args* a;
    firn_mpm_contact_loop* loop;
} sum_pass;

static void add_terms(firn_impulse* sums, const double terms[FIRN_MPM_LUMP_TERMS])
{
    for (int k = 0; k < FIRN_MPM_LUMP_TERMS; k++)
        if (terms[k] != 0)
            firn_impulse_add_units(&sums[k / FIRN_IMPULSE_SUMS], k % FIRN_IMPULSE_SUMS,
                                   terms[k] * firn_mpm_lump_unit(k));
}

// One addition of integers for neighbours of the same lump.
static void sum_chunks(const void* self, firn_local begin, firn_local end)
{
    const sum_pass* pass = self;
    const firn_mpm_contacts* t = pass->t;
    firn_impulse* mine =
        t->sums + (size_t)firn_team_worker() * (size_t)t->lumps.count * FIRN_MPM_LUMP_SUMS;
    for (firn_local chunk = begin; chunk < end; chunk++) {
        const firn_local from = chunk * FIRN_MPM_CONTACT_CHUNK, left = t->count - from;
        const firn_local to =
            from + (left < FIRN_MPM_CONTACT_CHUNK ? left : FIRN_MPM_CONTACT_CHUNK);
        for (firn_local k = from; k < to;) {
            const firn_local lump = t->contact[k].lump;
            double terms[FIRN_MPM_LUMP_TERMS] = {0};
            for (; k < to && t->contact[k].lump == lump; k++)
                pass->loop(t, pass->a, &t->contact[k], terms);
            add_terms(&mine[lump * FIRN_MPM_LUMP_SUMS], terms);
        }
    }
}

void firn_mpm_contacts_sum(const firn_mpm_contacts* t, const firn_mpm_contact_args* a,
                           firn_mpm_contact_loop* loop)
{
    const size_t each = (size_t)t->lumps.count * FIRN_MPM_LUMP_SUMS;
    const int workers = firn_team_size();
    const firn_local chunks = (t->count + FIRN_MPM_CONTACT_CHUNK - 1) / FIRN_MPM_CONTACT_CHUNK;
    memset(t->sums, 0, (size_t)workers * each * sizeof *t->sums);
    firn_share(chunks, 1, sum_chunks, &(sum_pass){t, a, loop});
    for (int w = 1; w < workers; w++)
        for (size_t k = 0; k < each; k++)
            firn_impulse_join(&t->sums[k], &t->sums[(size_t)w * each + k]);
}

void firn_mpm_contacts_terms(const firn_mpm_contacts* t, firn_local lump,
                             double out_terms[FIRN_MPM_LUMP_TERMS])
{
    const firn_impulse* sums = &t->sums[lump * FIRN_MPM_LUMP_SUMS];
    for (int k = 0; k < FIRN_MPM_LUMP_TERMS; k++)
        out_terms[k] = firn_impulse_value(&sums[k / FIRN_IMPULSE_SUMS], k % FIRN_IMPULSE_SUMS);
}
