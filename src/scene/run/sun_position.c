// SPDX-License-Identifier: MIT
#include "scene/run/sun_position.h"

#include "math/elementary.h"

#define PI 3.14159265358979324
#define DEGREE (PI / 180)

typedef struct sin_cos {
    double sine, cosine;
} sin_cos;

static sin_cos of(double angle)
{
    sin_cos s;
    firn_sincos_double(angle, &s.sine, &s.cosine);
    return s;
}

void firn_sun_position(double hours, int day, double latitude_deg, double turn_deg,
                       double out_sun[3])
{
    const sin_cos season = of(2 * PI * (day - 81) / 368);
    const sin_cos declination = of(0.4093 * season.sine), latitude = of(DEGREE * latitude_deg);
    const sin_cos hour = of(PI * (hours - 12) / 12), turn = of(DEGREE * turn_deg);
    // the direction in equatorial coordinates, tilted by the latitude
    const double meridian = declination.cosine * hour.cosine,
                 east = -declination.cosine * hour.sine;
    const double up = latitude.sine * declination.sine + latitude.cosine * meridian;
    const double south = latitude.sine * meridian - latitude.cosine * declination.sine;
    out_sun[0] = turn.cosine * east + turn.sine * south;
    out_sun[1] = up;
    out_sun[2] = turn.cosine * south - turn.sine * east;
}
