// SPDX-License-Identifier: MIT
// State of the bodies as a block: a head, a row per body, a row per joint. Everything that affects
// the next step, with the impulses that contacts begin with.
#include <math.h>
#include <string.h>

#include "bodies/bodies_state.h"
#include "geometry/collider/dynamic_collider.h"

typedef struct head {
    int64_t bodies, joints;
    double last_h;
    firn_vec3 last_gravity;
} head;

typedef struct body_row {
    firn_rigid rigid;
    double time;
    double rest;
    int64_t inactive, supports, memory_count;
    firn_contact_memory memory[FIRN_BODY_CONTACTS];
} body_row;

typedef struct joint_row {
    firn_joint_impulse by;
    firn_vec3 force, torque;
    double angle;
    int64_t broken, removed;
} joint_row;

static size_t size_of(int64_t bodies, int64_t joints)
{
    return sizeof(head) + (size_t)bodies * sizeof(body_row) + (size_t)joints * sizeof(joint_row);
}

size_t firn_bodies_extra_size(const firn_bodies* bodies)
{
    return bodies->count > 0 ? size_of(bodies->count, bodies->joint_count) : 0;
}

// Rows are zeroed first, padding too: equal states give equal blocks.
static void fill_body(const firn_bodies* bodies, firn_local k, body_row* out)
{
    const firn_body* body = &bodies->items[k];
    memset(out, 0, sizeof *out);
    out->rigid = body->rigid;
    out->time = body->time;
    out->rest = (double)body->rest;
    out->inactive = body->inactive;
    out->supports = body->supports;
    out->memory_count = body->memory_count;
    memcpy(out->memory, bodies->memory + (size_t)k * FIRN_BODY_CONTACTS, sizeof out->memory);
}

static void fill_joint(const firn_joint_state* joint, joint_row* out)
{
    memset(out, 0, sizeof *out);
    out->by = joint->by;
    out->force = joint->force;
    out->torque = joint->torque;
    out->angle = (double)joint->angle;
    out->broken = joint->broken;
    out->removed = joint->def.removed;
}

void firn_bodies_extra_save(const firn_bodies* bodies, void* block)
{
    if (bodies->count == 0) return;
    head h;
    memset(&h, 0, sizeof h);
    h.bodies = bodies->count;
    h.joints = bodies->joint_count;
    h.last_h = bodies->last_h;
    h.last_gravity = bodies->last_gravity;
    memcpy(block, &h, sizeof h);
    char* at = (char*)block + sizeof h;
    for (firn_local k = 0; k < bodies->count; k++, at += sizeof(body_row)) {
        body_row row;
        fill_body(bodies, k, &row);
        memcpy(at, &row, sizeof row);
    }
    for (firn_local k = 0; k < bodies->joint_count; k++, at += sizeof(joint_row)) {
        joint_row row;
        fill_joint(&bodies->joints[k], &row);
        memcpy(at, &row, sizeof row);
    }
}

static bool is_rigid(const firn_rigid* rigid)
{
    const firn_quat q = rigid->rotation;
    const double size2 = (double)q.w * (double)q.w + (double)q.x * (double)q.x +
                         (double)q.y * (double)q.y + (double)q.z * (double)q.z;
    return firn_body_is_bounded(rigid->position) && firn_body_is_bounded(rigid->remainder) &&
           firn_body_is_bounded(rigid->velocity) && firn_body_is_bounded(rigid->spin) &&
           size2 > 0.5 && size2 < 2;
}

static bool is_time(double seconds)
{
    return seconds >= 0 && seconds <= FIRN_MOTION_TIME_MAX;
}

static bool is_body(const firn_bodies* bodies, const body_row* row)
{
    bool good = is_rigid(&row->rigid) && is_time(row->time) && is_time(row->rest) &&
                row->inactive >> 1 == 0 && row->supports >= -1 && row->supports <= INT32_MAX &&
                row->memory_count >= 0 && row->memory_count <= FIRN_BODY_CONTACTS;
    for (int64_t k = 0; good && k < row->memory_count; k++) {
        const firn_contact_memory* m = &row->memory[k];
        good = m->other >= 0 && m->other < bodies->collider_count && firn_body_is_bounded(m->x) &&
               m->normal >= 0 && m->normal < (firn_real)1e30 && firn_v3_is_finite(m->tangent);
    }
    return good;
}

static bool is_joint(const joint_row* row)
{
    const firn_joint_impulse* by = &row->by;
    return firn_v3_is_finite(by->linear) && firn_v3_is_finite(by->angular) &&
           firn_is_finite(by->low + by->high) && firn_v3_is_finite(row->force) &&
           firn_v3_is_finite(row->torque) && fabs(row->angle) < 1e6 && row->broken >> 1 == 0 &&
           row->removed >> 1 == 0;
}

