// How long a sweep takes: what is left of it, and the question before one that takes very long.
#include "gui/stage/sweep_board.hpp"
#include "gui/widgets/count_text.hpp"

#include <QSpinBox>

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr double long_seconds = 600;

QString time_text(double seconds) {
  return seconds < 90     ? SweepBoard::tr("%1 s").arg(std::ceil(seconds))
         : seconds < 5400 ? SweepBoard::tr("%1 min").arg(std::ceil(seconds / 60))
                          : SweepBoard::tr("%1 h").arg(seconds / 3600, 0, 'f', 1);
}

}  // namespace

/// Returns the part of the sweep that has been computed, from 0 to 1.
double SweepBoard::partDone() const {
  const double done = static_cast<double>(points_.size()) +
                      static_cast<double>(iteration_) / std::max(1, iterationsOfEach_);
  return values_.empty() ? 0 : done / static_cast<double>(values_.size());
}

/// Returns "; about 40 s left", by what the iterations have taken so far; empty before the first.
QString SweepBoard::timeLeft() const {
  const double done = partDone();
  if (!job_.isBusy() || done <= 0 || done >= 1) return {};
  const double seconds = static_cast<double>(sinceStart_.elapsed()) * (1 - done) / done / 1000;
  return tr("; about %1 left").arg(time_text(seconds));
}

QString SweepBoard::longText(double seconds, std::size_t values, int iterations) const {
  return tr("This sweep takes about %1: %2 values with %3 each")
      .arg(time_text(seconds))
      .arg(values)
      .arg(iterations_text(iterations));
}

/// Asks before a sweep that takes very long, by what the run itself has taken on these data;
/// returns whether it has asked.
bool SweepBoard::asksBefore(std::size_t values) {
  const RunStatus& run = controller_.status(run_);
  const RunSpec* now = model_.run(run_);
  if (now == nullptr || run.data != controller_.data() || run.started.solver != now->solver)
    return false;
  const int iterations = iterations_->value();
  const double seconds = run.secondsPerIteration() * iterations * static_cast<double>(values);
  if (seconds <= long_seconds) return false;
  emit longSweepAsked(longText(seconds, values, iterations), false);
  return true;
}

/// Asks once while a sweep computes of which nothing was known before.
void SweepBoard::askMeanwhile() {
  const double done = partDone();
  if (mayBeLong_ || !job_.isBusy() || done <= 0) return;
  const double seconds = static_cast<double>(sinceStart_.elapsed()) / done / 1000;
  if (seconds <= long_seconds) return;
  mayBeLong_ = true;
  emit longSweepAsked(longText(seconds, values_.size(), iterationsOfEach_), true);
}

}  // namespace gantry
