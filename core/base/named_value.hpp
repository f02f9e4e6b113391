#pragma once

#include "core/base/error.hpp"
#include "core/base/joined.hpp"

#include <cstddef>
#include <string>
#include <utility>

namespace gantry {

/// Returns the value that `table` lists for `name`. Throws UsageError for a name that is not in the
/// table. (Choices of a ParamSpec are checked earlier, by resolve_params().)
template <class Value, std::size_t Count>
Value named_value(const std::string& name, const std::pair<const char*, Value> (&table)[Count]) {
  for (const auto& [known, value] : table)
    if (name == known) return value;
  throw UsageError("there is no \"" + name + "\"", {},
                   "use one of " + joined(table, [](const auto& one) { return one.first; }));
}

}  // namespace gantry
