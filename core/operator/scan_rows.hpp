#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "core/operator/row_source.hpp"

#include <memory>
#include <utility>

namespace gantry {

/// The RowSource of a scan on a grid, made of a class Rows with the constructor Rows(geometry,
/// grid, view) and the name Rows::name of its weights.
template <class Rows, RowDefinition Definition = RowDefinition::other>
class ScanRows final : public RowSource, public DefinedRows {
 public:
  ScanRows(std::shared_ptr<const ScanGeometry> geometry, const VolumeGrid& grid)
      : geometry_(std::move(geometry)), grid_(grid) {}

  std::unique_ptr<ViewRows> view_rows(int view) const override {
    return std::make_unique<Rows>(*geometry_, grid_, view);
  }
  RowDefinition definition() const override { return Definition; }
  std::string_view weights_name() const override { return Rows::name; }

 private:
  std::shared_ptr<const ScanGeometry> geometry_;
  VolumeGrid grid_;
};

}  // namespace gantry
