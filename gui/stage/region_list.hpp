#pragma once

#include "gui/stage/measurements.hpp"

#include <QTreeWidget>

namespace gantry {

/// The list of the regions, distances and angles: names and places, which can be edited, and
/// values. Delete removes what is selected.
class RegionList : public QTreeWidget {
  Q_OBJECT
 public:
  explicit RegionList(Measurements& measurements, QWidget* parent = nullptr);

  void removeSelected();

 signals:
  /// Emitted when a typed place is no region, with why; empty once one is.
  void problem(const QString& message);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void nameHeader();
  void fill();
  void showSelection();
  void adoptEdit(QTreeWidgetItem* item, int column);

  Measurements& measurements_;
};

}  // namespace gantry
