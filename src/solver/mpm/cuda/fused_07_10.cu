// SPDX-License-Identifier: MIT
// Steps 7 to 10 in one pass on a GPU: velocity gradient, deformation and clamp, PIC/FLIP or APIC,
// collision, advection, by the functions of their headers; then the stress of the next step, while
// F_E is at hand. A block of threads per occupied block: its tile of node velocities in shared
// memory, a thread per particle. Gathers only: each thread writes its own particle.
#include <climits>

#include "physics/deformation.h"
#include "physics/snow_plasticity_lanes.h"
#include "solver/mpm/cuda/device_collide.cuh"
#include "solver/mpm/cuda/device_stencil.cuh"
#include "solver/mpm/cuda/device_stress.cuh"
#include "solver/mpm/step08_particle_velocity.h"
#include "solver/mpm/step09_particle_collide.h"
#include "solver/mpm/step10_advect.h"
#include "solver/mpm/support/mpm_ageing.h"

namespace {

const int THREADS = 128;
const int BLOCKS = 3;  // on a multiprocessor: 2 wait more for memory, 4 have too few registers

// v_i^{n+1} and, with FLIP, u_i of step 8.
struct tile {
    float4 a[FIRN_DEVICE_TILE];      // v, u_x
    float2 b[FIRN_DEVICE_TILE];      // u_y, u_z
    float unused[FIRN_DEVICE_TILE];  // friction [m/s], for grip
};

// True if this thread loaded a node with unused friction.
template <bool APIC>
__device__ __forceinline__ bool load_tile(const firn_mpm_device& d, int h, tile* t)
{
    bool unused = false;
    const int* neighbour = d.grid.neighbour + (size_t)h * 8;
    for (int n = threadIdx.x; n < FIRN_DEVICE_TILE; n += THREADS) {
        const int X = n / 49, Y = n / 7 % 7, Z = n % 7;
        const int i = firn_device_tile_node(neighbour, X, Y, Z);
        float4 v = d.node_new[i];
        t->unused[n] = fabsf(v.w);
        unused = unused || fabsf(v.w) > FIRN_MPM_FIXED;
        if (!APIC) {
            const float4 old = d.node_velocity[i];
            v.w = firn_mpm_blend_node(v.x, old.x, d.flip);
            t->b[n] = make_float2(firn_mpm_blend_node(v.y, old.y, d.flip),
                                  firn_mpm_blend_node(v.z, old.z, d.flip));
        }
        t->a[n] = v;
    }
    return unused;
}

// sum_i w_ip of the nodes' unused friction. Like all that few particles need it is apart: inlined,
// it would take registers from all of them.
__device__ __noinline__ float read_unused(const firn_mpm_device& d, const tile* t, float4 at)
{
    float2 X[4], Y[4], Z[4];
    const float inv = d.grid.inverse_cell;
    const firn_device_cell_offset offset = firn_device_cell_offset_of(at, inv);
    firn_device_stencil_axis(d.spline, offset.t[0], inv, X);
    firn_device_stencil_axis(d.spline, offset.t[1], inv, Y);
    firn_device_stencil_axis(d.spline, offset.t[2], inv, Z);
    const int corner = firn_device_corner(offset);
    float sum = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            float line = 0;
            for (int k = 0; k < 4; k++)
                line = fmaf(Z[k].x, t->unused[corner + i * 49 + j * 7 + k], line);
            sum = fmaf(X[i].x * Y[j].x, line, sum);
        }
    return sum;
}

// What a particle reads from its nodes.
struct reading {
    firn_mat3_lanes grad_v;
    firn_vec3 v;        // with FLIP: sum of w u
    firn_mat3_lanes B;  // APIC
};

__device__ __forceinline__ float3 madd(float3 a, float s, float3 b)
{
    return make_float3(fmaf(s, b.x, a.x), fmaf(s, b.y, a.y), fmaf(s, b.z, a.z));
}

