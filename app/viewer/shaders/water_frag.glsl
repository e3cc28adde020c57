// Water over the lit scene: refraction, absorption by thickness, reflections of sky and sun.
// option.x: as in surface_frag.
in vec2 v_uv;
uniform sampler2D thickness_map, light_map, depth_map;
layout(location = 0) out vec4 out_light;

// Thickness [m] averaged over a disc of `pixels`, so that single spheres do not show.
float thickness(float pixels)
{
    float sum = texture(thickness_map, v_uv).x, weight = 1.0;
    for (int k = 0; k < 16 && pixels > 0.5; k++) {
        float angle = 2.3999632 * float(k), r = pixels * sqrt((float(k) + 0.5) / 16.0);
        sum += texture(thickness_map, v_uv + r * vec2(cos(angle), sin(angle)) * size.zw).x;
        weight += 1.0;
    }
    return sum / weight;
}

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 behind = texelFetch(light_map, at, 0);
    float own = texelFetch(inv_depth_map, at + int(option.x), 0).x;
    float solid = inv_depth_of(texelFetch(depth_map, at, 0).x);
    out_light = behind;
    if (own <= 0.0 || own < solid) return;
    vec3 x = eye_position(at, own);
    vec3 to = normalize(cross(slope(at, ivec2(1, 0), x), slope(at, ivec2(0, 1), x)));
    vec3 n = to_world(to), d = normalize(to_world(x));
    float pixels = max(1.6 * scale.w * snow.w * lens.w * own, 0.0);
    float thick = thickness(pixels) / max(snow.w, 1e-6);  // in radii
    vec2 bent = v_uv - to.xy * 0.012 * min(thick, 4.0);
    vec3 seen = texture(light_map, bent).rgb;
    // absorption far stronger than of real water, to distinguish it from ice
    vec3 left = exp(-thick * vec3(0.60, 0.20, 0.08));
    vec3 world = eye.xyz + to_world(x);
    float share = sun_visibility(world, n, 0.0, snow.w, true, dither(gl_FragCoord.xy));
    vec3 inside = vec3(0.02, 0.16, 0.30) * (0.5 * sun_light() * (0.4 + 0.6 * share) + sky_light(n));
    float fresnel = 0.02 + 0.98 * pow(1.0 - max(dot(n, -d), 0.0), 5.0);
    float gloss = pow(max(dot(n, normalize(sun.xyz - d)), 0.0), 220.0) * share;
    vec3 colour = mix(mix(inside, seen, left), sky_radiance(reflect(d, n)), fresnel);
    colour += 2.5 * gloss * sun_light();
    out_light = vec4(apply_fog(colour, length(x)), 1.0);
}
