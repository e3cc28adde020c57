// SPDX-License-Identifier: MIT
// A step of all bodies (theory/bodies.md):
//
//     begin     contacts, joints; velocities at the end of the step are predicted
//     sweep     the prediction, improved
//     finish    substeps of h, each:  v += h g + impulses / substeps, warm start,
//               soft sweeps, x += h v, hard sweeps;  then bounces, rest
//
// Sweeps go over joints and contacts in their order, and back: a stack passes its weight on in both
// directions.
#include <math.h>
#include <string.h>

#include "bodies/joint_solve.h"
#include "geometry/collider/dynamic_collider.h"

#define SUBSTEP 2.5e-4  // [s] at most, unless there would be more than SUBSTEPS_MAX
#define SUBSTEPS_MAX 16
#define SWEEPS 2           // soft ones, and as many hard ones, per substep
#define CONTACT_OMEGA 1.6  // [1/h] frequency of soft contacts: a quarter of a turn per substep
#define CONTACT_ZETA 10    // damping ratio: overlaps vanish without a bounce
#define JOINT_OMEGA 1.6    // [1/h]
#define JOINT_ZETA 2
#define PUSH_OUT 4   // [sizes/s] at which overlaps vanish at most
#define BOUNCE 0.02  // [m/s] slower contacts do not bounce; and 2 g dt

static void set_inverse(firn_mover* m, const firn_body* body)
{
    const firn_mat3 R = firn_q_to_m3(body->rigid.rotation);
    m->inverse = firn_m3_mul(R, firn_m3_mul_transposed(body->inverse, R));
}

static bool moves(const firn_body* body)
{
    return body->free && !body->inactive;
}

// State of the bodies as movers, at the start of the step.
static void load_movers(firn_bodies* bodies)
{
    for (firn_local k = 0; k < bodies->count; k++) {
        const firn_body* body = &bodies->items[k];
        firn_mover* m = &bodies->movers[k];
        *m = (firn_mover){.position = body->rigid.position,
                          .velocity = body->rigid.velocity,
                          .spin = body->rigid.spin};
        if (!body->free) continue;
        m->inverse_mass = 1 / body->rigid.mass;
        set_inverse(m, body);
    }
    bodies->movers[bodies->count] = (firn_mover){0};
}

typedef void (*contact_fn)(firn_bodies* bodies, firn_contact* c, void* user);

// All contacts, forwards or backwards.
static void each_contact(firn_bodies* bodies, contact_fn f, void* user, bool backwards)
{
    for (firn_local i = 0; i < bodies->count; i++) {
        const firn_local a = backwards ? bodies->count - 1 - i : i;
        const firn_body* body = &bodies->items[a];
        if (!moves(body)) continue;
        firn_contact* contacts = bodies->contacts + (size_t)a * FIRN_BODY_CONTACTS;
        for (firn_local k = 0; k < body->contact_count; k++)
            f(bodies, &contacts[backwards ? body->contact_count - 1 - k : k], user);
    }
}

// ---- prediction ---------------------------------------------------------------------------------

static void predict_first(firn_bodies* bodies, firn_contact* c, void* user)
{
    (void)user;
    firn_mover *a = &bodies->movers[c->a], *b = &bodies->movers[c->b];
    const firn_real n = (firn_real)bodies->substeps;
    firn_contact_place(c, a, b);
    c->guess = n * c->normal;
    for (int d = 0; d < 2; d++) c->guess_tangent[d] = n * c->tangent[d];
    const firn_vec3 along = firn_contact_tangential(c, c->guess_tangent);
    firn_contact_apply(c, a, b, firn_v3_madd(along, c->guess, c->n));
}

static void predict(firn_bodies* bodies, firn_contact* c, void* user)
{
    (void)user;
    firn_contact_predict(c, &bodies->movers[c->a], &bodies->movers[c->b], (firn_real)bodies->dt);
}

static firn_quat rotation_of(const firn_bodies* bodies, firn_local mover)
{
    return mover < bodies->count ? bodies->items[mover].rigid.rotation : firn_q_identity();
}

