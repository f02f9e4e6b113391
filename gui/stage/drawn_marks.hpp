#pragma once

#include "core/data/slice.hpp"
#include "gui/stage/view_state.hpp"

#include <QObject>
#include <QPointer>

#include <functional>

namespace gantry {

class Measurements;
class SliceView;

/// Shows in a view what is measured in its slice, and lets it be drawn there: the profile line,
/// regions, which lie in axial slices, distances and angles.
class DrawnMarks : public QObject {
  Q_OBJECT
 public:
  /// The slice that the view shows.
  struct Place {
    Axis axis = Axis::axial;
    int index = 0;
    const VolumeGrid& grid;
  };
  DrawnMarks(SliceView& view, ViewState& linked, Measurements& measurements,
             std::function<Place()> place);

  /// Must be called when the view shows another slice.
  void show();

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void followDrawMode();

  SliceView& view_;
  ViewState& linked_;
  QPointer<Measurements> measurements_;
  std::function<Place()> place_;
};

}  // namespace gantry
