#include "gui/stage/sweep/race_board.hpp"

#include "charts/run_colours.hpp"
#include "gui/stage/sweep/iterations_box.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/widgets/figure.hpp"
#include "gui/widgets/length_units.hpp"
#include "gui/widgets/number_box.hpp"
#include "gui/widgets/palette.hpp"
#include "gui/widgets/table_text.hpp"
#include "gui/widgets/wrapping_layout.hpp"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QToolButton>
#include <QTreeWidget>

#include <algorithm>
#include <map>
#include <utility>

namespace gantry {

namespace {

constexpr int usual_racers = 4, usual_iterations = 50, methods_width = 240,
              least_chart_height = 110;
constexpr double bytes_of_mb = 1e6;

enum Column { place, method, seconds, iterations, products, memory, value, columns };

}  // namespace

RaceBoard::RaceBoard(const Catalog& catalog, const BackendList& backends, ExperimentModel& model,
                     RunController& controller, QWidget* parent)
    : QWidget(parent),
      catalog_(catalog),
      backends_(backends),
      model_(model),
      controller_(controller),
      criteria_(criteria(catalog)),
      methods_(new QTreeWidget(this)),
      criterion_(new QComboBox(this)),
      level_(new NumberBox(this)),
      iterations_(iterationsBox(this)),
      start_(new QPushButton(tr("Start the race"), this)),
      table_(new QTreeWidget(this)),
      state_(new QLabel(this)),
      chart_(new ChartView(this)) {
  makeControls();
  arrange();
  connect(&model_, &ExperimentModel::changed, this, &RaceBoard::listEntrants);
  connect(&model_, &ExperimentModel::aboutToBeReplaced, this, [this] {
    shown_.is_replaced = true;
    earlier_.clear();  // undo does not lead back
  });
  connect(&controller_, &RunController::dataChanged, this, &RaceBoard::followData);
  controller_.addDataHolder([guard = QPointer(this)](const ExperimentData& one) {
    return guard && guard->earlier_.holds(&one);
  });
  connect(&controller_, &RunController::dataChanged, this, &RaceBoard::showUnit);
  connect(&controller_, &RunController::referenceChanged, this, &RaceBoard::showResults);
  connect(criterion_, &QComboBox::currentIndexChanged, this, [this] {
    showUnit();
    level_->setValue(0);  // levels of different metrics are not comparable
  });
  connect(start_, &QPushButton::clicked, this, [this] {
    if (!waits_ && !job_.isBusy()) return start();
    forget();
    resumeRuns();
    say(tr("Cancelled"));
  });
  connect(&controller_, &RunController::stateChanged, this, [this](int id) {
    // What the user does with a run that was paused for the race stays as it is.
    if (controller_.status(id).state != RunState::paused) std::erase(paused_, id);
    if (waits_ && !controller_.anyActive()) return begin();
    shown_.is_disturbed = shown_.is_disturbed || (job_.isBusy() && controller_.anyActive());
  });
  showUnit();
  showResults();
}

/// Returns " 1/mm", or nothing for a metric without a unit.
QString RaceBoard::unitAfter(const Criterion& metric) const {
  const QString unit = shown_unit(metric.unit, controller_.lengthsAreKnown());
  return unit.isEmpty() ? unit : QLatin1Char(' ') + unit;
}

void RaceBoard::showUnit() { level_->setSuffix(unitAfter(criterion())); }

void RaceBoard::makeControls() {
  methods_->setObjectName(QStringLiteral("raceMethods"));
  methods_->setAccessibleName(tr("Methods that race"));
  methods_->setHeaderLabel(tr("Methods"));
  methods_->setRootIsDecorated(false);
  methods_->setFixedWidth(methods_width);
  criterion_->setObjectName(QStringLiteral("raceCriterion"));
  criterion_->setAccessibleName(tr("Metric"));
  criterion_->setToolTip(tr("The metric of which a level is to be reached"));
  for (const Criterion& one : criteria_) criterion_->addItem(QString::fromStdString(one.label));
  level_->setObjectName(QStringLiteral("raceLevel"));
  level_->setAccessibleName(tr("Level"));
  level_->setDecimals(7);
  level_->setRange(0, 1e9);
  level_->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
  level_->setSpecialValueText(tr("5 % from the best"));
  level_->setToolTip(
      tr("A method ends where it reaches the level. 0: all methods compute all iterations, and the "
         "level is that within 5 % of the best value of all"));
  iterations_->setObjectName(QStringLiteral("raceIterations"));
  iterations_->setAccessibleName(tr("Iterations at most"));
  iterations_->setValue(usual_iterations);
  iterations_->setPrefix(tr("at most "));
  iterations_->setToolTip(tr("A method that is not at the level by then has not reached it"));
  start_->setObjectName(QStringLiteral("startRace"));
  state_->setObjectName(QStringLiteral("raceState"));
  state_->setWordWrap(true);
  table_->setObjectName(QStringLiteral("raceTable"));
  table_->setAccessibleName(tr("Who reached the level when"));
  table_->setRootIsDecorated(false);
  table_->setUniformRowHeights(true);
  table_->setHeaderLabels({tr("Place"), tr("Method"), tr("Seconds"), tr("Iterations"),
                           tr("Products"), tr("Memory, MB"), tr("Value")});
  table_->headerItem()->setToolTip(products, tr("Products with A or its transpose"));
  table_->headerItem()->setToolTip(value, tr("Value of the metric, at the level or at the end"));
  table_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->header()->setStretchLastSection(false);
}

/// Makes the buttons that copy or write the table.
QWidget* RaceBoard::makeExports() {
  auto* box = new QWidget(this);
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(0, 0, 0, 0);
  const auto add = [&](const QString& name, const QString& text, const QString& tip, auto act) {
    auto* button = new QToolButton(box);
    button->setObjectName(name);
    button->setText(text);
    button->setToolTip(tip);
    connect(button, &QToolButton::clicked, this, act);
    row->addWidget(button);
  };
  const QString copies = tr("Copies the table above");
  add(QStringLiteral("copyRaceTable"), tr("Copy as CSV"), copies,
      [this] { QApplication::clipboard()->setText(csv_of(*table_)); });
  add(QStringLiteral("copyRaceLatex"), tr("Copy as LaTeX"), copies,
      [this] { QApplication::clipboard()->setText(latex_of(*table_)); });
  add(QStringLiteral("exportRace"), tr("Export…"), tr("Writes the table to a file"), [this] {
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Export the table"), QStringLiteral("race.csv"),
                                     tr("Comma-separated values (*.csv);;LaTeX (*.tex)"));
    if (!path.isEmpty()) exportTable(path);
  });
  return box;
}

