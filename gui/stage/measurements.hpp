#pragma once

#include "core/data/slice.hpp"
#include "gui/models/experiment_model.hpp"
#include "gui/render/region_mark.hpp"
#include "gui/stage/view_state.hpp"

#include <QJsonObject>
#include <QObject>
#include <QString>

#include <optional>
#include <set>
#include <vector>

namespace gantry {

/// A region that is measured in axial slices.
struct MeasuredRegion {
  int id = 0;
  QString name;
  Region region;

  friend bool operator==(const MeasuredRegion&, const MeasuredRegion&) = default;
};

/// A distance (two points) or an angle (three, at the second) in one slice.
struct Ruler {
  int id = 0;
  Axis axis = Axis::axial;
  int slice = 0;
  std::vector<PointMm> points;

  friend bool operator==(const Ruler&, const Ruler&) = default;
};

/// Everything that is measured in the views, with undo: regions, distances and angles. Two of the
/// regions, the region of interest and the background, belong to the experiment, whose metrics use
/// them; they are the pair of the contrast-to-noise ratio. The others belong to the window.
class Measurements : public QObject {
  Q_OBJECT
 public:
  Measurements(ExperimentModel& model, const ViewState& view, QObject* parent = nullptr);

  /// Returns all regions by rising id, which is the order in which they were made.
  std::vector<MeasuredRegion> regions() const;
  std::optional<MeasuredRegion> region(int id) const;
  const std::vector<Ruler>& rulers() const { return state_.rulers; }
  /// Returns "12.3 mm", "12.3 cells" where no size is known, or "45.0°".
  QString text(const Ruler& ruler) const;
  const std::optional<EdgeSegment>& edge() const {
    return model_.experiment().metrics.regions.edge;
  }
  /// Returns the ids of the region of interest and of the background; 0: none.
  int roi() const;
  int background() const;
  /// Makes two regions the region of interest and the background; 0: none.
  void setPair(int roi, int background);

  /// Adds a region, which becomes region of interest or background where there is none, and
  /// selects it. Returns its id.
  int addRegion(const Region& region);
  void setRegion(int id, const Region& region);
  void rename(int id, const QString& name);
  /// Adds a distance or an angle; its id is set here.
  int addRuler(Ruler ruler);
  /// Removes a region, a distance or an angle.
  void remove(int id);

  /// The region, distance or angle that keys move and delete; 0: none.
  int selected() const { return selected_; }
  void select(int id);
  /// Tells whether a view is shown in which things can be drawn. canDraw(): whether any is.
  void setDrawable(const QObject* view, bool isShown);
  bool canDraw() const { return !drawable_.empty(); }
  QString lengthUnit() const { return view_.lengthUnit(); }  ///< "mm", or "cells"

  /// Returns what the experiment does not hold, for a saved session, and restores it; unknown or
  /// broken entries are left out.
  QJsonObject toJson() const;
  void restore(const QJsonObject& json);
  /// Returns whether toJson() differs from what was restored or saved last.
  bool isModified() const { return toJson() != saved_; }
  /// Declares that a file holds `saved`, which toJson() returned, perhaps a moment ago.
  void markSaved(const QJsonObject& saved);

 signals:
  void changed();
  void selectionChanged();
  void drawableChanged();  ///< what canDraw() returns

 private:
  struct State {
    std::vector<MeasuredRegion> others;
    std::vector<Ruler> rulers;
    MeasuredRegion roi{1, {}, {}}, background{2, {}, {}};  // their ids and names alone
    friend bool operator==(const State&, const State&) = default;
  };
  class Edit;
  void push(const QString& name, State next);
  void apply(const State& state);
  void begin(const State& state);
  void setInExperiment(const QString& name, const std::optional<Region>& roi,
                       const std::optional<Region>& background);
  QString freeName() const;

  ExperimentModel& model_;
  const ViewState& view_;
  State state_;
  QJsonObject saved_ = toJson();
  int nextId_ = 3, selected_ = 0;
  std::set<const QObject*> drawable_;  // views that are shown
};

}  // namespace gantry
