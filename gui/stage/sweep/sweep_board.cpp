#include "gui/stage/sweep/sweep_board.hpp"

#include "core/backend/backend_list.hpp"
#include "core/catalog/projector_choice.hpp"
#include "gui/render/colour_map.hpp"
#include "gui/stage/sweep/iterations_box.hpp"
#include "gui/stage/sweep/sweep_grid.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/widgets/eliding_label.hpp"
#include "gui/widgets/number_box.hpp"
#include "gui/widgets/wrapping_layout.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr int usual_count = 9, most_count = 25, most_chart_height = 190, between_reports_ms = 200,
              most_name_px = 240;

QString ofSlices() { return SweepBoard::tr("the middle slice alone, by filtered backprojection"); }

QString short_text(double value) { return QString::number(value, 'g', 3); }

/// Returns a value that was swept, with as many digits as it has, six at most: 1.999 is not 2.
QString value_text(double value) {
  constexpr int least = 3, most = 6;
  QString text;
  for (int digits = least; digits <= most; ++digits) {
    text = QString::number(value, 'g', digits);
    if (text.toDouble() == value) break;
  }
  return text;
}

/// Returns a field for an end of the range: 0.001, not 0.001000.
QDoubleSpinBox* end_of_range(QWidget* parent) {
  auto* box = new NumberBox(parent);
  box->setDecimals(6);
  box->setDropsZeros(true);
  box->setRange(-1e9, 1e9);
  box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
  return box;
}

/// Returns the settings that a run has once it has taken over a result.
RunSpec taken_over(const TrialResult& result, const RunSpec& by) {
  RunSpec run = result.run;
  run.name = by.name;
  run.colour = by.colour;
  run.iterations = std::max(by.iterations, result.last().report.iteration);
  return run;
}

}  // namespace

SweepBoard::SweepBoard(const Catalog& catalog, const BackendList& backends, ExperimentModel& model,
                       RunController& controller, ViewState& state, QWidget* parent)
    : QWidget(parent),
      catalog_(catalog),
      backends_(backends),
      model_(model),
      controller_(controller),
      state_(state),
      measures_(sweep_measures(catalog)),
      title_(new ElidingLabel(this)),
      param_(new QComboBox(this)),
      from_(end_of_range(this)),
      to_(end_of_range(this)),
      count_(new WholeBox(this)),
      logarithmic_(new QCheckBox(tr("log"), this)),
      iterations_(iterationsBox(this)),
      start_(new QPushButton(tr("Start the sweep"), this)),
      measure_(new QComboBox(this)),
      use_(new QPushButton(tr("Take over and continue"), this)),
      state_text_(new ElidingLabel(this)),
      pictures_(new SweepGrid(this)),
      chart_(new ChartView(this)),
      lCurve_(new ChartView(this)) {
  makeControls();
  arrange();
  connect(&model_, &ExperimentModel::changed, this, &SweepBoard::listParams);
  connect(&controller_, &RunController::referenceChanged, this, &SweepBoard::showPoints);
  connect(&model_, &ExperimentModel::aboutToBeReplaced, this, [this] {
    shown_.isReplaced = true;
    earlier_.clear();  // undo does not lead back
  });
  connect(&controller_, &RunController::dataChanged, this, &SweepBoard::followData);
  controller_.addDataHolder([guard = QPointer(this)](const ExperimentData& one) {
    return guard && guard->earlier_.holds(&one);
  });
  connect(&state_, &ViewState::windowChanged, this,
          [this] { pictures_->setWindowLevel(state_.window(), state_.level()); });
  connect(pictures_, &SweepGrid::chosenChanged, this, &SweepBoard::showPoints);
  showPoints();
}

