// One triangle that covers the target.
out vec2 v_place;  // 0..1

void main()
{
    v_place = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);
    gl_Position = vec4(2.0 * v_place - 1.0, 0.0, 1.0);
}
