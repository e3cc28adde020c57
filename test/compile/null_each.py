#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes calls of every function of firn.h as a C file for null_each.c: with valid arguments, then
with each of its pointers null in turn.
usage: null_each.py INCLUDE_FOLDER"""
import re
import subprocess
import sys

# Pointers that may be null, by name or by function.
OPTIONAL = set("""
    out_error out_id out_why
    firn_def_init:def firn_scene_set_threads:jobs firn_set_allocator:allocator
    firn_scene_load:def firn_scene_load_text:def firn_scene_load_text:name firn_scene_level_set:grid
    firn_sim_advance_by:out_done firn_sim_body_load:out_step firn_sim_body_load:out_frame
    firn_sim_add_snow:where firn_sim_remove_snow:where firn_sim_remove_snow:out_count
    firn_sim_remove_particles:out_count firn_sim_save:block firn_sim_add_collider:pose
    firn_sim_body_impulse:point firn_heights_update:out_dirty firn_replay_heights_update:out_dirty
    firn_render_sized:out_summary firn_cache_trim_sized:out_summary
    firn_comm_close:comm firn_comm_rank:comm firn_comm_count:comm firn_comm_agree:comm
    firn_comm_waiting:comm
""".split())
REQUIRED = {"firn_sim_body_at:out_id", "firn_replay_body_at:out_id",
            "firn_scene_material_named:out_id"}
# Calls that cannot succeed here: firn holds memory, there is no such file, no collider of the scene
# has a mass, there are no other ranks, its solver has no ranks.
REFUSED = {"firn_set_allocator", "firn_scene_level_set", "firn_scene_add_joint", "firn_comm_open",
           "firn_sim_serve", "firn_scene_divide_sized"}
# Arguments of null_each.c: by function and parameter, by parameter, or by type.
ARGUMENTS = {
    "firn_def_init:size": "sizeof f.snow", "firn_def_init:cookie": "f.snow.cookie",
    "firn_def_init:def": "&f.snow",
    "firn_sim_create:def": "&f.sim_def", "firn_sim_serve:def": "&f.sim_def", "firn_sim_save:capacity": "sizeof f.block",
    "firn_sim_restore:size": "f.block_size", "firn_sim_surface:def": "&f.surface",
    "firn_sim_body_at:index": "0", "firn_replay_body_at:index": "0",
    "firn_replay_body_sized:id": "f.replayed", "firn_replay_body_mesh:id": "f.replayed",
    "firn_scene_load_text:name": '"text"', "firn_scene_list:out_text": "&f.text",
    "firn_sim_remove_emitter:id": "f.emitter_id",
    "firn_device_list_sized:size": "sizeof(firn_device_info)",
    "firn_cache_measure_sized:size": "sizeof(firn_frame_measure)",
    "firn_bench_pictures_sized:size": "sizeof(firn_bench_picture_row)",
    "firn_bench_sized:size": "sizeof(firn_bench_row)",
    "firn_bench_scale_sized:size": "sizeof(firn_bench_row)",
    "firn_bench_table_sized:size": "sizeof(firn_bench_row)",
    "firn_suggest:count": "2", "firn_scene_material_named:name": '"snow"',
    "firn_text_free:text": "NULL",  # only null: what is valid is freed by the program itself
    "firn_bench_free:rows": "NULL", "firn_bench_pictures_free:rows": "NULL",
    "firn_measure_free:rows": "NULL", "firn_heights_destroy:heights": "f.heights",
    "firn_body_mesh_free:mesh": "(void*)f.zeros", "firn_surface_mesh_free:mesh": "(void*)f.zeros",
    "firn_set_allocator:allocator": "NULL",
    "firn_sim_body_impulse:sim": "f.grains", "firn_sim_body_torque:sim": "f.grains",
    "firn_sim_body_impulse:id": "f.ball", "firn_sim_body_torque:id": "f.ball",
    "firn_sim_add_joint:sim": "f.grains", "firn_sim_remove_joint:sim": "f.grains",
    "firn_sim_joint:sim": "f.grains", "firn_sim_remove_joint:id": "f.joint_id",
    "firn_sim_joint:id": "f.joint_id",
    "firn_yaml_differences:other": "yaml", "firn_yaml_differences:out_text": "&f.text",
    "firn_picture_save:path": '"a.png"', "firn_picture_save:pixels": "f.zeros",
    "firn_file_describe:path": "f.frame", "firn_sim_remove_snow:where": "&f.high",
}
BY_NAME = {
    "folder": '"fresh"', "dir": '"run"', "path": '"run/scene.yaml"', "path_or_name": '"first-scene"', "yaml": "yaml",
    "key": '"mpm.cell"', "value": '"0.1"', "name": '"position"', "file": '"ball.vdb"',
    "grid": '"ball"', "word": '"positon"', "names": "names", "cookie": "0", "verify": "false",
    "threads": "1", "index": "0", "count": "1", "most": "1", "frame": "0", "id_count": "1",
    "seconds": "0.001", "wall": "0", "celsius": "-1", "x": "0", "z": "0", "empty": "0",
    "max_distance": "1", "radius": "0.1", "radius_a": "0.1", "radius_b": "0.1", "rounding": "0",
    "scale": "1", "low": "low", "high": "high", "center": "high", "width": "16", "height": "16",
    "fps": "24", "block": "f.block", "ids": "&f.some", "where": "&f.where", "pose": "&f.pose",
    "rays": "&f.ray", "point": "&f.up", "pixels": "f.zeros", "jobs": "NULL",
    "comm": "NULL", "code": "0", "ranks": "1",
    "a": "f.shape", "b": "f.shape", "snow": "f.snow_id", "id": "f.crate",
    "prefabs": "f.scene", "scene": "f.scene", "sim": "f.sim", "replay": "f.replay",
    "heights": "f.heights", "recording": "f.recording",
}
BY_TYPE = {
    "firn_vec3:size": "f.size", "firn_vec3:b": "f.size", "firn_vec3": "f.up", "firn_quat": "f.pose.rotation", "firn_shape_id": "f.shape",
    "const firn_load_def*": "&f.load", "const firn_material_def*": "&f.material",
    "const firn_measured_def*": "&f.measured", "const firn_snow_def*": "&f.snow",
    "const firn_emitter_def*": "&f.emitter", "const firn_collider_def*": "&f.collider",
    "const firn_body_animation_def*": "&f.animation", "const firn_text_def*": "&f.text_def",
    "const firn_mesh_def*": "&f.mesh", "const firn_height_def*": "&f.height_def",
    "firn_height_def*": "&f.height_def", "const firn_export_def*": "&f.export_def",
    "const firn_measure_def*": "&f.measure", "const firn_render_def*": "&f.render",
    "const firn_force_def*": "&f.force", "const firn_gravity_at*": "&f.gravity",
    "const firn_trim_def*": "&f.trim", "const firn_bench_def*": "&f.bench", "const firn_joint_def*": "&f.joint",
}


def functions(include):
    text = subprocess.run(
        ["cc", "-E", "-P", "-x", "c", "-I", include, "-DFIRN_STATIC", "-"], text=True, check=True,
        input='#include "firn/firn.h"\n', capture_output=True).stdout
    text = " ".join(text.split())
    pattern = r"(?<=[;{}] )((?:const )?\w+\*{0,2}) (firn_\w+)\(([^(){};]*)\);"
    for result, name, parameters in re.findall(pattern, text):
        if result == "return":
            continue
        pairs = []
        for parameter in parameters.split(", "):
            if parameter == "void":
                continue
            type_, what = re.fullmatch(r"(.*?[ *])(\w+)(?:\[\d*\])?", parameter).groups()
            pairs.append((type_.strip() + ("*" if "[" in parameter else ""), what))
        yield result, name, pairs


def argument(name, type_, what):
    for table, key in ((ARGUMENTS, f"{name}:{what}"), (BY_TYPE, f"{type_}:{what}"),
                       (BY_TYPE, type_), (BY_NAME, what)):
        if key in table:
            return table[key]
    if what == "size":
        return "SIZE"
    if what.startswith("out_"):
        return "(void*)f.out"
    sys.exit(f"{name}: no argument for {type_} {what}: add it to null_each.py")


def cases_of(name, pairs):
    """Pairs: what is wrong, "" for nothing; arguments."""
    valid = [argument(name, *pair) for pair in pairs]
    for k, pair in enumerate(pairs):
        if valid[k] == "SIZE":  # of the struct that is filled
            valid[k] = next(f"sizeof({t[:-1]})" for t, w in pairs if w.startswith("out_"))
    yield "", valid
    for k, (type_, what) in enumerate(pairs):
        if type_.endswith("*"):
            yield what, valid[:k] + ["NULL"] + valid[k + 1:]
        if not type_.endswith("_id"):
            continue
        wrong = ["0, 0", "1, f.other_owner", "1000000, f.crate.owner", "UINT32_MAX, f.crate.owner"]
        if type_ in ("firn_collider_id", "firn_emitter_id"):
            wrong.append(f"f.removed_{type_[5:-3]}.slot1, f.crate.owner")
        for values in wrong:
            if name == "firn_sim_body_sized" and "removed" in values:
                continue  # says that it was removed
            yield f"{what}: {{{values}}}", valid[:k] + [f"({type_}){{{values}}}"] + valid[k + 1:]


count = 0
for result, name, pairs in functions(sys.argv[1]):
    for what, arguments in cases_of(name, pairs):
        key = f"{name}:{what}"
        good = not what or ((what in OPTIONAL or key in OPTIONAL) and key not in REQUIRED)
        expected = "ANY" if name in REFUSED and good else "OK" if good else "REFUSED"
        call = f"{name}({', '.join(arguments)})"
        kind = "RESULT" if result == "firn_result" else "OTHER"
        print(f'{kind}({count}, "{name}({what})", EXPECT_{expected}, {call})')
        count += 1
print(f"#define CASES {count}")
