#include "gui/stage/space/space_runs.hpp"

#include "gui/stage/tile_grid.hpp"
#include "gui/views/slice_view.hpp"

#include <QGridLayout>

#include <algorithm>

namespace gantry {

SpaceRuns::SpaceRuns(QWidget* parent) : QWidget(parent), grid_(new QGridLayout(this)) {
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setSpacing(4);
}

SliceView* SpaceRuns::addView(int id) {
  auto* view = new SliceView(this);
  connect(view, &SliceView::windowLevelChanged, this, &SpaceRuns::windowLevelChanged);
  connect(view, &SliceView::clicked, this, &SpaceRuns::pointChosen);
  connect(view, &SliceView::crossHairDragged, this, &SpaceRuns::pointChosen);
  connect(view, &SliceView::sliceStepRequested, this, &SpaceRuns::stepped);
  connect(view, &SliceView::turned, this, &SpaceRuns::turned);
  connect(view, &SliceView::pressed, this, [this, id] { emit runPressed(id); });
  connect(view, &SliceView::viewReset, this, &SpaceRuns::fit);
  connect(view, &SliceView::maximiseRequested, this, [this, id] {
    alone_ = alone_ == id ? none : id;
    showAlone();
    fit();
  });
  connect(view, &SliceView::viewChanged, this, [this, view](const SliceCamera& camera) {
    for (const auto& [other, one] : views_)
      if (one != view) one->setView(camera);
  });
  return view;
}

void SpaceRuns::fit() {
  for (const auto& [id, view] : views_) view->fit();
}

std::vector<SliceView*> SpaceRuns::views() const {
  std::vector<SliceView*> all;
  for (const int id : order_) all.push_back(views_.at(id));
  return all;
}

SliceView* SpaceRuns::view(int id) const {
  const auto found = views_.find(id);
  return found == views_.end() ? nullptr : found->second;
}

double SpaceRuns::paintMs() const {
  double sum = 0;
  for (const auto& [id, view] : views_) sum += view->lastPaintMs();
  return sum;
}

/// Makes the views that are to be shown, and puts them where they are largest.
void SpaceRuns::arrange() {
  const int columns = best_columns(static_cast<int>(order_.size()), aspect_, width(), height());
  if (order_ == placed_ && columns == columns_) return;
  for (auto it = views_.begin(); it != views_.end();)
    if (std::ranges::find(order_, it->first) == order_.end()) {
      delete it->second;
      it = views_.erase(it);
    } else {
      grid_->removeWidget(it->second);
      ++it;
    }
  placed_ = order_;
  columns_ = columns;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    SliceView*& view = views_[order_[i]];
    if (view == nullptr) view = addView(order_[i]);
    grid_->addWidget(view, static_cast<int>(i) / columns, static_cast<int>(i) % columns);
  }
  showAlone();
  for (int i = 0; i < grid_->columnCount(); ++i) grid_->setColumnStretch(i, i < columns ? 1 : 0);
  const int rows = (static_cast<int>(order_.size()) + columns - 1) / std::max(1, columns);
  for (int i = 0; i < grid_->rowCount(); ++i) grid_->setRowStretch(i, i < rows ? 1 : 0);
}

/// Hides the others while one view is enlarged.
void SpaceRuns::showAlone() {
  if (!views_.contains(alone_)) alone_ = none;
  for (const auto& [id, view] : views_) view->setVisible(alone_ == none || id == alone_);
}

void SpaceRuns::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

void SpaceRuns::show(const std::vector<Item>& items, const Common& common) {
  order_.clear();
  for (const Item& item : items) {
    order_.push_back(item.id);
    if (item.image != nullptr) aspect_ = slice_aspect(*item.image);
  }
  arrange();
  for (const Item& item : items) {
    SliceView& view = *views_.at(item.id);
    view.setAccessibleName(QString::fromStdString(item.title));
    view.setTitle(item.title, item.colour);
    view.setStatus(item.status);
    view.setNotice(item.notice);
    view.setWindowLevel(common.window, common.level);
    view.setVUp(common.v_up);
    view.setLengthsAreKnown(common.lengths_are_known);
    view.setEdgeLetters(common.letters);
    view.setTurnable(common.turnable);
    view.setCrossHair(common.cross_hair);
    // While a new slice is on its way, the earlier one stays.
    if (item.image != nullptr && item.image != view.slice().image()) view.setImage(item.image);
  }
}

}  // namespace gantry
