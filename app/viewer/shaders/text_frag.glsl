// Glyphs at one texel per pixel, without filtering.
in vec2 v_texel;
flat in vec4 v_colour;
uniform sampler2D glyph_map;
layout(location = 0) out vec4 out_picture;

void main()
{
    // negative: a filled rectangle
    float cover = v_texel.x < 0.0 ? 1.0 : texelFetch(glyph_map, ivec2(v_texel), 0).x;
    out_picture = vec4(v_colour.rgb, v_colour.a * cover);
}