void RaceBoard::arrange() {
  auto* bar = new QWidget(this);
  auto* controls = new WrappingLayout(bar);
  controls->addWidget(new QLabel(tr("To"), this));
  for (QWidget* part : std::initializer_list<QWidget*>{criterion_, level_, iterations_, start_})
    controls->addWidget(part);
  auto* below = new QHBoxLayout;
  below->addWidget(state_, 1);
  below->addWidget(makeExports(), 0, Qt::AlignTop);
  chart_->setMinimumHeight(least_chart_height);
  auto* right = new QVBoxLayout;
  right->addWidget(bar);
  right->addWidget(table_, 1);
  right->addLayout(below);
  right->addWidget(chart_, 1);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(6, 6, 6, 6);
  layout->addWidget(methods_);
  layout->addLayout(right, 1);
}

const Criterion& RaceBoard::criterion() const {
  return criteria_[static_cast<std::size_t>(std::max(0, criterion_->currentIndex()))];
}

/// Lists the entrants: the runs, all checked, and other methods, checked until there are four
/// entrants in all. Choices of the user are kept.
void RaceBoard::listEntrants() {
  if (controller_.data() == nullptr) return;
  const std::vector<RunSpec>& runs = model_.experiment().runs;
  std::vector<RunSpec> now =
      race_entrants(runs, *controller_.data()->geometry, usual_iterations, catalog_);
  if (now == entrants_) return;
  entrants_ = std::move(now);
  std::map<QString, Qt::CheckState> chosen;
  for (int i = 0; i < methods_->topLevelItemCount(); ++i)
    chosen[methods_->topLevelItem(i)->text(0)] = methods_->topLevelItem(i)->checkState(0);
  methods_->clear();
  const std::vector<std::string> labels = run_labels(entrants_, catalog_);
  for (std::size_t i = 0; i < entrants_.size(); ++i) {
    const QString label = QString::fromStdString(labels[i]);
    auto* item = new QTreeWidgetItem(methods_, {label});
    item->setToolTip(0, QString::fromStdString(catalog_.solvers.at(entrants_[i].solver).help()));
    if (i < runs.size()) item->setIcon(0, runIcon(std::max(0, entrants_[i].colour)));
    const auto before = chosen.find(label);
    const bool usual = i < runs.size() || i < usual_racers;
    item->setCheckState(0, before != chosen.end() ? before->second
                           : usual                ? Qt::Checked
                                                  : Qt::Unchecked);
  }
}

