#include "gui/scan/axis_finder.hpp"

#include "core/alignment/centre_from_data.hpp"
#include "core/centring/centre_methods.hpp"
#include "core/corrections/repaired_meanwhile.hpp"
#include "core/job/experiment_data.hpp"
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

/// Returns the axis by a method, without a key by the first that suits the beam. Bad cells, which
/// show the same in all views, are left aside.
std::optional<CentreEstimate> find_centre(const std::string& key, const ExperimentData& data) {
  const ScanGeometry& geometry = *data.geometry;
  const RepairedView repaired({geometry.views(), geometry.rows(), geometry.columns()},
                              data.line_integrals, nullptr);
  if (key.empty()) return centre_from_data(geometry, repaired.line_integrals());
  return centre_method(key).find(geometry, repaired.line_integrals(), nullptr);
}

QString reason(const std::string& key) {
  if (key.empty())
    return AxisFinder::tr("The data do not tell the axis: no views or rays fit each other.");
  return AxisFinder::tr("The data do not tell the axis by %1, which needs %2.")
      .arg(QString::fromStdString(key), QString::fromStdString(centre_method(key).needs));
}

}  // namespace

AxisFinder::AxisFinder(RunController& controller, QWidget* parent)
    : QWidget(parent),
      controller_(controller),
      method_(new QComboBox(this)),
      button_(new QPushButton(tr("Axis from data"), this)),
      result_(new QLabel(this)) {
  method_->setObjectName(QStringLiteral("axisMethod"));
  method_->setToolTip(tr("How the axis is found; auto takes what suits the beam"));
  method_->addItem(tr("auto"), QString());
  for (const CentreMethod& method : centre_methods()) {
    const QString key = QString::fromStdString(method.key);
    method_->addItem(key, key);
    method_->setItemData(method_->count() - 1, QString::fromStdString(method.help),
                         Qt::ToolTipRole);
  }
  button_->setObjectName(QStringLiteral("findAxis"));
  result_->setObjectName(QStringLiteral("foundAxis"));
  result_->setWordWrap(true);
  result_->setVisible(false);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  auto* line = new QHBoxLayout;
  line->addWidget(button_, 1);
  line->addWidget(method_);
  layout->addLayout(line);
  layout->addWidget(result_);
  connect(button_, &QPushButton::clicked, this, &AxisFinder::find);
  connect(&controller_, &RunController::dataChanged, this, &AxisFinder::showData);
  showData();
}

/// Enables the button for scans on a circle.
void AxisFinder::showData() {
  const auto now = controller_.data();
  const bool turns = now != nullptr && now->rebinned_from == nullptr &&
                     now->geometry->spec().trajectory == Trajectory::circular;
  button_->setEnabled(turns);
  button_->setToolTip(
      turns ? tr("Finds the central column from what views of different sides have in common")
            : tr("Needs data of a circular scan, whose views have rays in common"));
}

void AxisFinder::find() {
  const auto now = controller_.data();
  if (now == nullptr) return;
  button_->setEnabled(false);
  result_->setText(tr("Looking for the axis…"));
  result_->setVisible(true);
  using Found = std::optional<CentreEstimate>;
  const auto end = [this, now](const QString& text) {
    showData();
    result_->setText(text);
    result_->setVisible(!text.isEmpty());
    return controller_.data() == now;  // else the user has opened something else meanwhile
  };
  const std::string key = method_->currentData().toString().toStdString();
  in_background<Found>(
      this, [now, key] { return find_centre(key, *now); },
      [this, end, key](const Found& axis) {
        if (!axis) {
          if (end({}))
            emit problem(reason(key) + QStringLiteral(" ") +
                         tr("Try the slider of the central column."));
          return;
        }
        const double column = std::round(100 * axis->column) / 100;
        const QString text = tr("Column %1 from %2")
                                 .arg(column)
                                 .arg(QString::fromStdString(describe_support(*axis)));
        if (!end(text)) return;
        emit problem({});
        emit found(column);
      },
      [this, end](const QString& message) {
        if (end({})) emit problem(message);
      });
}

}  // namespace gantry
