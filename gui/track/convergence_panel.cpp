#include "gui/track/convergence_panel.hpp"

#include "charts/run_colours.hpp"
#include "core/job/curves_csv.hpp"
#include "gui/data/shown_description.hpp"
#include "gui/track/playhead_bar.hpp"
#include "gui/track/track_forms.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/widgets/count_text.hpp"
#include "gui/widgets/length_units.hpp"
#include "gui/widgets/wrapping_layout.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace gantry {

namespace {

constexpr double nearBest = 0.05;  // as a fraction of the best value
const std::string levelSeries = "level", noiseSeries = "noise";

std::string series_of(int id) { return std::to_string(id); }

/// Returns what runs are compared by, and what else is worth watching.
std::vector<Criterion> quantities(const Catalog& catalog) {
  std::vector<Criterion> all = criteria(catalog);
  all.push_back({"Objective", "", "½ ‖b − A x‖²_W + λ R(x), for methods that minimise it", true,
                 std::nullopt, [](const HistoryEntry& e) { return e.report.objective.total(); }});
  all.push_back({"Update norm", "1/mm", "‖x new − x old‖", true, std::nullopt,
                 [](const HistoryEntry& e) { return e.report.update_norm; }});
  return all;
}

/// Returns "0.58 s", "12 iterations" or "24 applications", by the x axis.
QString describeX(double x, int axis) {
  switch (axis) {
    case 1:
      return ConvergencePanel::tr("%1 applications").arg(x, 0, 'g', 4);
    case 2:
      return ConvergencePanel::tr("%1 s").arg(x, 0, 'g', 3);
    default:
      return iterations_text(static_cast<int>(x));
  }
}

}  // namespace

