// Triangle around a sphere in the shadow map.
out vec2 v_at;           // 1 at the outline
flat out float v_depth;  // radius in depth units of the map
out float v_centre;

void main()
{
    int p = gl_VertexID / 3;
    vec3 x = fetch_position(p);
    float radius = fetch_radius(p);
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    v_at = corner_of(gl_VertexID - 3 * p);
    v_depth = radius / shade.z;
    v_centre = 0.0;
    if (!is_drawn(x, radius, fetch_phase(p))) return;
    vec4 c = light * vec4(x, 1.0);
    v_centre = 0.5 * c.z + 0.5;
    // at least a texel of the map
    float extent = max(radius, 0.6 * shade.y) * 2.0 / shade.z;
    gl_Position = vec4(c.xy + v_at * extent, c.z, 1.0);
}
