// SPDX-License-Identifier: MIT
// Does a scene fit? Its size, estimated from the volumes of its shapes before anything is sampled,
// against the largest number of particles and a limit on memory.
#pragma once
#include "sim/sim.h"

typedef struct firn_scene_size {
    double particles;   // expected at the end, with all flakes
    double snow;        // of them, in shapes
    double snow_least;  // in shapes, for certain
} firn_scene_size;

firn_scene_size firn_scene_measure(const firn_scene_data* scene);

// [bytes] of one process of `ranks` (1: alone); `first`: of rank 0, which writes the files.
double firn_scene_rank_need(const firn_scene_data* scene, double particles, int ranks, bool first);
// Refuses what certainly does not fit into `cap` bytes (0: no cap) or into what the process can get
// (core/memory_limit.h), and says what would. With several ranks rank 0 must fit.
// FIRN_REFUSED_SCENE: too many particles, or more than the process can get. FIRN_BROKEN_MEMORY:
// more than the cap.
firn_result firn_scene_fit(const firn_scene_data* scene, const firn_scene_size* size, int ranks,
                           uint64_t cap, firn_error* error);
// True, with the reason, if the scene's emitters will certainly exceed these limits before its end.
// Only worth a warning: a run may end earlier.
bool firn_scene_outgrows(const firn_scene_data* scene, const firn_scene_size* size, uint64_t cap,
                         firn_error* out_why);
// The same as firn_scene_fit without a measurement where the bounds of the shapes show that the
// scene fits.
firn_result firn_scene_fit_quick(const firn_scene_data* scene, int ranks, uint64_t cap,
                                 firn_error* error);
// A GPU as far as its memory is concerned.
typedef struct firn_scene_card {
    const char* name;  // "cuda:0 (NVIDIA H200, 139 GiB)"
    uint64_t bytes;    // all of its memory; 0: not known
} firn_scene_card;

// Memory of a GPU that so many particles of the scene take [bytes]; 0: its solver has no backend
// for one.
double firn_scene_device_need(const firn_scene_data* scene, double particles);
// As firn_scene_fit, for a simulation on a GPU: refuses what certainly does not fit into the memory
// of the card (FIRN_BROKEN_MEMORY), or whose part on the host does not fit as above.
firn_result firn_scene_fit_device(const firn_scene_data* scene, const firn_scene_size* size,
                                  const firn_scene_card* card, uint64_t cap, firn_error* error);
firn_result firn_scene_fit_device_quick(const firn_scene_data* scene, const firn_scene_card* card,
                                        uint64_t cap, firn_error* error);
// The key that sets the size of particles: "mpm.cell". False: the solver has none.
bool firn_scene_size_key(const firn_scene_data* scene, char* out_key, size_t size);
