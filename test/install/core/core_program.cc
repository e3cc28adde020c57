// SPDX-License-Identifier: MIT
// A stranger's C++ program on libfirn-core: owners, a job system of one thread, a surface to draw.
#include <cstdio>
#include <memory>

#include "firn/firn.h"

namespace {
struct scene_owner {
    void operator()(firn_scene* scene) const
    {
        firn_scene_destroy(scene);
    }
};
struct sim_owner {
    void operator()(firn_sim* sim) const
    {
        firn_sim_destroy(sim);
    }
};

// Jobs may run in any order.
void run_backwards(void*, int count, void (*job)(void* context, int k), void* context)
{
    for (int k = count - 1; k >= 0; k--) job(context, k);
}

int fail()
{
    std::fprintf(stderr, "%s\n", firn_last_error());
    return 1;
}
}  // namespace

int main()
{
    firn_scene* made = nullptr;
    if (firn_scene_create(&made) != FIRN_OK) return fail();
    const std::unique_ptr<firn_scene, scene_owner> scene(made);
    firn_snow_def snow = firn_default_snow_def();
    const firn_vec3 center = {0, firn_real(0.3), 0};
    if (firn_scene_set(made, "solver", "grains") != FIRN_OK ||
        firn_scene_set(made, "grains.radius", "0.02") != FIRN_OK ||
        firn_scene_sphere(made, center, firn_real(0.2), &snow.shape) != FIRN_OK ||
        firn_scene_add_snow(made, &snow, nullptr) != FIRN_OK)
        return fail();

    firn_jobs jobs = {run_backwards, nullptr, 4};
    firn_sim_def def = firn_default_sim_def();
    def.jobs = &jobs;
    firn_sim* running = nullptr;
    if (firn_sim_create(made, &def, &running, nullptr) != FIRN_OK) return fail();
    const std::unique_ptr<firn_sim, sim_owner> sim(running);
    if (firn_sim_advance_by(running, 1.0 / 60, 0, nullptr) != FIRN_OK) return fail();

    const firn_surface_def drawn = firn_default_surface_def();
    firn_surface_mesh mesh;
    if (firn_sim_surface(running, &drawn, &mesh) != FIRN_OK) return fail();
    const bool has_triangles = mesh.triangle_count > 0;
    firn_surface_mesh_free(&mesh);
    std::printf("C++: %d particles on firn %s\n", firn_sim_read(running).particle_count,
                firn_version().text);
    return has_triangles ? 0 : 1;
}
