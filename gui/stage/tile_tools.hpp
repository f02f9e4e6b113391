#pragma once

#include <QFrame>

class QMenu;
class QToolButton;

namespace gantry {

/// The buttons over the right edge of a tile: what the tile shows, its link with the other tiles,
/// of a run its estimate as reference and to be saved, and the size of the stage. They are shown
/// while the mouse is over the tile, and while its view or one of them has the focus from the
/// keyboard.
class TileTools : public QFrame {
  Q_OBJECT
 public:
  /// `contents` is the menu of what the tile can show.
  TileTools(QMenu* contents, bool is_of_run, QWidget* view, QWidget* tile);

  QToolButton* link() const { return link_; }  ///< checked: the tile is unlinked
  QToolButton* full() const { return full_; }
  QToolButton* pin() const { return pin_; }
  QToolButton* save() const { return save_; }
  /// Shows the buttons while the mouse is over the tile.
  void setHovered(bool hovered);

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  QToolButton* add(const QString& icon, const QString& name, const QString& tip);
  void update();

  QWidget* view_;
  bool hovered_ = false, viewHasFocus_ = false;
  QToolButton* link_;
  QToolButton* pin_;
  QToolButton* save_;
  QToolButton* full_;
};

}  // namespace gantry
