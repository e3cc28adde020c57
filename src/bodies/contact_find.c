// SPDX-License-Identifier: MIT
// Contacts of a body with another collider: points of its surface against the other's level set.
//
//        \  A  /        A point x of A's surface slides along it towards B: to the point of A that
//         \ . /  c      is nearest to x - t n, n being B's normal. At rest it is one where the
//      ____\x/_____     surfaces face each other: the lowest point of a cylinder, a corner of a
//           B           box, or any point of a face that lies flat on B.
//
// Normals are sampled at c, a little above x, where they are those of the face that x is above,
// even if x is at an edge of B or inside it. Spheres and capsules are points with a radius, and
// exact.
#include "bodies/bodies_state.h"
#include "geometry/collider/collider_sample.h"

#define SLIDES_MAX 16   // a cylinder needs 12 for an error of 1e-5 of its size
#define SLIDE_END 1e-5  // [sizes] a shorter way is none
#define REACH 0.25      // [sizes] how far from its samples a surface may be (contact_points.h)
#define MARGIN 0.02     // [sizes] contacts are found this early
#define SAME 0.03       // [sizes] contacts this close to each other are one
#define ALIKE 0.95      // cosine of the angle between normals of a patch: 18 degrees
#define DEEPER 0.1      // [SAME] by which a point is deeper than the corners of its patch
#define CANDIDATES (2 * FIRN_CONTACT_POINTS_MAX)

// A pair of colliders as seen from the one whose points are used.
typedef struct side {
    const firn_body* body;       // whose points
    const firn_collider* own;    // its collider
    const firn_collider* other;  // whose level set
    firn_shape_tables tables;
    firn_real reach;  // [m] contacts farther apart do not matter
} side;

typedef struct candidate {
    firn_vec3 x, n;
    firn_real separation;
    bool of_b;
} candidate;

// The point of the surface of the body nearest to world point y.
static firn_vec3 project(const side* s, firn_vec3 y)
{
    const firn_real near = (firn_real)1e-6 * s->body->size;
    firn_vec3 own = firn_pose_to_body(&s->own->pose, y);
    for (int k = 0; k < 8; k++) {
        const firn_phi phi = firn_phi_shape(&s->tables, s->own->shape, own);
        own = firn_v3_madd(own, -phi.distance, phi.normal);
        if (firn_abs(phi.distance) * s->own->pose.scale < near) break;
    }
    return firn_pose_to_world(&s->own->pose, own);
}

static firn_real sample(const side* s, firn_vec3 x, firn_vec3* out_normal)
{
    return firn_collider_sample_shared(s->other, &s->tables, x, out_normal);
}

// A sphere of the body around `center`.
static bool find_round(const side* s, firn_vec3 center, firn_real radius, candidate* out)
{
    const firn_real phi = sample(s, center, &out->n);
    out->separation = phi - radius;
    if (!(out->separation < s->reach)) return false;
    out->x = firn_v3_madd(center, -radius - (firn_real)0.5 * out->separation, out->n);
    return true;
}

// Slides x to where the surfaces are closest. False: they are too far apart there.
static bool find_sharp(const side* s, firn_vec3 x, candidate* out)
{
    const firn_real size = s->body->size, depth = s->body->depth;
    firn_vec3 n;
    // begin towards the middle of the body: out of whatever the point may be in
    const firn_vec3 in =
        firn_v3_normalize(firn_v3_sub(s->body->rigid.position, x), firn_v3(0, 1, 0));
    const firn_real begin = sample(s, firn_v3_madd(x, depth, in), &n);
    if (!(begin < (firn_real)REACH * size + depth + s->reach)) return false;
    firn_real separation = 0;
    for (int k = 0; k < SLIDES_MAX; k++) {
        const firn_vec3 y = project(s, firn_v3_madd(x, -s->body->slide, n));
        const firn_real way = firn_v3_length(firn_v3_sub(y, x));
        firn_vec3 m;
        const firn_real phi = sample(s, firn_v3_madd(y, depth, n), &m);
        separation = phi - depth * firn_v3_dot(n, m);
        x = y;
        n = m;
        if (way < (firn_real)SLIDE_END * size) break;
    }
    if (!(separation < s->reach)) return false;
    out->x = firn_v3_madd(x, -(firn_real)0.5 * separation, n);
    out->n = n;
    out->separation = separation;
    return true;
}

static firn_local find_side(const side* s, candidate* out)
{
    const firn_body* body = s->body;
    const firn_pose* pose = &s->own->pose;
    firn_local count = 0;
    for (firn_local k = 0; k < body->point_count; k++) {
        const firn_vec3 x = firn_pose_to_world(pose, body->points[k]);
        const bool found = body->radius > 0
                               ? find_round(s, x, body->radius * pose->scale, &out[count])
                               : find_sharp(s, x, &out[count]);
        out[count].of_b = false;
        count += found;
    }
    return count;
}

// Twice the area of a triangle, with a sign, as seen against n.
static firn_real area(firn_vec3 n, firn_vec3 a, firn_vec3 b, firn_vec3 c)
{
    return firn_v3_dot(n, firn_v3_cross(firn_v3_sub(b, a), firn_v3_sub(c, a)));
}

static firn_real distance2(firn_vec3 a, firn_vec3 b)
{
    const firn_vec3 d = firn_v3_sub(a, b);
    return firn_v3_dot(d, d);
}

// Corners of a patch: of candidates whose normals are alike. A patch that wobbles has others from
// step to step only if its corners change, which its deepest points do all the time.
typedef struct patch {
    const candidate* all;
    const firn_local* members;  // indices in `all`
    firn_local count;
    firn_vec3 n;
} patch;

