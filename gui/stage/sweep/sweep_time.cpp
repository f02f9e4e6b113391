// The time of a sweep: the remaining seconds, and the question before a sweep that takes very long.
#include "gui/runs/status_line.hpp"
#include "gui/stage/sweep/sweep_board.hpp"
#include "gui/widgets/count_text.hpp"
#include "gui/widgets/length_units.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QSpinBox>

#include <algorithm>
#include <utility>

namespace gantry {

std::optional<double> seconds_of_all(const SweepReport& first, const SweepReport& later) {
  if (later.done <= first.done) return std::nullopt;
  const double each = (later.seconds - first.seconds) / (later.done - first.done);
  return first.seconds + each * (1 - first.done);
}

std::string SweepBoard::unitOf(const std::string& unit) const {
  return shown_unit(unit, state_.lengthsAreKnown()).toStdString();
}

/// Returns "; measured over all voxels", if the metrics of the runs now have another mask.
QString SweepBoard::maskText() const {
  const QString other =
      shown_.points.empty() ? QString() : controller_.otherMask(shown_.points[0].reference);
  return other.isEmpty() ? other : tr("; measured over: %1").arg(other);
}

/// Returns the part of the sweep that has been computed, from 0 to 1.
double SweepBoard::partDone() const {
  const double done = static_cast<double>(shown_.points.size()) +
                      static_cast<double>(iteration_) / std::max(1, iterationsOfEach_);
  return shown_.values.empty() ? 0 : done / static_cast<double>(shown_.values.size());
}

/// Estimates the time of the whole sweep from its first and its latest report; nothing before both.
std::optional<double> SweepBoard::secondsOfAll() const {
  if (!job_.isBusy() || !firstReport_) return std::nullopt;
  return seconds_of_all(*firstReport_,
                        {partDone(), static_cast<double>(sinceStart_.elapsed()) / 1000});
}

/// Returns "; about 40 s left", estimated from the iterations so far; empty before the second
/// report.
QString SweepBoard::timeLeft() const {
  const auto seconds = secondsOfAll();
  if (!seconds || partDone() >= 1) return {};
  const double passed = static_cast<double>(sinceStart_.elapsed()) / 1000;
  return tr("; about %1 left").arg(duration_text(std::max(1.0, *seconds - passed)));
}

void SweepBoard::showProgress(int ticket, int iteration) {
  if (ticket != shown_.ticket || !job_.isBusy()) return;
  iteration_ = iteration;
  if (!firstReport_) firstReport_ = {partDone(), static_cast<double>(sinceStart_.elapsed()) / 1000};
  const auto best = this->best();
  showPictures(best);
  say(verdict(best));
  askMeanwhile();
}

QString SweepBoard::longText(double seconds, std::size_t values, int iterations) const {
  return tr("This sweep takes about %1: %2 values with %3 each")
      .arg(duration_text(seconds))
      .arg(values)
      .arg(iterations_text(iterations));
}

/// Asks the user before a sweep that takes very long, estimated from the time of the run itself on
/// these data. Returns whether a question was asked.
bool SweepBoard::asksBefore(std::size_t values) {
  const RunStatus& run = controller_.status(run_);
  const RunSpec* now = model_.run(run_);
  if (takesSlices() || now == nullptr || run.data != controller_.data() ||
      run.started.solver != now->solver)
    return false;
  const int iterations = iterations_->value();
  const double seconds = run.secondsPerIteration() * iterations * static_cast<double>(values);
  if (seconds <= longSeconds_) return false;
  asksToStart_ = true;
  emit longSweepAsked(longText(seconds, values, iterations), false);
  return true;
}

/// Asks the user once during a sweep whose time could not be estimated before.
void SweepBoard::askMeanwhile() {
  const auto seconds = secondsOfAll();
  if (mayBeLong_ || !seconds || *seconds <= longSeconds_) return;
  mayBeLong_ = true;
  emit longSweepAsked(longText(*seconds, shown_.values.size(), iterationsOfEach_), true);
}

void SweepBoard::askNothing() {
  asksToStart_ = false;
  emit longSweepAsked({}, false);
}

/// Takes back the question before a sweep, because the settings have changed since.
void SweepBoard::askToStartNothing() {
  if (!asksToStart_) return;
  askNothing();
  say(verdict(best()));
}

void SweepBoard::followBoxes() {
  for (const QDoubleSpinBox* box : {from_, to_})
    connect(box, &QDoubleSpinBox::valueChanged, this, &SweepBoard::askToStartNothing);
  for (const QSpinBox* box : {count_, iterations_})
    connect(box, &QSpinBox::valueChanged, this, &SweepBoard::askToStartNothing);
  connect(logarithmic_, &QCheckBox::toggled, this, &SweepBoard::askToStartNothing);
  connect(param_, &QComboBox::currentIndexChanged, this, &SweepBoard::askToStartNothing);
}

}  // namespace gantry
