#pragma once

#include "core/base/error.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <QDialog>

#include <array>
#include <functional>

class QDoubleSpinBox;
class QLabel;
class QTableView;

namespace gantry {

class PoseTable;

/// Edits the poses of a scan: every number in a table, and the detector of all views together.
class PoseDialog : public QDialog {
  Q_OBJECT
 public:
  /// `apply` takes the edited scan; it is called once, when the user accepts a scan that is
  /// possible. Another one is refused in the dialog, in one line.
  PoseDialog(const ScanSpec& scan, std::function<void(const ScanSpec&)> apply, QWidget* parent);

  void accept() override;

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QWidget* makeMoves();
  void moveAll();
  void say(const Error& error);
  ScanSpec edited() const;

  ScanSpec scan_;
  std::function<void(const ScanSpec&)> apply_;
  PoseTable* table_;
  QTableView* view_;
  std::array<QDoubleSpinBox*, 5> moves_{};  // roll, pitch, yaw, lateral and axial shift
  QLabel* problem_;
};

}  // namespace gantry
