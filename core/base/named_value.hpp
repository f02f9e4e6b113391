#pragma once

#include "core/base/error.hpp"

#include <cstddef>
#include <string>
#include <utility>

namespace gantry {

/// What a name of a table stands for. Throws UsageError for a name that is none; the choices of a
/// ParamSpec have been checked before.
template <class Value, std::size_t Count>
Value named_value(const std::string& name, const std::pair<const char*, Value> (&table)[Count]) {
  std::string all;
  for (const auto& [known, value] : table) {
    if (name == known) return value;
    all += (all.empty() ? "" : ", ") + std::string(known);
  }
  throw UsageError("there is no \"" + name + "\"", {}, "use one of " + all);
}

}  // namespace gantry