ConvergencePanel::ConvergencePanel(const Catalog& catalog, ExperimentModel& model,
                                   RunController& controller, Playhead& playhead,
                                   const Selection& selection, QWidget* parent)
    : QWidget(parent),
      catalog_(catalog),
      model_(model),
      controller_(controller),
      playhead_(playhead),
      quantities_(quantities(catalog)),
      quantity_(new QComboBox(this)),
      xAxis_(new QComboBox(this)),
      log_(new QCheckBox(tr("log"), this)),
      level_(new QCheckBox(tr("same level"), this)),
      mask_(new QComboBox(this)),
      exact_(new QCheckBox(tr("exact residual"), this)),
      film_(new QToolButton(this)),
      fewer_(new QLabel(this)),
      race_(new QLabel(this)),
      chart_(new ChartView(this)) {
  for (const Criterion& q : quantities_) {
    quantity_->addItem(QString::fromStdString(q.label));
    quantity_->setItemData(quantity_->count() - 1, QString::fromStdString(q.help), Qt::ToolTipRole);
  }
  quantity_->setObjectName(QStringLiteral("quantity"));
  xAxis_->addItems({tr("iterations"), tr("projector applications"), tr("seconds")});
  xAxis_->setObjectName(QStringLiteral("xAxis"));
  xAxis_->setToolTip(
      tr("Iterations: passes over the data. Applications: products with A or its transpose, so "
         "that methods of different "
         "cost compare fairly. Seconds: spent computing by the run alone"));
  log_->setChecked(true);
  log_->setToolTip(tr("Logarithmic scale"));
  mask_->addItems({tr("all voxels"), tr("in circle"), tr("in region")});
  mask_->setObjectName(QStringLiteral("mask"));
  mask_->setToolTip(
      tr("Where metrics against the reference count: every voxel, the circle that "
         "every view sees, or the region of the Measure panel"));
  exact_->setToolTip(tr(
      "Computes the residual of the estimate after each iteration also for methods that update by "
      "subsets; takes one more projection per iteration (not counted in seconds). Otherwise "
      "each subset contributes its residual before its own update"));
  level_->setObjectName(QStringLiteral("sameLevel"));
  level_->setToolTip(
      tr("Draws the level that lies within 5 % of the best value of all runs, marks where each run "
         "first reaches the level, and names the runs in the order in which they do"));
  race_->setObjectName(QStringLiteral("race"));
  race_->setWordWrap(true);  // who was there when is read, not guessed
  race_->hide();
  fewer_->setObjectName(QStringLiteral("fewerPoints"));
  fewer_->setWordWrap(true);
  fewer_->hide();
  fewer_->setToolTip(
      tr("Metrics need the whole image from the device, which takes time. They are measured for so "
         "many iterations that the run is slowed by 0.1 s and 1 % of its time at most, and for "
         "the last one; residual and update norm are known for every iteration. gantry-cli run "
         "measures every iteration"));
  for (QComboBox* box : {quantity_, xAxis_}) {
    // Long names are elided rather than widening the panel.
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(12);
  }
  auto* forms = new QWidget(this);
  forms->setObjectName(QLatin1String(trackForms));
  auto* row = new WrappingLayout(forms);
  row->addWidget(quantity_);
  row->addWidget(new QLabel(tr("over"), this));
  for (QWidget* part : std::initializer_list<QWidget*>{xAxis_, mask_, log_, exact_, level_})
    row->addWidget(part);
  row->addStretch();
  film_->setObjectName(QStringLiteral("trackFilm"));
  film_->hide();
  row->addWidget(film_);
  row->addWidget(new PlayheadBar(playhead, controller, selection, this));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(6, 4, 6, 0);
  layout->setSpacing(2);
  layout->addWidget(forms);
  layout->addWidget(race_);
  layout->addWidget(fewer_);
  layout->addWidget(chart_, 1);
  connect(quantity_, &QComboBox::currentIndexChanged, this, &ConvergencePanel::rebuild);
  connect(xAxis_, &QComboBox::currentIndexChanged, this, [this, &selection] {
    const int id = run_of_playhead(controller_, model_.runIds(), selection.run());
    playhead_.setAxis(axis(), controller_.status(id));
    rebuild();
  });
  connect(log_, &QCheckBox::toggled, this,
          [this](bool on) { chart_->edit([on](ChartScene& chart) { chart.setLogY(on); }); });
  connect(level_, &QCheckBox::toggled, this, &ConvergencePanel::rebuild);
  connect(mask_, &QComboBox::activated, this, [this](int index) {
    model_.edit(tr("Change mask"),
                [index](Experiment& e) { e.metrics.mask = static_cast<MaskKind>(index); });
  });
  connect(exact_, &QCheckBox::toggled, this, [this](bool on) {
    model_.edit(tr("Change residual"), [on](Experiment& e) { e.metrics.exact_residual = on; });
  });
  chart_->setChoosesPositions(true);
  connect(chart_, &ChartView::positionChosen, this, [this](double x) {
    playhead_.set(axis(), axis() == ProgressAxis::iterations ? std::round(x) : x);
  });
  connect(chart_, &ChartView::rangeReset, &playhead_, &Playhead::goLive);
  connect(&playhead_, &Playhead::moved, this, &ConvergencePanel::showPlayhead);
  connect(&model_, &ExperimentModel::changed, this, &ConvergencePanel::rebuild);
  connect(&controller_, &RunController::dataChanged, this, [this] {
    followReference();
    rebuild();
    chart_->edit([](ChartScene& chart) { chart.resetRange(); });
  });
  connect(&controller_, &RunController::stateChanged, this, [this](int id) {
    if (controller_.status(id).history.empty()) rebuild();
  });
  connect(&controller_, &RunController::iterationDone, this, &ConvergencePanel::append);
  connect(&controller_, &RunController::computedChanged, this, &ConvergencePanel::rebuild);
  connect(&controller_, &RunController::referenceChanged, this, &ConvergencePanel::rebuild);
  connect(&controller_, &RunController::historyChanged, this, &ConvergencePanel::rebuild);
  connect(&controller_, &RunController::updatesEmitted, this, &ConvergencePanel::showUnmeasured);
  rebuild();
}

void ConvergencePanel::offerFilm(QAction* film) {
  film_->setDefaultAction(film);
  film_->setAccessibleName(film->text());
  film_->show();
}

/// Returns the index of the residual, the first quantity that every run has.
int ConvergencePanel::residualIndex() const {
  const auto residual =
      std::ranges::find_if(quantities_, [](const Criterion& q) { return !q.needs; });
  return static_cast<int>(residual - quantities_.begin());
}

