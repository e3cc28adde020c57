# Installs to a scratch folder, moves it, and builds a stranger's program against it.
firn_script_test(install install.sh LABEL cli)
