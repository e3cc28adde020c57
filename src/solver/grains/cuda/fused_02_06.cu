// SPDX-License-Identifier: MIT
// Steps 2 to 6 on a GPU in one pass, a thread per grain: forces, heat, compression, velocity and
// position, by the functions of grain_step.h. Arrays are double-buffered: neighbours are read from
// one half while the other is written. Sums over neighbours run in the order of the lists, as on
// the CPU. The last block of threads to finish adds up the statistics and writes the step's log
// entry.
#include <climits>

#include "solver/grains/cuda/grains_device.cuh"

namespace {

const int THREADS = FIRN_GRAINS_THREADS;
const int BLOCKS = 5;  // on a multiprocessor: leaves the registers that meet_neighbours needs

// A grain and what the step has found for it.
struct pass {
    firn_grain self;
    float temperature;
    firn_grains_sum sum;
    double conducted;  // [W]
    firn_grain_around around;
    uint64_t bonds;  // before the step
};

// Which of the listed neighbours are within reach: a bit each. Positions alone are needed here, so
// that many loads are in flight; what follows has no lanes that are out of reach.
__device__ __forceinline__ uint64_t find_near(const firn_grains_device& d,
                                              const firn_grain_constants& c,
                                              const uint32_t* __restrict__ list, int n, int hot,
                                              const firn_grain& self)
{
    uint64_t near = 0;
#pragma unroll 4
    for (int k = 0; k < n; k++) {
        const float4 at = __ldg(&d.moves[hot][__ldg(&list[k * 32])].at);
        const firn_vec3 way = firn_v3_sub(firn_grains_xyz(at), self.x);
        const float far = self.r + at.w + c.reach;
        // as firn_grain_touch would find
        near |= (uint64_t)(firn_v3_dot(way, way) < far * far) << k;
    }
    return near;
}

// The k-th listed neighbour of grain i, j. Records are read where the pair needs them; the own ones
// as well, from the first cache, since registers are scarce.
template <bool HEATS>
__device__ __forceinline__ void meet(const firn_grains_device& d, const firn_grain_constants& c,
                                     int i, uint32_t j, int k, int hot, pass& p)
{
    firn_grain other = {}, self = p.self;
    firn_grains_load_moves(&d.moves[hot][j], &other);
    const bool bonded = (p.bonds >> k & 1) != 0;
    const bool early = HEATS || firn_grain_reads_origins(&p.self, &other, bonded);
    float temperature = 0;
    if (early) {
        temperature = firn_grains_load_turns(&d.turns[hot][j], &other);
        firn_grains_load_turns(&d.turns[hot][i], &self);
    }
    firn_grain_contact contact = firn_grain_touch(&c, &self, &other, bonded);
    if (contact.has_friction) {
        if (!early) {
            firn_grains_load_turns(&d.turns[hot][j], &other);
            firn_grains_load_turns(&d.turns[hot][i], &self);
        }
        if (!contact.holds) {
            firn_grains_load_rests(&d.rests[hot][j], &other);
            firn_grains_load_rests(&d.rests[hot][i], &self);
        }
        firn_grain_add_friction(&c, &self, &other, &contact);
    }
    firn_grains_add_force(&contact.on_i, other.phase, k, &p.sum);
    if (HEATS)
        p.conducted += (double)firn_grain_conducted(&c, p.temperature, temperature, &p.self, &other,
                                                    &p.around);
}

template <bool HEATS>
__device__ __forceinline__ void meet_neighbours(const firn_grains_device& d,
                                                const firn_grain_constants& c, int i, int hot,
                                                pass& p)
{
    const int n = d.list_count[i], which = d.control->which;
    const uint32_t* __restrict__ list =
        d.list[which] + (size_t)d.list_first[which][i >> 5] * 32 + (size_t)(i & 31);
    for (uint64_t near = find_near(d, c, list, n, hot, p.self); near != 0; near &= near - 1) {
        const int k = __ffsll((long long)near) - 1;
        meet<HEATS>(d, c, i, __ldg(&list[k * 32]), k, hot, p);
    }
}

// Few grains are near a collider. Arguments passed by address are copies, so that the originals
// stay in registers.
__device__ __noinline__ void meet_body(const firn_grains_world* d, int b, firn_grain self,
                                       float temperature, firn_grains_sum* sum)
{
    const firn_grain_constants* c = &d->control->constants;
    const firn_grain_force f = firn_grains_meet_body(c, &self, &d->bodies.bodies[b],
                                                     &d->bodies.shapes, sum, d->control->dt_real);
    if (!f.near) return;
    sum->force = firn_v3_add(sum->force, f.force);
    sum->torque = firn_v3_add(sum->torque, f.torque);
    firn_grain_compression_add(sum->compression.side, f.n, f.spring);
    sum->touching++;
    firn_grains_take(&firn_cuda_loads_mine(d->loads)[b], &d->bodies.bodies[b], self.x, &f,
                     d->control->dt_real);
    const float T = d->body_temperature[b];
    if (T == T && c->conduction > 0)
        sum->power += firn_grain_surface_heat(c, &self, temperature, T, 1);
}

// The same for heat of packed grains.
__device__ __noinline__ void warm_by_body(const firn_grains_world* d, int b, firn_grain self,
                                          float temperature, firn_grains_sum* sum)
{
    firn_grains_warm_by_body(&d->control->constants, &self, temperature, &d->bodies.bodies[b],
                             &d->bodies.shapes, d->body_temperature[b], sum);
}

template <bool HEATS>
__device__ __forceinline__ void meet_bodies(const firn_grains_device& d,
                                            const firn_grain_constants& c, pass& p)
{
    for (int b = 0; b < d.bodies.count; b++) {
        const firn_collider* body = &d.bodies.bodies[b];
        if (!firn_grains_misses(body, p.self.x, firn_grains_body_range(&c, &p.self, body))) {
            firn_grains_sum sum = p.sum;
            meet_body(d.world, b, p.self, p.temperature, &sum);
            p.sum = sum;
        }
        if (!HEATS || c.conduction > 0 ||
            firn_grains_misses(body, p.self.x, (firn_real)FIRN_GRAIN_SURFACE_DEPTH * p.self.r))
            continue;
        firn_grains_sum sum = p.sum;
        warm_by_body(d.world, b, p.self, p.temperature, &sum);
        p.sum = sum;
    }
}

// Step 3; returns the power from outside [W].
__device__ __forceinline__ double warm(const firn_grains_device& d, const firn_grain_constants& c,
                                       const pass& p, firn_grain_heat& heat, float4& stored,
                                       float& temperature)
{
    double power = (double)p.sum.power;
    const double air = d.control->air;
    if (air == air)
        power +=
            firn_grains_air_power(&c, &p.self, p.temperature, air, firn_grains_byte(p.sum.near),
                                  firn_grains_byte(p.sum.touching), p.around, p.sum.walls);
    const firn_grains_warmth after =
        firn_grains_warm(&c, heat, p.self.r, p.self.phase, power + p.conducted, d.control->dt);
    heat = after.heat;
    temperature = after.temperature;
    stored.x = after.heat.high;
    stored.y = after.heat.low;
    stored.z = after.water;
    return power;
}

// Energies and momentum at the start of the step, added to this thread's: sum[k][thread].
__device__ __forceinline__ void tally(const firn_grains_device& d, const pass& p, double power,
                                      double (*all)[THREADS])
{
    double* sum = &all[0][threadIdx.x];
    const double m = (double)d.constants.mass;
    const firn_grain& g = p.self;
    sum[0 * THREADS] += m * (double)g.v.x;
    sum[1 * THREADS] += m * (double)g.v.y;
    sum[2 * THREADS] += m * (double)g.v.z;
    sum[3 * THREADS] += 0.5 * m * (double)firn_v3_dot(g.v, g.v);
    sum[3 * THREADS] +=
        0.5 * (double)firn_grain_inertia(&d.constants, g.r) * (double)firn_v3_dot(g.spin, g.spin);
    sum[4 * THREADS] -= m * (double)firn_v3_dot(d.control->gravity, g.x);
    sum[5 * THREADS] += firn_grains_byte(p.sum.near);
    sum[6 * THREADS] += power;
}

// Steps 4 to 6, and the extremes that the next step needs.
__device__ __forceinline__ void finish(const firn_grains_device& d, const firn_grain_constants& c,
                                       int i, int hot, uint32_t flags, const pass& p,
                                       firn_grain_heat heat, float temperature,
                                       firn_grains_moved* moved, firn_grains_partial& sums)
{
    const float dt = d.control->dt_real;
    const int solid = firn_grains_byte(p.sum.solid), before = (int)(flags >> 16 & 255u);
    firn_grains_matter g = {
        p.self.r,      p.self.phase,
        p.self.broken, (uint8_t)firn_grains_neighbours_max(before, solid, &p.self),
        p.self.state,  p.self.spin};
    const bool breaks =
        g.phase != FIRN_WATER && firn_grain_breaks(&c, solid, g.neighbours_max, p.self.broken);
    firn_grains_settle(&c, heat, breaks, firn_grain_compression_force(&p.sum.compression), dt, &g);
    firn_grains_motion m = {p.self.x, p.self.v, g.spin, p.self.slip, p.self.twist};
    firn_grains_accelerate(&c, p.sum.force, p.sum.torque, g.radius, dt, &m.v, &m.spin);
    const firn_grains_move_rules rules = firn_grains_move_rules_of(&c, d.dt.radius, dt);
    if (!firn_grains_move(&rules, p.sum.slides, &m)) sums.runaway = min(sums.runaway, i);
    const firn_vec3 x = m.x, v = m.v;
    const uint32_t after = firn_grains_flags(&g, solid, (uint8_t)(flags >> 24));
    d.moves[1 - hot][i] = {firn_grains_quad(x, g.radius),
                           firn_grains_quad(v, __uint_as_float(after))};
    d.turns[1 - hot][i] = {firn_grains_quad(m.spin, p.self.origin_r),
                           firn_grains_quad(p.self.origin, temperature)};
    d.rests[1 - hot][i] = {firn_grains_quad(m.slip, 0), firn_grains_quad(m.twist, 0)};
    const float speed2 = firn_v3_dot(v, v);
    if (firn_grains_is_lost(d, x, speed2)) {
        sums.lost = min(sums.lost, i);
        return;
    }
    sums.speed2 = fmaxf(sums.speed2, speed2);
    firn_grains_moved_add(moved, firn_v3_sub(x, firn_grains_xyz(d.listed[d.control->cold][i])));
}

// By the first thread of the last block.
__device__ void write_record(const firn_grains_device& d, const double (&sum)[FIRN_GRAINS_SUMS],
                             const firn_grains_partial& seen)
{
    firn_grains_control* c = d.control;
    firn_grains_stamp(d, FIRN_GRAINS_STAMP_END);
    firn_grains_cuda_record* r = &d.records[c->record];
    firn_cuda_record_step(c, &r->base);
    for (int a = 0; a < 3; a++) r->base.momentum[a] = sum[a];
    r->base.kinetic = sum[3];
    r->base.potential = sum[4];
    r->neighbours = c->count > 0 ? sum[5] / (double)c->count : 0;
    r->heat = sum[6] * c->dt;
    r->base.max_speed = sqrt((double)c->speed2);
    r->base.count = c->count;
    r->cell_count = c->cell_count;
    r->listed = c->relisted;
    c->hot = 1 - c->hot;
    r->base.end = seen.runaway != INT_MAX ? FIRN_GRAINS_CUDA_RUNAWAY
                  : c->last != 0          ? FIRN_DEVICE_FRAME
                                          : FIRN_DEVICE_GOES_ON;
    if (seen.runaway != INT_MAX) firn_grains_describe(d, seen.runaway, r);
    c->speed2 = seen.speed2;
    c->moved = seen.moved;
    c->lost = seen.lost;
    firn_cuda_end_step(c, &r->base);
}

__device__ void end_step(const firn_grains_device& d, cudaGraphConditionalHandle loop)
{
    double sum[FIRN_GRAINS_SUMS] = {};
    firn_cuda_loads_end(d.loads, d.control->record);
    for (int b = threadIdx.x; b < gridDim.x; b += THREADS)
        for (int k = 0; k < FIRN_GRAINS_SUMS; k++) sum[k] += d.partial[b].sum[k];
    firn_cuda_block_sum<FIRN_GRAINS_SUMS, THREADS>(sum);
    firn_grains_partial seen;
    firn_grains_all_extremes(d, &seen);
    if (threadIdx.x != 0) return;
    write_record(d, sum, seen);
    cudaGraphSetConditional(loop, d.control->halt == 0 && d.control->steps_left > 0);
}

template <bool HEATS>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    fused(const __grid_constant__ firn_grains_device d, cudaGraphConditionalHandle loop)
{
    const firn_grains_control* control = d.control;
    const bool first = blockIdx.x == 0 && threadIdx.x == 0;
    if (control->halt != 0) {
        if (first) cudaGraphSetConditional(loop, 0);
        return;
    }
    if (first) firn_grains_stamp(d, FIRN_GRAINS_STAMP_02_06);
    firn_grain_constants c = d.constants;
    c.damping_most = control->constants.damping_most;
    const int hot = control->hot, cold = control->cold, count = control->count;
    // in shared memory: they would take too many registers
    __shared__ double all[FIRN_GRAINS_SUMS][THREADS];
    __shared__ firn_grains_moved moved[THREADS];
    for (int k = 0; k < FIRN_GRAINS_SUMS; k++) all[k][threadIdx.x] = 0;
    moved[threadIdx.x] = firn_grains_moved_none();
    firn_grains_partial sums = firn_grains_partial_none();
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < count; i += gridDim.x * THREADS) {
        pass p;
        p.self = {};
        firn_grains_load_moves(&d.moves[hot][i], &p.self);
        p.temperature = HEATS ? d.turns[hot][i].origin.w : 0;
        p.sum = firn_grains_sum_none();
        p.conducted = 0;
        p.around = firn_grain_around_none();
        uint2* ties = (uint2*)&d.ties[cold][i];  // its first half
        p.bonds = firn_grains_bonds(ties->x, ties->y);
        meet_neighbours<HEATS>(d, c, i, hot, p);
        firn_grains_load_rests(&d.rests[hot][i], &p.self);
        p.temperature = firn_grains_load_turns(&d.turns[hot][i], &p.self);
        p.sum.force = firn_v3_madd(p.sum.force, c.mass, control->gravity);
        meet_bodies<HEATS>(d, c, p);
        *ties = make_uint2((uint32_t)p.sum.bonds, (uint32_t)(p.sum.bonds >> 32));
        float4 stored = d.heat[cold][i];
        firn_grain_heat heat = {stored.x, stored.y};
        float temperature = p.temperature;
        double power = 0;
        if (HEATS) {
            power = warm(d, c, p, heat, stored, temperature);
            d.heat[cold][i] = stored;
        }
        tally(d, p, power, all);
        finish(d, c, i, hot, __float_as_uint(d.moves[hot][i].motion.w), p, heat, temperature,
               &moved[threadIdx.x], sums);
    }
    for (int k = 0; k < FIRN_GRAINS_SUMS; k++) sums.sum[k] = all[k][threadIdx.x];
    sums.moved = moved[threadIdx.x];
    firn_cuda_block_sum<FIRN_GRAINS_SUMS, THREADS>(sums.sum);
    firn_grains_extremes(&sums);
    if (threadIdx.x == 0) d.partial[blockIdx.x] = sums;
    if (firn_cuda_is_last_block(&d.control->ticket)) end_step(d, loop);
}

}  // namespace

void firn_grains_launch_fused_02_06(const firn_grains_device* d, cudaGraphConditionalHandle loop,
                                    bool heats, cudaStream_t stream)
{
    if (heats)
        fused<true><<<d->blocks, THREADS, 0, stream>>>(*d, loop);
    else
        fused<false><<<d->blocks, THREADS, 0, stream>>>(*d, loop);
}

cudaError_t firn_grains_occupancy_02_06(int* out_blocks)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(out_blocks, fused<false>, THREADS, 0);
}
