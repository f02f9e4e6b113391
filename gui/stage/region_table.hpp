#pragma once

#include "gui/stage/slice_board.hpp"

#include <QTreeWidget>

namespace gantry {

/// A table of what the views show in the region and in the background: mean, deviation, least and
/// greatest value, and area, of the reference and of every run, also of iterates at the playhead.
class RegionTable : public QTreeWidget {
  Q_OBJECT
 public:
  RegionTable(const Catalog& catalog, ExperimentModel& model, SliceBoard& board, ViewState& state,
              QWidget* parent = nullptr);

  /// Returns the table as comma-separated values, with a line of titles.
  QString csv() const;

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void fill();

  const Catalog& catalog_;
  ExperimentModel& model_;
  SliceBoard& board_;
  ViewState& state_;
};

}  // namespace gantry
