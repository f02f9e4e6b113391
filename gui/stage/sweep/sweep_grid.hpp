#pragma once

#include "charts/painting/colour.hpp"
#include "core/data/slice.hpp"
#include "gui/stage/object_box.hpp"

#include <QString>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QGridLayout;

namespace gantry {

class SliceView;

/// The pictures of a sweep, as large as they fit. One can be chosen, by a click or the arrow keys,
/// and enlarged, by a double click or Enter; Escape shows all again.
class SweepGrid : public QWidget {
  Q_OBJECT
 public:
  struct Picture {
    QString title, status, notice;
    QString brief;  ///< of the status, where the picture is small
    std::shared_ptr<const SliceImage> image = nullptr;  ///< null: not there yet
    bool is_best = false;
  };

  explicit SweepGrid(QWidget* parent = nullptr);

  void setPictures(const std::vector<Picture>& pictures, const std::optional<ObjectBox>& object);
  /// Sets the colour of the run that is swept, which marks the best picture from now on.
  void setColour(Rgb colour);
  void setWindowLevel(double window, double level);
  /// Returns the index of the chosen picture; -1: none.
  int chosen() const { return chosen_; }
  void choose(int index);
  /// Shows the chosen picture alone, or all.
  void enlarge(bool alone);
  bool isEnlarged() const { return isEnlarged_; }

 signals:
  void chosenChanged(int index);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  SliceView* view(int index);
  double aspect() const;
  void arrange();
  void mark();

  QGridLayout* layout_;
  std::vector<SliceView*> views_;
  std::vector<Picture> pictures_;
  std::optional<ObjectBox> object_;
  int chosen_ = -1, columns_ = 1;
  bool isEnlarged_ = false;
  Rgb colour_ = {};
};

}  // namespace gantry
