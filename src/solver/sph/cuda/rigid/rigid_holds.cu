// SPDX-License-Identifier: MIT
// Which particles are near dynamic colliders, on a GPU (find_holds of rigid/sph_lumps.c).
#include "device/cuda_sort.cuh"
#include "solver/sph/cuda/boundary/device_shares.cuh"

namespace {

const int THREADS = FIRN_SPH_THREADS;
const uint64_t NO_LUMP = 0xffff;  // behind all lumps
const int LUMP_BITS = 16;

__device__ bool weighs(const firn_sph_device& d, int body)
{
    return firn_collider_is_free(&d.bodies.bodies[body]);
}

// hold_first[k]: how many holds contact record k has room for.
__global__ void __launch_bounds__(THREADS) count(const __grid_constant__ firn_sph_device d)
{
    const firn_sph_control* c = d.control;
    const int k = firn_sph_thread();
    if (k > d.contact_capacity) return;
    uint32_t own = 0;
    const uint32_t contacts = c->halt == 0 && d.wall.count > 0 ? d.contact_first[c->cell_count] : 0;
    if (contacts <= (uint32_t)d.contact_capacity && (uint32_t)k < contacts) {
        const firn_sph_contact_sums* t = &d.contact[k];
        if (t->body >= 0) own = weighs(d, t->body);
        if (t->body == FIRN_SPH_BODIES) {
            firn_sph_share all[FIRN_SPH_SHARES];
            const int shares = firn_sph_shares_of(d, t->particle, all);
            for (int n = 0; n < shares; n++) own += weighs(d, all[n].body);
        }
    }
    d.rigid.hold_first[k] = own;
}

__device__ void add(const firn_sph_device& d, uint32_t at, int contact, int body,
                    firn_vec3 gradient, float part)
{
    firn_sph_hold hold;
    hold.particle = d.contact[contact].particle;
    hold.contact = contact;
    hold.lump = d.rigid.head->count > 0 ? d.rigid.lump_of[body] : -1;
    hold.arm = firn_v3(0, 0, 0);
    if (hold.lump >= 0)
        hold.arm = firn_lump_arm(&d.rigid.lumps[hold.lump], firn_sph_xyz(d.at[hold.particle]));
    hold.gradient = gradient;
    hold.part = part;
    hold.source = 0;
    d.rigid.hold[at] = hold;
    d.rigid.sort_key[at] = hold.lump >= 0 ? (uint64_t)hold.lump : NO_LUMP;
}

__global__ void __launch_bounds__(THREADS) fill(const __grid_constant__ firn_sph_device d)
{
    const firn_sph_control* c = d.control;
    const int k = firn_sph_thread();
    if (c->halt != 0 || k >= c->contact_count) return;
    uint32_t at = d.rigid.hold_first[k];
    if (at == d.rigid.hold_first[k + 1]) return;
    const firn_sph_contact_sums* t = &d.contact[k];
    if (t->body >= 0) return add(d, at, k, t->body, t->gradient, 1);
    firn_sph_share all[FIRN_SPH_SHARES];
    const int count = firn_sph_shares_of(d, t->particle, all);
    float weight = 0;
    for (int n = 0; n < count; n++) weight += all[n].weight;
    for (int n = 0; n < count; n++)
        if (weighs(d, all[n].body))
            add(d, at++, k, all[n].body, firn_v3_scale(all[n].gradient, t->mirror),
                weight > 0 ? all[n].weight / weight : 1 / (float)count);
}

// Places beyond the last hold are those of none.
__global__ void __launch_bounds__(THREADS) number(const __grid_constant__ firn_sph_device d)
{
    const int n = firn_sph_thread();
    if (n >= d.rigid.capacity) return;
    d.rigid.number[n] = (uint32_t)n;
    if (d.control->halt != 0 || n >= d.control->hold_count) d.rigid.sort_key[n] = NO_LUMP;
}

__global__ void begin(const __grid_constant__ firn_sph_device d)
{
    if (d.control->halt != 0) return;
    const firn_sph_rigid& r = d.rigid;
    const int lumps = r.head->count;
    for (int k = (int)threadIdx.x; k <= lumps; k += (int)blockDim.x) {
        r.list_first[k] = firn_key_search(r.sort_key_out, r.capacity, (uint64_t)k);
        for (int a = 0; k < lumps && a < 6; a++) r.before[k][a] = r.first[k][a];
    }
}

}  // namespace

cudaError_t firn_sph_launch_count_holds(const firn_sph_device* d, cudaStream_t stream)
{
    if (!d->rigid.active) return cudaSuccess;
    size_t bytes = d->scratch_bytes;
    count<<<firn_sph_contact_blocks(d), THREADS, 0, stream>>>(*d);
    return firn_cuda_scan(d->rigid.hold_first, d->contact_capacity + 1, d->scratch, &bytes, stream);
}

cudaError_t firn_sph_launch_holds(const firn_sph_device* d, cudaStream_t stream)
{
    if (!d->rigid.active) return cudaSuccess;
    const firn_sph_rigid* r = &d->rigid;
    fill<<<firn_sph_contact_blocks(d), THREADS, 0, stream>>>(*d);
    number<<<r->capacity / THREADS + 1, THREADS, 0, stream>>>(*d);
    const firn_cuda_sort_args a = {r->number, r->list, r->capacity, LUMP_BITS};
    size_t bytes = d->scratch_bytes;
    const cudaError_t e =
        firn_cuda_sort_64(&a, r->sort_key, r->sort_key_out, d->scratch, &bytes, stream);
    begin<<<1, 64, 0, stream>>>(*d);
    return e;
}