void SweepBoard::arrange() {
  auto* bar = new QWidget(this);
  auto* controls = new WrappingLayout(bar);
  for (QWidget* part : std::initializer_list<QWidget*>{
           param_, new QLabel(tr("from"), this), from_, new QLabel(tr("to"), this), to_,
           new QLabel(tr("in"), this), count_, logarithmic_, iterations_, start_})
    controls->addWidget(part);
  controls->addWidget(title_);  // the name of the run takes what is left
  auto* result = new QHBoxLayout;
  result->addWidget(new QLabel(tr("By"), this));
  result->addWidget(measure_);
  result->addWidget(state_text_, 1);
  result->addWidget(use_);
  auto* charts = new QHBoxLayout;
  for (ChartView* chart : {chart_, lCurve_}) {
    chart->setMaximumHeight(most_chart_height);
    charts->addWidget(chart, 1);
  }
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(6, 6, 6, 6);
  layout->addWidget(bar);
  layout->addWidget(pictures_, 1);
  layout->addLayout(result);
  layout->addLayout(charts);
}

void SweepBoard::makeControls() {
  param_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  param_->setObjectName(QStringLiteral("sweepParam"));
  param_->setAccessibleName(tr("Parameter"));
  param_->setToolTip(tr("The number that takes several values"));
  from_->setObjectName(QStringLiteral("sweepFrom"));
  to_->setObjectName(QStringLiteral("sweepTo"));
  start_->setObjectName(QStringLiteral("startSweep"));
  use_->setObjectName(QStringLiteral("useBest"));
  measure_->setObjectName(QStringLiteral("sweepCriterion"));
  measure_->setAccessibleName(tr("Metric"));
  measure_->setToolTip(tr("What is drawn over the parameter, and says which value is best"));
  for (const SweepMeasure& one : measures_) measure_->addItem(QString::fromStdString(one.label));
  state_text_->setObjectName(QStringLiteral("sweepState"));
  state_text_->setLines(2);
  from_->setAccessibleName(tr("First value"));
  to_->setAccessibleName(tr("Last value"));
  count_->setAccessibleName(tr("Number of values"));
  count_->setObjectName(QStringLiteral("sweepCount"));
  count_->setRange(2, most_count);
  count_->setValue(usual_count);
  count_->setToolTip(tr("How many values; the run's own is one more where it lies between them"));
  count_->setSuffix(tr(" values"));
  logarithmic_->setChecked(true);
  logarithmic_->setToolTip(tr("Values at equal ratios instead of equal steps"));
  iterations_->setObjectName(QStringLiteral("sweepIterations"));
  connect(param_, &QComboBox::currentIndexChanged, this, &SweepBoard::showIterations);
  connect(param_, &QComboBox::activated, this, &SweepBoard::suggestRange);
  connect(measure_, &QComboBox::currentIndexChanged, this, &SweepBoard::showPoints);
  connect(start_, &QPushButton::clicked, this, [this] { job_.isBusy() ? cancel() : start(); });
  connect(use_, &QPushButton::clicked, this, &SweepBoard::takeOver);
  followBoxes();
}

void SweepBoard::cancel() {
  if (!job_.isBusy()) return say(verdict(best()));
  job_.cancel();
  askNothing();
  shown_.ticket = ++lastTicket_;
  const std::size_t wanted = shown_.values.size();
  shown_.values.resize(shown_.points.size());
  showPoints();
  say(tr("Cancelled: %1 of %2 computed").arg(shown_.points.size()).arg(wanted));
}

void SweepBoard::setRun(int id) {
  if (id != run_) askToStartNothing();
  if (id != run_ && model_.run(id) != nullptr) iterations_->setValue(model_.run(id)->iterations);
  run_ = id;
  listParams();
}

void SweepBoard::chooseParam(const QString& id) {
  const auto found = std::ranges::find(params_, id.toStdString(), &SweepParam::id);
  if (found == params_.end()) return;
  param_->setCurrentIndex(static_cast<int>(found - params_.begin()));
  suggestRange();
}

const SweepParam* SweepBoard::param() const {
  const int index = param_->currentIndex();
  return index < 0 || index >= static_cast<int>(params_.size())
             ? nullptr
             : &params_[static_cast<std::size_t>(index)];
}

/// Returns whether a sweep of the chosen parameter would make slices of the middle row.
bool SweepBoard::takesSlices() const {
  const SweepParam* chosen = param();
  const auto now = controller_.data();
  return chosen != nullptr && now != nullptr && MiddleSlices::suit(*chosen, *now);
}