/// Shows the residual instead of a quantity that needs the truth while the data have no truth, as
/// measured data; restores the quantity afterwards.
void ConvergencePanel::followReference() {
  const int fallback = residualIndex();
  const bool is_known = controller_.reference() != nullptr;
  if (is_known && quantityWithTruth_ >= 0 && quantity_->currentIndex() == fallback)
    quantity_->setCurrentIndex(quantityWithTruth_);
  if (is_known) quantityWithTruth_ = -1;
  if (is_known || quantity().needs != MetricNeeds::reference) return;
  quantityWithTruth_ = quantity_->currentIndex();
  quantity_->setCurrentIndex(fallback);
}

const Criterion& ConvergencePanel::quantity() const {
  return quantities_[static_cast<std::size_t>(std::max(0, quantity_->currentIndex()))];
}

/// Returns the name of a quantity, with the reference unless that is the truth.
QString ConvergencePanel::named(const Criterion& q) const {
  const QString name = QString::fromStdString(q.label);
  if (q.needs != MetricNeeds::reference || !controller_.referenceIsPinned()) return name;
  return tr("%1 against %2").arg(name, QString::fromStdString(controller_.reference()->label));
}

double ConvergencePanel::xOf(const HistoryEntry& entry) const {
  switch (xAxis_->currentIndex()) {
    case 1:
      return entry.report.applications;
    case 2:
      return entry.report.seconds;
    default:
      return entry.report.iteration;
  }
}

/// Returns why the chart is empty.
QString ConvergencePanel::hint() const {
  const MeasurementRegions& regions = model_.experiment().metrics.regions;
  const Criterion& q = quantity();
  if (q.needs == MetricNeeds::regions && !(regions.roi && regions.background))
    return tr("Draw a region and a background: see Measure");
  if (q.needs == MetricNeeds::edge && !regions.edge)
    return tr("Give a line across an edge: see Measure");
  if (q.needs == MetricNeeds::reference && controller_.data() != nullptr &&
      controller_.reference() == nullptr)
    return tr("No truth to measure against: choose Residual");
  if (q.needs == MetricNeeds::reference && controller_.referenceIsPinned())
    return tr("Nothing was measured against %1 yet: the next iterations will be")
        .arg(QString::fromStdString(controller_.reference()->label));
  if (!fewer().isEmpty())
    return tr("No iteration has been measured yet, in order not to slow the run");
  if (controller_.anyActive()) return tr("The first iteration is being computed");
  if (model_.experiment().runs.empty()) return tr("Add a run to see it converge");
  return tr("Start a run to see it converge");
}

void ConvergencePanel::showAxes() {
  const Criterion& q = quantity();
  // A mask is of metrics against a reference alone.
  mask_->setVisible(q.needs == MetricNeeds::reference);
  chart_->edit([&](ChartScene& chart) {
    chart.setAxisTitles(
        {xAxis_->currentText().toStdString(), {}},
        {named(q).toStdString(), shown_unit(q.unit, controller_.lengthsAreKnown()).toStdString()});
    chart.setLogY(log_->isChecked());
    chart.setHint(hint().toStdString());
  });
}

/// Returns whether the quantity is known for this iteration: not if it was left out to save time.
bool ConvergencePanel::isMeasured(const HistoryEntry& entry) const {
  return entry.is_measured || !quantity().needs;
}

/// Returns whether the curve has a point for this iteration: not if its metric was left out, nor if
/// it was computed against another reference than the present one.
bool ConvergencePanel::shows(int id, const HistoryEntry& entry) const {
  return isMeasured(entry) &&
         (quantity().needs != MetricNeeds::reference ||
          controller_.status(id).isAgainst(controller_.referenceKeyOf(id), entry));
}

bool ConvergencePanel::leavesOut(int id) const {
  return !std::ranges::all_of(controller_.status(id).history,
                              [this](const HistoryEntry& entry) { return isMeasured(entry); });
}

/// Returns a line such as "SIRT: metrics of 12 of 50 iterations" for each run that shows fewer
/// points than iterations.
QStringList ConvergencePanel::fewer() const {
  QStringList lines;
  for (const int id : model_.runIds())
    if (leavesOut(id))
      lines << QStringLiteral("%1: %2").arg(
          QString::fromStdString(controller_.label(id)),
          QString::fromStdString(describe_measured(controller_.status(id).history)));
  return lines;
}

