#pragma once

#include "core/data/slice.hpp"
#include "gui/render/slice_scene.hpp"

#include <QWidget>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QGridLayout;

namespace gantry {

class SliceView;

/// The same plane of several images, side by side, with one cross-hair, one zoom and one window.
class SpaceRuns : public QWidget {
  Q_OBJECT
 public:
  struct Item {
    int id;  ///< of a run, or SliceTile::referenceId
    std::string title, status, notice;
    std::optional<Rgb> colour;
    std::shared_ptr<const SliceImage> image;
  };
  /// What all views have in common.
  struct Common {
    double window = 0.04, level = 0.02;
    bool v_up = true, turnable = false, lengths_are_known = true;
    EdgeLetters letters;
    CrossHair cross_hair;
  };

  explicit SpaceRuns(QWidget* parent = nullptr);

  void show(const std::vector<Item>& items, const Common& common);
  /// Shows the whole plane in all views.
  void fit();
  std::vector<SliceView*> views() const;
  SliceView* view(int id) const;
  double paintMs() const;

 signals:
  void windowLevelChanged(double window, double level);
  void pointChosen(const gantry::PointMm& position);
  void stepped(int slices);
  void turned(double turn_deg, double tilt_deg);
  void runPressed(int id);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  static constexpr int none = -2;  // no id
  SliceView* addView(int id);
  void arrange();
  void showAlone();

  QGridLayout* grid_;
  std::map<int, SliceView*> views_;
  std::vector<int> order_;  // ids, as they are to be shown
  int alone_ = none;        // the id of the view that is enlarged by a double click
  std::vector<int> placed_;
  double aspect_ = 1;  // width to height of an image
  int columns_ = 0;
};

}  // namespace gantry
