#pragma once

#include "core/operator/row_source.hpp"

namespace gantry {

/// A definition of weights that others know too: what builds rows elsewhere, on a device, goes by
/// it.
enum class RowDefinition { other, area, area_length, siddon, distance_driven };

/// What a RowSource is as well, when its rows follow such a definition.
class DefinedRows {
 public:
  virtual ~DefinedRows() = default;
  virtual RowDefinition definition() const = 0;
};

inline RowDefinition definition_of(const RowSource& rows) {
  const auto* defined = dynamic_cast<const DefinedRows*>(&rows);
  return defined != nullptr ? defined->definition() : RowDefinition::other;
}

}  // namespace gantry
