#include "gui/runs/run_card.hpp"

#include "gui/runs/run_actions.hpp"
#include "gui/widgets/eliding_label.hpp"
#include "gui/widgets/icons.hpp"
#include "gui/widgets/palette.hpp"

#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPainter>
#include <QProgressBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr int stripe_px = 4, radius_px = 6;
constexpr double leastWritten = 1e-3;  // smaller numbers are written with an exponent

/// Returns a number with three digits, as 0.0123 and 6.51e-4: the leading zeros of a small one take
/// the room that the card has for its digits.
QString brief(double value) {
  if (value == 0 || std::abs(value) >= leastWritten) return QString::number(value, 'g', 3);
  const QStringList parts = QString::number(value, 'e', 2).split(QLatin1Char('e'));
  return QStringLiteral("%1e%2").arg(parts[0]).arg(parts[1].toInt());  // without zeros before it
}

}  // namespace

QString stateText(const RunStatus& status) {
  switch (status.state) {
    case RunState::idle:
      return status.wasStarted() ? RunCard::tr("starting") : RunCard::tr("not started");
    case RunState::running:
      return RunCard::tr("running");
    case RunState::paused:
      return RunCard::tr("paused");
    case RunState::finished:
      return RunCard::tr("finished");
    case RunState::stopped:
      return RunCard::tr("stopped, kept");
    case RunState::failed:
      return RunCard::tr("failed");
  }
  return {};
}

RunCard::RunCard(int id, const Catalog& catalog, ExperimentModel& model, RunController& controller,
                 QWidget* parent)
    : QFrame(parent),
      id_(id),
      catalog_(catalog),
      model_(model),
      controller_(controller),
      criteria_(criteria(catalog)),
      name_(new ElidingLabel(this)),
      edit_(new QLineEdit(this)),
      iteration_(new QLabel(this)),
      idea_(new ElidingLabel(this)),
      progress_(new QProgressBar(this)),
      metric_(new ElidingLabel(this)) {
  setObjectName(QStringLiteral("runCard"));
  metric_->setObjectName(QStringLiteral("runMetric"));
  setFocusPolicy(Qt::StrongFocus);
  name_->setObjectName(QStringLiteral("cardName"));
  iteration_->setObjectName(QStringLiteral("cardIteration"));
  edit_->setObjectName(QStringLiteral("cardNameEdit"));
  iteration_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  iteration_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);  // never cut
  edit_->hide();
  QFont bold = name_->font();
  bold.setBold(true);
  name_->setFont(bold);
  idea_->setObjectName(QStringLiteral("cardIdea"));
  idea_->setMuted(true);
  idea_->setLines(2);
  progress_->setTextVisible(false);
  progress_->setFixedHeight(4);
  auto* head = new QHBoxLayout;
  head->addWidget(name_, 1);
  head->addWidget(edit_, 1);
  head->addWidget(iteration_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(10 + stripe_px, 6, 8, 4);
  column->setSpacing(3);
  column->addLayout(head);
  column->addWidget(idea_);
  column->addWidget(progress_);
  makeButtons();
  connect(edit_, &QLineEdit::editingFinished, this, &RunCard::rename);
  showRun();
}

QToolButton* RunCard::addButton(const QString& icon, const QString& name) {
  auto* button = new QToolButton(this);
  button->setIcon(lineIcon(icon));
  button->setIconSize({14, 14});
  button->setAutoRaise(true);
  button->setToolTip(name);
  button->setAccessibleName(name);
  button->setFixedSize(24, 22);
  return button;
}

