// Triangle around a sphere's silhouette. option: scale of the radii; 1 for water; size of the
// picture relative to the target along both axes.
uniform sampler2D scale_colours;
flat out vec4 v_sphere;  // centre in eye coordinates and radius [m]
flat out vec4 v_albedo;    // linear albedo; material
out vec3 v_at;  // in eye coordinates

vec3 colour_of(int p, uint phase, out float kind)
{
    kind = phase == 1u || phase == 3u ? ICE : SNOW;
    if (scale.z > 0.5) {
        kind = COLOURED;
        float at = clamp((fetch_value(p) - scale.x) * scale.y, 0.0, 1.0);
        vec3 c = texelFetch(scale_colours, ivec2(int(255.0 * at + 0.5), 0), 0).rgb;
        return pow(c, vec3(2.2));
    }
    if (phase == 3u) return vec3(0.075, 0.026, 0.011);  // chocolate
    if (phase == 4u) return vec3(0.88, 0.82, 0.70);     // soft ice
    return phase == 1u ? vec3(0.56, 0.68, 0.78) : vec3(0.93, 0.945, 0.96);
}

void main()
{
    int p = gl_VertexID / 3;
    vec3 x = fetch_position(p);
    float radius = fetch_radius(p) * option.x;
    uint phase = fetch_phase(p);
    vec3 c = (view * vec4(x, 1.0)).xyz;
    // at least a pixel, so that distant spheres do not flicker
    radius = max(radius, 0.6 * length(c) / lens.w);
    float distance = length(c);
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);  // clipped
    v_sphere = vec4(c, radius);
    v_albedo = vec4(0.0);
    v_at = vec3(0.0);
    if (!is_drawn(x, fetch_radius(p), phase) || c.z > radius || distance <= 1.05 * radius) return;
    float kind;
    vec3 colour = colour_of(p, phase, kind);
    // vary the albedo slightly by particle
    float seed = hash_unit(ivec3(p, 7, 3)).x;
    v_albedo = vec4(colour * (1.0 + 0.08 * (seed - 0.5)), kind);
    // Perpendicular to the direction to the sphere, as wide as its tangent cone, and moved to the
    // sphere's front, so that the sphere's depth is never less than the triangle's.
    vec3 to = c / distance;
    vec3 u = normalize(cross(abs(to.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0), to));
    vec3 v = cross(to, u);
    float extent = radius * distance / sqrt(distance * distance - radius * radius);
    vec2 corner = corner_of(gl_VertexID - 3 * p) * extent;
    v_at = (c + u * corner.x + v * corner.y) * ((distance - radius) / distance);
    gl_Position = projection * vec4(v_at, 1.0);
    gl_Position.xy *= option.zw;
}
