// Sweeps on former data: the points that are shown are kept, or dropped, when the data change.
#include "gui/stage/sweep/sweep_board.hpp"
#include "gui/stage/sweep/sweep_grid.hpp"

#include <QComboBox>

#include <set>
#include <utility>

namespace gantry {

std::size_t SweepBoard::Shown::bytes() const {
  std::size_t numbers = 0, of_data = data != nullptr ? bytes_of(*data) : 0;
  std::set<const void*> counted{data.get()};
  for (const SweepPoint& point : points) {
    numbers += point.image.size();
    if (point.progress != nullptr)
      for (const auto& array : point.progress->solver.arrays) numbers += array.size();
    if (point.data != nullptr && counted.insert(point.data.get()).second)
      of_data += bytes_of(*point.data);
  }
  return numbers * sizeof(float) + of_data;
}

/// Cancels the sweep and clears its results.
void SweepBoard::forget() {
  job_.cancel();
  askNothing();
  shown_ = {};
  shown_.ticket = ++lastTicket_;
  showPoints();
}

/// Keeps the points that are shown until their data are the present ones again; of an incomplete
/// sweep, the points that have been computed.
void SweepBoard::keepForUndo() {
  if (shown_.points.empty() || shown_.data == nullptr || shown_.isReplaced) return;
  // A point that has not arrived yet belongs to the ended sweep.
  if (job_.isBusy()) shown_.ticket = ++lastTicket_;
  shown_.values.resize(shown_.points.size());
  shown_.measure = measure_->currentIndex();
  const std::size_t bytes = shown_.bytes();
  earlier_.put(std::exchange(shown_, {}), bytes);
}

/// When the data change, ends the present sweep and brings back the one on the new data, if any.
void SweepBoard::followData() {
  keepForUndo();
  forget();
  listParams();
  useUsualMeasure();
  auto earlier = earlier_.take(controller_.data().get());
  if (!earlier) return;
  shown_ = std::move(*earlier);
  pictures_->enlarge(false);
  pictures_->choose(-1);
  measure_->setCurrentIndex(shown_.measure);
  showPoints();
}

}  // namespace gantry
