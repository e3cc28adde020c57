// One direction of a narrow-range filter (Truong and Yuksel 2018) over nearness: neighbours that lie
// much closer do not count, those much farther count as little farther, so that outlines stay
// sharp; and the range grows along a slope that it has followed. Nearness is averaged, not distance:
// it is linear over a plane, and a plane stays what it is. option: the direction; reach, of the
// longest; 1: close holes.
in vec2 v_place;
uniform sampler2D nearness_map;
layout(location = 0) out float out_nearness;

const int STEPS = 8;  // pairs of neighbours; spread out where the reach is longer

float at_mirrored(ivec2 at, ivec2 last)
{
    at = abs(at);
    return texelFetch(nearness_map, last - abs(last - at), 0).x;
}

// First snow from a place in steps of `way`: its nearness, and how many steps away; 0: none is close.
vec2 first_hit(ivec2 at, ivec2 last, vec2 way, float steps)
{
    for (int k = 1; k <= 5 && float(k) <= steps; k++) {
        float there = at_mirrored(at + ivec2(round(way * float(k))), last);
        if (there > 0.0) return vec2(there, float(k));
    }
    return vec2(0.0);
}

// A hole in a sheet of snow is closed: where, along three of four lines, there is snow close by on both
// sides, and all lines cross here at one distance. Lumps in the air are not on one sheet.
float close_hole(ivec2 at, ivec2 last)
{
    // as wide as a grain is where one looks at
    float pixels = max(1.3 * snow.w * lens.w / lens.z, 2.0), stride = max(pixels / 5.0, 1.0);
    int lines = 0;
    float sum = 0.0, least = 1e30, most = 0.0;
    for (int d = 0; d < 4; d++) {
        if (d - lines > 1) return 0.0;
        float angle = 0.78539816 * float(d);
        vec2 way = stride * vec2(cos(angle), sin(angle));
        vec2 a = first_hit(at, last, way, pixels / stride);
        vec2 b = a.x > 0.0 ? first_hit(at, last, -way, pixels / stride) : vec2(0.0);
        if (b.x <= 0.0) continue;
        float here = (a.x * b.y + b.x * a.y) / (a.y + b.y);
        lines++;
        sum += here;
        least = min(least, here);
        most = max(most, here);
    }
    return lines >= 3 && most - least < 1.5 * snow.w * least * least ? sum / float(lines) : 0.0;
}

// A pit narrower than a grain, with the same surface on both sides, is a gap between spheres: it is
// bridged.
float fill(float own, ivec2 at, ivec2 last)
{
    if (own <= 0.0) return option.w > 0.5 ? close_hole(at, last) : 0.0;
    float stride = max(snow.w * lens.w * own / 6.0, 1.0);
    for (int k = 1; k <= 8; k++) {
        ivec2 o = ivec2(round(option.xy * float(k) * stride));
        float a = at_mirrored(at + o, last);
        float b = at_mirrored(at - o, last);
        float least = min(a, b), radius = snow.w;
        float range = 2.0 * radius * least * least;
        // far behind, it is no pit but a view past lumps in the air: these stay apart
        float widest = own > least - 10.0 * range ? 1.3 : 0.4;
        if (float(k) * stride > max(widest * radius * lens.w * max(least, own), 1.0)) break;
        if (least > own + range && abs(a - b) < range) return 0.5 * (a + b);
    }
    return own;
}

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy), last = textureSize(nearness_map, 0) - 1;
    float own = fill(texelFetch(nearness_map, at, 0).x, at, last);
    out_nearness = own;
    if (own <= 0.0) return;
    float radius = snow.w;
    float pixels = 4.0 * option.z * radius * lens.w * own;
    if (pixels < 0.75) return;
    pixels = clamp(pixels, 1.5, 0.12 * size.y);
    int steps = int(min(float(STEPS), ceil(pixels)));
    float stride = max(pixels / float(STEPS), 1.0);
    // range in nearness: d(1/z) = dz / z^2
    float range = 7.0 * radius * own * own, step_back = radius * own * own;
    float near = own + range, far = own - range;
    float sum = own, weight = 1.0;
    for (int k = 1; k <= steps; k++) {
        ivec2 o = ivec2(round(option.xy * float(k) * stride));
        // beyond the border, which lies outside the picture, it is as in a mirror
        float a = at_mirrored(at + o, last);
        float b = at_mirrored(at - o, last);
        // a pair counts whole or not at all: else slopes would move
        if (a > near || b > near) continue;
        bool a_far = a < far, b_far = b < far;
        if (!a_far) near = max(near, a + range), far = min(far, a - range);
        if (!b_far) near = max(near, b + range), far = min(far, b - range);
        a = a_far ? own - step_back : a;
        b = b_far ? own - step_back : b;
        float x = float(k) / float(steps);
        float w = exp(-2.5 * x * x);
        sum += w * (a + b);
        weight += 2.0 * w;
    }
    out_nearness = sum / weight;
}
