#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <QComboBox>

namespace gantry {

struct ScanPreset;

/// A box with the scanners of the literature; shows "Own" where geometry and grid are those of no
/// preset.
class PresetBox : public QComboBox {
  Q_OBJECT
 public:
  explicit PresetBox(QWidget* parent = nullptr);
  void showPresetOf(const ScanSpec& spec, const VolumeGrid& grid);

 signals:
  void chosen(const gantry::ScanPreset& preset);
};

}  // namespace gantry
