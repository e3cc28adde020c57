# The window of `firn view`: FIRN_HAVE_VIEWER says whether this tree has it, and the target
# firn_viewer_deps carries what it stands on. OpenGL is linked through libOpenGL, which is neither
# GLX's nor EGL's: the same program draws into a window and, without a screen, into a picture.
set(FIRN_VIEWER AUTO CACHE STRING
    "The window of `firn view`: AUTO (when its libraries are found), ON or OFF")
set_property(CACHE FIRN_VIEWER PROPERTY STRINGS AUTO ON OFF)

set(FIRN_HAVE_VIEWER OFF)
set(FIRN_HAVE_PANELS OFF)
if(NOT FIRN_VIEWER STREQUAL "OFF")
    set(viewer_missing "")
    foreach(module IN ITEMS glfw3 egl opengl)
        pkg_check_modules(viewer_${module} QUIET IMPORTED_TARGET ${module})
        if(NOT viewer_${module}_FOUND)
            list(APPEND viewer_missing ${module})
        endif()
    endforeach()
    find_path(FIRN_GL_INCLUDE_DIR GL/glcorearb.h)
    if(NOT FIRN_GL_INCLUDE_DIR)
        list(APPEND viewer_missing GL/glcorearb.h)
    endif()
    list(JOIN viewer_missing ", " viewer_missing)
    if(NOT viewer_missing)
        set(FIRN_HAVE_VIEWER ON)
        add_library(firn_viewer_deps INTERFACE)
        target_include_directories(firn_viewer_deps SYSTEM INTERFACE ${FIRN_GL_INCLUDE_DIR})
        target_link_libraries(firn_viewer_deps INTERFACE
            PkgConfig::viewer_glfw3 PkgConfig::viewer_egl
            PkgConfig::viewer_opengl PkgConfig::libpng m)
        if(TARGET PkgConfig::freetype)
            target_link_libraries(firn_viewer_deps INTERFACE PkgConfig::freetype)
            target_compile_definitions(firn_viewer_deps INTERFACE FIRN_HAVE_FREETYPE)
        endif()
        message(STATUS "GLFW, EGL and OpenGL found: `firn view` is built")
        # Panels are optional: Dear ImGui is C++, and its C++ files are built only with it.
        include(CheckLanguage)
        check_language(CXX)
        if(CMAKE_CXX_COMPILER)
            enable_language(CXX)
            pkg_check_modules(viewer_imgui QUIET IMPORTED_TARGET imgui)
        endif()
        if(viewer_imgui_FOUND)
            set(FIRN_HAVE_PANELS ON)
            target_link_libraries(firn_viewer_deps INTERFACE PkgConfig::viewer_imgui stdc++)
        else()
            message(STATUS "Dear ImGui not found (packages libimgui-dev, g++): "
                "the window has no panels")
        endif()
    elseif(FIRN_VIEWER STREQUAL "ON")
        message(FATAL_ERROR "FIRN_VIEWER is ON, but these were not found: ${viewer_missing}. "
            "Install libglfw3-dev, libegl-dev, libopengl-dev and libgl-dev")
    else()
        message(STATUS "`firn view` is left out (packages libglfw3-dev, libegl-dev, libopengl-dev, "
            "libgl-dev): not found: ${viewer_missing}")
    endif()
endif()
