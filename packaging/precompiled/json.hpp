// What the files that read and write JSON include.
#include "packaging/precompiled/standard.hpp"

#include <nlohmann/json.hpp>
