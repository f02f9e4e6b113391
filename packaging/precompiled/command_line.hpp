// What the files of the command line include.
#include <CLI/CLI.hpp>

#include "packaging/precompiled/json.hpp"
