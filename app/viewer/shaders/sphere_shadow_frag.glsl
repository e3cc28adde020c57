in vec2 v_at;
flat in float v_depth;
in float v_centre;

void main()
{
    float inside = 1.0 - dot(v_at, v_at);
    if (inside < 0.0) discard;
    gl_FragDepth = clamp(v_centre - v_depth * sqrt(inside), 0.0, 1.0);
}
