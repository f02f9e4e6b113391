#include "gui/stage/sweep/sweep_grid.hpp"

#include "gui/render/colour_map.hpp"
#include "gui/stage/tile_grid.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/views/stage_look.hpp"

#include <QGridLayout>
#include <QKeyEvent>

#include <algorithm>

namespace gantry {

namespace {

constexpr int least_width = 150;  // of a picture, for its value and its metric

}  // namespace

SweepGrid::SweepGrid(QWidget* parent) : QWidget(parent), layout_(new QGridLayout(this)) {
  setObjectName(QStringLiteral("sweepPictures"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Pictures of the sweep"));
  setAccessibleDescription(
      tr("The arrow keys choose a picture, Enter enlarges it, Escape shows all"));
  setStageGround(*this);
  layout_->setSpacing(4);
  layout_->setContentsMargins(4, 4, 4, 4);
}

SliceView* SweepGrid::view(int index) {
  while (static_cast<int>(views_.size()) <= index) {
    const int own = static_cast<int>(views_.size());
    auto* made = new SliceView(this);
    made->setScaleBar(false);
    connect(made, &SliceView::pressed, this, [this, own] { choose(own); });
    connect(made, &SliceView::maximiseRequested, this, [this, own] {
      choose(own);
      enlarge(!isEnlarged_);
    });
    views_.push_back(made);
  }
  return views_[static_cast<std::size_t>(index)];
}

void SweepGrid::setPictures(const std::vector<Picture>& pictures,
                            const std::optional<ObjectBox>& object) {
  const bool other_number = pictures.size() != pictures_.size();
  const double aspect_before = aspect();
  pictures_ = pictures;
  object_ = object;
  for (std::size_t i = 0; i < pictures_.size(); ++i) {
    const Picture& picture = pictures_[i];
    SliceView* shown = view(static_cast<int>(i));
    shown->setObject(object_);
    shown->setImage(picture.image);
    shown->setTitle(picture.title.toStdString(),
                    picture.is_best ? std::optional(colour_) : std::nullopt);
    shown->setStatus(picture.status.toStdString(), picture.brief.toStdString());
    shown->setNotice(picture.notice.toStdString());
    QStringList whole{picture.title, picture.status, picture.notice};
    whole.removeAll(QString());
    shown->setToolTip(whole.join(QLatin1Char('\n')));
  }
  if (chosen_ >= static_cast<int>(pictures_.size())) {
    isEnlarged_ = false;
    choose(-1);
  }
  if (other_number || aspect() != aspect_before) arrange();
  mark();
}

void SweepGrid::setColour(Rgb colour) { colour_ = colour; }

void SweepGrid::setWindowLevel(double window, double level) {
  for (SliceView* view : views_) view->setWindowLevel(window, level);
}

void SweepGrid::choose(int index) {
  const int last = static_cast<int>(pictures_.size()) - 1;
  const int now = std::clamp(index, -1, last);
  if (now == chosen_) return;
  chosen_ = now;
  if (isEnlarged_) arrange();
  mark();
  emit chosenChanged(chosen_);
}

void SweepGrid::enlarge(bool alone) {
  const bool now = alone && chosen_ >= 0;
  if (now == isEnlarged_) return;
  isEnlarged_ = now;
  arrange();
}

/// Draws the frame around the chosen picture.
void SweepGrid::mark() {
  for (std::size_t i = 0; i < views_.size(); ++i)
    views_[i]->setSelected(!isEnlarged_ && static_cast<int>(i) == chosen_);
}

double SweepGrid::aspect() const {
  if (object_) return object_->aspect();
  for (const Picture& picture : pictures_)
    if (picture.image != nullptr) return slice_aspect(*picture.image);
  return 1;
}

void SweepGrid::arrange() {
  const int count = static_cast<int>(pictures_.size());
  columns_ =
      isEnlarged_ ? 1 : std::max(1, best_columns(count, aspect(), width(), height(), least_width));
  for (int i = 0; i < static_cast<int>(views_.size()); ++i) {
    SliceView* shown = views_[static_cast<std::size_t>(i)];
    layout_->removeWidget(shown);
    const bool is_shown = i < count && (!isEnlarged_ || i == chosen_);
    shown->setVisible(is_shown);
    if (!is_shown) continue;
    layout_->addWidget(shown, isEnlarged_ ? 0 : i / columns_, isEnlarged_ ? 0 : i % columns_);
  }
  mark();
}

void SweepGrid::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
      return choose(std::max(0, chosen_ - 1));
    case Qt::Key_Right:
      return choose(chosen_ + 1);
    case Qt::Key_Up:
      return choose(std::max(0, chosen_ - columns_));
    case Qt::Key_Down:
      return choose(chosen_ + columns_);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return enlarge(!isEnlarged_);
    case Qt::Key_Escape:
      if (isEnlarged_) return enlarge(false);
      break;
    default:
      break;
  }
  QWidget::keyPressEvent(event);
}

void SweepGrid::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

}  // namespace gantry