void RaceBoard::say(const QString& text) {
  state_->setText(text);
  state_->setToolTip(text);
}

void RaceBoard::start() {
  const QPointer<RaceBoard> guard(this);
  controller_.whenDataAreCurrent([guard] {
    if (guard) guard->beginAlone();
  });
  const bool waits = controller_.isPreparing() && !controller_.dataAreCurrent();
  if (waits) say(tr("The data are being prepared"));
}

/// Begins the race when no run computes any more, because runs on the same device would make the
/// measured seconds longer.
void RaceBoard::beginAlone() {
  for (const int id : model_.runIds()) {
    if (!controller_.status(id).isActive()) continue;
    controller_.pause(id);
    paused_.push_back(id);
  }
  waits_ = controller_.anyActive();
  if (!waits_) return begin();
  showButton();
  say(tr("The runs are being paused for the race"));
}

/// Resumes the runs that were paused for the race, including runs that have not reported yet that
/// they are paused.
void RaceBoard::resumeRuns() {
  waits_ = false;
  for (const int id : std::exchange(paused_, {})) controller_.resume(id);
  showButton();
}

void RaceBoard::showButton() {
  const bool computes = job_.isBusy() && done() < shown_.results.size();
  start_->setText(waits_ || computes ? tr("Cancel") : tr("Start the race"));
}

std::size_t RaceBoard::done() const {
  return static_cast<std::size_t>(std::ranges::count_if(shown_.results, &TrialResult::hasRun));
}

/// Returns the first colour that neither a run nor a method of the race has; if there is none, the
/// next colour of the palette in turn.
std::size_t RaceBoard::freeColour() const {
  const auto is_taken = [this](std::size_t colour) {
    return std::ranges::count(shown_.colours, colour) > 0 ||
           std::ranges::any_of(model_.experiment().runs, [&](const RunSpec& run) {
             return run.colour == static_cast<int>(colour);
           });
  };
  for (std::size_t colour = 0; colour < run_palette.size(); ++colour)
    if (!is_taken(colour)) return colour;
  return shown_.colours.size() % run_palette.size();
}

