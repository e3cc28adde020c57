// SPDX-License-Identifier: MIT
// The facets of a particle's crystals: one set of random normals, turned for each particle about a
// random axis, and sorted so that those near a direction are found without looking at the others.
#pragma once
#include "render/path/fast_math.h"

#define FIRN_FACETS 65536  // of a particle, at most: the first ones of the set
#define FIRN_FACET_ROWS 64
#define FIRN_FACET_COLUMNS 128

typedef struct firn_facets {
    firn_f3 normal[FIRN_FACETS];                              // by bin
    int32_t number[FIRN_FACETS];                              // of each, in no order
    int32_t begin[FIRN_FACET_ROWS * FIRN_FACET_COLUMNS + 1];  // of bins of equal area
} firn_facets;

void firn_facets_init(firn_facets* facets);
// Calls found(self, number, lobe) for those of the first `count` facets of particle `id` that
// mirror along the half vector, with firn_glint_lobe.
void firn_facets_find(const firn_facets* facets, uint64_t id, int32_t count, firn_f3 half,
                      void (*found)(void* self, int32_t number, float lobe), void* self);
