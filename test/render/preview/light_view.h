// SPDX-License-Identifier: MIT
// A view for tests of light: a ball of snow in the air, under the ordinary day or in even light.
#pragma once
#include "render/preview/view.h"
#include "snow_scene.h"

typedef struct light_view {
    snow_scene s;
    firn_view view;
} light_view;

// Everything but the light in the snow.
static inline void setup_view(light_view* l, const double albedo[3])
{
    setup_scene(&l->s, 64, 36);
    l->s.data.collider_count = 0;
    memcpy(l->s.data.render.medium.albedo, albedo, 3 * sizeof(double));
    add_ball(&l->s, 0.1);
    firn_view* v = &l->view;
    *v = (firn_view){.points = {l->s.x, l->s.mass, l->s.density, l->s.id, l->s.count, NULL, NULL}};
    assert_int_equal(firn_snow_volume_build(&v->volume, &v->points, l->s.cell, NULL), FIRN_OK);
    v->day = firn_daylight_make(firn_v3(-0.9f, 0.6f, 0.25f), 1, 1);
    assert_int_equal(firn_depth_map_sun(&v->sun_map, &v->volume, v->day.sun, NULL), FIRN_OK);
    v->cones = firn_sky_cones_make(&v->day, v->day.haze);
    v->medium = firn_snow_medium_make(&l->s.data.render.medium, &v->volume, true);
}

// The same radiance from everywhere, and no sun.
static inline void set_even_light(light_view* l, firn_rgb radiance)
{
    firn_daylight* day = &l->view.day;
    day->zenith = day->horizon = day->haze = day->dome = radiance;
    day->direct = firn_rgb_of(0, 0, 0);
    l->view.cones = firn_sky_cones_make(day, radiance);
}

static inline void teardown_view(light_view* l)
{
    firn_snow_light_destroy(&l->view.light);
    firn_depth_map_destroy(&l->view.sun_map);
    firn_snow_volume_destroy(&l->view.volume);
    teardown_scene(&l->s);
}
