firn_test(mesh ply_header LABEL unit VARIANTS float asan)
firn_test(mesh mesh LABEL unit VARIANTS float double asan)
firn_test(mesh obj LABEL unit VARIANTS float double asan)
firn_test(mesh mesh_inspect LABEL unit VARIANTS float double asan)
