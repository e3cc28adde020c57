// One direction of a separable narrow-range filter (Truong and Yuksel 2018) of inverse depth:
// neighbours that are much closer are ignored and those much farther are clamped, so that outlines
// stay sharp; the range grows along slopes. Inverse depth is linear over a plane, so planes are
// preserved. option: direction; relative reach; 1: close holes.
in vec2 v_uv;
uniform sampler2D inv_depth_map;
layout(location = 0) out float out_inv_depth;

const int STEPS = 8;  // pairs of neighbours, spaced out for a longer reach

float at_mirrored(ivec2 at, ivec2 last)
{
    at = abs(at);
    return texelFetch(inv_depth_map, last - abs(last - at), 0).x;
}

// First snow from `at` in steps of `way`: its inverse depth and number of steps; 0: none.
vec2 first_hit(ivec2 at, ivec2 last, vec2 way, float steps)
{
    for (int k = 1; k <= 5 && float(k) <= steps; k++) {
        float there = at_mirrored(at + ivec2(round(way * float(k))), last);
        if (there > 0.0) return vec2(there, float(k));
    }
    return vec2(0.0);
}

// Closes a hole in the surface: if three of four lines find snow on both sides and agree on the
// depth here. Separate lumps do not agree.
float close_hole(ivec2 at, ivec2 last)
{
    // size of a particle at the camera's target
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

// Bridges a pit narrower than a particle with the same surface on both sides: a gap between
// spheres.
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
        // a background far behind is no pit: keep separate lumps difference
        float widest = own > least - 10.0 * range ? 1.3 : 0.4;
        if (float(k) * stride > max(widest * radius * lens.w * max(least, own), 1.0)) break;
        if (least > own + range && abs(a - b) < range) return 0.5 * (a + b);
    }
    return own;
}

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy), last = textureSize(inv_depth_map, 0) - 1;
    float own = fill(texelFetch(inv_depth_map, at, 0).x, at, last);
    out_inv_depth = own;
    if (own <= 0.0) return;
    float radius = snow.w;
    float pixels = 4.0 * option.z * radius * lens.w * own;
    if (pixels < 0.75) return;
    pixels = clamp(pixels, 1.5, 0.12 * size.y);
    int steps = int(min(float(STEPS), ceil(pixels)));
    float stride = max(pixels / float(STEPS), 1.0);
    // range in inv_depth: d(1/z) = dz / z^2
    float range = 7.0 * radius * own * own, step_back = radius * own * own;
    float near = own + range, far = own - range;
    float sum = own, weight = 1.0;
    for (int k = 1; k <= steps; k++) {
        ivec2 o = ivec2(round(option.xy * float(k) * stride));
        // mirror at the border, which lies outside the picture
        float a = at_mirrored(at + o, last);
        float b = at_mirrored(at - o, last);
        // use both neighbours of a pair or none, so that slopes do not shift
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
    out_inv_depth = sum / weight;
}