static void place_joint(firn_bodies* bodies, firn_joint_state* j, firn_real elapsed)
{
    firn_joint_place(j, &bodies->movers[j->a], &bodies->movers[j->b], rotation_of(bodies, j->a),
                     rotation_of(bodies, j->b), elapsed);
}

static firn_joint_impulse scale_impulse(firn_joint_impulse by, firn_real s)
{
    return (firn_joint_impulse){firn_v3_scale(by.linear, s), firn_v3_scale(by.angular, s),
                                s * by.low, s * by.high};
}

void firn_bodies_begin(firn_bodies* bodies, const firn_collider* colliders,
                       const firn_shapes* shapes, firn_vec3 gravity, double time, double dt)
{
    const int wanted = (int)ceil(fmin(dt / SUBSTEP - 1e-6, SUBSTEPS_MAX));
    bodies->colliders = colliders;
    bodies->shapes = shapes;
    bodies->gravity = gravity;
    bodies->time = time;
    bodies->dt = dt;
    bodies->substeps = wanted < 1 ? 1 : wanted;
    for (firn_local k = 0; k < bodies->count; k++) {
        firn_body* body = &bodies->items[k];
        memset(body->push, 0, sizeof body->push);
        memset(body->twist, 0, sizeof body->twist);
    }
    load_movers(bodies);
    firn_bodies_find_contacts(bodies);
    firn_bodies_place_joints(bodies);
    // impulses of the last substep, for one of another length
    const firn_real change =
        bodies->last_h > 0 ? (firn_real)(dt / bodies->substeps / bodies->last_h) : 0;
    for (firn_local k = 0; k < bodies->count; k++)
        if (moves(&bodies->items[k]))
            bodies->movers[k].velocity =
                firn_v3_madd(bodies->movers[k].velocity, (firn_real)dt, gravity);
    for (firn_local k = 0; k < bodies->joint_count; k++) {
        firn_joint_state* j = &bodies->joints[k];
        j->by = j->kept = scale_impulse(j->by, change);
        if (!j->acts) continue;
        place_joint(bodies, j, 0);
        j->by = scale_impulse(j->by, (firn_real)bodies->substeps);
        firn_joint_warm(j, &bodies->movers[j->a], &bodies->movers[j->b]);
    }
    each_contact(bodies, predict_first, NULL, false);
}

void firn_bodies_push(firn_bodies* bodies, firn_local k, const double impulse[3],
                      const double angular[3])
{
    firn_body* body = &bodies->items[k];
    firn_mover* m = &bodies->movers[k];
    for (int d = 0; d < 3; d++) {
        body->push[d] += impulse[d];
        body->twist[d] += angular[d];
    }
    if (!body->free) return;
    const firn_vec3 p =
        firn_v3((firn_real)impulse[0], (firn_real)impulse[1], (firn_real)impulse[2]);
    const firn_vec3 l =
        firn_v3((firn_real)angular[0], (firn_real)angular[1], (firn_real)angular[2]);
    m->velocity = firn_v3_madd(m->velocity, m->inverse_mass, p);
    m->spin = firn_v3_add(m->spin, firn_m3_mul_v3(m->inverse, l));
}

void firn_bodies_sweep(firn_bodies* bodies)
{
    for (firn_local k = 0; k < bodies->joint_count; k++) {
        firn_joint_state* j = &bodies->joints[k];
        if (!j->acts) continue;
        place_joint(bodies, j, 0);
        firn_joint_solve(j, &bodies->movers[j->a], &bodies->movers[j->b], NULL,
                         (firn_real)bodies->dt);
    }
    each_contact(bodies, predict, NULL, false);
}

void firn_bodies_velocity(const firn_bodies* bodies, firn_local body, firn_vec3* out_velocity,
                          firn_vec3* out_spin)
{
    *out_velocity = bodies->movers[body].velocity;
    *out_spin = bodies->movers[body].spin;
}

// ---- the step -----------------------------------------------------------------------------------

typedef struct substep {
    firn_real h, elapsed;  // [s] length; time since the start of the step
    firn_soft contact, joint;
    bool soft, backwards;
    firn_real threshold;  // [m/s] of bounces
} substep;