firn_result firn_bodies_check(const firn_bodies* bodies, firn_error* error)
{
    for (firn_local k = 0; k < bodies->count; k++) {
        const firn_body* body = &bodies->items[k];
        const firn_rigid* rigid = &body->rigid;
        body_row row;
        fill_body(bodies, k, &row);
        if (!body->free || is_body(bodies, &row)) continue;
        return firn_fail(error, FIRN_BROKEN_DIVERGED,
                         "collider %d, of %.4g kg: position (%.4g, %.4g, %.4g) m, velocity (%.4g, "
                         "%.4g, %.4g) m/s, spin (%.4g, %.4g, %.4g) rad/s: it is lost; likely "
                         "cause: a mass or an inertia that is far too small for what pushes it",
                         (int)body->collider, (double)rigid->mass, (double)rigid->position.x,
                         (double)rigid->position.y, (double)rigid->position.z,
                         (double)rigid->velocity.x, (double)rigid->velocity.y,
                         (double)rigid->velocity.z, (double)rigid->spin.x, (double)rigid->spin.y,
                         (double)rigid->spin.z);
    }
    for (firn_local k = 0; k < bodies->joint_count; k++) {
        joint_row row;
        fill_joint(&bodies->joints[k], &row);
        if (!is_joint(&row))
            return firn_fail(error, FIRN_BROKEN_DIVERGED,
                             "joint %d has a force that is not finite; likely cause: masses that "
                             "differ too much",
                             (int)k);
    }
    return FIRN_OK;
}

static body_row body_of(const void* block, int64_t k)
{
    body_row row;
    memcpy(&row, (const char*)block + size_of(k, 0), sizeof row);
    return row;
}

static joint_row joint_of(const void* block, int64_t bodies, int64_t k)
{
    joint_row row;
    memcpy(&row, (const char*)block + size_of(bodies, k), sizeof row);
    return row;
}

firn_result firn_bodies_extra_check(const firn_bodies* bodies, const void* block, size_t size,
                                    firn_error* error)
{
    if (size == 0) return FIRN_OK;
    head h = {.bodies = -1};
    if (size >= sizeof h) memcpy(&h, block, sizeof h);
    if (h.bodies < 1 || h.bodies > bodies->count || h.joints < 0 ||
        h.joints > bodies->joint_count || size != size_of(h.bodies, h.joints))
        return firn_fail(error, FIRN_REFUSED_DAMAGED,
                         "the state of rigid bodies has %zu bytes; expected are %zu", size,
                         firn_bodies_extra_size(bodies));
    if (!is_time(h.last_h) || !firn_v3_is_finite(h.last_gravity))
        return firn_fail(error, FIRN_REFUSED_DAMAGED,
                         "the state of rigid bodies has a time step or a gravity that is out of "
                         "range");
    for (int64_t k = 0; k < h.bodies; k++) {
        const body_row row = body_of(block, k);
        if (!is_body(bodies, &row))
            return firn_fail(error, FIRN_REFUSED_DAMAGED,
                             "dynamic collider %d has a position, rotation, velocity, contact or "
                             "time that is out of range",
                             (int)bodies->items[k].collider);
    }
    for (int64_t k = 0; k < h.joints; k++) {
        const joint_row row = joint_of(block, h.bodies, k);
        if (!is_joint(&row))
            return firn_fail(error, FIRN_REFUSED_DAMAGED, "joint %d has a value out of range",
                             (int)k);
    }
    return FIRN_OK;
}

// Mass, inertia and center come from the shape.
static void restore_body(firn_bodies* bodies, firn_local k, const body_row* row,
                         firn_collider* colliders)
{
    firn_body* body = &bodies->items[k];
    if (colliders[body->collider].moved_by != FIRN_MOVED_BY_SOLVER) return;
    firn_rigid rigid = row->rigid;
    rigid.mass = body->rigid.mass;
    rigid.inertia = body->rigid.inertia;
    rigid.center = body->rigid.center;
    body->rigid = rigid;
    body->time = row->time;
    body->rest = (firn_real)row->rest;
    body->inactive = row->inactive != 0;
    body->supports = (firn_local)row->supports;
    body->memory_count = (firn_local)row->memory_count;
    body->free = true;
    firn_contact_memory* memory = bodies->memory + (size_t)k * FIRN_BODY_CONTACTS;
    memset(memory, 0, sizeof row->memory);
    memcpy(memory, row->memory, (size_t)row->memory_count * sizeof *memory);
    firn_collider_follow(&colliders[body->collider], &body->rigid, row->time);
}

void firn_bodies_extra_restore(firn_bodies* bodies, const void* block, size_t size,
                               firn_collider* colliders)
{
    if (size == 0) return;
    head h;
    memcpy(&h, block, sizeof h);
    bodies->last_h = h.last_h;
    bodies->last_gravity = h.last_gravity;
    for (firn_local k = 0; k < h.bodies; k++) {
        const body_row row = body_of(block, k);
        restore_body(bodies, k, &row, colliders);
    }
    for (firn_local k = 0; k < h.joints; k++) {
        const joint_row row = joint_of(block, h.bodies, k);
        firn_joint_state* j = &bodies->joints[k];
        j->by = row.by;
        j->force = row.force;
        j->torque = row.torque;
        j->angle = (firn_real)row.angle;
        j->broken = row.broken != 0;
        j->def.removed = row.removed != 0;
    }
    for (firn_local k = (firn_local)h.joints; k < bodies->joint_count; k++)  // added since
        bodies->joints[k].def.removed = true;
}
