firn_test(mesh ply_header LABEL unit VARIANTS float asan)
