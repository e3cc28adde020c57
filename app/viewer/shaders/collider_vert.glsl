layout(location = 0) in vec3 vertex;
layout(location = 1) in vec3 normal;
uniform mat4 pose;
out vec3 v_normal;

void main()
{
    v_normal = mat3(pose) * normal;
    gl_Position = projection * (view * (pose * vec4(vertex, 1.0)));
}
