// The smoothed surface made solid: its normals with a fine grain, colour and depth. option.x: pixels by
// which the maps go beyond the picture, on each side.
in vec2 v_place;
uniform sampler2D nearness_map, grain_map;
layout(location = 0) out vec4 out_look;
layout(location = 1) out vec4 out_normal;

vec3 place_at(ivec2 at, float nearness)
{
    return ray_of((vec2(at) + 0.5) * size.zw) / nearness;
}

// Slope along one direction from the side where the surface goes on.
vec3 slope(ivec2 at, ivec2 o, vec3 x)
{
    float a = texelFetch(nearness_map, at + o + int(option.x), 0).x;
    float b = texelFetch(nearness_map, at - o + int(option.x), 0).x;
    vec3 ahead = a > 0.0 ? place_at(at + o, a) - x : vec3(0.0, 0.0, 1e9);
    vec3 behind = b > 0.0 ? x - place_at(at - o, b) : vec3(0.0, 0.0, 1e9);
    vec3 s = abs(ahead.z) < abs(behind.z) ? ahead : behind;
    // an edge on both sides: it faces the eye
    return abs(s.z) < 1e8 ? s : vec3(vec2(o), 0.0) * -x.z / lens.w;
}

// Colour (as it is stored) and kind, mixed over about a grain: no cells of single particles. A gap
// that was bridged has none of its own.
vec4 look_around(ivec2 at, float own)
{
    at += int(option.x);
    ivec2 last = textureSize(grain_map, 0) - 1;
    vec4 centre = texelFetch(grain_map, at, 0);
    float kind = centre.w, weight = kind > 0.0 ? 1.0 : 0.0, pixels = max(snow.w * lens.w * own, 1.5);
    vec3 sum = centre.rgb * weight;
    for (int k = 0; k < 8; k++) {
        float angle = 2.3999632 * float(k), r = pixels * sqrt((float(k) + 0.5) / 6.0);
        ivec2 there = clamp(at + ivec2(round(r * vec2(cos(angle), sin(angle)))), ivec2(0), last);
        vec4 grain = texelFetch(grain_map, there, 0);
        if (kind == 0.0) kind = grain.w;
        if (grain.w == 0.0 || grain.w != kind) continue;
        sum += grain.rgb;
        weight += 1.0;
    }
    return weight > 0.0 ? vec4(sum / weight, round(kind * 8.0)) : vec4(0.95, 0.96, 0.97, SNOW);
}

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    float own = texelFetch(nearness_map, at + int(option.x), 0).x;
    if (own <= 0.0) discard;
    gl_FragDepth = depth_of(1.0 / own);
    vec3 x = place_at(at, own);
    vec3 n = to_world(normalize(cross(slope(at, ivec2(1, 0), x), slope(at, ivec2(0, 1), x))));
    vec4 look = look_around(at, own);
    float kind = look.w;
    if (kind == SNOW || kind == COLOURED) {
        vec3 world = eye.xyz + to_world(x);
        float pixel = 1.0 / (own * lens.w);
        vec3 bump = vec3(0.0);
        // grains of about half a particle and a sixth of it, as long as pixels can show them
        for (int k = 0; k < 2; k++) {
            float length = snow.w * (k == 0 ? 0.9 : 0.3);
            float seen = clamp(length / pixel - 1.0, 0.0, 1.0);
            if (seen <= 0.0) continue;
            vec3 q = world / length;
            float e = 0.35, h = noise(q);
            bump += seen * (k == 0 ? 0.10 : 0.13) *
                    vec3(noise(q + vec3(e, 0, 0)) - h, noise(q + vec3(0, e, 0)) - h, noise(q + vec3(0, 0, e)) - h) / e;
        }
        n = normalize(n - (bump - n * dot(n, bump)));
    }
    out_look = vec4(look.rgb, 1.0);
    out_normal = vec4(n, kind);
}
