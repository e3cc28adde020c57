// Intersection of a pixel's ray with a sphere impostor.
flat in vec4 v_sphere;
flat in vec4 v_albedo;
in vec3 v_at;

// The unit ray, the distance along it to the point nearest to the centre, and the square of half
// the chord, which is negative where the ray misses the sphere.
float half_chord2(out vec3 ray, out float along)
{
    ray = normalize(v_at);
    along = dot(ray, v_sphere.xyz);
    vec3 aside = v_sphere.xyz - along * ray;
    return v_sphere.w * v_sphere.w - dot(aside, aside);
}
