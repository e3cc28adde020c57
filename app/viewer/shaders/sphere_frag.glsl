// Sphere impostors into the G-buffer: albedo, normal, depth.
layout(location = 0) out vec4 out_albedo;
layout(location = 1) out vec4 out_normal;
#ifdef GL_ARB_conservative_depth
layout(depth_greater) out float gl_FragDepth;
#endif

void main()
{
    vec3 ray;
    float along;
    float inside = half_chord2(ray, along);
    if (inside < 0.0) discard;
    vec3 x = ray * (along - sqrt(inside));
    vec3 n = (x - v_sphere.xyz) / v_sphere.w;
    // flatten the normals of spheres of a pixel or two, to avoid aliasing
    float pixels = v_sphere.w * lens.w / along;
    n = to_world(normalize(n - ray * 2.0 * smoothstep(3.0, 0.7, pixels)));
    gl_FragDepth = depth_of(-x.z);
    out_albedo = vec4(sqrt(v_albedo.rgb), 1.0);
    out_normal = vec4(n, v_albedo.w);
}
