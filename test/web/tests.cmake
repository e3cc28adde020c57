# The page: built with Emscripten, its state hashes compared with this build's. Skipped where the
# packages of tools/packages-web are not installed. 90 seconds of compiler time the first time.
firn_script_test(web_module web_module.sh LABEL backend TIMEOUT 900)
# `firn web`: files, headers, hostile requests.
firn_script_test(web_serve web_serve.sh LABEL cli)