/// Disables the number of iterations where it has no effect, and says why.
void SweepBoard::showIterations() {
  const bool slices = takesSlices();
  iterations_->setEnabled(!slices);
  iterations_->setToolTip(slices ? tr("No iterations: each value gives %1").arg(ofSlices())
                                 : tr("Iterations of each run of the sweep. The run that takes one "
                                      "of these over continues to its own last iteration"));
  if (!shown_.values.empty()) return;
  say(verdict(std::nullopt));
  showCharts();
}

const SweepMeasure& SweepBoard::measure() const {
  return measures_[static_cast<std::size_t>(std::max(0, measure_->currentIndex()))];
}

void SweepBoard::listParams() {
  const auto index = model_.indexOf(run_);
  const QString before = param_->currentData().toString();
  params_ = index ? sweep_params(model_.experiment(), *index, controller_.data().get(), catalog_)
                  : std::vector<SweepParam>{};
  title_->setText(QString::fromStdString(controller_.label(run_)));
  // Where the row leaves it less, it begins a row of its own.
  title_->setMinimumWidth(
      std::min(most_name_px, title_->fontMetrics().horizontalAdvance(title_->text()) + 1));
  QStringList ids;
  for (const SweepParam& one : params_) ids << QString::fromStdString(one.id());
  QStringList listed;
  for (int i = 0; i < param_->count(); ++i) listed << param_->itemData(i).toString();
  start_->setEnabled(!params_.empty());
  start_->setToolTip(params_.empty() ? tr("The selected run has no number to vary") : QString());
  if (ids == listed) return showIterations();
  param_->clear();
  for (const SweepParam& one : params_) {
    const QString label = QString::fromStdString(one.spec.label);
    param_->addItem(one.of == SweepParam::Of::prior    ? tr("Prior: %1").arg(label)
                    : one.of == SweepParam::Of::solver ? label
                    : one.of == SweepParam::Of::scan   ? tr("Scan: %1").arg(label)
                                                       : tr("Correction: %1").arg(label),
                    QString::fromStdString(one.id()));
  }
  param_->setCurrentIndex(std::max(0, param_->findData(before)));
  showIterations();
  // The range that the user has set stays with its parameter.
  if (param_->currentData().toString() != before) suggestRange();
}

void SweepBoard::suggestRange() {
  const SweepParam* chosen = param();
  if (chosen == nullptr) return;
  const auto range = range_to_sweep(*chosen);
  if (!range) return;
  from_->setValue(range->low);
  to_->setValue(range->high);
  logarithmic_->setChecked(range->logarithmic);
}

void SweepBoard::say(const QString& text) { state_text_->setText(text); }

void SweepBoard::start(bool may_be_long) {
  const QPointer<SweepBoard> guard(this);
  controller_.whenDataAreCurrent([guard, may_be_long] {
    if (guard) guard->begin(may_be_long);
  });
  const bool waits = controller_.isPreparing() && !controller_.dataAreCurrent();
  if (waits) say(tr("The data are being prepared"));
}

void SweepBoard::useUsualMeasure() {
  measure_->setCurrentIndex(static_cast<int>(
      usual_measure(measures_, shown_.param ? &*shown_.param : nullptr, *controller_.data())));
}

/// Declares that the points to come are of the present run and data.
void SweepBoard::adopt(const SweepParam& param) {
  const bool was_axis = shown_.param && shown_.param->is_central_column();
  shown_.param = param;
  shown_.run = run_;
  shown_.isReplaced = false;
  shown_.data = controller_.data();
  shown_.slicesOf = MiddleSlices::of(param, shown_.data);
  if (param.is_central_column() != was_axis) useUsualMeasure();
  shown_.object.reset();
  if (shown_.data->reference != nullptr)
    shown_.object = object_extent(shown_.data->grid, shown_.data->reference->mu()).in(Axis::axial);
}

