// What the files that read and write JSON include.
#include <nlohmann/json.hpp>

#include "packaging/precompiled/standard.hpp"
