// SPDX-License-Identifier: MIT
// An iteration that broke down skips what is left of it, and a restart follows.
#include "solver/sph/cuda/fused_rounding.cuh"
// above all others
#include "solver/sph/cuda/chunk_sums.cuh"
#include "solver/sph/cuda/device_bicgstab.cuh"

namespace {

const int THREADS = FIRN_SPH_THREADS;

__device__ __forceinline__ firn_vec3 madd(float x, firn_vec3 b, firn_vec3 c)
{
    return firn_v3_lanes_madd(c, x, b);
}

__device__ bool is_skipped(const firn_sph_device& d, int pass)
{
    const firn_sph_bicg* s = &d.control->bicg;
    switch (pass) {
    case FIRN_BICG_SIZE: return false;
    case FIRN_BICG_FIT:
    case FIRN_BICG_START: return s->zero != 0;
    case FIRN_BICG_OMEGA: return s->broken != 0 || s->second == 0;
    case FIRN_BICG_RESTART: return false;
    default: return s->broken != 0;
    }
}

// What a pass does with entry i, and the two vectors whose products are added.
__device__ __forceinline__ void work(const firn_sph_device& d, int pass, int i, firn_vec3* x,
                                     firn_vec3* y)
{
    const firn_sph_bicg* s = &d.control->bicg;
    switch (pass) {
    case FIRN_BICG_SIZE: *x = *y = firn_sph_plane3(d.b, i); return;
    case FIRN_BICG_FIT:
        *x = firn_sph_plane3(d.b, i);
        *y = firn_sph_plane3(d.v, i);
        return;
    case FIRN_BICG_START:
    case FIRN_BICG_RESTART: {
        const bool fit = pass == FIRN_BICG_START;
        if (fit)
            firn_sph_put3(&d.pull[i], firn_v3_lanes_scale(firn_sph_xyz(d.pull[i]), s->scale_f));
        *x = *y = madd(fit ? -s->scale_f : -1, firn_sph_plane3(d.v, i), firn_sph_plane3(d.b, i));
        d.r[i] = firn_sph_quad(*x, 0);
        firn_sph_keep3(d.shadow, i, *x);
        d.p[i] = make_float4(0, 0, 0, 0);
        firn_sph_keep3(d.v, i, firn_v3(0, 0, 0));
        return;
    }
    case FIRN_BICG_ALPHA:
        *x = firn_sph_plane3(d.shadow, i);
        *y = firn_sph_plane3(d.v, i);
        return;
    case FIRN_BICG_HALF:
        *x = *y = madd(-s->alpha_f, firn_sph_plane3(d.v, i), firn_sph_xyz(d.r[i]));
        d.s[i] = firn_sph_quad(*x, 0);
        return;
    case FIRN_BICG_OMEGA:
        *x = firn_sph_plane3(d.t, i);
        *y = firn_sph_xyz(d.s[i]);
        return;
    default: break;
    }
    const firn_vec3 half = firn_sph_xyz(d.s[i]);
    firn_vec3 guess = madd(s->alpha_f, firn_sph_xyz(d.p[i]), firn_sph_xyz(d.pull[i]));
    *y = half;
    if (s->second != 0) {
        guess = madd(s->omega_f, half, guess);
        *y = madd(-s->omega_f, firn_sph_plane3(d.t, i), half);
    }
    firn_sph_put3(&d.pull[i], guess);
    d.r[i] = firn_sph_quad(*y, 0);
    *x = firn_sph_plane3(d.shadow, i);
}

__global__ void __launch_bounds__(FIRN_SPH_SUM_THREADS)
    run(const __grid_constant__ firn_sph_device d, int pass)
{
    __shared__ double sums[FIRN_SPH_SUM_CHUNKS][3][3];  // by axis: of x y, x x, y y
    if (d.control->halt != 0 || is_skipped(d, pass)) return;
    const int count = d.control->count;
    firn_sph_chunk_sums<6, 3, 3>(
        count, sums,
        [&](int i, float* value) {
            firn_vec3 x, y;
            work(d, pass, i, &x, &y);
            value[0] = x.x;
            value[1] = x.y;
            value[2] = x.z;
            value[3] = y.x;
            value[4] = y.y;
            value[5] = y.z;
        },
        [](int axis, auto of, double* sum) {
            const double x = of(axis), y = of(3 + axis);  // products of two floats are exact
            sum[0] = fma(x, y, sum[0]);
            sum[1] = fma(x, x, sum[1]);
            sum[2] = fma(y, y, sum[2]);
        });
    const int own = (int)threadIdx.x / 3, k = (int)threadIdx.x % 3;
    const int chunk = (int)blockIdx.x * FIRN_SPH_SUM_CHUNKS + own;
    if (own < FIRN_SPH_SUM_CHUNKS && chunk <= count / FIRN_SPH_SUM_CHUNK)
        d.partial[3 * chunk + k] = sums[own][0][k] + sums[own][1][k] + sums[own][2][k];
}

__device__ bool is_tiny(const firn_sph_dots& d)
{
    return !(fabs(d.ab) > 1e-12 * sqrt(d.aa * d.bb));
}

// The solve ends. `reason_converged`: nothing went wrong.
__device__ bool stop(firn_sph_bicg* s, bool reason_converged)
{
    const double norm = sqrt(s->sr.bb);
    s->residual = norm / s->over;
    s->converged = reason_converged && norm <= s->goal;
    return false;
}

// The next iteration begins. False: there is none.
__device__ bool iterate(const firn_sph_device& d, firn_sph_bicg* s)
{
    if (s->iterations == d.shear_iterations) return stop(s, false);
    s->iterations++;
    s->was_fresh = s->fresh;
    s->broken = is_tiny(s->sr);
    s->second = 1;
    s->late = 0;
    if (s->broken) return true;
    s->beta_f = (float)(s->fresh ? 0 : s->sr.ab / s->rho * (s->alpha / s->omega));
    s->omega_f = (float)s->omega;
    return true;
}

// What follows when r is known. A residual that is small enough is verified where that matters.
__device__ bool next(const firn_sph_device& d, firn_sph_bicg* s)
{
    if (sqrt(s->sr.bb) <= s->goal) {
        const bool verify = d.shear_tolerance < 1e-4;
        if (!verify || s->iterations == 0 || s->verified == 3) return stop(s, true);
        s->verified++;
        s->verifying = s->broken = 1;
        return true;
    }
    return iterate(d, s);
}

// The iteration is complete, after a restart if it broke down.
__device__ bool finish(const firn_sph_device& d, firn_sph_bicg* s, bool whole)
{
    const bool stalled = !whole && s->was_fresh;
    if (!isfinite(sqrt(s->sr.bb)) || stalled) return stop(s, !stalled);
    if (!whole) s->restarts++;
    return next(d, s);
}

__device__ void begin_fit(const firn_sph_device& d, firn_sph_bicg* s, const firn_sph_dots& bb)
{
    const float g = firn_max(d.control->gravity_size, 1);
    const double least = (double)g * sqrt((double)d.control->count);
    s->size = sqrt(bb.ab);
    s->over = fmax(s->size, least);
    s->goal = d.shear_tolerance * s->over;
    s->zero = s->size == 0;
    s->converged = s->zero;
}

// Decides after a pass. Returns whether the loop goes on; *again: a restart comes first.
__device__ bool decide(const firn_sph_device& d, firn_sph_bicg* s, int pass,
                       const firn_sph_dots& dots, bool* again)
{
    switch (pass) {
    case FIRN_BICG_SIZE: begin_fit(d, s, dots); return false;
    case FIRN_BICG_FIT: {
        const double fit = dots.bb > 0 ? dots.ab / dots.bb : 0;
        s->scale_f = isfinite(fit) ? (float)fit : 0;
        return false;
    }
    case FIRN_BICG_START:
        s->sr = dots;
        s->fresh = 1;
        return next(d, s);
    case FIRN_BICG_ALPHA:
        s->broken = is_tiny(dots);
        s->alpha = s->sr.ab / dots.ab;
        s->alpha_f = (float)s->alpha;
        return true;
    case FIRN_BICG_HALF:
        s->second = !(dots.ab <= s->goal * s->goal);
        s->rho = s->sr.ab;
        if (!s->second) s->omega = 1;
        return true;
    case FIRN_BICG_OMEGA:
        s->omega = dots.aa > 0 ? dots.ab / dots.aa : 0;
        s->omega_f = (float)s->omega;
        s->late = is_tiny(dots);  // it breaks down when x has moved
        return true;
    case FIRN_BICG_MOVE:
        if (s->broken) {
            *again = true;
            return true;
        }
        s->sr = dots;
        s->fresh = 0;
        if (s->second && s->late) {
            *again = true;
            return true;
        }
        return finish(d, s, true);
    default: break;
    }
    s->sr = dots;
    s->fresh = 1;
    s->rho = s->alpha = s->omega = 0;
    if (s->verifying) {
        s->verifying = 0;
        return sqrt(s->sr.bb) <= s->goal ? stop(s, true) : iterate(d, s);
    }
    return finish(d, s, false);
}

__global__ void __launch_bounds__(THREADS)
    judge(const __grid_constant__ firn_sph_device d, int pass, cudaGraphConditionalHandle loop,
          cudaGraphConditionalHandle again)
{
    firn_sph_control* c = d.control;
    const bool ended = c->halt != 0;
    // a pass that was skipped changes nothing; only the move decides what follows a breakdown
    const bool skipped = ended || (is_skipped(d, pass) && pass != FIRN_BICG_MOVE);
    double sum[3] = {};
    if (!skipped && !(pass == FIRN_BICG_MOVE && c->bicg.broken))
        firn_sph_add_chunks<3>(d.partial, c->count / FIRN_SPH_SUM_CHUNK + 1, sum);
    if (threadIdx.x != 0) return;
    bool restart = false, goes_on = pass >= FIRN_BICG_ALPHA && !ended;
    if (!skipped)
        goes_on = decide(d, &c->bicg, pass, firn_sph_dots{sum[0], sum[1], sum[2]}, &restart);
    if (pass == FIRN_BICG_START && skipped) goes_on = false;
    const bool last = pass == FIRN_BICG_MOVE;
    if (last || pass == FIRN_BICG_START || pass == FIRN_BICG_RESTART)
        cudaGraphSetConditional(loop, goes_on);
    if (last) cudaGraphSetConditional(again, restart && !ended);
}

__global__ void __launch_bounds__(THREADS) turn(const __grid_constant__ firn_sph_device d)
{
    const int i = firn_sph_thread();
    const firn_sph_bicg* s = &d.control->bicg;
    if (firn_sph_idle(d, i) || s->broken != 0) return;
    const firn_vec3 q = madd(-s->omega_f, firn_sph_plane3(d.v, i), firn_sph_xyz(d.p[i]));
    d.p[i] = firn_sph_quad(madd(s->beta_f, q, firn_sph_xyz(d.r[i])), 0);
}

}  // namespace

void firn_sph_launch_bicg(const firn_sph_device* d, firn_sph_bicg_pass pass,
                          cudaGraphConditionalHandle loop, cudaGraphConditionalHandle again,
                          cudaStream_t stream)
{
    run<<<firn_sph_sum_blocks(d), FIRN_SPH_SUM_THREADS, 0, stream>>>(*d, pass);
    judge<<<1, THREADS, 0, stream>>>(*d, pass, loop, again);
}

void firn_sph_launch_bicg_turn(const firn_sph_device* d, cudaStream_t stream)
{
    turn<<<d->blocks, THREADS, 0, stream>>>(*d);
}
