// Races on earlier data: what becomes of the results that are shown when there are other data.
#include "gui/stage/sweep/race_board.hpp"

#include <QComboBox>

#include <utility>

namespace gantry {

/// Ends and forgets a race.
void RaceBoard::forget() {
  job_.cancel();
  shown_ = {};
  shown_.ticket = ++lastTicket_;
  showResults();
}

/// Keeps the results that are shown until their data are the present ones again.
void RaceBoard::keepForUndo() {
  if (done() == 0 || shown_.data == nullptr || shown_.is_replaced) return;
  // A result that is on its way belongs to what has ended.
  if (job_.isBusy()) shown_.ticket = ++lastTicket_;
  // Only the numbers are kept: the memory is that of the data.
  const std::size_t bytes = bytes_of(*shown_.data);
  earlier_.put(std::exchange(shown_, {}), bytes);
}

/// Other data end a race, and bring back the one that was on them.
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
