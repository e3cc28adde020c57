// SPDX-License-Identifier: MIT
// Saves and restores the whole state in memory. A block that turns out to be damaged only when its
// sections are taken over must not change anything, so restoring first saves the present state and
// goes back to it on any failure.
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"
#include "firn/edit.h"
#include "sim/edit/edit.h"
#include "sim/edit/state_sections.h"
#include "sim/entry.h"

#define MAGIC "firnsim"  // and a zero
#define VERSION 1        // of head and sections
#define BYTE_ORDER_MARK 0x01020304u

typedef struct head {
    char magic[8];
    uint32_t version, byte_order;
    uint32_t real_bytes, sections;
    uint64_t size;      // [bytes] of the block
    uint64_t checksum;  // of what follows the head
    uint64_t scene;     // hash
    char solver[24];
} head;

typedef struct section_head {
    char tag[FIRN_STATE_TAG];
    uint64_t size;  // [bytes] of what follows, without padding
} section_head;

static size_t padded(size_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

static size_t state_size(const firn_sim* sim)
{
    size_t size = sizeof(head);
    for (size_t s = 0; s < firn_state_section_count; s++)
        size += sizeof(section_head) + padded(firn_state_sections[s].size(sim));
    return size;
}

static head head_of(const firn_sim* sim, size_t size)
{
    head h = {.magic = MAGIC,
              .version = VERSION,
              .byte_order = BYTE_ORDER_MARK,
              .real_bytes = sizeof(firn_real),
              .sections = (uint32_t)firn_state_section_count,
              .size = size,
              .scene = sim->scene.hash};
    strncpy(h.solver, sim->solver->name, sizeof h.solver - 1);
    return h;
}

// `block` has room for state_size.
static void save(const firn_sim* sim, char* block)
{
    char* at = block + sizeof(head);
    for (size_t s = 0; s < firn_state_section_count; s++) {
        const firn_state_section* section = &firn_state_sections[s];
        section_head own = {.size = section->size(sim)};
        memcpy(own.tag, section->tag, sizeof own.tag);
        memcpy(at, &own, sizeof own);
        at += sizeof own;
        const size_t whole = padded(own.size);
        memset(at + (whole >= 8 ? whole - 8 : 0), 0, whole >= 8 ? 8 : 0);  // padding
        section->save(sim, at);
        at += whole;
    }
    head h = head_of(sim, (size_t)(at - block));
    h.checksum = firn_hash(block + sizeof h, (size_t)(at - block) - sizeof h, 0);
    memcpy(block, &h, sizeof h);
}

firn_result firn_sim_save(firn_sim* sim, void* block, size_t capacity, size_t* out_size)
{
    FIRN_TRY(firn_sim_edit_begin(sim, "firn_sim_save"));
    FIRN_TRY(firn_sim_settle(sim));
    if (out_size == NULL)
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT,
                         "firn_sim_save needs room for the size");
    const size_t size = state_size(sim);
    if (block != NULL && capacity < size)
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT,
                         "firn_sim_save: the state has %zu bytes, the block only %zu", size,
                         capacity);
    const firn_entry entry = firn_sim_enter(sim);
    if (block != NULL) save(sim, block);
    firn_leave(entry);
    *out_size = size;
    return FIRN_OK;
}

