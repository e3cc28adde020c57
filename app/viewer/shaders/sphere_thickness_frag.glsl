// Thickness of water along a ray: sum of the chord lengths of spheres [m], by additive blending.
uniform sampler2D depth_map;
layout(location = 0) out float out_thickness;

void main()
{
    vec3 ray;
    float along;
    float inside = half_chord2(ray, along);
    float inv_depth = inv_depth_of(texelFetch(depth_map, ivec2(gl_FragCoord.xy), 0).x);
    if (inside < 0.0 || along * -ray.z * inv_depth > 1.0) discard;  // beside it, or behind snow
    out_thickness = 2.0 * sqrt(inside);
}
