// Deferred lighting by sun and sky. Subsurface scattering of snow is approximated by a soft, bluish
// terminator, because red is absorbed first.
in vec2 v_uv;
uniform sampler2D depth_map, albedo_map, normal_map, occlusion_map;
layout(location = 0) out vec4 out_light;

// Bilateral upsampling of the half-resolution ambient visibility.
float openness(float distance)
{
    vec2 at = gl_FragCoord.xy * 0.5 - 0.5;
    ivec2 base = ivec2(floor(at)), last = textureSize(occlusion_map, 0) - 1;
    vec2 f = at - vec2(base);
    float sum = 0.0, weight = 0.0;
    for (int k = 0; k < 4; k++) {
        ivec2 o = ivec2(k & 1, k >> 1);
        vec2 there = texelFetch(occlusion_map, clamp(base + o, ivec2(0), last), 0).xy;
        vec2 share = mix(1.0 - f, f, vec2(o));
        float difference = abs(there.y - distance) / (0.04 * distance + 0.5 * snow.w);
        float w = (share.x * share.y + 0.01) * (max(1.0 - difference, 0.0) + 1e-3);
        sum += w * there.x;
        weight += w;
    }
    return sum / weight;
}

// Approximate interreflection, by albedo: fit of Jimenez et al. 2016, "Practical real-time
// strategies for accurate indirect occlusion", eq. 10.
vec3 bounced(float open, vec3 albedo)
{
    vec3 a = 2.0404 * albedo - 0.3324, b = -4.7951 * albedo + 0.6417, c = 2.7552 * albedo + 0.6903;
    return max(vec3(open), ((open * a + b) * open + c) * open);
}

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec3 ray = ray_of(v_uv);
    vec3 d = normalize(to_world(ray));
    float inv_depth = inv_depth_of(texelFetch(depth_map, at, 0).x);
    vec4 normal = texelFetch(normal_map, at, 0);
    float kind = round(normal.w);
    if (kind == 0.0) {
        out_light = vec4(sky_radiance(d), 1.0);
        return;
    }
    vec3 x = eye.xyz + to_world(ray) / inv_depth;
    vec3 n = normalize(normal.xyz);
    vec3 albedo = texelFetch(albedo_map, at, 0).rgb;
    albedo *= albedo;
    float open = openness(1.0 / inv_depth);
    bool is_snow = kind >= SNOW;
    // touching particles do not shadow each other, nor those that stick out the smooth surface
    float ahead = is_snow ? snow.w * mix(1.3, 2.6, scale.w) : 0.0;
    float radius = snow.w * (is_snow ? mix(0.4, 1.0, scale.w) : mix(0.5, 1.5, scale.w));
    float share = sun_visibility(x, n, ahead, radius, kind != GROUND, dither(gl_FragCoord.xy));
    float facing = dot(n, sun.xyz);
    vec3 wrap_snow = mix(vec3(0.22, 0.27, 0.36), vec3(0.10, 0.14, 0.22), scale.w);
    vec3 wrap = is_snow ? (kind == ICE ? vec3(0.12, 0.16, 0.2) : wrap_snow) : vec3(0.0);
    vec3 lit = clamp((facing + wrap) / (1.0 + wrap), 0.0, 1.0);
    if (is_snow) lit *= mix(vec3(share), pow(vec3(share), vec3(0.85, 0.75, 0.62)), 0.7);
    else lit *= share;
    vec3 colour = albedo * (sun_light() * lit + sky_light(n) * bounced(open, 0.8 * albedo));
    vec3 half_vector = normalize(sun.xyz - d);
    float fresnel = pow(1.0 - max(dot(n, -d), 0.0), 5.0);
    if (kind == COLLIDER || kind == MARKED) {
        float gloss = pow(max(dot(n, half_vector), 0.0), 40.0) * share;
        colour += 0.25 * gloss * sun_light() + 0.18 * fresnel * sky_radiance(reflect(d, n)) * open;
    } else if (kind == ICE) {
        float gloss = pow(max(dot(n, half_vector), 0.0), 90.0) * share;
        colour += 0.8 * gloss * sun_light() +
                  (0.04 + 0.5 * fresnel) * sky_radiance(reflect(d, n)) * open;
    } else if (kind == SNOW) {
        // glints of random facets along the half vector, two to three pixels wide at any distance
        float cell = exp2(floor(log2(2.5 / (inv_depth * lens.w))));
        vec3 h = hash_unit(ivec3(floor(x / cell)));
        vec3 facet = normalize(n + 1.6 * (h - 0.5));
        float glint = smoothstep(0.99, 1.0, dot(facet, half_vector)) * share;
        colour += 0.9 * glint * sun_light() * step(0.6, fract(7.0 * h.x + 3.0 * h.y));
    }
    out_light = vec4(apply_fog(colour, length(ray) / inv_depth), 1.0);
}
