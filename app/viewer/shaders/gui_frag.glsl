// Widgets: a colour times the coverage of a glyph.
in vec2 v_uv;
in vec4 v_colour;
uniform sampler2D glyph_map;
layout(location = 0) out vec4 out_picture;

void main()
{
    out_picture = vec4(v_colour.rgb, v_colour.a * texture(glyph_map, v_uv).x);
}
