firn_sources(mesh
    mesh.c
    io/mesh_read.c
    io/obj.c
    io/ply_header.c
    io/ply_data.c
    io/ply_mesh.c
    io/stl.c
    io/polygon.c
    topology/weld.c
    topology/corner_normals.c
    topology/consistent_winding.c
    topology/exact_predicates.c
    topology/triangle_pair.c
    topology/mesh_intersect.c
    topology/mesh_inspect.c)

firn_sources(mesh
    io/json.c
    io/gltf_file.c
    io/gltf_accessor.c
    io/gltf_mesh.c
    io/gltf_clip.c
    io/gltf_read.c
    io/gltf_pose.c
    io/gltf_camera.c
    io/pc2.c
    io/sequence.c
    io/animation.c
    io/node_path.c)

# Searching triangles.
firn_sources(mesh
    spatial/triangle_order.c
    spatial/triangle_tree.c
    spatial/nearest_grid.c
    spatial/winding.c)