static void place(firn_bodies* bodies, firn_contact* c, void* user)
{
    (void)user;
    firn_contact_place(c, &bodies->movers[c->a], &bodies->movers[c->b]);
}

static void place_and_warm(firn_bodies* bodies, firn_contact* c, void* user)
{
    place(bodies, c, user);
    firn_contact_warm(c, &bodies->movers[c->a], &bodies->movers[c->b]);
}

static void solve(firn_bodies* bodies, firn_contact* c, void* user)
{
    const substep* s = user;
    const firn_real push_out = (firn_real)PUSH_OUT * bodies->items[c->a].size;
    firn_contact_solve(c, &bodies->movers[c->a], &bodies->movers[c->b],
                       s->soft ? &s->contact : NULL, push_out, s->elapsed, s->h);
}

static void bounce(firn_bodies* bodies, firn_contact* c, void* user)
{
    const substep* s = user;
    firn_contact_bounce(c, &bodies->movers[c->a], &bodies->movers[c->b], s->threshold);
}

static void sweep_joints(firn_bodies* bodies, const substep* s)
{
    for (firn_local i = 0; i < bodies->joint_count; i++) {
        const firn_local k = s->backwards ? bodies->joint_count - 1 - i : i;
        firn_joint_state* j = &bodies->joints[k];
        if (!j->acts || !moves(&bodies->items[j->a])) continue;
        firn_joint_solve(j, &bodies->movers[j->a], &bodies->movers[j->b],
                         s->soft ? &s->joint : NULL, s->h);
    }
}

static void sweep(firn_bodies* bodies, substep* s)
{
    for (int k = 0; k < SWEEPS; k++) {
        s->backwards = k % 2 != 0;
        sweep_joints(bodies, s);
        each_contact(bodies, solve, s, s->backwards);
    }
}

// Forces of a substep.
static void accelerate(firn_bodies* bodies, const substep* s)
{
    const double share = 1.0 / bodies->substeps;
    for (firn_local k = 0; k < bodies->count; k++) {
        const firn_body* body = &bodies->items[k];
        firn_mover* m = &bodies->movers[k];
        if (!moves(body)) continue;
        firn_real p[3], l[3];
        for (int d = 0; d < 3; d++) {
            p[d] = (firn_real)(share * body->push[d]);
            l[d] = (firn_real)(share * body->twist[d]);
        }
        m->velocity = firn_v3_madd(m->velocity, s->h, bodies->gravity);
        m->velocity = firn_v3_madd(m->velocity, m->inverse_mass, firn_v3(p[0], p[1], p[2]));
        // pushes act where they did at the start of the step, while the body moves on
        const firn_vec3 lever = firn_v3_cross(m->shift, firn_v3(p[0], p[1], p[2]));
        const firn_vec3 twist = firn_v3_sub(firn_v3(l[0], l[1], l[2]), lever);
        m->spin = firn_v3_add(m->spin, firn_m3_mul_v3(m->inverse, twist));
        m->velocity = firn_v3_scale(m->velocity, 1 / (1 + s->h * body->damping[0]));
        m->spin = firn_v3_scale(m->spin, 1 / (1 + s->h * body->damping[1]));
    }
}

// Positions and rotations of a substep; angular momentum is constant (rigid_body.h).
static void move(firn_bodies* bodies, substep* s)
{
    const firn_vec3 none = firn_v3(0, 0, 0);
    for (firn_local k = 0; k < bodies->count; k++) {
        firn_body* body = &bodies->items[k];
        firn_mover* m = &bodies->movers[k];
        if (!moves(body)) continue;
        body->rigid.velocity = m->velocity;
        body->rigid.spin = m->spin;
        if (!firn_body_is_bounded(m->velocity) || !firn_body_is_bounded(m->spin)) continue;  // lost
        firn_rigid_step(&body->rigid, none, none, none, s->h);
        m->shift = firn_v3_madd(m->shift, s->h, m->velocity);
        m->turn = firn_v3_madd(m->turn, s->h / 2, firn_v3_add(m->spin, body->rigid.spin));
        m->position = body->rigid.position;
        m->spin = body->rigid.spin;
        set_inverse(m, body);
    }
    s->elapsed += s->h;
}

