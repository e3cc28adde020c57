// option.xy: units of the clip space per pixel.
layout(location = 0) in vec4 corner;  // [pixels] from the top left; position in the texture, 0..1
layout(location = 1) in vec4 colour;  // sRGB and opacity
out vec2 v_uv;
out vec4 v_colour;

void main()
{
    v_uv = corner.zw;
    v_colour = colour;
    gl_Position = vec4(corner.x * option.x - 1.0, 1.0 - corner.y * option.y, 0.0, 1.0);
}
