# Installs to a scratch folder, moves it, and builds a stranger's program against it. A sanitized
# library is not for strangers: their programs would have to be sanitized too.
if(NOT FIRN_SANITIZE)
    firn_script_test(install install.sh LABEL cli)
endif()
# What the loader does with everything that is built.
firn_script_test(binaries binaries.sh LABEL cli)
firn_script_test(symbols symbols.sh LABEL cli ARGUMENTS $<TARGET_FILE:firn>)
