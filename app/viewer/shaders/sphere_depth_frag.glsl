// Sphere impostors as input of the smooth surface: inverse depth, albedo, material.
layout(location = 0) out float out_inv_depth;  // [1/m]
layout(location = 1) out vec4 out_grain;
#ifdef GL_ARB_conservative_depth
layout(depth_greater) out float gl_FragDepth;
#endif

void main()
{
    vec3 ray;
    float along;
    float inside = half_chord2(ray, along);
    if (inside < 0.0) discard;
    float distance = (along - sqrt(inside)) * -ray.z;
    gl_FragDepth = depth_of(distance);
    out_inv_depth = 1.0 / distance;
    out_grain = vec4(sqrt(v_albedo.rgb), v_albedo.w / 8.0);
}
