// SPDX-License-Identifier: MIT
// firn: snow simulation. Reads or builds a scene, simulates it, writes frames and pictures.
//
// Does: load or build scenes, step simulations, give access to particles without copying, write
// and read caches. Does not: print, exit, abort, keep global state (simulations are independent).
//
// Example:
//     firn_scene* scene;
//     firn_scene_create(&scene);
//     if (firn_scene_load(scene, "snow.yaml", NULL) != FIRN_OK) puts(firn_scene_messages(scene));
//     firn_sim_def def = firn_default_sim_def();
//     firn_sim* sim;
//     if (firn_sim_create(scene, &def, &sim, NULL) != FIRN_OK) puts(firn_last_error());
//     for (int f = 0; f < 48; f++) firn_sim_frame(sim);
//     firn_field_view x;
//     firn_sim_field(sim, "position", &x);
//     firn_sim_destroy(sim);
//     firn_scene_destroy(scene);
// Start at samples/step1.c. Objects may be used from any thread, but each by one thread at a time.
#pragma once
#include "firn/defs.h"
#include "firn/device.h"
#include "firn/edit.h"
#include "firn/error.h"
#include "firn/host.h"
#include "firn/play.h"
#include "firn/query.h"
#include "firn/ranks.h"
#include "firn/scene.h"
#include "firn/sim.h"
#include "firn/types.h"
#include "firn/version.h"
#include "firn/world.h"
#ifndef FIRN_CORE  // libfirn-core has no files and pictures
#include "firn/run.h"
#include "firn/tools.h"
#endif
