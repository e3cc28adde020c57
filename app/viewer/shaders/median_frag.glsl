// 3 x 3 median: removes the lines of one pixel that the separable filter leaves at the ends of its
// support. Neighbours without snow count as the centre.
in vec2 v_uv;
uniform sampler2D inv_depth_map;
layout(location = 0) out float out_inv_depth;

float own;

vec3 row(ivec2 at)
{
    vec3 v;
    for (int k = 0; k < 3; k++) {
        float x = texelFetch(inv_depth_map, at + ivec2(k - 1, 0), 0).x;
        v[k] = x > 0.0 ? x : own;
    }
    return v;
}

vec3 middle(vec3 a, vec3 b, vec3 c)
{
    return max(min(a, b), min(max(a, b), c));
}

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    own = texelFetch(inv_depth_map, at, 0).x;
    out_inv_depth = own;
    ivec2 last = textureSize(inv_depth_map, 0) - 1;
    if (own <= 0.0 || any(equal(at, ivec2(0))) || any(equal(at, last))) return;
    // sort columns; the median is that of the max of minima, median of medians, and min of maxima
    vec3 a = row(at - ivec2(0, 1)), b = row(at), c = row(at + ivec2(0, 1));
    vec3 least = min(a, min(b, c)), most = max(a, max(b, c)), between = middle(a, b, c);
    float x = max(least.x, max(least.y, least.z)), z = min(most.x, min(most.y, most.z));
    float y = max(min(between.x, between.y), min(max(between.x, between.y), between.z));
    out_inv_depth = max(min(x, y), min(max(x, y), z));
}
