// Spheres on their way to a smooth surface: nearness, colour, and what they are.
flat in vec4 v_sphere;
flat in vec4 v_look;
in vec3 v_at;
layout(location = 0) out float out_nearness;  // [1/m]
layout(location = 1) out vec4 out_grain;
#ifdef GL_ARB_conservative_depth
layout(depth_greater) out float gl_FragDepth;
#endif

void main()
{
    vec3 ray = normalize(v_at);
    float along = dot(ray, v_sphere.xyz);
    vec3 aside = v_sphere.xyz - along * ray;
    float inside = v_sphere.w * v_sphere.w - dot(aside, aside);
    if (inside < 0.0) discard;
    float distance = (along - sqrt(inside)) * -ray.z;
    gl_FragDepth = depth_of(distance);
    out_nearness = 1.0 / distance;
    out_grain = vec4(sqrt(v_look.rgb), v_look.w / 8.0);
}
