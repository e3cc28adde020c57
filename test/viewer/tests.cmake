# Pictures without a screen, through EGL: skipped, with the reason, where there is none. Each opens a
# driver that takes all cores when it draws on the CPU.
if(FIRN_HAVE_VIEWER)
    firn_test(viewer draw_spheres LABEL unit VARIANTS ${FIRN_MAIN_VARIANT})
    firn_test(viewer draw_surface LABEL unit VARIANTS ${FIRN_MAIN_VARIANT})
    firn_test(viewer draw_bodies LABEL unit VARIANTS ${FIRN_MAIN_VARIANT})
    firn_test(viewer draw_words LABEL unit VARIANTS ${FIRN_MAIN_VARIANT})
    firn_test(viewer draw_picture LABEL unit VARIANTS ${FIRN_MAIN_VARIANT})
    firn_test(viewer colour_scale LABEL unit VARIANTS ${FIRN_MAIN_VARIANT})
    firn_command_test(view_feature LABEL cli COMMAND bash -c "\"$FIRN\" version | grep -w viewer")
    firn_test(viewer view_png LABEL unit VARIANTS ${FIRN_MAIN_VARIANT})
endif()