void RunCard::makeButtons() {
  play_ = addButton(QStringLiteral("play"), tr("Run"));
  step_ = addButton(QStringLiteral("step"), tr("One iteration of this run"));
  stop_ = addButton(QStringLiteral("stop"), tr("Stop this run and keep its estimate"));
  eye_ = addButton(QStringLiteral("eye"), {});
  eye_->setObjectName(QStringLiteral("cardEye"));
  eye_->setCheckable(true);
  setShown(true);
  pin_ = addButton(QStringLiteral("pin"), {});
  pin_->setObjectName(QStringLiteral("cardPin"));
  pin_->setCheckable(true);
  more_ = addButton(QStringLiteral("more"), tr("More: duplicate, discard, remove"));
  auto* row = new QHBoxLayout;
  row->setSpacing(0);
  for (QToolButton* button : {play_, step_, stop_, eye_, pin_, more_}) row->addWidget(button);
  metric_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  row->addWidget(metric_, 1);
  static_cast<QVBoxLayout*>(layout())->addLayout(row);
  connect(play_, &QToolButton::clicked, this, &RunCard::startOrPause);
  connect(step_, &QToolButton::clicked, this, [this] { controller_.stepIteration(id_); });
  connect(stop_, &QToolButton::clicked, this, [this] { controller_.stopAndKeep(id_); });
  connect(eye_, &QToolButton::clicked, this, [this](bool on) { emit shownChanged(id_, on); });
  connect(pin_, &QToolButton::clicked, this,
          [this](bool on) { controller_.pinReference(on ? id_ : -1); });
  connect(more_, &QToolButton::clicked, this,
          [this] { emit menuRequested(id_, more_->mapToGlobal(QPoint(0, more_->height()))); });
}

void RunCard::startOrPause() {
  controller_.status(id_).isActive() ? controller_.pause(id_) : start_or_resume(controller_, id_);
}

QString RunCard::name() const { return name_->text(); }
QString RunCard::state() const { return iteration_->toolTip(); }

void RunCard::setSelected(bool selected) {
  selected_ = selected;
  update();
}

void RunCard::setShown(bool shown) {
  eye_->setChecked(shown);
  eye_->setIcon(lineIcon(shown ? QStringLiteral("eye") : QStringLiteral("closed_eye")));
  eye_->setToolTip(shown ? tr("The stage shows this run; press to hide it there")
                         : tr("The stage does not show this run; press to show it"));
  eye_->setAccessibleName(tr("Show on the stage"));
}

void RunCard::showRun() {
  const RunSpec* run = model_.run(id_);
  if (run == nullptr) return;
  // The name describes the settings that made the shown result, not those of the form: a changed
  // setting appears in the name after the next iteration.
  const RunSpec computed = controller_.computed(id_);
  name_->setText(QString::fromStdString(controller_.label(id_)));
  name_->setToolTip(name_->text());
  setAccessibleName(name_->text());
  const auto& entry = catalog_.solvers.at(computed.solver);
  idea_->setText(QString::fromStdString(entry.idea));
  idea_->setToolTip(QString::fromStdString(entry.help()));
  QPalette colours = progress_->palette();
  colours.setColor(QPalette::Highlight, runQColor(run->colour));
  progress_->setPalette(colours);
  showState();
  update();
}

void RunCard::showState() {
  const RunSpec* run = model_.run(id_);
  if (run == nullptr) return;
  const RunStatus& status = controller_.status(id_);
  const int done = status.history.empty() ? 0 : status.history.back().report.iteration,
            planned = controller_.plannedIterations(id_);
  const bool stale = status.wasStarted() && !controller_.isCurrent(id_) && !status.isActive();
  const QString state = stale ? tr("changed") : stateText(status);
  const bool says_state = status.state != RunState::running && status.state != RunState::finished;
  QString text;
  if (status.wasStarted()) text = QStringLiteral("%1 / %2").arg(done).arg(planned);
  if (says_state || stale) text += (text.isEmpty() ? QString() : QStringLiteral("  ")) + state;
  iteration_->setText(text);
  iteration_->setMinimumWidth(iteration_->sizeHint().width());
  iteration_->setToolTip(stale ? tr("Settings or data have changed since it ran")
                         : status.message.isEmpty() ? state
                                                    : status.message);
  progress_->setRange(0, planned);
  progress_->setValue(done);
  const bool active = status.isActive();
  play_->setIcon(lineIcon(active ? QStringLiteral("pause") : QStringLiteral("play")));
  play_->setToolTip(active ? tr("Pause this run") : tr("Run, or go on with, this run"));
  play_->setAccessibleName(play_->toolTip());
  const bool finished = !active && !can_run(controller_, id_);
  play_->setEnabled(!finished);
  if (finished)
    play_->setToolTip(controller_.canExtend(id_)
                          ? tr("Finished; more iterations: the arrow in the bar above")
                          : tr("Finished; to compute it anew, change a setting"));
  stop_->setEnabled(active || status.state == RunState::paused);
  showMetric();
  showPin();
}