/// Returns marks at the first iteration after each change of a run's settings.
std::vector<ChartMark> ConvergencePanel::marksOf(int id) const {
  const RunStatus& status = controller_.status(id);
  std::vector<ChartMark> marks;
  std::size_t stage = 0;
  for (const HistoryEntry& entry : status.history)
    if (std::exchange(stage, entry.stage) != entry.stage)
      marks.push_back({xOf(entry), tr("from here: %1")
                                       .arg(QString::fromStdString(
                                           stage_label(status.started, entry.stage, catalog_)))
                                       .toStdString()});
  return marks;
}

void ConvergencePanel::rebuild() {
  const QSignalBlocker q1(mask_), q2(exact_);
  mask_->setCurrentIndex(static_cast<int>(model_.experiment().metrics.mask));
  // Without a region of interest, its mask cannot be chosen.
  mask_->setItemData(static_cast<int>(MaskKind::roi),
                     model_.experiment().metrics.regions.roi ? QVariant() : QVariant(0),
                     Qt::UserRole - 1);
  exact_->setChecked(model_.experiment().metrics.exact_residual);
  showAxes();
  chart_->edit([this](ChartScene& chart) {
    chart.clear();
    for (const int id : model_.runIds()) {
      const RunSpec run = controller_.computed(id);
      LevelCurve curve = curveOf(id);
      chart.setSeries(series_of(id), {controller_.label(id),
                                      runColour(static_cast<std::size_t>(std::max(0, run.colour))),
                                      LineStyle::solid, 1.75, leavesOut(id)});
      chart.setData(series_of(id), std::move(curve.xs), std::move(curve.ys));
      chart.setMarks(series_of(id), marksOf(id));
    }
  });
  showLevel();
  showNoise();
  showUnmeasured();
  showPlayhead();
}

/// Draws the residual that the noise of the data leaves by itself, where the noise is known: a run
/// with a smaller residual fits the noise.
void ConvergencePanel::showNoise() {
  double last = 0, noise = 0;
  for (const int id : model_.runIds()) {
    const RunStatus& run = controller_.status(id);
    if (run.history.empty() || run.data == nullptr || run.data != controller_.data()) continue;
    last = std::max(last, xOf(run.history.back()));
    noise = run.data->noise_norm / run.history.back().data_norm;
  }
  const bool shown = quantity_->currentIndex() == residualIndex() && noise > 0;
  chart_->edit([&](ChartScene& chart) {
    chart.remove(noiseSeries);
    if (!shown) return;
    chart.setSeries(
        noiseSeries,
        {tr("noise of the data").toStdString(), {128, 128, 128}, LineStyle::dashed, 1, false});
    chart.setData(noiseSeries, {0, last}, {noise, noise});
  });
}

LevelCurve ConvergencePanel::curveOf(int id) const {
  LevelCurve curve{controller_.label(id), {}, {}};
  for (const HistoryEntry& entry : controller_.status(id).history) {
    if (!shows(id, entry)) continue;
    curve.xs.push_back(xOf(entry));
    curve.ys.push_back(quantity().value(entry));
  }
  return curve;
}

/// Shows the level near the best value, and which run reached it when, if that is wanted.
void ConvergencePanel::showLevel() {
  const std::vector<int> ids = model_.runIds();
  std::vector<LevelCurve> curves;
  if (level_->isChecked())
    for (const int id : ids) curves.push_back(curveOf(id));
  const auto race = race_to_level(curves, quantity().smaller_is_better, nearBest);
  race_->setVisible(race.has_value());
  chart_->edit([&](ChartScene& chart) {
    chart.remove(levelSeries);
    if (!race) return;
    double last = 0;
    for (const LevelRace::Arrival& arrival : race->arrivals) {
      const LevelCurve& curve = curves[arrival.curve];
      const int id = ids[arrival.curve];
      if (!curve.xs.empty()) last = std::max(last, curve.xs.back());
      std::vector<ChartMark> marks = marksOf(id);
      if (arrival.x)
        marks.push_back({*arrival.x, tr("within 5 % of the best after %1")
                                         .arg(describeX(*arrival.x, xAxis_->currentIndex()))
                                         .toStdString()});
      std::ranges::stable_sort(marks, {}, &ChartMark::x);
      chart.setMarks(series_of(id), std::move(marks));
    }
    chart.setSeries(levelSeries,
                    {tr("within 5 %").toStdString(), {128, 128, 128}, LineStyle::dashed, 1, false});
    chart.setData(levelSeries, {0, last}, {race->level, race->level});
  });
  if (race) race_->setText(describeRace(*race, curves));
}

