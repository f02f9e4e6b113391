#pragma once

#include "studies/study.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gantry::test {

/// Returns the table of this key. Throws if there is none.
inline const StudyTable& table(const StudyResult& result, std::string_view key) {
  const auto found = std::ranges::find(result.tables, key, &StudyTable::key);
  if (found == result.tables.end()) throw std::runtime_error("no table " + std::string(key));
  return *found;
}

}  // namespace gantry::test
