#include "gui/stage/sweep_board.hpp"

#include "gui/render/colour_map.hpp"
#include "gui/stage/slice_board.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/widgets/eliding_label.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QSpinBox>

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr int usual_count = 9, most_count = 25, chart_height = 190;
constexpr double usual_ratio = 10;  // of the ends of the suggested range to the present value

/// Returns what the chart shows of a point: RMSE where the truth is known, else the residual.
double measureOf(const SweepPoint& point) {
  const auto rmse = point.last.metrics.find("rmse");
  return rmse != point.last.metrics.end() ? rmse->second : point.last.report.residual_norm;
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
      title_(new ElidingLabel(this)),
      param_(new QComboBox(this)),
      from_(new QDoubleSpinBox(this)),
      to_(new QDoubleSpinBox(this)),
      count_(new QSpinBox(this)),
      logarithmic_(new QCheckBox(tr("logarithmic"), this)),
      start_(new QPushButton(tr("Start the sweep"), this)),
      use_(new QPushButton(tr("Use the best"), this)),
      state_text_(new QLabel(this)),
      stage_(new QWidget(this)),
      pictures_(new QGridLayout),
      chart_(new ChartView(this)),
      lCurve_(new ChartView(this)) {
  makeControls();
  auto* controls = new QHBoxLayout;  // the name of the run takes what is left
  for (QWidget* part : std::initializer_list<QWidget*>{
           param_, new QLabel(tr("from"), this), from_, new QLabel(tr("to"), this), to_,
           new QLabel(tr("in"), this), count_, logarithmic_, start_})
    controls->addWidget(part);
  controls->addWidget(title_, 1);
  auto* result = new QHBoxLayout;
  result->addWidget(state_text_, 1);
  result->addWidget(use_);
  auto* charts = new QHBoxLayout;
  for (ChartView* chart : {chart_, lCurve_}) {
    chart->setMaximumHeight(chart_height);
    charts->addWidget(chart, 1);
  }
  stage_->setLayout(pictures_);
  stage_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setStageGround(*stage_);
  pictures_->setSpacing(4);
  pictures_->setContentsMargins(4, 4, 4, 4);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(6, 6, 6, 6);
  layout->addLayout(controls);
  layout->addWidget(stage_, 1);
  layout->addLayout(result);
  layout->addLayout(charts);
  connect(&model_, &ExperimentModel::changed, this, &SweepBoard::listParams);
  connect(&controller_, &RunController::dataChanged, this, &SweepBoard::forget);
  connect(&state_, &ViewState::windowChanged, this, [this] {
    for (SliceView* view : views_) view->setWindowLevel(state_.window(), state_.level());
  });
  showPoints();
}

void SweepBoard::makeControls() {
  param_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  title_->setMinimumWidth(120);
  param_->setObjectName(QStringLiteral("sweepParam"));
  from_->setObjectName(QStringLiteral("sweepFrom"));
  to_->setObjectName(QStringLiteral("sweepTo"));
  start_->setObjectName(QStringLiteral("startSweep"));
  use_->setObjectName(QStringLiteral("useBest"));
  state_text_->setObjectName(QStringLiteral("sweepState"));
  param_->setAccessibleName(tr("Parameter"));
  from_->setAccessibleName(tr("First value"));
  to_->setAccessibleName(tr("Last value"));
  count_->setAccessibleName(tr("Number of values"));
  for (QDoubleSpinBox* box : {from_, to_}) {
    box->setDecimals(6);
    box->setRange(-1e9, 1e9);
    box->setKeyboardTracking(false);
    box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
  }
  count_->setRange(2, most_count);
  count_->setValue(usual_count);
  count_->setSuffix(tr(" values"));
  logarithmic_->setChecked(true);
  logarithmic_->setToolTip(tr("Values at equal ratios instead of equal steps"));
  use_->setToolTip(tr("Puts the best value into the run and starts the run with it"));
  connect(param_, &QComboBox::activated, this, &SweepBoard::suggestRange);
  connect(start_, &QPushButton::clicked, this, [this] {
    if (!job_.isBusy()) return start();
    job_.cancel();
    ++ticket_;
    values_.resize(points_.size());
    showPoints();
    say(tr("Cancelled after %1 values").arg(points_.size()));
  });
  connect(use_, &QPushButton::clicked, this, &SweepBoard::useBest);
}

/// Ends and forgets a sweep, because there are other data.
void SweepBoard::forget() {
  job_.cancel();
  ++ticket_;
  points_.clear();
  values_.clear();
  swept_.reset();
  data_.reset();
  showPoints();
}

void SweepBoard::setRun(int id) {
  run_ = id;
  listParams();
}

const SweepParam* SweepBoard::param() const {
  const int index = param_->currentIndex();
  return index < 0 ? nullptr : &params_[static_cast<std::size_t>(index)];
}

bool SweepBoard::variesWeight() const {
  return swept_ && swept_->is_of_prior && swept_->spec.key == "weight";
}

void SweepBoard::listParams() {
  const RunSpec* run = model_.run(run_);
  const QString before = param_->currentText();
  params_ = run != nullptr ? sweep_params(*run, catalog_) : std::vector<SweepParam>{};
  title_->setText(run != nullptr ? QString::fromStdString(run_label(*run, catalog_)) : QString());
  QStringList names;
  for (const SweepParam& one : params_)
    names << (one.is_of_prior ? tr("Prior: %1").arg(QString::fromStdString(one.spec.label))
                              : QString::fromStdString(one.spec.label));
  QStringList listed;
  for (int i = 0; i < param_->count(); ++i) listed << param_->itemText(i);
  start_->setEnabled(!params_.empty());
  start_->setToolTip(params_.empty() ? tr("The selected run has no number to vary") : QString());
  if (names == listed) return;
  param_->clear();
  param_->addItems(names);
  param_->setCurrentIndex(std::max(0, param_->findText(before)));
  suggestRange();
}

void SweepBoard::suggestRange() {
  const SweepParam* chosen = param();
  if (chosen == nullptr) return;
  const double middle = chosen->present > 0 ? chosen->present : 1;
  from_->setValue(std::clamp(middle / usual_ratio, chosen->spec.min, chosen->spec.max));
  to_->setValue(std::clamp(middle * usual_ratio, chosen->spec.min, chosen->spec.max));
  logarithmic_->setChecked(from_->value() > 0);
}

void SweepBoard::say(const QString& text) { state_text_->setText(text); }

void SweepBoard::start() {
  const SweepParam* chosen = param();
  const RunSpec* run = model_.run(run_);
  if (chosen == nullptr || run == nullptr) return;
  if (controller_.data() == nullptr || !controller_.dataAreCurrent())
    return say(tr("The data are not ready: start a run first, which prepares them"));
  std::vector<double> values;
  try {
    values = sweep_values(from_->value(), to_->value(), count_->value(), logarithmic_->isChecked());
  } catch (const std::exception& error) {
    return say(QString::fromUtf8(error.what()));
  }
  swept_ = *chosen;
  sweptRun_ = run_;
  data_ = controller_.data();
  values_ = values;
  points_.clear();
  const int ticket = ++ticket_;
  const QPointer<SweepBoard> guard(this);
  job_.start<bool>(
      [=, this, spec = *run, param = *chosen, metrics = model_.experiment().metrics,
       data = data_](const Interrupt& interrupt) {
        sweep(spec, param, values, data, metrics, catalog_, backends_, interrupt,
              [&](SweepPoint point) {
                const auto result = std::make_shared<SweepPoint>(std::move(point));
                QMetaObject::invokeMethod(
                    qApp,
                    [guard, ticket, result] {
                      if (guard) guard->addPoint(ticket, std::move(*result));
                    },
                    Qt::QueuedConnection);
              });
        return true;
      },
      [this](bool) { showPoints(); }, [this](const QString& why) { say(why); });
  showPoints();
}

void SweepBoard::addPoint(int ticket, SweepPoint point) {
  if (ticket != ticket_) return;  // of an earlier sweep
  points_.push_back(std::move(point));
  showPoints();
}

void SweepBoard::showPoints() {
  const std::size_t shown = values_.size();
  std::optional<ObjectBox> object;
  if (data_ != nullptr && data_->reference != nullptr)
    object = object_extent(data_->grid, data_->reference->mu).in(Axis::axial);
  const double aspect =
      object ? (object->high_u_mm - object->low_u_mm) / (object->high_v_mm - object->low_v_mm) : 1;
  const int columns =
      best_columns(static_cast<int>(shown), aspect, stage_->width(), stage_->height());
  while (views_.size() < shown) views_.push_back(new SliceView(this));
  const auto best = best_point(points_, variesWeight());
  for (std::size_t i = 0; i < views_.size(); ++i) {
    SliceView* view = views_[i];
    view->setVisible(i < shown);
    view->setScaleBar(false);
    view->setObject(object);
    if (i >= shown) continue;
    pictures_->addWidget(view, static_cast<int>(i) / columns, static_cast<int>(i) % columns);
    if (i >= points_.size()) {
      view->setImage(nullptr);
      view->setTitle(QString::number(values_[i], 'g', 3).toStdString());
      view->setStatus(tr("waiting").toStdString());
      view->setSelected(false);
      continue;
    }
    const SweepPoint& point = points_[i];
    const bool is_best = best && best->point == i;
    view->setWindowLevel(state_.window(), state_.level());
    view->setTitle(QString::number(point.value, 'g', 3).toStdString(),
                   is_best ? std::optional(rgb(0xE69F00)) : std::nullopt);
    view->setSelected(is_best);
    view->setStatus((!point.problem.empty() ? tr("failed")
                     : point.last.metrics.contains("rmse")
                         ? tr("RMSE %1").arg(measureOf(point), 0, 'g', 3)
                         : tr("residual %1").arg(measureOf(point), 0, 'g', 3))
                        .toStdString());
    view->setNotice(point.problem);
    if (!point.image.empty())
      view->setImage(std::make_shared<const SliceImage>(
          extract_slice(data_->grid, point.image, Axis::axial, data_->grid.nz / 2)));
  }
  start_->setText(job_.isBusy() && points_.size() < values_.size() ? tr("Cancel")
                                                                   : tr("Start the sweep"));
  use_->setEnabled(best.has_value());
  if (swept_ && !points_.empty())
    say(best ? tr("Best of %1: %2 %3, by the %4")
                   .arg(points_.size())
                   .arg(QString::fromStdString(swept_->spec.label))
                   .arg(points_[best->point].value, 0, 'g', 3)
                   .arg(QString::fromStdString(best->reason))
             : tr("%1 of %2 computed").arg(points_.size()).arg(values_.size()));
  else
    say(!values_.empty() ? tr("0 of %1 computed").arg(values_.size())
                         : tr("Choose a parameter and start: the run is repeated with each value"));
  showCharts();
}

void SweepBoard::showCharts() {
  std::vector<double> values, measures, data_terms, penalties;
  for (const SweepPoint& point : points_) {
    if (!point.problem.empty()) continue;
    values.push_back(point.value);
    measures.push_back(measureOf(point));
    const auto [data_term, penalty] = l_curve_point(point, variesWeight());
    if (!variesWeight() || !(data_term > 0) || !(penalty > 0)) continue;
    data_terms.push_back(data_term);
    penalties.push_back(penalty);
  }
  const bool knows_truth = data_ != nullptr && data_->reference != nullptr;
  const std::string label = swept_ ? swept_->spec.label : std::string();
  const SeriesStyle style{"sweep", rgb(0xE69F00), LineStyle::solid, 1.75, true};
  chart_->edit([&](ChartScene& chart) {
    chart.clear();
    chart.setLogX(logarithmic_->isChecked());
    chart.setAxisTitles({label, swept_ ? swept_->spec.unit : std::string()},
                        {knows_truth ? "RMSE" : "Residual", knows_truth ? "1/mm" : ""});
    chart.setHint(tr("Error over the parameter").toStdString());
    if (values.empty()) return;
    chart.setSeries("sweep", style);
    chart.setData("sweep", values, measures);
  });
  lCurve_->edit([&](ChartScene& chart) {
    chart.clear();
    chart.setLogX(true);
    chart.setLogY(true);
    chart.setAxisTitles({tr("data term ‖b − A x‖²").toStdString(), {}},
                        {tr("penalty R(x)").toStdString(), {}});
    chart.setHint(
        tr("L-curve of a penalty's weight, for methods that report their objective").toStdString());
    if (data_terms.empty()) return;
    chart.setSeries("sweep", style);
    chart.setData("sweep", data_terms, penalties);
  });
}

void SweepBoard::useBest() {
  const auto best = best_point(points_, variesWeight());
  if (!best || !swept_ || model_.run(sweptRun_) == nullptr) return;
  const double value = points_[best->point].value;
  const bool has_it = with_value(*model_.run(sweptRun_), *swept_, value) == *model_.run(sweptRun_);
  if (has_it && controller_.isCurrent(sweptRun_) && controller_.status(sweptRun_).hasEstimate())
    return say(tr("The run has the best value already"));
  model_.editRun(sweptRun_, tr("Use the best of the sweep"),
                 [&](RunSpec& run) { run = with_value(run, *swept_, value); });
  controller_.start(sweptRun_);
}

}  // namespace gantry
