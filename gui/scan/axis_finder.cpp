#include "gui/scan/axis_finder.hpp"

#include "core/alignment/centre_estimate.hpp"
#include "core/alignment/detector_tilt.hpp"
#include "core/backend/host_memory.hpp"
#include "core/centring/centre_methods.hpp"
#include "core/centring/turning_views.hpp"
#include "core/corrections/repaired_meanwhile.hpp"
#include "core/geometry/detector_move.hpp"
#include "core/geometry/shifted_circle.hpp"
#include "core/job/experiment_data.hpp"
#include "gui/models/experiment_model.hpp"
#include "gui/widgets/background.hpp"
#include "gui/worker/run_controller.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <cmath>
#include <optional>
#include <string>

namespace gantry {

namespace {

/// The axis, and the tilt of the detector where the data tell one.
struct Found {
  std::optional<FoundCentre> axis;
  std::optional<DetectorTilt> tilt;
};

constexpr double least_errors = 3;  // standard errors below which a tilt may be none

/// Returns the axis by a method, without a key by the first that suits the beam. Bad cells, which
/// show the same in all views, are left aside.
Found find_centre(const std::string& key, const ExperimentData& data) {
  const ScanGeometry& geometry = *data.geometry;
  const RepairedView repaired({geometry.views(), geometry.rows(), geometry.columns()},
                              data.line_integrals, nullptr, free_host_bytes());
  const TurningViews views(geometry, repaired.line_integrals());
  Found found;
  if (key.empty()) {
    found.axis = centre_by_usual_method(views.geometry(), views.line_integrals(), data.lacks_flat);
  } else {
    const CentreMethod& method = centre_method(key);
    if (auto estimate = method.find(views.geometry(), views.line_integrals(), nullptr))
      found.axis = FoundCentre{&method, *std::move(estimate)};
  }
  if (found.axis) found.axis->estimate.column += views.column_offset();
  if (can_be_tilted(geometry.spec()))
    found.tilt = tilt_of_detector(geometry, repaired.line_integrals());
  if (found.tilt && std::abs(found.tilt->tilt_rad) < least_errors * found.tilt->error_rad)
    found.tilt.reset();
  return found;
}

QString label_of(const CentreMethod& method) { return QString::fromStdString(method.label); }

QString failure(const std::string& key) {
  const QString reason =
      key.empty()
          ? AxisFinder::tr("The data do not tell the axis: no views or rays fit each other.")
          : AxisFinder::tr("The data do not tell the axis by \"%1\", which needs %2.")
                .arg(label_of(centre_method(key)),
                     QString::fromStdString(centre_method(key).needs));
  return reason + QStringLiteral(" ") + AxisFinder::tr("Try the slider of the central column.");
}

double rounded(double column) { return std::round(100 * column) / 100; }

QString tilt_text(const std::optional<DetectorTilt>& tilt) {
  if (!tilt) return {};
  return QStringLiteral(" ") +
         AxisFinder::tr(
             "The detector seems to be tilted in its plane by %1 degrees (standard error "
             "%2): compare slices in the sweep of \"Detector tilt\".")
             .arg(degrees(tilt->tilt_rad), 0, 'f', 3)
             .arg(degrees(tilt->error_rad), 0, 'f', 3);
}

/// Returns where the axis is, how far from where it was set, and what tells it.
QString answer(const Found& found, double before) {
  const FoundCentre& axis = *found.axis;
  const double column = rounded(axis.estimate.column), by = rounded(column - before);
  const QString compared = by == 0
                               ? AxisFinder::tr("where it was set already")
                               : AxisFinder::tr("%1 columns %2 of %3, where it was set")
                                     .arg(std::abs(by))
                                     .arg(by < 0 ? AxisFinder::tr("left") : AxisFinder::tr("right"))
                                     .arg(rounded(before));
  return AxisFinder::tr("The axis is at column %1, %2. By \"%3\": %4.")
             .arg(column)
             .arg(compared, label_of(*axis.method),
                  QString::fromStdString(describe_support(axis.estimate))) +
         tilt_text(found.tilt);
}

}  // namespace

AxisFinder::AxisFinder(ExperimentModel& model, RunController& controller, QWidget* parent)
    : QWidget(parent),
      model_(model),
      controller_(controller),
      method_(new QComboBox(this)),
      button_(new QPushButton(tr("Axis from data"), this)),
      result_(new QLabel(this)) {
  method_->setObjectName(QStringLiteral("axisMethod"));
  method_->setAccessibleName(tr("How the axis is found"));
  method_->addItem(tr("Automatic"), QString());
  method_->setItemData(0, tr("The first way that suits the beam"), Qt::ToolTipRole);
  for (const CentreMethod& method : centre_methods()) {
    method_->addItem(label_of(method), QString::fromStdString(method.key));
    method_->setItemData(
        method_->count() - 1,
        tr("%1. Needs %2")
            .arg(QString::fromStdString(method.help), QString::fromStdString(method.needs)),
        Qt::ToolTipRole);
  }
  method_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  const auto tell = [this] {
    method_->setToolTip(method_->currentData(Qt::ToolTipRole).toString());
  };
  connect(method_, &QComboBox::currentIndexChanged, this, tell);
  tell();
  button_->setObjectName(QStringLiteral("findAxis"));
  result_->setObjectName(QStringLiteral("foundAxis"));
  result_->setWordWrap(true);
  result_->setVisible(false);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  auto* line = new QHBoxLayout;
  line->addWidget(button_);
  line->addWidget(method_, 1);
  layout->addLayout(line);
  layout->addWidget(result_);
  connect(button_, &QPushButton::clicked, this, &AxisFinder::find);
  connect(&controller_, &RunController::dataChanged, this, &AxisFinder::showData);
  connect(&model_, &ExperimentModel::aboutToBeReplaced, this, &AxisFinder::forget);
  showData();
}

/// Enables the button for scans on a circle, whose detector or object may be shifted in each view.
void AxisFinder::showData() {
  const auto now = controller_.data();
  const auto on_circle = [](const ScanSpec& scan) {
    return scan.trajectory == Trajectory::circular ||
           (scan.trajectory == Trajectory::poses && shifted_circle(scan).has_value());
  };
  const bool turns =
      now != nullptr && now->rebinned_from == nullptr && on_circle(now->geometry->spec());
  button_->setEnabled(turns);
  button_->setToolTip(
      turns ? tr("Finds the central column from what views of different sides have in common")
            : tr("Needs data of a circular scan, whose views have rays in common"));
}

void AxisFinder::find() {
  const auto now = controller_.data();
  if (now == nullptr) return;
  button_->setEnabled(false);
  say(tr("Looking for the axis…"));
  const int source = source_;
  const auto end = [this, source](const QString& text) {
    showData();
    if (source_ == source) say(text);  // else the user has opened something else meanwhile
    return source_ == source;
  };
  const std::string key = method_->currentData().toString().toStdString();
  in_background<Found>(
      this, [now, key] { return find_centre(key, *now); },
      [this, now, end, key](const Found& result) {
        if (!result.axis) return static_cast<void>(end(failure(key)));
        const auto& set = model_.experiment().geometry;
        if (end(answer(result, set.value_or(now->geometry->spec()).central_column)))
          emit found(rounded(result.axis->estimate.column));
      },
      [end](const QString& message) { end(message); });
}

/// Takes the answer back: it was about other data.
void AxisFinder::forget() {
  ++source_;
  say({});
}

void AxisFinder::say(const QString& text) {
  result_->setText(text);
  result_->setVisible(!text.isEmpty());
}

}  // namespace gantry