void SweepBoard::begin(bool may_be_long) {
  const SweepParam* chosen = param();
  const auto index = model_.indexOf(run_);
  if (chosen == nullptr || !index) return;
  std::vector<double> values;
  try {
    values = sweep_values(from_->value(), to_->value(), count_->value(), logarithmic_->isChecked(),
                          chosen->present);
  } catch (const std::exception& error) {
    return say(QString::fromUtf8(error.what()));
  }
  if (!may_be_long && asksBefore(values.size())) return say(tr("Waits for your answer below"));
  askNothing();
  mayBeLong_ = may_be_long;
  adopt(*chosen);
  shown_.hasEqualRatios = logarithmic_->isChecked();
  shown_.values = values;
  shown_.hasOwnBeside = shown_.values.size() > static_cast<std::size_t>(count_->value());
  shown_.points.clear();
  shown_.slices.clear();
  pictures_->enlarge(false);
  pictures_->choose(-1);
  iteration_ = 0;
  iterationsOfEach_ = shown_.slicesOf ? 1 : iterations_->value();
  sinceStart_.start();
  firstReport_.reset();
  const int ticket = shown_.ticket = ++lastTicket_;
  const QPointer<SweepBoard> guard(this);
  const auto follow = [guard, ticket, shown = QElapsedTimer()](int iteration) mutable {
    if (shown.isValid() && shown.elapsed() < between_reports_ms) return;
    shown.start();
    QMetaObject::invokeMethod(
        qApp,
        [guard, ticket, iteration] {
          if (guard) guard->showProgress(ticket, iteration);
        },
        Qt::QueuedConnection);
  };
  job_.start<bool>(
      [=, this, experiment = model_.experiment(), run = *index, param = *chosen, data = shown_.data,
       iterations = iterations_->value()](const Interrupt& interrupt) {
        sweep(
            experiment, run, param, values, iterations, data,
            {experiment.metrics, catalog_, backends_, interrupt},
            [&](SweepPoint point) {
              const auto result = std::make_shared<SweepPoint>(std::move(point));
              QMetaObject::invokeMethod(
                  qApp,
                  [guard, ticket, result] {
                    if (guard) guard->addPoint(ticket, std::move(*result));
                  },
                  Qt::QueuedConnection);
            },
            follow);
        return true;
      },
      [this](bool) {
        showPoints();
        askNothing();
        emit finished();
      },
      [this](const QString& why) {
        showPoints();
        askNothing();
        say(why);
      });
  showPoints();
}

void SweepBoard::addPoint(int ticket, SweepPoint point) {
  if (ticket != shown_.ticket) return;  // of an earlier sweep
  const VolumeGrid& grid = point.data != nullptr ? point.data->grid : shown_.data->grid;
  shown_.slices.push_back(point.image.empty() ? nullptr
                                              : std::make_shared<const SliceImage>(extract_slice(
                                                    grid, point.image, Axis::axial, grid.nz / 2)));
  shown_.points.push_back(std::move(point));
  iteration_ = 0;
  showPoints();
}

std::optional<SweepBest> SweepBoard::best() const {
  const auto found =
      best_point(shown_.points, measure(), shown_.param && shown_.param->is_weight());
  // The corner of an unfinished curve may not be the corner of the whole curve.
  return found && found->is_corner && shown_.points.size() < shown_.values.size() ? std::nullopt
                                                                                  : found;
}

/// Returns the point that the run would take over: the chosen one, else the best; -1: none.
int SweepBoard::taken() const {
  const int chosen = pictures_->chosen();
  if (chosen >= 0 && chosen < static_cast<int>(shown_.points.size()))
    return shown_.points[static_cast<std::size_t>(chosen)].problem.empty() ? chosen : -1;
  const auto best = this->best();
  return best ? static_cast<int>(best->point) : -1;
}

void SweepBoard::showPictures(const std::optional<SweepBest>& best) {
  std::vector<SweepGrid::Picture> pictures;
  for (std::size_t i = 0; i < shown_.values.size(); ++i) {
    if (i >= shown_.points.size()) {
      const bool computes = i == shown_.points.size() && job_.isBusy();
      SweepGrid::Picture to_come{value_text(shown_.values[i]), tr("waiting"), {}, tr("…")};
      if (computes) {
        to_come.status = tr("iteration %1 of %2").arg(iteration_).arg(iterationsOfEach_);
        to_come.brief = tr("%1/%2").arg(iteration_).arg(iterationsOfEach_);
      }
      pictures.push_back(to_come);
      continue;
    }
    const SweepPoint& point = shown_.points[i];
    const double value = measure().value(point);
    const bool has_failed = !point.problem.empty();
    const QString brief = has_failed             ? tr("failed")
                          : std::isfinite(value) ? short_text(value)
                                                 : QString();
    const QString label = QString::fromStdString(measure().label);
    pictures.push_back({value_text(point.value),
                        has_failed || brief.isEmpty() ? brief : label + QLatin1Char(' ') + brief,
                        QString::fromStdString(point.problem), brief, shown_.slices[i],
                        best && best->point == i});
  }
  pictures_->setColour(colour());
  pictures_->setPictures(pictures, shown_.object);
  pictures_->setWindowLevel(state_.window(), state_.level());
}

