// SPDX-License-Identifier: MIT
// Where the sun stands, by time of day.
#pragma once

// Unit vector towards the sun. x points east, z south, y up; `turn_deg` turns that about the
// vertical, right-handed. `hours`: solar time, the sun is due south (north of the equator) at 12.
// `day`: of the year. Declination by Preetham, Shirley and Smits 1999, A Practical Analytic Model
// for Daylight, appendix: within a degree.
void firn_sun_position(double hours, int day, double latitude_deg, double turn_deg,
                       double out_sun[3]);
