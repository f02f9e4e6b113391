#pragma once

#include "gui/stage/region_stats.hpp"
#include "gui/stage/slice_board.hpp"

#include <QTreeWidget>

#include <memory>
#include <vector>

namespace gantry {

/// A table of what the views show in every region: mean, deviation, least and greatest value, area,
/// and the contrast-to-noise ratio of the chosen pair, of the reference and of every run, also of
/// iterates at the playhead. Values are in the unit that the user has chosen for them. Statistics
/// are computed when a picture or a region has changed.
class RegionTable : public QTreeWidget {
  Q_OBJECT
 public:
  RegionTable(ExperimentModel& model, SliceBoard& board, ViewState& state,
              QWidget* parent = nullptr);

  /// Returns how many times the statistics of a region in a picture have been computed.
  int computations() const { return computations_; }

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// What a row shows.
  struct Row {
    int id = 0;  // of the run or the reference
    QString name;
    int colour = -1;
    MeasuredRegion region;
    std::shared_ptr<const SliceImage> image;
    std::optional<RegionStats> stats = {};
    std::optional<double> contrast = {};

    bool isOf(const Row& other) const {
      return image == other.image && region.region == other.region.region;
    }
  };
  std::vector<Row> rows() const;
  void compute(std::vector<Row>& rows);
  void fill();
  void showRows();
  void nameColumns();
  void setNarrow(bool narrow);
  int fitToContents();
  void fitColumns();
  void show(const Row& row);

  ExperimentModel& model_;
  SliceBoard& board_;
  ViewState& state_;
  std::vector<Row> shown_;
  int computations_ = 0;
};

}  // namespace gantry
