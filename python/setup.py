# SPDX-License-Identifier: MIT
"""Builds the wheel: CMake builds the extension module and libfirn, setuptools packs them.

FIRN_BUILD_DIR names an existing build to take them from as they are; else build/wheel is made. The
module is compiled for the limited API of CPython 3.11; libfirn lies beside it, so that the wheel
does not depend on an installed one. The libraries that libfirn needs are those of Debian 12.
"""
import os
import re
import shutil
import subprocess

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
WORK = os.path.join(ROOT, "build", "wheel")


def version():
    with open(os.path.join(ROOT, "include", "firn", "version.h"), encoding="utf-8") as file:
        numbers = re.findall(r"#define FIRN_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", file.read())
    return ".".join(numbers)


class BuildWithCMake(build_ext):
    def build_extension(self, ext):
        tree = os.environ.get("FIRN_BUILD_DIR")
        if not tree:
            tree = os.path.join(WORK, "cmake")
            subprocess.run(["cmake", "-S", ROOT, "-B", tree, "-G", "Ninja", "-D", "FIRN_PYTHON=ON",
                            "-D", "FIRN_TESTS=OFF", "-D", "CMAKE_BUILD_TYPE=Release"], check=True)
            subprocess.run(["cmake", "--build", tree, "--target", "firn", "firn_python"],
                           check=True)
        module = self.get_ext_fullpath(ext.name)
        package = os.path.dirname(module)
        os.makedirs(os.path.join(package, "lib"), exist_ok=True)
        shutil.copy2(os.path.join(tree, "python", "firn", "_firn.abi3.so"), module)
        short = ".".join(version().split(".")[:2]) if version().startswith("0.") else \
            version().split(".")[0]
        name = f"libfirn.so.{short}"
        shutil.copy2(os.path.realpath(os.path.join(tree, "lib", name)),
                     os.path.join(package, "lib", name))
        # where the library looks for them: PREFIX/share/firn/scenes beside PREFIX/lib
        scenes = os.path.join(package, "share", "firn", "scenes")
        shutil.rmtree(scenes, ignore_errors=True)
        shutil.copytree(os.path.join(ROOT, "scenes"), scenes)


os.makedirs(WORK, exist_ok=True)
setup(
    version=version(),
    packages=["firn"],
    package_data={"firn": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("firn._firn", sources=[], py_limited_api=True)],
    cmdclass={"build_ext": BuildWithCMake},
    options={"bdist_wheel": {"py_limited_api": "cp311"},
             "build": {"build_base": os.path.join(WORK, "python")},
             "egg_info": {"egg_base": WORK}},
)