// Along z first, then y, then x: few products per node.
template <bool APIC>
__device__ __forceinline__ reading read_nodes(const firn_mpm_device& d, const tile* t,
                                              const firn_device_cell_offset& offset)
{
    float2 X[4], Y[4], Z[4];
    const float inv = d.grid.inverse_cell;
    firn_device_stencil_axis(d.spline, offset.t[0], inv, X);
    firn_device_stencil_axis(d.spline, offset.t[1], inv, Y);
    firn_device_stencil_axis(d.spline, offset.t[2], inv, Z);
    int corner = firn_device_corner(offset);
    const float3 zero = make_float3(0, 0, 0);
    reading r = {};
    // layers of x one after the other: unrolled, the loads of all 64 nodes would crowd the
    // registers
#pragma unroll 1
    for (int i = 0; i < 4; i++) {
        const float2 Xi = X[0];
#pragma unroll
        for (int j = 0; j < 4; j++) {
            float3 value = zero, slope = zero, other = zero;  // other: of u, or of (z_i - z_p) v
#pragma unroll
            for (int k = 0; k < 4; k++) {
                const int n = corner + j * 7 + k;
                const float4 a = t->a[n];
                const float3 v = make_float3(a.x, a.y, a.z);
                value = madd(value, Z[k].x, v);
                slope = madd(slope, Z[k].y, v);
                if (APIC) {
                    other = madd(other, Z[k].x * ((float)(k - 1) - offset.t[2]), v);
                } else {
                    const float2 b = t->b[n];
                    other = madd(other, Z[k].x, make_float3(a.w, b.x, b.y));
                }
            }
            const float w = Xi.x * Y[j].x;
            firn_device_add_column(r.grad_v, 0, Xi.y * Y[j].x, value);
            firn_device_add_column(r.grad_v, 1, Xi.x * Y[j].y, value);
            firn_device_add_column(r.grad_v, 2, w, slope);
            const float3 v = APIC ? value : other;
            r.v = firn_v3(fmaf(w, v.x, r.v.x), fmaf(w, v.y, r.v.y), fmaf(w, v.z, r.v.z));
            if (APIC) {
                firn_device_add_column(r.B, 0, w * ((float)(i - 1) - offset.t[0]), value);
                firn_device_add_column(r.B, 1, w * ((float)(j - 1) - offset.t[1]), value);
                firn_device_add_column(r.B, 2, w, other);
            }
        }
        corner += 49;
        X[0] = X[1];
        X[1] = X[2];
        X[2] = X[3];
    }
    return r;
}

// Step 9 of a particle near a collider, or with grip.
__device__ __noinline__ firn_vec3 collide(const firn_mpm_device& d, int p, bool near_body,
                                          firn_vec3 x, firn_vec3 v, float mass)
{
    const firn_mpm_bodies bodies = firn_device_particle_bodies(d);
    firn_mpm_hold hold = d.hold;
    hold.limit = d.control->slow;
    return firn_mpm_collide_particle(&bodies, &hold, d.grid.cell, near_body, p, x, v, mass);
}

// Steps 8 to 10. False: a runaway. `grips`: the particle may have grip.
template <bool APIC>
__device__ __forceinline__ bool move(const firn_mpm_device& d, int p, float dt, bool near_body,
                                     bool grips, const reading& r, float4 at, float4* motion,
                                     firn_device_tally& tally)
{
    firn_vec3 v = r.v;
    if (APIC) {
        const float h = d.grid.cell;  // offsets were counted in cells
        d.affine0[p] = make_float4(h * r.B.m[0][0], h * r.B.m[0][1], h * r.B.m[0][2], 0);
        d.affine1[p] = make_float4(h * r.B.m[1][0], h * r.B.m[1][1], h * r.B.m[1][2], 0);
        d.affine2[p] = make_float4(h * r.B.m[2][0], h * r.B.m[2][1], h * r.B.m[2][2], 0);
    } else {
        v = firn_mpm_blend_gathered(v, firn_v3(motion->x, motion->y, motion->z), d.flip);
    }
    const firn_vec3 x = firn_v3(at.x, at.y, at.z);
    if (near_body || grips) v = collide(d, p, near_body, x, v, at.w);
    const firn_vec3 moved = firn_mpm_advect(x, v, dt);
    d.at[p] = make_float4(moved.x, moved.y, moved.z, at.w);
    motion->x = v.x;
    motion->y = v.y;
    motion->z = v.z;
    const float speed2 = firn_v3_dot(v, v);
    tally.speed2 = fmaxf(tally.speed2, speed2);
    return speed2 <= firn_mpm_runaway_limit(d.grid.cell, dt);
}

// The return mapping of a material with Cam-Clay. False: inverted or not finite.
__device__ __forceinline__ bool flow_clay(const firn_mpm_device& d, int p,
                                          const firn_cam_clay_law* law,
                                          const firn_mat3_lanes& F_hat, firn_device_strain* s,
                                          float* J_P)
{
    firn_mat3 F;
    for (int k = 0; k < 9; k++) F.m[k / 3][k % 3] = F_hat.m[k / 3][k % 3];
    const firn_cam_clay_returned r = firn_cam_clay_return(F, *J_P, d.consolidation[p], law);
    for (int k = 0; k < 9; k++) s->F_E.m[k / 3][k % 3] = r.F_E.m[k / 3][k % 3];
    *J_P = r.J_P;
    d.consolidation[p] = r.alpha;
    return !r.inverted;
}

// firn_mpm_age of particle p, whose F_E and J_P are those after the clamp. `s` then has the
// stiffness that the next step sees. Returns what hardens it.
__device__ __forceinline__ float age(const firn_mpm_device& d, int p, float dt, float mass,
                                     float J_before, firn_device_strain* s, float* J_P)
{
    const firn_mpm_ageing ageing = {(double)dt * d.time_scale, d.implicit ? d.beta : 0};
    firn_mpm_aged a = {{}, *J_P, d.creep[p] / s->stiffness, d.healed[p]};
    for (int k = 0; k < 9; k++) a.F_E.m[k / 3][k % 3] = s->F_E.m[k / 3][k % 3];
    a = firn_mpm_age(&ageing, &d.materials[s->material], a, d.varied != nullptr ? d.varied[p].x : 1,
                     s->stiffness, mass / s->volume, J_before);
    for (int k = 0; k < 9; k++) s->F_E.m[k / 3][k % 3] = a.F_E.m[k / 3][k % 3];
    *J_P = a.J_P;
    s->stiffness *= a.share;
    d.creep[p] = s->stiffness;
    d.healed[p] = a.healed;
    return a.healed;
}

