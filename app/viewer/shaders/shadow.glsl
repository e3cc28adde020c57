// Visibility of the sun from the shadow map.
uniform sampler2DShadow shadow_map;

// Percentage-closer filtering with samples on a spiral, rotated by `turn` per pixel; each sample is
// bilinear. `ahead` [m]: occluders closer than this are ignored. `softness`: filter radius
// [texels of the map].
float sun_visibility(vec3 x, vec3 n, float ahead, float softness, float turn)
{
    if (sun.w < 0.5) return 1.0;
    // normal offset against self-shadowing
    float slant = 1.0 - max(dot(n, sun.xyz), 0.0);
    // larger for the smooth surface, which lies below some spheres
    vec3 from = x + n * (shade.y * (1.0 + softness * 0.6 + 1.5 * slant) + scale.w * snow.w);
    from += ahead * sun.xyz;
    vec3 at = (light * vec4(from, 1.0)).xyz * 0.5 + 0.5;
    at.z = clamp(at.z - 0.75 * shade.y / shade.z, 0.0, 1.0);
    vec2 inside = smoothstep(0.0, 0.01, at.xy) * smoothstep(1.0, 0.99, at.xy);
    if (inside.x * inside.y <= 0.0) return 1.0;
    float texel = shade.y / shade.z, sum = 0.0;
    const int SAMPLES = 12;
    for (int k = 0; k < SAMPLES; k++) {
        float angle = 2.3999632 * float(k) + 6.2831853 * turn;
        float r = softness * sqrt((float(k) + 0.5) / float(SAMPLES)) * texel;
        sum += texture(shadow_map, vec3(at.xy + r * vec2(cos(angle), sin(angle)), at.z));
    }
    return mix(1.0, sum / float(SAMPLES), inside.x * inside.y);
}
