#include "gui/scan/preset_box.hpp"

#include "core/geometry/presets.hpp"

#include <QSignalBlocker>

namespace gantry {

PresetBox::PresetBox(QWidget* parent) : QComboBox(parent) {
  setObjectName(QStringLiteral("preset"));
  setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  setMinimumContentsLength(8);  // long names are elided and do not widen the panel
  addItem(tr("Own"));
  setItemData(0, tr("Geometry and grid as given below"), Qt::ToolTipRole);
  for (const ScanPreset& preset : scan_presets()) {
    addItem(QString::fromStdString(preset.label));
    setItemData(
        count() - 1,
        QString::fromStdString(preset.reference + "\n" + describe(ScanGeometry(preset.scan)) +
                               "; grid " + describe(preset.grid)),
        Qt::ToolTipRole);
  }
  connect(this, &QComboBox::activated, this, [this](int index) {
    if (index > 0) emit chosen(scan_presets()[static_cast<std::size_t>(index) - 1]);
  });
}

void PresetBox::showPresetOf(const ScanSpec& spec, const VolumeGrid& grid) {
  const QSignalBlocker quiet(this);
  const ScanPreset* preset = find_preset(spec, grid);
  const int index = preset == nullptr ? 0 : static_cast<int>(preset - scan_presets().data()) + 1;
  setCurrentIndex(index);
  setToolTip(index == 0 ? tr("Sets geometry and grid to those of a scanner in the literature")
                        : itemData(index, Qt::ToolTipRole).toString());
}

}  // namespace gantry
