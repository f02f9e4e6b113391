// What the files of the command line include.
#include "packaging/precompiled/json.hpp"

#include <CLI/CLI.hpp>