void RaceBoard::begin() {
  forget();
  waits_ = false;
  shown_.data = controller_.data();
  for (int i = 0; i < methods_->topLevelItemCount(); ++i) {
    if (methods_->topLevelItem(i)->checkState(0) != Qt::Checked) continue;
    RunSpec run = entrants_[static_cast<std::size_t>(i)];
    run.iterations = iterations_->value();
    shown_.race.runs.push_back(run);
    // A colour stands for a run: methods of the race that are not runs take other colours, if there
    // are any left.
    const auto place = static_cast<std::size_t>(i);
    const auto& runs = model_.experiment().runs;
    shown_.colours.push_back(place < runs.size() ? static_cast<std::size_t>(std::max(0, run.colour))
                                                 : freeColour());
  }
  if (shown_.race.runs.empty()) {
    resumeRuns();
    return say(tr("Choose the methods that race, at the left"));
  }
  shown_.labels = run_labels(shown_.race.runs, catalog_);
  shown_.race.criterion = criterion();
  if (level_->value() > 0) shown_.race.level = level_->value();
  shown_.results.resize(shown_.race.runs.size());
  const int ticket = shown_.ticket;
  const QPointer<RaceBoard> guard(this);
  job_.start<bool>(
      [=, this, race = shown_.race, data = shown_.data,
       metrics = model_.experiment().metrics](const Interrupt& interrupt) {
        gantry::race(
            race, data, {metrics, catalog_, backends_, interrupt},
            [&](std::size_t run, TrialResult result) {
              const auto one = std::make_shared<TrialResult>(std::move(result));
              QMetaObject::invokeMethod(
                  qApp,
                  [guard, ticket, run, one] {
                    if (guard) guard->addResult(ticket, run, std::move(*one));
                  },
                  Qt::QueuedConnection);
            },
            [&](std::size_t run, int iteration) {
              QMetaObject::invokeMethod(
                  qApp,
                  [guard, ticket, run, iteration] {
                    if (guard) guard->showProgress(ticket, run, iteration);
                  },
                  Qt::QueuedConnection);
            });
        return true;
      },
      [this](bool) {
        showResults();
        resumeRuns();
        emit finished();
      },
      [this](const QString& why) {
        resumeRuns();
        showResults();
        say(why);
      });
  showResults();
}

void RaceBoard::addResult(int ticket, std::size_t run, TrialResult result) {
  if (ticket != shown_.ticket) return;  // of an earlier race
  result.image.clear();                 // only the numbers are shown
  result.progress.reset();
  shown_.results[run] = std::move(result);
  showResults();
}

/// Shows the progress of the method that computes.
void RaceBoard::showProgress(int ticket, std::size_t run, int iteration) {
  if (ticket != shown_.ticket || !job_.isBusy()) return;
  for (int i = 0; i < table_->topLevelItemCount(); ++i) {
    QTreeWidgetItem* item = table_->topLevelItem(i);
    if (item->data(place, Qt::UserRole) != QVariant::fromValue(static_cast<int>(run))) continue;
    item->setText(place, tr("racing"));
    item->setText(iterations, tr("%1 of %2").arg(iteration).arg(shown_.race.runs[run].iterations));
    item->setTextAlignment(iterations, Qt::AlignRight | Qt::AlignVCenter);
  }
}

std::vector<Arrival> RaceBoard::order() const {
  const auto level = shown_.results.empty() ? std::nullopt : level_of(shown_.race, shown_.results);
  return level ? arrivals(shown_.race.criterion, *level, shown_.results) : std::vector<Arrival>{};
}

void RaceBoard::showRow(QTreeWidgetItem& item, const Arrival& arrival, int at) const {
  const TrialResult& result = shown_.results[arrival.run];
  const HistoryEntry entry = arrival.entry.value_or(result.last());
  item.setText(place, arrival.entry ? QString::number(at) : tr("not reached"));
  item.setText(method, QString::fromStdString(shown_.labels[arrival.run]));
  if (!result.problem.empty()) {
    item.setText(place, tr("failed"));
    item.setToolTip(method, QString::fromStdString(result.problem));
    item.setToolTip(place, QString::fromStdString(result.problem));
  }
  if (result.history.empty()) return;
  item.setText(seconds, QString::number(entry.report.seconds, 'g', 3));
  item.setText(iterations, QString::number(entry.report.iteration));
  item.setText(products, QString::number(entry.report.applications, 'g', 4));
  item.setText(memory,
               QString::number(static_cast<double>(result.needed_bytes) / bytes_of_mb, 'f', 1));
  item.setText(value, QString::number(shown_.race.criterion.value(entry), 'g', 3));
  for (int column = seconds; column < columns; ++column)
    item.setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
}

