firn_test(scenes scene_library LABEL scenes)
