#pragma once

#include "gui/stage/slice_tile.hpp"
#include "gui/worker/run_controller.hpp"

#include <QWidget>

#include <map>
#include <memory>
#include <vector>

class QGridLayout;

namespace gantry {

/// The centre of the window: a tile for the reference and one for every run, as large as they fit
/// side by side.
class SliceBoard : public QWidget {
  Q_OBJECT
 public:
  SliceBoard(const Catalog& catalog, ExperimentModel& model, RunController& controller,
             ViewState& state, QWidget* parent = nullptr);

  /// Tiles in the order in which they stand: reference first, then runs.
  std::vector<SliceTile*> tiles() const;
  SliceTile* tile(int id) const;
  /// Only this tile; -1: all of them.
  void focusTile(int id);
  int focusedTile() const { return focused_; }
  /// The tile under the mouse, or the last one there, or the first.
  SliceTile* activeTile() const;

  /// Slice of the reference or of a run's latest snapshot; null when there is none.
  std::shared_ptr<const SliceImage> slice(int id, Axis axis, int index) const;
  /// What made the image of a run.
  RunSpec computed(int id) const { return controller_.computed(id); }
  /// Milliseconds that drawing all visible tiles took last.
  double paintMs() const;
  /// What the tiles together need to see.
  ViewRequest request() const;

 signals:
  void readoutChanged(const QString& text);
  void requestChanged();
  void menuRequested(int id, const QPoint& global);
  void tilesChanged();
  void activeTileChanged();
  void shownImagesChanged();  ///< after refresh: profiles and histograms may follow

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void rebuild();
  void arrange();
  void nameTiles();
  void showStatus(int id);
  void refreshAll();
  void adoptData();
  SliceTile* addTile(int id);
  void setWindowFromData();
  void followFirstEstimate();
  bool isOfTheseData(int id) const;

  const Catalog& catalog_;
  ExperimentModel& model_;
  RunController& controller_;
  ViewState& state_;
  QGridLayout* grid_;
  std::map<int, SliceTile*> tiles_;
  int focused_ = -1, active_ = -1, columns_ = 0;
  int windowSetAt_ = 0;  // iterations of the estimate that the automatic window was set from
  // Slices of the reference, kept so that the same one is the same object.
  mutable std::vector<std::shared_ptr<const SliceImage>> referenceSlices_;
};

}  // namespace gantry