static void begin_joints(firn_bodies* bodies, const substep* s, bool warm)
{
    for (firn_local k = 0; k < bodies->joint_count; k++) {
        firn_joint_state* j = &bodies->joints[k];
        if (!j->acts || !moves(&bodies->items[j->a])) continue;
        place_joint(bodies, j, s->elapsed);
        if (warm) firn_joint_warm(j, &bodies->movers[j->a], &bodies->movers[j->b]);
    }
}

static void add_joint_impulses(firn_bodies* bodies)
{
    for (firn_local k = 0; k < bodies->joint_count; k++) {
        firn_joint_state* j = &bodies->joints[k];
        if (!j->acts) continue;
        const bool line = firn_joint_is_line(j->def.kind);
        const firn_vec3 p = line ? firn_v3_scale(j->line, j->by.linear.x) : j->by.linear;
        j->sum_linear = firn_v3_add(j->sum_linear, p);
        j->sum_angular = firn_v3_add(j->sum_angular,
                                     firn_v3_madd(j->by.angular, j->by.low - j->by.high, j->axis));
    }
}

static void run_substep(firn_bodies* bodies, substep* s)
{
    accelerate(bodies, s);
    begin_joints(bodies, s, true);
    each_contact(bodies, place_and_warm, s, false);
    s->soft = true;
    sweep(bodies, s);
    move(bodies, s);
    begin_joints(bodies, s, false);
    each_contact(bodies, place, s, false);
    s->soft = false;
    sweep(bodies, s);
    add_joint_impulses(bodies);
}

static void break_joints(firn_bodies* bodies)
{
    const firn_real per_dt = (firn_real)(1 / bodies->dt);
    for (firn_local k = 0; k < bodies->joint_count; k++) {
        firn_joint_state* j = &bodies->joints[k];
        j->force = firn_v3_scale(j->sum_linear, per_dt);
        j->torque = firn_v3_scale(j->sum_angular, per_dt);
        if (!j->acts || (!(firn_v3_length(j->force) > j->def.break_force) &&
                         !(firn_v3_length(j->torque) > j->def.break_torque)))
            continue;
        j->broken = true;
        j->by = (firn_joint_impulse){0};
    }
}

void firn_bodies_finish(firn_bodies* bodies, firn_collider* colliders)
{
    const firn_real h = (firn_real)(bodies->dt / bodies->substeps);
    substep s = {.h = h,
                 .contact = firn_soft_of((firn_real)CONTACT_OMEGA / h, CONTACT_ZETA, h),
                 .joint = firn_soft_of((firn_real)JOINT_OMEGA / h, JOINT_ZETA, h)};
    s.threshold = (firn_real)BOUNCE + 2 * firn_v3_length(bodies->gravity) * (firn_real)bodies->dt;
    firn_bodies_activate(bodies);
    load_movers(bodies);
    for (firn_local k = 0; k < bodies->joint_count; k++)
        bodies->joints[k].by = bodies->joints[k].kept;
    for (int k = 0; k < bodies->substeps; k++) run_substep(bodies, &s);
    each_contact(bodies, bounce, &s, false);
    for (firn_local k = 0; k < bodies->count; k++) {
        firn_body* body = &bodies->items[k];
        if (!moves(body)) continue;
        body->rigid.velocity = bodies->movers[k].velocity;
        body->rigid.spin = bodies->movers[k].spin;
    }
    break_joints(bodies);
    bodies->last_h = bodies->dt / bodies->substeps;
    firn_bodies_rest(bodies);
    firn_bodies_remember_contacts(bodies);
    for (firn_local k = 0; k < bodies->count; k++) {
        firn_body* body = &bodies->items[k];
        if (!body->free) continue;
        body->time = bodies->time + bodies->dt;
        firn_collider_follow(&colliders[body->collider], &body->rigid, body->time);
    }
}