// Is it a block of this scene, solver, precision and version, and undamaged?
static firn_result check_head(const firn_sim* sim, const char* block, size_t size,
                              firn_error* error)
{
    head h;
    if (size < sizeof h)
        return firn_fail(error, FIRN_REFUSED_DAMAGED, "it has %zu bytes, less than its head", size);
    memcpy(&h, block, sizeof h);
    const head own = head_of(sim, size);
    if (memcmp(h.magic, own.magic, sizeof h.magic) != 0)
        return firn_fail(error, FIRN_REFUSED_DAMAGED, "it was not written by firn_sim_save");
    if (h.byte_order != own.byte_order || h.version != own.version || h.sections != own.sections)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "it was written by another version of firn or on a machine with another "
                         "byte order");
    if (h.real_bytes != own.real_bytes)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "it was written by a build with %u-byte real numbers, this build has "
                         "%u-byte ones",
                         (unsigned)h.real_bytes, (unsigned)own.real_bytes);
    if (h.size != size)
        return firn_fail(error, FIRN_REFUSED_DAMAGED, "it has %zu bytes, its head says %llu", size,
                         (unsigned long long)h.size);
    if (h.checksum != firn_hash(block + sizeof h, size - sizeof h, 0))
        return firn_fail(error, FIRN_REFUSED_DAMAGED, "its checksum is wrong");
    if (h.scene != own.scene || memcmp(h.solver, own.solver, sizeof h.solver) != 0)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "it is the state of another scene or solver ('%.23s'; this simulation has "
                         "'%.23s')",
                         h.solver, own.solver);
    return FIRN_OK;
}

// Restores all sections of a block whose head is valid.
static firn_result restore(firn_sim* sim, const char* block, size_t size, firn_error* error)
{
    size_t at = sizeof(head);
    for (size_t s = 0; s < firn_state_section_count; s++) {
        const firn_state_section* section = &firn_state_sections[s];
        section_head own = {.size = UINT64_MAX};
        if (size - at >= sizeof own) memcpy(&own, block + at, sizeof own);
        if (memcmp(own.tag, section->tag, sizeof own.tag) != 0 || own.size > size - at ||
            padded(own.size) > size - at - sizeof own)
            return firn_fail(error, FIRN_REFUSED_DAMAGED, "its section '%.8s' is missing",
                             section->tag);
        FIRN_TRY(section->restore(sim, block + at + sizeof own, own.size, error));
        at += sizeof own + padded(own.size);
    }
    if (at != size)
        return firn_fail(error, FIRN_REFUSED_DAMAGED, "%zu bytes follow its last section",
                         size - at);
    return FIRN_OK;
}

// Restores, or goes back to the state of now.
static firn_result replace_state(firn_sim* sim, const char* block, size_t size, firn_error* error)
{
    const size_t own_size = state_size(sim);
    char* own = firn_alloc(own_size, 1);
    if (own == NULL)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "no memory for a copy of the present state");
    save(sim, own);
    firn_result r = restore(sim, block, size, error);
    if (r != FIRN_OK) {
        firn_error back = {0};
        if (restore(sim, own, own_size, &back) == FIRN_OK) {
            if (r < 0) r = FIRN_REFUSED_DAMAGED;  // nothing is broken
        } else {
            sim->broken = true;
            r = firn_fail(error, FIRN_BROKEN_INTERNAL,
                          "it is damaged, and the state before it could not be restored: %.1500s",
                          back.text);
        }
    }
    firn_free(own);
    return r;
}

static firn_result restore_checked(firn_sim* sim, const char* block, size_t size, firn_error* error)
{
    FIRN_TRY(check_head(sim, block, size, error));
    char* aligned = NULL;
    if ((uintptr_t)block % 8 != 0) {  // sections are read as structs
        aligned = firn_alloc(size, 1);
        if (aligned == NULL)
            return firn_fail(error, FIRN_REFUSED_ARGUMENT, "no memory for a copy of the block");
        memcpy(aligned, block, size);
        block = aligned;
    }
    const firn_result r = replace_state(sim, block, size, error);
    firn_free(aligned);
    firn_sim_edited(sim);
    return r;
}

firn_result firn_sim_restore(firn_sim* sim, const void* block, size_t size)
{
    FIRN_TRY(firn_sim_edit_begin(sim, "firn_sim_restore"));
    FIRN_TRY(firn_sim_settle(sim));
    if (block == NULL)
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT,
                         "firn_sim_restore needs a block of firn_sim_save");
    const firn_entry entry = firn_sim_enter(sim);
    firn_error why = {0};
    const firn_result r = restore_checked(sim, block, size, &why);
    firn_leave(entry);
    return r == FIRN_OK
               ? FIRN_OK
               : firn_fail(&sim->error, r, "firn_sim_restore: the block: %.1900s", why.text);
}
