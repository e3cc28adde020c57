// What all passes of a frame are given (view_constants of draw_parts.h), and how places on the screen
// and in front of the eye belong together.
layout(std140) uniform Frame {
    mat4 view;
    mat4 projection;
    mat4 light;
    vec4 eye;    // [m]; distance of the near plane [m]
    vec4 sun;    // unit, towards it; 1: there are shadows
    vec4 size;   // [pixels] width, height, and their inverses
    vec4 lens;   // tangents of the half angles; |eye - look_at| [m]; pixels per tangent
    vec4 snow;   // radius of all [m]; 1: radii, 1: phases are given; a usual radius [m]
    vec4 scale;  // low; 1 / (high - low); 1: values are given; 1: style is the surface
    vec4 shade;  // reach of occlusion [m]; pixel of the shadow map [m]; its depth [m]
};
uniform vec4 option;  // of the pass

// What a pixel shows; in the fourth number of its normal.
const float GROUND = 1.0, BODY = 2.0, MARKED = 3.0, SNOW = 4.0, ICE = 5.0, COLOURED = 6.0;

// Depth in the buffer is 1 - near / distance, distance along the axis of the eye.
float depth_of(float distance)
{
    return 1.0 - eye.w / distance;
}

float nearness_of(float depth)
{
    return (1.0 - depth) / eye.w;  // 1 / distance; 0 in the sky
}

// Direction from the eye through a place of the screen (0..1), in eye coordinates, z = -1.
vec3 ray_of(vec2 place)
{
    return vec3((2.0 * place - 1.0) * lens.xy, -1.0);
}

vec3 to_world(vec3 v)
{
    return transpose(mat3(view)) * v;
}
