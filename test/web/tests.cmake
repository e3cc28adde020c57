# The page: built with Emscripten, its state hashes compared with this build's, then used in
# browsers. Skipped where the packages of tools/packages-web are not installed. The first build
# takes 90 seconds of a processor, too long for the default run.
firn_script_test(web_module web_module.sh LABEL backend slow TIMEOUT 900)
foreach(browser IN ITEMS chromium firefox)
    firn_script_test(web_${browser} web_page.sh LABEL cli ARGUMENTS ${browser} TIMEOUT 600)
    set_tests_properties(web_${browser} PROPERTIES DEPENDS web_module)
endforeach()
# `firn web`: files, headers, hostile requests.
firn_script_test(web_serve web_serve.sh LABEL cli)
