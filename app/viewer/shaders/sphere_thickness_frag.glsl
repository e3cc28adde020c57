// How much water a ray goes through: the chords of its spheres add up [m].
flat in vec4 v_sphere;
flat in vec4 v_look;
in vec3 v_at;
uniform sampler2D depth_map;
layout(location = 0) out float out_thickness;

void main()
{
    vec3 ray = normalize(v_at);
    float along = dot(ray, v_sphere.xyz);
    vec3 aside = v_sphere.xyz - along * ray;
    float inside = v_sphere.w * v_sphere.w - dot(aside, aside);
    float nearness = nearness_of(texelFetch(depth_map, ivec2(gl_FragCoord.xy), 0).x);
    if (inside < 0.0 || along * -ray.z * nearness > 1.0) discard;  // beside it, or behind snow
    out_thickness = 2.0 * sqrt(inside);
}
