// The smoothed surface into the G-buffer: normals with fine bumps, albedo, depth. option.x: border
// of the maps around the picture [pixels].
in vec2 v_uv;
uniform sampler2D grain_map;
layout(location = 0) out vec4 out_albedo;
layout(location = 1) out vec4 out_normal;

// Albedo (as stored) and material, averaged over about a particle, so that single particles do not
// show as cells. Bridged gaps have no albedo of their own.
vec4 average_albedo(ivec2 at, float own)
{
    at += int(option.x);
    ivec2 last = textureSize(grain_map, 0) - 1;
    vec4 centre = texelFetch(grain_map, at, 0);
    float kind = centre.w, weight = kind > 0.0 ? 1.0 : 0.0;
    float pixels = max(snow.w * lens.w * own, 1.5);
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
    float own = texelFetch(inv_depth_map, at + int(option.x), 0).x;
    if (own <= 0.0) discard;
    gl_FragDepth = depth_of(1.0 / own);
    vec3 x = eye_position(at, own);
    vec3 n = to_world(normalize(cross(slope(at, ivec2(1, 0), x), slope(at, ivec2(0, 1), x))));
    vec4 albedo = average_albedo(at, own);
    float kind = albedo.w;
    if (kind == SNOW || kind == COLOURED) {
        vec3 world = eye.xyz + to_world(x);
        float pixel = 1.0 / (own * lens.w);
        vec3 bump = vec3(0.0);
        // bumps of about half a particle and a sixth of it, where a pixel can resolve them
        for (int k = 0; k < 2; k++) {
            float length = snow.w * (k == 0 ? 0.9 : 0.3);
            float seen = clamp(length / pixel - 1.0, 0.0, 1.0);
            if (seen <= 0.0) continue;
            vec3 q = world / length;
            float e = 0.35, h = noise(q);
            bump += seen * (k == 0 ? 0.10 : 0.13) *
                    vec3(noise(q + vec3(e, 0, 0)) - h, noise(q + vec3(0, e, 0)) - h,
                         noise(q + vec3(0, 0, e)) - h) /
                    e;
        }
        n = normalize(n - (bump - n * dot(n, bump)));
    }
    out_albedo = vec4(albedo.rgb, 1.0);
    out_normal = vec4(n, kind);
}
