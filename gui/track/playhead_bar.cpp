#include "gui/track/playhead_bar.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <algorithm>

namespace gantry {

int run_of_playhead(const RunController& controller, const std::vector<int>& ids, int selected) {
  const auto keeps = [&controller](int id) {
    const auto& kept = controller.status(id).iterates;
    return kept != nullptr && !kept->empty();
  };
  if (keeps(selected)) return selected;
  const auto found = std::ranges::find_if(ids, keeps);
  return found == ids.end() ? selected : *found;
}

PlayheadBar::PlayheadBar(Playhead& playhead, RunController& controller, const Selection& selection,
                         QWidget* parent)
    : QWidget(parent),
      playhead_(playhead),
      controller_(controller),
      selection_(selection),
      text_(new QLabel(this)),
      goOn_(new QToolButton(this)) {
  goOn_->setObjectName(QStringLiteral("goOnFromHere"));
  goOn_->setText(tr("Go on from here"));
  auto* live = new QToolButton(this);
  live->setObjectName(QStringLiteral("live"));
  live->setText(tr("Live"));
  live->setToolTip(tr("Shows the latest estimates again (Escape)"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  for (QWidget* part :
       {static_cast<QWidget*>(text_), static_cast<QWidget*>(goOn_), static_cast<QWidget*>(live)})
    row->addWidget(part);
  connect(live, &QToolButton::clicked, &playhead_, &Playhead::goLive);
  connect(goOn_, &QToolButton::clicked, this, [this] {
    const KeptIterate* kept = playhead_.iterateOf(controller_.status(selection_.run()));
    if (kept == nullptr) return;
    const int iteration = kept->iteration;
    playhead_.goLive();
    controller_.goOnFrom(selection_.run(), iteration);
  });
  connect(&playhead_, &Playhead::moved, this, &PlayheadBar::show);
  connect(&selection_, &Selection::runSelected, this, &PlayheadBar::show);
  connect(&controller_, &RunController::iteratesChanged, this, &PlayheadBar::show);
  show();
}

void PlayheadBar::show() {
  setVisible(playhead_.position().has_value());
  const RunStatus& run = controller_.status(selection_.run());
  const KeptIterate* kept = playhead_.iterateOf(run);
  goOn_->setEnabled(kept != nullptr);
  if (kept == nullptr) {
    text_->setText(tr("The selected run keeps no iterate"));
    goOn_->setToolTip(tr("Iterates are kept while the run computes, if they fit into 512 MB"));
    return;
  }
  const QString text = kept->is_exact() ? tr("Iteration %1 (%2 of %3 kept)")
                                        : tr("Iteration %1, rounded to 3 digits (%2 of %3 kept)");
  text_->setText(text.arg(kept->iteration).arg(run.iterates->size()).arg(run.history.size()));
  const QString tip =
      kept->is_exact()
          ? tr("Computes the selected run again from iteration %1; undo brings back what it had "
               "computed")
          : tr("Starts the method of the selected run anew from the rounded image of iteration %1: "
               "its numbers will not be exactly those of the first time. Undo brings back what it "
               "had computed");
  goOn_->setToolTip(tip.arg(kept->iteration));
}

}  // namespace gantry
