// Where the ray of a pixel meets the sphere: what is there, where it faces, how far it is.
flat in vec4 v_sphere;
flat in vec4 v_look;
in vec3 v_at;
layout(location = 0) out vec4 out_look;
layout(location = 1) out vec4 out_normal;
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
    vec3 x = ray * (along - sqrt(inside));
    vec3 n = (x - v_sphere.xyz) / v_sphere.w;
    // Of a sphere of a pixel or two, one point's normal says nothing: as if it were flatter.
    float pixels = v_sphere.w * lens.w / along;
    n = to_world(normalize(n - ray * 2.0 * smoothstep(3.0, 0.7, pixels)));
    gl_FragDepth = depth_of(-x.z);
    out_look = vec4(sqrt(v_look.rgb), 1.0);
    out_normal = vec4(n, v_look.w);
}
