#pragma once

#include "core/job/job_worker.hpp"
#include "gui/stage/view_state.hpp"

#include <QFrame>

#include <functional>
#include <memory>

class QComboBox;
class QToolButton;

namespace gantry {

class SliceView;

/// One view of the comparison: an estimate or the reference, as it is or as a difference to another
/// image, linked with the other views unless unlocked.
class SliceTile : public QFrame {
  Q_OBJECT
 public:
  static constexpr int referenceId = 0;  ///< runs have ids from 1

  /// Gives the present slice of a run (or of the reference) on a plane; null when there is none
  /// yet.
  using SliceSource =
      std::function<std::shared_ptr<const SliceImage>(int id, Axis axis, int slice)>;

  SliceTile(int id, ViewState& linked, SliceSource source, QWidget* parent = nullptr);

  int id() const { return id_; }
  SliceView& view() { return *view_; }
  /// Plane and slice that this view shows.
  ViewRequest::Slice plane() const;
  bool isLinked() const;
  bool showsDifference() const;

  void setTitle(const QString& title, std::optional<Rgb> colour);
  void setStatus(const QString& status);
  const QString& status() const { return status_; }
  /// Where is measured, shown on axial slices.
  void setRegions(const MeasurementRegions& regions);
  /// What the image can be subtracted from: ids and names.
  void setPartners(const std::vector<std::pair<int, QString>>& partners);
  void setDifference(bool on);  ///< to the first partner
  void setRadiological(bool on);
  /// Number of slices along the axis shown, to clamp scrolling.
  void setGrid(const VolumeGrid& grid);
  /// Other data: what was fitted to the picture before is fitted anew.
  void adoptData(const VolumeGrid& grid);

  /// Takes the latest slices and draws. Does nothing when they are the ones already shown.
  void refresh();
  /// Text for the status bar at a point: position and value in 1/mm and HU.
  QString readout(const PointMm& at) const;
  QString caption() const;

 signals:
  void maximiseRequested(int id);
  void hovered(int id);
  void left();
  void planeWanted();  ///< its plane changed: other slices are needed
  void menuRequested(int id, const QPoint& global);
  void regionDrawn(gantry::DrawMode role, const gantry::Region& region);

 private:
  ViewState& state() const { return isLinked() ? linked_ : const_cast<ViewState&>(own_); }
  void connectView();
  void followState();
  void applyWindow();
  void applyLetters();
  void applyRegions();
  void unlink(bool unlinked);
  void stepSlice(int steps);
  std::shared_ptr<const SliceImage> differenceImage();

  int id_;
  ViewState& linked_;
  ViewState own_;
  SliceSource source_;
  SliceView* view_;
  QComboBox* mode_;
  QToolButton* unlock_;
  VolumeGrid grid_;
  bool radiological_ = false, differenceWindowIsSet_ = false;
  QString title_, status_;
  MeasurementRegions regions_;
  std::shared_ptr<const SliceImage> shown_, minuend_, subtrahend_;  // what the picture was made of
};

}  // namespace gantry
