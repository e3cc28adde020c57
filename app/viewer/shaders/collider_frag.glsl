in vec3 v_normal;
uniform vec4 colour;  // linear; w = 1: highlighted
layout(location = 0) out vec4 out_albedo;
layout(location = 1) out vec4 out_normal;

void main()
{
    out_albedo = vec4(sqrt(clamp(colour.rgb, 0.0, 1.0)), 1.0);
    out_normal = vec4(normalize(v_normal), colour.w > 0.5 ? MARKED : COLLIDER);
}