void SweepBoard::showPoints() {
  const auto best = this->best();
  showPictures(best);
  start_->setText(job_.isBusy() && shown_.points.size() < shown_.values.size()
                      ? tr("Cancel")
                      : tr("Start the sweep"));
  const int taken = this->taken();
  use_->setEnabled(taken >= 0);
  use_->setToolTip(
      taken >= 0 ? tr("The run gets %1 and what was computed with it, and continues to its last "
                      "iteration; undo brings back what it had")
                       .arg(value_text(shown_.points[static_cast<std::size_t>(taken)].value))
                 : tr("Available once a picture is chosen, or a best value is known"));
  say(verdict(best));
  showCharts();
}

/// Returns the line below the pictures: which value is best and by what, or why none is.
QString SweepBoard::verdict(const std::optional<SweepBest>& best) const {
  if (shown_.values.empty())
    return takesSlices() ? tr("Choose a range and start: %1 for each value").arg(ofSlices())
                         : tr("Choose a parameter and start: the run is repeated with each value");
  const QString what = (shown_.hasOwnBeside ? tr("; the run's own value is one more") : QString()) +
                       (shown_.slicesOf ? tr("; %1").arg(ofSlices()) : QString());
  if (best)
    return tr("Best of %1: %2 %3, by the %4")
               .arg(shown_.points.size())
               .arg(QString::fromStdString(shown_.param->spec.label))
               .arg(value_text(shown_.points[best->point].value))
               .arg(QString::fromStdString(best->reason)) +
           maskText() + what + timeLeft();
  const QString computed =
      tr("%1 of %2 computed").arg(shown_.points.size()).arg(shown_.values.size()) + what +
      timeLeft();
  if (shown_.points.size() < shown_.values.size() || measure().says_best) return computed;
  return computed + (shown_.param->is_weight()
                         ? tr("; the L-curve has no corner within this range: choose a picture")
                     : shown_.slicesOf
                         ? tr("; no number says which is best: choose a picture")
                         : tr("; the residual does not say which is best: choose a picture"));
}

/// Gives the run the value of a point and its result. A parameter of the scan needs other data,
/// with which the run starts from zero.
void SweepBoard::takeOver() {
  const int taken = this->taken();
  const auto index = model_.indexOf(shown_.run);
  if (taken < 0 || !shown_.param || !index) return;
  const SweepPoint point =
      shown_.points[static_cast<std::size_t>(taken)];  // other data clear the points
  Experiment varied = with_value(model_.experiment(), *index, *shown_.param, point.value);
  std::string& projector = varied.runs[*index].projector;
  if (shown_.param->is_tilt() && varied.geometry)  // free poses, which few projectors know
    projector = suitable_projector(catalog_, host_key, ScanGeometry(*varied.geometry), projector);
  else if (shown_.param->changes_data() && !shown_.slicesOf)
    projector = point.run.projector;
  const bool has_it = varied == model_.experiment();
  if (has_it && controller_.isCurrent(shown_.run) && controller_.status(shown_.run).hasEstimate())
    return say(tr("The run has this value already"));
  const RunSpec& by = model_.experiment().runs[*index];
  if (!shown_.param->changes_data() && point.progress != nullptr && controller_.dataAreCurrent())
    return controller_.takeOver(shown_.run, taken_over(point, by), point.history, point.progress,
                                point.reference);
  const int run = shown_.run;
  const bool needs_data = shown_.param->changes_data();
  model_.edit(tr("Take over from the sweep"), [&](Experiment& e) { e = varied; });
  controller_.start(run);
  if (needs_data) emit dataTakenOver();
}

}  // namespace gantry