// Step 7; *out_J: what hardens the particle. False: inverted or not finite.
template <bool AGES>
__device__ __forceinline__ bool deform(const firn_mpm_device& d, int p, float dt, float mass,
                                       const firn_mat3_lanes& grad_v, firn_device_strain* s,
                                       float* J_P, float* out_J)
{
    const firn_mat3_lanes F_hat = firn_deformation_trial_lanes(s->F_E, dt, grad_v);
    const firn_mpm_material* mat = &d.materials[s->material];
    float theta_c = mat->theta_c, theta_s = mat->theta_s;
    if (d.varied != nullptr) {
        const float4 by = d.varied[p];
        theta_c *= by.y;
        theta_s *= by.z;
    }
    if (AGES) {
        const float share = d.creep[p] / s->stiffness;
        theta_c = firn_mpm_threshold(theta_c, share);
        theta_s = firn_mpm_threshold(theta_s, share);
    }
    const float J_before = *J_P;
    bool sound = true;
    if (mat->clay.friction > 0) {
        sound = flow_clay(d, p, &mat->clay, F_hat, s, J_P);
    } else {
        const firn_snow_clamped_lanes c =
            firn_snow_clamp_lanes(F_hat, *J_P, 1 - theta_c, 1 + theta_s);
        s->F_E = c.F_E;
        *J_P = c.J_P;
        sound = !firn_mask_any(c.inverted);
    }
    *out_J = *J_P;
    if (AGES && sound) *out_J = age(d, p, dt, mass, J_before, s, J_P);
    const float(*m)[3] = s->F_E.m;
    d.strain0[p] = make_float4(m[0][0], m[0][1], m[0][2], m[1][0]);
    d.strain1[p] = make_float4(m[1][1], m[1][2], m[2][0], m[2][1]);
    ((float*)&d.strain2[p])[0] = m[2][2];
    return sound;
}

template <bool APIC, bool AGES>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    fused_07_10(const __grid_constant__ firn_mpm_device d)
{
    __shared__ tile t;
    if (firn_mpm_idle(d)) return;
    firn_mpm_stamp(d, FIRN_STAMP_07_10);
    const int occupied = d.grid.counts->occupied_count;
    const float dt = d.control->dt_real;
    firn_device_tally tally = firn_device_tally_none();
    for (int h = blockIdx.x; h < occupied; h += gridDim.x) {
        const bool mine = load_tile<APIC>(d, h, &t);
        const bool near_body = firn_device_near_body(d.bodies, d.grid.coord[h], d.grid.cell, true);
        const int end = d.grid.first[h + 1];
        const bool presses = __syncthreads_or(mine);
        for (int k = d.grid.first[h] + (int)threadIdx.x; k < end; k += THREADS) {
            const int p = d.grid.order[k];
            const float4 at = d.at[p];
            float4 motion = d.motion[p];
            firn_device_strain s = firn_device_strain_read(d, p);
            // without pressure on a collider grip can only fade
            const bool grips = d.hold.grip != nullptr && (presses || d.hold.grip[p] > 0);
            const firn_device_cell_offset offset =
                firn_device_cell_offset_of(at, d.grid.inverse_cell);
            const reading r = read_nodes<APIC>(d, &t, offset);
            if (grips) firn_mpm_take_grip(&d.hold, p, presses ? read_unused(d, &t, at) : 0, dt);
            if (!move<APIC>(d, p, dt, near_body, grips, r, at, &motion, tally))
                atomicMin(&d.control->runaway, p);
            float J;
            if (!deform<AGES>(d, p, dt, at.w, r.grad_v, &s, &motion.w, &J))
                atomicMin(&d.control->inverted, p);
            d.motion[p] = motion;
            firn_device_stress_write(d, d.materials_next, d.implicit != 0, p, s, J, tally);
        }
        __syncthreads();
    }
    firn_device_tally_give<THREADS>(d, tally);
}

typedef void kernel(const firn_mpm_device d);

kernel* kernel_of(const firn_mpm_device* d)
{
    const bool ages = d->creep != nullptr;
    if (d->affine0 != nullptr) return ages ? fused_07_10<true, true> : fused_07_10<true, false>;
    return ages ? fused_07_10<false, true> : fused_07_10<false, false>;
}

}  // namespace

cudaError_t firn_mpm_occupancy_07_10(const firn_mpm_device* d, int* out_blocks)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(out_blocks, kernel_of(d), THREADS, 0);
}

void firn_mpm_launch_fused_07_10(const firn_mpm_device* d, const firn_mpm_launch* l,
                                 cudaStream_t stream)
{
    kernel_of(d)<<<l->g2p, THREADS, 0, stream>>>(*d);
}
