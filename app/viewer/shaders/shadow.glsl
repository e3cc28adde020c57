// Visibility of the sun from the shadow map.
uniform sampler2DShadow shadow_map;

// Percentage-closer filtering with samples on a spiral, rotated by `turn` per pixel; each sample is
// bilinear. `ahead` [m]: occluders closer than this are ignored. `radius` [m]: of the filter, at
// least two texels, which hides the map's grid; about a particle's radius hides the bumps that
// single particles make at the edge of a shadow. `casts`: the surface is in the map itself and must
// not shadow itself.
float sun_visibility(vec3 x, vec3 n, float ahead, float radius, bool casts, float turn)
{
    if (sun.w < 0.5) return 1.0;
    float softness = clamp(radius / shade.y, 2.0, 40.0);  // [texels]
    // normal offset against self-shadowing; without need it would detach shadows from contacts
    float slant = 1.0 - max(dot(n, sun.xyz), 0.0);
    // larger for the smooth surface, which lies below some spheres
    float offset = casts ? shade.y * (1.0 + softness * 0.6 + 1.5 * slant) + scale.w * snow.w : 0.0;
    vec3 from = x + n * offset;
    from += ahead * sun.xyz;
    vec3 at = (light * vec4(from, 1.0)).xyz * 0.5 + 0.5;
    at.z = clamp(at.z - 0.75 * shade.y / shade.z, 0.0, 1.0);
    vec2 inside = smoothstep(0.0, 0.01, at.xy) * smoothstep(1.0, 0.99, at.xy);
    if (inside.x * inside.y <= 0.0) return 1.0;
    float texel = shade.y / shade.z, sum = 0.0;
    const int SAMPLES = 16;
    for (int k = 0; k < SAMPLES; k++) {
        float angle = 2.3999632 * float(k) + 6.2831853 * turn;
        float r = softness * sqrt((float(k) + 0.5) / float(SAMPLES)) * texel;
        sum += texture(shadow_map, vec3(at.xy + r * vec2(cos(angle), sin(angle)), at.z));
    }
    return mix(1.0, sum / float(SAMPLES), inside.x * inside.y);
}
