#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <QLabel>

namespace gantry {

/// Describes the symmetry of a scan in a line. The tool tip lists the rotations and mirrors that
/// hold, and the reasons why others do not.
class SymmetryLabel : public QLabel {
  Q_OBJECT
 public:
  explicit SymmetryLabel(QWidget* parent = nullptr);
  void showSymmetry(const ScanGeometry& geometry, const VolumeGrid& grid);
};

}  // namespace gantry