/// Draws the playhead, unless it was put on another axis.
void ConvergencePanel::showPlayhead() {
  const bool shown = playhead_.position().has_value() && playhead_.axis() == axis();
  chart_->edit([&](ChartScene& chart) {
    chart.setMarker(shown ? std::optional(ChartMarker{*playhead_.position(), {}}) : std::nullopt);
  });
}

/// Returns a line such as "RMSE 3.4e-04 1/mm, within 5 % of the best: OS-FISTA after 0.58 s; not
/// reached by SIRT".
QString ConvergencePanel::describeRace(const LevelRace& race,
                                       const std::vector<LevelCurve>& curves) const {
  QStringList arrived, missing;
  for (const LevelRace::Arrival& arrival : race.arrivals) {
    const QString name = QString::fromStdString(curves[arrival.curve].label);
    if (arrival.x)
      arrived << tr("%1 after %2").arg(name, describeX(*arrival.x, xAxis_->currentIndex()));
    else
      missing << name;
  }
  QString unit = shown_unit(quantity().unit, controller_.lengthsAreKnown());
  if (!unit.isEmpty()) unit.prepend(QLatin1Char(' '));
  QString text = tr("%1 %2%3, within 5 % of the best: %4")
                     .arg(QString::fromStdString(quantity().label))
                     .arg(race.level, 0, 'g', 3)
                     .arg(unit, arrived.join(QStringLiteral("; ")));
  if (!missing.isEmpty()) text += tr("; not reached by %1").arg(missing.join(QStringLiteral(", ")));
  return text;
}

void ConvergencePanel::showUnmeasured() {
  const QStringList lines = fewer();
  fewer_->setText(lines.join(QLatin1Char('\n')));
  fewer_->setVisible(!lines.isEmpty());
  // Such curves are drawn with dots.
  if (std::exchange(unmeasuredRuns_, lines.size()) != lines.size()) rebuild();
}

void ConvergencePanel::append(int id) {
  const auto& history = controller_.status(id).history;
  if (history.empty()) return;
  const HistoryEntry& entry = history.back();
  if (!shows(id, entry)) return;
  chart_->edit(
      [&](ChartScene& chart) { chart.append(series_of(id), xOf(entry), quantity().value(entry)); });
  if (level_->isChecked()) showLevel();
  if (quantity_->currentIndex() == residualIndex()) showNoise();
}

QString ConvergencePanel::caption() const {
  const auto prepared = controller_.data();
  QString text = tr("%1 over %2").arg(named(quantity()), xAxis_->currentText());
  if (prepared == nullptr) return text;
  if (quantity().needs == MetricNeeds::reference && controller_.reference() != nullptr)
    text += tr("; %1; range %2 %3")
                .arg(QString::fromStdString(controller_.reference()->mask.label))
                .arg(controller_.reference()->range, 0, 'g', 4)
                .arg(mu_unit(prepared->lengths_are_known));
  const MeasurementRegions& regions = model_.experiment().metrics.regions;
  if (quantity().needs == MetricNeeds::regions && regions.roi && regions.background)
    text += tr("; %1 against %2")
                .arg(QString::fromStdString(describe(*regions.roi)),
                     QString::fromStdString(describe(*regions.background)));
  if (race_->isVisibleTo(this)) text += QStringLiteral("; ") + race_->text();
  if (quantity().needs == MetricNeeds::edge && regions.edge)
    text += tr("; along %1 %2")
                .arg(QString::fromStdString(format_edge(*regions.edge)),
                     length_unit(prepared->lengths_are_known));
  for (const QString& line : fewer()) text += QStringLiteral("; ") + line;
  return text + QStringLiteral("; ") + shown_description(*prepared, catalog_);
}

}  // namespace gantry