void RaceBoard::showResults() {
  showButton();
  QList<QTreeWidgetItem*> rows;
  int at = 0;
  for (const Arrival& arrival : order()) {
    const TrialResult& result = shown_.results[arrival.run];
    if (!result.hasRun()) continue;
    rows << new QTreeWidgetItem;
    showRow(*rows.back(), arrival, ++at);
  }
  for (std::size_t i = 0; i < shown_.results.size(); ++i) {
    if (shown_.results[i].hasRun()) continue;
    auto* item = new QTreeWidgetItem;
    rows << item;
    item->setText(place, job_.isBusy() ? tr("waiting") : tr("not raced"));
    item->setText(method, QString::fromStdString(shown_.labels[i]));
    item->setData(place, Qt::UserRole, static_cast<int>(i));
  }
  table_->clear();
  const QString unit = unitAfter(shown_.race.criterion).trimmed();
  table_->headerItem()->setText(value, unit.isEmpty() ? tr("Value") : tr("Value, %1").arg(unit));
  table_->addTopLevelItems(rows);
  table_->viewport()->update();  // Qt does not always draw rows that replace others at once
  showChart(shown_.results.empty() ? std::nullopt : level_of(shown_.race, shown_.results));
  if (shown_.results.empty())
    return say(tr("Choose methods, a metric and a level, and start: who is there first?"));
  if (done() == shown_.results.size()) return say(verdict());
  const QString so_far = tr("%1 of %2 have raced").arg(done()).arg(shown_.results.size());
  say(job_.isBusy() ? so_far : tr("%1; the race was interrupted").arg(so_far));
}

void RaceBoard::showChart(std::optional<double> level) {
  chart_->edit([&](ChartScene& chart) {
    chart.clear();
    chart.setLogY(true);
    chart.setAxisTitles(
        {tr("seconds").toStdString(), {}},
        {shown_.race.criterion.label,
         shown_unit(shown_.race.criterion.unit, controller_.lengthsAreKnown()).toStdString()});
    chart.setHint(tr("The metric over the seconds of each method").toStdString());
    double last = 0;
    for (std::size_t i = 0; i < shown_.results.size(); ++i) {
      std::vector<double> xs, ys;
      for (const HistoryEntry& entry : shown_.results[i].history) {
        xs.push_back(entry.report.seconds);
        ys.push_back(shown_.race.criterion.value(entry));
      }
      if (xs.empty()) continue;
      last = std::max(last, xs.back());
      const std::string id = std::to_string(i);
      chart.setSeries(
          id, {shown_.labels[i], runColour(shown_.colours[i]), LineStyle::solid, 1.75, false});
      chart.setData(id, std::move(xs), std::move(ys));
    }
    if (!level || last <= 0) return;
    chart.setSeries("level",
                    {tr("level").toStdString(), {128, 128, 128}, LineStyle::dashed, 1, false});
    chart.setData("level", {0, last}, {*level, *level});
  });
}

void RaceBoard::exportTable(const QString& path) {
  try {
    const bool latex = path.endsWith(QLatin1String(".tex"), Qt::CaseInsensitive);
    save_text(latex ? latex_of(*table_) : csv_of(*table_), path,
              access_for(model_.experiment().source));
    say(tr("Saved %1").arg(path));
  } catch (const std::exception& error) {
    say(QString::fromUtf8(error.what()));
  }
}

}  // namespace gantry
