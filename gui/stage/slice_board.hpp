#pragma once

#include "gui/models/playhead.hpp"
#include "gui/stage/measurements.hpp"
#include "gui/stage/slice_tile.hpp"
#include "gui/stage/tile_grid.hpp"
#include "gui/views/stage_look.hpp"
#include "gui/worker/run_controller.hpp"

#include <QPointer>
#include <QWidget>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace gantry {

class Preview;

/// A picture in which profiles and regions are measured.
struct MeasuredImage {
  int id = 0;  ///< of its view; previewId: the preview of the data
  QString name;
  int colour = -1;  ///< of the run; -1: of no run
  std::shared_ptr<const SliceImage> image;
};

/// The centre of the window: a tile for the reference and one for each run, in a grid that makes
/// the tiles as large as possible.
class SliceBoard : public QWidget {
  Q_OBJECT
 public:
  SliceBoard(const Catalog& catalog, ExperimentModel& model, RunController& controller,
             ViewState& state, Playhead& playhead, const Preview& preview,
             QWidget* parent = nullptr);

  /// Returns the tiles in their order on screen: reference first, then runs.
  std::vector<SliceTile*> tiles() const;
  SliceTile* tile(int id) const;
  /// Sets whether all tiles include that of a run.
  void setShown(int run, bool shown);
  bool isShown(int run) const { return !hidden_.contains(run); }
  /// Shows only this tile; -1 shows all but those of hidden runs.
  void focusTile(int id);
  /// Marks the tile that keys and menus are about: that of the selected run, or the reference,
  /// which is no run.
  void setActive(int id);
  int focusedTile() const { return focused_; }
  /// Shows only this tile, fitted, or all tiles where it is alone already.
  void toggleFocus(int id);
  Measurements& measurements() { return measurements_; }
  /// Returns the tile that is shown alone, else the marked one, else the first.
  SliceTile* activeTile() const;

  /// Returns a slice of the reference, of the iterate of a run at the playhead, or of its latest
  /// snapshot; null if there is none.
  std::shared_ptr<const SliceImage> slice(int id, Axis axis, int index) const {
    return slice(id, SliceTile::Content::image, axis, index);
  }
  std::shared_ptr<const SliceImage> slice(int id, SliceTile::Content content, Axis axis,
                                          int index) const;
  static constexpr int previewId = -2;
  /// Returns the pictures of the plane that the views have in common: the reference, the estimates,
  /// and the preview of the data, where Data shows it or where there is nothing else.
  std::vector<MeasuredImage> measuredImages() const;
  /// Returns the name of a run, as RunController::label().
  std::string label(int id) const { return controller_.label(id); }
  /// Returns the time of the latest frame, summed over all visible tiles, ms.
  double paintMs() const;
  /// Returns the slices that the worker must deliver for all tiles.
  ViewRequest request() const;

 signals:
  void readoutChanged(const QString& text);
  void requestChanged();
  void menuRequested(int id, const QPoint& global);
  void saveWanted(int run);  ///< the estimate of a run, by the button over its tile
  void shownRunsChanged();   ///< by setShown()
  void runPressed(int id);   ///< the tile of a run: the run is to be selected
  void tilesChanged();
  void activeTileChanged();
  void shownImagesChanged();  ///< after refreshAll(): profiles and histograms update

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void readOut();
  void rebuild();
  double aspect() const;
  void arrange();
  void showOthers();
  void showResult(int id);
  QStringList shownNames() const;
  void nameTiles();
  void nameReference(SliceTile& tile, const QString& name);
  void nameRun(SliceTile& tile, const QString& name);
  void showStatus(int id);
  void refreshAll();
  void adoptData();
  SliceTile* addTile(int id);
  void setWindowFromData();
  void followFirstEstimate();
  void findObject();
  bool isOfTheseData(int id) const;
  std::shared_ptr<const SliceImage> sliceOfReference(Axis axis, int index) const;
  std::shared_ptr<const SliceImage> sliceOf(const KeptIterate& kept, const VolumeGrid& grid,
                                            Axis axis, int index) const;

  const Catalog& catalog_;
  ExperimentModel& model_;
  RunController& controller_;
  VolumeGrid dataGrid_;  // of the data that are shown
  std::string source_;   // path of the file whose data are shown; empty: a phantom
  ViewState& state_;
  Playhead& playhead_;
  const Preview& preview_;
  Measurements measurements_;
  QGridLayout* grid_;
  std::map<int, SliceTile*> tiles_;
  std::set<int> hidden_;         // runs
  QPointer<SliceTile> pointed_;  // under the mouse; null: none
  int focused_ = -1, active_ = -1;
  std::vector<QWidget*> shownTiles_;  // in their order in the grid
  TileGrid tileGrid_;
  std::optional<ObjectExtent> object_;
  int windowSetAt_ = 0;  // iterations of the estimate that the automatic window was computed from
  // Slices of the reference. They are kept so that a repeated request returns the same object.
  mutable std::vector<std::shared_ptr<const SliceImage>> referenceSlices_;
  /// Slices of kept iterates, for the same reason.
  struct KeptSlice {
    std::weak_ptr<const RunProgress> of;  // an address alone may be given to another iterate later
    std::shared_ptr<const SliceImage> slice;
  };
  mutable std::vector<KeptSlice> keptSlices_;
};

}  // namespace gantry
