#include "gui/stage/data_board.hpp"

#include "gui/stage/projection_board.hpp"
#include "gui/stage/volume_planes.hpp"
#include "gui/views/key_list.hpp"
#include "gui/widgets/eliding_label.hpp"
#include "gui/widgets/switch_button.hpp"
#include "gui/worker/preview.hpp"
#include "gui/worker/volume_look.hpp"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>

namespace gantry {

namespace {

/// Returns the part of a description that names the column of the axis of rotation.
QString centreOfRotation(double column, int columns) {
  return DataBoard::tr("; axis of rotation at column %1, %2 from the middle")
      .arg(column, 0, 'f', 2)
      .arg(column - 0.5 * (columns - 1), 0, 'f', 2);
}

}  // namespace

DataBoard::DataBoard(ExperimentModel& model, RunController& controller, ViewState& state,
                     Selection& selection, Preview& preview, Measurements& measurements,
                     VolumeLook& look, QWidget* parent)
    : QWidget(parent),
      model_(model),
      controller_(controller),
      look_(look),
      projections_(new ProjectionBoard(controller, state, selection, preview, measurements, this)),
      planes_(new VolumePlanes(look, state, this)),
      pages_(new QStackedLayout),
      text_(new ElidingLabel(this)),
      volumeChoice_(new SwitchButton(tr("Volume"), this)),
      projectionsChoice_(new SwitchButton(tr("Projections"), this)) {
  text_->setObjectName(QStringLiteral("dataText"));
  volumeChoice_->setToolTip(tr("The slices of the file, in three planes"));
  auto* choices = new QButtonGroup(this);
  auto* bar = new QWidget(this);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(8, 4, 8, 4);
  row->addWidget(text_, 1);
  for (QToolButton* choice : {volumeChoice_, projectionsChoice_}) {
    choices->addButton(choice);
    row->addWidget(choice);
  }
  auto* stage = new QWidget(this);
  stage->setLayout(pages_);
  pages_->addWidget(projections_);
  pages_->addWidget(planes_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(bar);
  layout->addWidget(stage, 1);
  connect(volumeChoice_, &QToolButton::clicked, this, [this] { showPage(true); });
  connect(projectionsChoice_, &QToolButton::clicked, this, [this] { showPage(false); });
  connect(projections_, &ProjectionBoard::readoutChanged, this, &DataBoard::readoutChanged);
  connect(planes_, &VolumePlanes::readoutChanged, this, &DataBoard::readoutChanged);
  connect(&controller_, &RunController::dataChanged, this, &DataBoard::refresh);
  connect(&controller_, &RunController::preparingChanged, this, &DataBoard::refresh);
  connect(&model_, &ExperimentModel::triedOut, this, [this](const Experiment& tried) {
    tried_ = tried;
    refresh();
  });
  connect(&model_, &ExperimentModel::changed, this, [this] {
    tried_.reset();
    refresh();
  });
  connect(&look_, &VolumeLook::changed, this, [this] {
    // A new volume is shown first, whichever page was chosen before.
    if (look_.isOpen() && !look_.grid()) showPage(true);
    if (isVisible()) look_.start();
    refresh();
  });
  showPage(false);
}

void DataBoard::showPage(bool volume) {
  (volume ? volumeChoice_ : projectionsChoice_)->setChecked(true);
  pages_->setCurrentWidget(volume ? static_cast<QWidget*>(planes_) : projections_);
  refresh();
}

/// Returns whether the prepared data belong to the volume that is shown, if a volume is open.
bool DataBoard::hasProjections() const {
  return controller_.data() != nullptr &&
         (!look_.isOpen() || look_.shows(model_.experiment().source));
}

QString DataBoard::whyNoProjections() const {
  if (controller_.isPreparing()) return tr("The scan of this volume is being simulated");
  return tr("A volume file holds no projections, and none could be simulated from this one");
}

QString DataBoard::describeProjections() const {
  const auto now = controller_.data();
  if (now == nullptr)
    return tr("No data yet: open a scan, a volume or a DICOM series") + key_hint("file.open");
  const ScanGeometry& geometry = *now->geometry;
  // The axis is taken from the settings, as in the preview, although the data may be older.
  const Experiment& set = tried_ ? *tried_ : model_.experiment();
  const double axis = set.geometry.value_or(geometry.spec()).central_column;
  const bool measured = model_.experiment().source.kind == SourceKind::scan && !now->simulation;
  return (measured ? tr("Measured: %1") : tr("Simulated: %1"))
             .arg(QString::fromStdString(describe(geometry, now->lengths_are_known))) +
         (geometry.rotates() ? centreOfRotation(axis, geometry.columns()) : QString());
}

QString DataBoard::describeVolume() const {
  QString text = look_.name();
  if (look_.grid()) text += QStringLiteral(": ") + QString::fromStdString(describe(*look_.grid()));
  text += tr("; holds no projections");
  const int slice = model_.experiment().source.slice;
  if (!hasProjections()) return text;
  return text + (slice >= 0 ? tr(" (simulated from slice %1)").arg(slice)
                            : tr(" (simulated from all slices)"));
}

void DataBoard::refresh() {
  if (!look_.isOpen() && pages_->currentWidget() == planes_) return showPage(false);
  const bool volume = pages_->currentWidget() == planes_, has = hasProjections();
  for (QToolButton* choice : {volumeChoice_, projectionsChoice_})
    choice->setVisible(look_.isOpen());
  planes_->setStandsAlone(!has);
  projectionsChoice_->setEnabled(has);
  projectionsChoice_->setToolTip(
      has ? tr("The scan that is simulated from this volume for the runs") : whyNoProjections());
  const QString text = volume ? describeVolume() : describeProjections();
  text_->setText(text);
  text_->setToolTip(text);
}

QString DataBoard::text() const { return text_->text(); }

void DataBoard::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  look_.start();
  refresh();
}

}  // namespace gantry
