#pragma once
// Temporary: variants to be measured, GANTRY_TUNE="key=number,key=number".
#include <cstdlib>
#include <cstring>

namespace gantry {
inline int tuned(const char* key, int otherwise) {
  const char* set = std::getenv("GANTRY_TUNE");
  const std::size_t length = std::strlen(key);
  while (set != nullptr && *set != 0) {
    if (std::strncmp(set, key, length) == 0 && set[length] == '=')
      return std::atoi(set + length + 1);
    set = std::strchr(set, ',');
    if (set != nullptr) ++set;
  }
  return otherwise;
}
}  // namespace gantry
