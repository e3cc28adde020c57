// Sun and sky of a clear winter day. Radiance is relative to a white surface in full light.
vec3 sun_light()
{
    float low = smoothstep(0.6, 0.0, sun.y);  // a low sun is redder
    vec3 tint = mix(vec3(1.0, 0.955, 0.88), vec3(1.0, 0.80, 0.58), low);
    return tint * 1.4 * smoothstep(-0.03, 0.06, sun.y);
}

const vec3 ZENITH = vec3(0.13, 0.27, 0.56), HORIZON = vec3(0.60, 0.72, 0.86);

// Sky radiance from unit direction d.
vec3 sky_radiance(vec3 d)
{
    float pale = 1.0 - clamp(d.y, 0.0, 1.0);
    float glow = pow(max(dot(d, sun.xyz), 0.0), 8.0);
    return mix(ZENITH, HORIZON, pow(pale, 4.0)) + 0.10 * glow * sun_light();
}

// Irradiance of the sky and of the bright ground on a surface of normal n.
vec3 sky_light(vec3 n)
{
    vec3 dome = 0.85 * mix(ZENITH, HORIZON, 0.42);
    vec3 below = 0.12 * HORIZON + 0.10 * sun_light() * max(sun.y, 0.0);
    return mix(below, dome, 0.5 + 0.5 * n.y);
}

// Fog in the colour of the horizon.
vec3 apply_fog(vec3 colour, float distance)
{
    float thick = distance / (14.0 * lens.z);
    return mix(HORIZON, colour, exp(-thick * sqrt(thick)));
}
