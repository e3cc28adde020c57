// SPDX-License-Identifier: MIT
// 2D outlines: closed contours of lines and Bezier curves, as in fonts, flattened to straight
// segments. A point is inside if its winding number is not zero (nonzero rule).
// Does: flatten, find the edges that bound the inside (contours may cross and overlap, as tightly
// set letters do), exact signed distance, area. Does not: read glyphs (font_face.h).
#pragma once
#include "core/result.h"

typedef struct firn_outline_segment {
    double a[2], b[2];   // [m] from a to b
    firn_local contour;  // which one it belongs to
} firn_outline_segment;

typedef struct firn_outline {
    double tolerance;                // [m] how far a flattened curve may be from the true one; > 0
    firn_outline_segment* segments;  // owned; the contours as drawn, one after the other
    firn_local count, capacity;
    firn_outline_segment* edges;  // owned; what bounds the inside, which is left of each
    firn_local edge_count, edge_capacity;
    double pen[2], start[2];  // [m] where drawing is, where the contour began
    firn_local contour_count;
    bool failed;  // memory ran out while drawing
} firn_outline;

// Drawing; begin with {.tolerance = ...}. A contour is closed by the next move or by finish.
void firn_outline_move(firn_outline* outline, double x, double y);
void firn_outline_line(firn_outline* outline, double x, double y);
void firn_outline_conic(firn_outline* outline, const double control[2], const double to[2]);
void firn_outline_cubic(firn_outline* outline, const double control_a[2], const double control_b[2],
                        const double to[2]);
// Closes the last contour and finds the edges. FIRN_BROKEN_MEMORY: only destroy it.
firn_result firn_outline_finish(firn_outline* outline, firn_error* error);
void firn_outline_destroy(firn_outline* outline);

// Of a finished outline. Without edges the distance is infinite, the area 0.
double firn_outline_distance(const firn_outline* outline, double x, double y);  // [m] < 0 inside
double firn_outline_area(const firn_outline* outline);                          // [m^2]
void firn_outline_bounds(const firn_outline* outline, double low[2], double high[2]);
// The same distance at nodes (origin.x + i * step, origin.y + j * step): out[ny][nx], fast.
firn_result firn_outline_grid(const firn_outline* outline, const double origin[2], double step,
                              firn_local nx, firn_local ny, firn_real* out, firn_error* error);

// Squared distance from a point to a segment [m^2].
double firn_outline_segment_distance2(const firn_outline_segment* segment, double x, double y);
// How often the contours wind around a point; counterclockwise counts positive.
int firn_outline_winding(const firn_outline* outline, double x, double y);
// Fills `edges` from `segments` (outline_edges.c).
firn_result firn_outline_find_edges(firn_outline* outline, firn_error* error);
