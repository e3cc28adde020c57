// Eye positions and tangents of the smoothed surface. option.x: border of the map [pixels].
uniform sampler2D inv_depth_map;

vec3 eye_position(ivec2 at, float inv_depth)
{
    return ray_of((vec2(at) + 0.5) * size.zw) / inv_depth;
}

// Tangent along `o`, from the side where the depth changes less: the same surface.
vec3 slope(ivec2 at, ivec2 o, vec3 x)
{
    float a = texelFetch(inv_depth_map, at + o + int(option.x), 0).x;
    float b = texelFetch(inv_depth_map, at - o + int(option.x), 0).x;
    vec3 ahead = a > 0.0 ? eye_position(at + o, a) - x : vec3(0.0, 0.0, 1e9);
    vec3 behind = b > 0.0 ? x - eye_position(at - o, b) : vec3(0.0, 0.0, 1e9);
    vec3 s = abs(ahead.z) < abs(behind.z) ? ahead : behind;
    // edges on both sides: facing the eye
    return abs(s.z) < 1e8 ? s : vec3(vec2(o), 0.0) * -x.z / lens.w;
}
