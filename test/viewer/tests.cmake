# Pictures without a screen, through EGL: skipped, with the reason, where there is none. Each opens
# a driver that takes all cores when it draws on the CPU.
if(FIRN_HAVE_VIEWER)
    firn_test(viewer draw_spheres LABEL unit VARIANTS ${FIRN_MAIN_VARIANT})
    firn_test(viewer draw_surface LABEL unit VARIANTS ${FIRN_MAIN_VARIANT})
    firn_test(viewer draw_colliders LABEL unit VARIANTS ${FIRN_MAIN_VARIANT})
    firn_test(viewer draw_text LABEL unit VARIANTS ${FIRN_MAIN_VARIANT})
    firn_test(viewer draw_picture LABEL unit VARIANTS ${FIRN_MAIN_VARIANT})
    firn_test(viewer colour_scale LABEL unit VARIANTS ${FIRN_MAIN_VARIANT})
    firn_command_test(view_feature LABEL cli COMMAND bash -c "\"$FIRN\" version | grep -w viewer")
    firn_test(viewer view_png LABEL unit VARIANTS ${FIRN_MAIN_VARIANT})
    firn_test(viewer view_controls LABEL unit VARIANTS ${FIRN_MAIN_VARIANT})
    firn_test(viewer view_tools LABEL unit VARIANTS ${FIRN_MAIN_VARIANT})
    if(FIRN_HAVE_PANELS)
        firn_test(viewer view_panels LABEL unit VARIANTS ${FIRN_MAIN_VARIANT})
    endif()
    firn_test(viewer view_source LABEL cli VARIANTS ${FIRN_MAIN_VARIANT})
    firn_script_test(view_headless headless.sh LABEL cli)
    firn_script_test(view_script script.sh LABEL cli)
    firn_script_test(view_window window.sh LABEL cli)
    if(FIRN_HAVE_PANELS)
        firn_script_test(view_panels_script panels.sh LABEL cli)
        firn_script_test(view_panels_window panels_window.sh LABEL slow)
        set_property(TEST view_panels_script view_panels_window
            APPEND PROPERTY ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)
    endif()
    # Drivers keep memory until the program ends, from files that are closed by then and cannot be
    # named.
    set_property(TEST draw_spheres draw_surface draw_colliders draw_text draw_picture
        view_headless view_script view_window
        APPEND PROPERTY ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)
endif()