// The member with the largest value of the function: distance from a point (sign 0), or the area of
// a triangle with a and b on one side of them. -1: none has a value above 0.
static firn_local find_most(const patch* p, firn_vec3 a, firn_vec3 b, firn_real sign)
{
    firn_real most = 0;
    firn_local found = -1;
    for (firn_local k = 0; k < p->count; k++) {
        const firn_vec3 x = p->all[p->members[k]].x;
        const firn_real value = sign == 0 ? distance2(x, a) : sign * area(p->n, a, b, x);
        if (!(value > most)) continue;
        most = value;
        found = p->members[k];
    }
    return found;
}

static firn_local add_corner(const patch* p, firn_local index, firn_real same,
                             firn_contact out[FIRN_PAIR_CONTACTS], firn_local first,
                             firn_local count)
{
    if (index < 0 || count == FIRN_PAIR_CONTACTS) return count;
    for (firn_local k = first; k < count; k++)
        if (distance2(out[k].x, p->all[index].x) < same * same) return count;
    out[count].x = p->all[index].x;
    out[count].n = p->all[index].n;
    out[count].of_b = p->all[index].of_b;
    out[count].separation = p->all[index].separation;
    return count + 1;
}

// Two points far apart, one on each side of the line between them, and the deepest.
static firn_local add_patch(const patch* p, firn_local deepest, firn_real same,
                            firn_contact out[FIRN_PAIR_CONTACTS], firn_local count)
{
    firn_vec3 middle = firn_v3(0, 0, 0);
    for (firn_local k = 0; k < p->count; k++)
        middle = firn_v3_madd(middle, 1 / (firn_real)p->count, p->all[p->members[k]].x);
    const firn_local first = count, a = find_most(p, middle, middle, 0);
    const firn_local b = a >= 0 ? find_most(p, p->all[a].x, middle, 0) : -1;
    if (b >= 0) {
        const firn_vec3 x_a = p->all[a].x, x_b = p->all[b].x;
        count = add_corner(p, a, same, out, first, count);
        count = add_corner(p, b, same, out, first, count);
        count = add_corner(p, find_most(p, x_a, x_b, 1), same, out, first, count);
        count = add_corner(p, find_most(p, x_a, x_b, -1), same, out, first, count);
    }
    firn_real least = FIRN_REAL_MAX;
    for (firn_local k = first; k < count; k++) least = firn_min(least, out[k].separation);
    if (p->all[deepest].separation < least - (firn_real)DEEPER * same)
        count = add_corner(p, deepest, same, out, first, count);
    return count;
}

// Keeps the corners of each patch, beginning with that of the deepest candidate.
static firn_local reduce(const candidate* all, firn_local count, firn_real size,
                         firn_contact out[FIRN_PAIR_CONTACTS])
{
    bool used[CANDIDATES] = {false};
    firn_local kept = 0;
    while (kept < FIRN_PAIR_CONTACTS) {
        firn_local deepest = -1, members[CANDIDATES];
        for (firn_local k = 0; k < count; k++)
            if (!used[k] && (deepest < 0 || all[k].separation < all[deepest].separation))
                deepest = k;
        if (deepest < 0) break;
        patch p = {.all = all, .members = members, .n = all[deepest].n};
        for (firn_local k = 0; k < count; k++) {
            if (used[k] || firn_v3_dot(all[k].n, p.n) < (firn_real)ALIKE) continue;
            used[k] = true;
            members[p.count++] = k;
        }
        kept = add_patch(&p, deepest, (firn_real)SAME * size, out, kept);
    }
    return kept;
}

// Grown by `by` the bounds of the one meet those of the other.
static bool is_near(const firn_collider* a, const firn_collider* b, firn_real by)
{
    const firn_vec3 more = firn_v3(by, by, by);
    return !firn_collider_misses_box(b, firn_v3_sub(a->reach.low, more),
                                     firn_v3_add(a->reach.high, more));
}

firn_local firn_body_meets(const firn_bodies* bodies, const firn_body* a, firn_local other,
                           firn_contact out[FIRN_PAIR_CONTACTS])
{
    const firn_collider* own = &bodies->colliders[a->collider];
    const firn_collider* that = &bodies->colliders[other];
    const firn_local b = bodies->of[other];
    const firn_body* body_b = b >= 0 ? &bodies->items[b] : NULL;
    const firn_real size = body_b != NULL ? firn_min(a->size, body_b->size) : a->size;
    const firn_vec3 v = firn_v3_sub(a->rigid.velocity, that->pose.velocity);
    const firn_real spins = firn_v3_length(a->rigid.spin) * a->size +
                            (body_b != NULL ? firn_v3_length(that->pose.spin) * body_b->size : 0);
    const firn_real reach =
        (firn_real)MARGIN * size + (firn_real)bodies->dt * (firn_v3_length(v) + spins);
    if (!is_near(own, that, reach)) return 0;
    const side from_a = {a, own, that, firn_shapes_tables(bodies->shapes), reach};
    candidate all[CANDIDATES];
    firn_local count = find_side(&from_a, all);
    if (body_b != NULL) {
        const side from_b = {body_b, that, own, from_a.tables, reach};
        const firn_local more = find_side(&from_b, all + count);
        for (firn_local k = count; k < count + more; k++) {
            all[k].n = firn_v3_scale(all[k].n, -1);
            all[k].of_b = true;
        }
        count += more;
    }
    return reduce(all, count, size, out);
}
