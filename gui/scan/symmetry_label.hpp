#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <QLabel>

namespace gantry {

/// How much of a scan is the mirror image of the rest, in a line; which turns and mirrors hold and
/// why others do not in its tool tip.
class SymmetryLabel : public QLabel {
  Q_OBJECT
 public:
  explicit SymmetryLabel(QWidget* parent = nullptr);
  void showSymmetry(const ScanGeometry& geometry, const VolumeGrid& grid);
};

}  // namespace gantry
