#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <QComboBox>

namespace gantry {

struct ScanPreset;

/// The scanners of the literature to choose from; "Own" where the geometry or grid is none of them.
class PresetBox : public QComboBox {
  Q_OBJECT
 public:
  explicit PresetBox(QWidget* parent = nullptr);
  void showPresetOf(const ScanSpec& spec, const VolumeGrid& grid);

 signals:
  void chosen(const gantry::ScanPreset& preset);
};

}  // namespace gantry