/// Shows the latest value of the first metric against the reference, or the relative residual where
/// none was measured against it.
void RunCard::showMetric() {
  const RunStatus& status = controller_.status(id_);
  const ReferenceKey reference = controller_.referenceKeyOf(id_);
  const auto last =
      std::find_if(status.history.rbegin(), status.history.rend(), [&](const HistoryEntry& entry) {
        return entry.is_measured && status.isAgainst(reference, entry);
      });
  const Criterion& metric = criteria_[usual_criterion(criteria_, true)];
  QString name = QString::fromStdString(metric.label);
  if (controller_.referenceIsPinned())
    name = tr("%1 against %2").arg(name, QString::fromStdString(controller_.reference()->label));
  if (last != status.history.rend() && std::isfinite(metric.value(*last)))
    return setMetric(name, brief(metric.value(*last)));
  if (status.history.empty()) return setMetric({}, {});
  setMetric(tr("residual"), brief(status.history.back().relative_residual()));
}

/// Where there is no room for all of it, the number stays.
void RunCard::setMetric(const QString& name, const QString& number) {
  const QString text = number.isEmpty() ? QString() : name + QLatin1Char(' ') + number;
  metric_->setText(text);
  metric_->setKeptEnd(static_cast<int>(number.size()));
  metric_->setToolTip(text);
}

void RunCard::showPin() {
  const bool started = controller_.status(id_).wasStarted();
  const auto reference = controller_.reference();
  const bool pinned = controller_.pinnedRun() == id_;
  pin_->setEnabled(started || pinned);
  pin_->setChecked(pinned);
  pin_->setToolTip(pinned ? tr("%1 is pinned as reference; press to go back to the truth")
                                .arg(QString::fromStdString(reference->label))
                   : started ? tr("Makes the present estimate of this run the reference for "
                                  "metrics and differences")
                             : tr("Start this run: an estimate can be pinned as reference"));
  pin_->setAccessibleName(tr("Pin as reference"));
}

void RunCard::rename() {
  if (edit_->isHidden()) return;
  edit_->hide();
  name_->show();
  const RunSpec* run = model_.run(id_);
  if (run == nullptr) return;
  RunSpec unnamed = *run, computed = controller_.computed(id_);
  unnamed.name.clear();
  computed.name.clear();
  const std::string text = edit_->text().trimmed().toStdString();
  // A text equal to the automatic name is not stored as a name.
  model_.editRun(id_, tr("Rename run"), [&](RunSpec& r) {
    const bool is_given = text != run_label(unnamed, catalog_) &&
                          text != run_label(computed, catalog_) && text != controller_.label(id_);
    r.name = is_given ? text : std::string{};
  });
}

void RunCard::mousePressEvent(QMouseEvent*) { emit pressed(id_); }

void RunCard::mouseDoubleClickEvent(QMouseEvent* event) {
  if (!name_->geometry().contains(event->position().toPoint())) return;
  name_->hide();
  edit_->setText(name_->text());
  edit_->show();
  edit_->selectAll();
  edit_->setFocus();
}

void RunCard::contextMenuEvent(QContextMenuEvent* event) {
  emit pressed(id_);
  emit menuRequested(id_, event->globalPos());
}

void RunCard::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return emit pressed(id_);
  QFrame::keyPressEvent(event);
}

void RunCard::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const RunSpec* run = model_.run(id_);
  const QColor ground = selected_ ? palette().color(QPalette::Base) : cardGround(palette());
  const QRectF card = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
  painter.setPen(QPen(palette().color(selected_ ? QPalette::Highlight : QPalette::Mid), 1));
  painter.setBrush(ground);
  painter.drawRoundedRect(card, radius_px, radius_px);
  if (hasFocus()) {
    painter.setPen(QPen(palette().color(QPalette::WindowText), 1, Qt::DotLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(card.adjusted(3, 3, -3, -3), radius_px, radius_px);
  }
  if (run == nullptr) return;
  painter.setPen(Qt::NoPen);
  painter.setBrush(runQColor(run->colour));
  painter.drawRoundedRect(QRectF(0, 0, stripe_px, height()), 2, 2);
}

}  // namespace gantry
