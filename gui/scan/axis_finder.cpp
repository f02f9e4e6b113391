#include "gui/scan/axis_finder.hpp"

#include "core/alignment/centre_from_data.hpp"
#include "core/job/experiment_data.hpp"
#include "gui/widgets/background.hpp"
#include "gui/worker/run_controller.hpp"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <cmath>
#include <optional>

namespace gantry {

AxisFinder::AxisFinder(RunController& controller, QWidget* parent)
    : QWidget(parent),
      controller_(controller),
      button_(new QPushButton(tr("Axis from data"), this)),
      result_(new QLabel(this)) {
  button_->setObjectName(QStringLiteral("findAxis"));
  result_->setObjectName(QStringLiteral("foundAxis"));
  result_->setWordWrap(true);
  result_->setVisible(false);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(button_);
  layout->addWidget(result_);
  connect(button_, &QPushButton::clicked, this, &AxisFinder::find);
  connect(&controller_, &RunController::dataChanged, this, &AxisFinder::showData);
  showData();
}

/// Enables the button where rays are measured from both sides.
void AxisFinder::showData() {
  const auto now = controller_.data();
  const bool turns = now != nullptr && now->rebinned_from == nullptr &&
                     now->geometry->spec().trajectory == Trajectory::circular;
  button_->setEnabled(turns);
  button_->setToolTip(
      turns ? tr("Finds the central column from rays that were measured from both sides")
            : tr("Needs data of a circular scan: only there are rays measured from both sides"));
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
  in_background<Found>(
      this, [now] { return centre_from_data(*now->geometry, now->line_integrals); },
      [this, end](const Found& axis) {
        if (!axis) {
          if (end({}))
            emit problem(
                tr("The data do not tell the axis: no views or rays fit each other mirrored. Try "
                   "the slider of the central column."));
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
