// Races on former data: the results that are shown are kept, or dropped, when the data change.
#include "gui/stage/sweep/race_board.hpp"

#include <QComboBox>

#include <utility>

namespace gantry {

/// Cancels the race and clears its results.
void RaceBoard::forget() {
  job_.cancel();
  shown_ = {};
  shown_.ticket = ++lastTicket_;
  showResults();
}

/// Keeps the results that are shown until their data are the present ones again.
void RaceBoard::keepForUndo() {
  if (done() == 0 || shown_.data == nullptr || shown_.is_replaced) return;
  // A result that has not arrived yet belongs to the ended race.
  if (job_.isBusy()) shown_.ticket = ++lastTicket_;
  // Of the results only numbers are kept, so that nearly all memory is that of the data.
  const std::size_t bytes = bytes_of(*shown_.data);
  earlier_.put(std::exchange(shown_, {}), bytes);
}

/// When the data change, ends the present race and brings back the one on the new data, if any.
void RaceBoard::followData() {
  keepForUndo();
  forget();
  resumeRuns();
  criterion_->setCurrentIndex(
      static_cast<int>(usual_criterion(criteria_, controller_.data()->reference != nullptr)));
  listEntrants();
  auto earlier = earlier_.take(controller_.data().get());
  if (!earlier) return;
  shown_ = std::move(*earlier);
  showResults();
}

}  // namespace gantry
