#include "gui/matrix/matrix_explorer.hpp"

#include "core/base/error.hpp"
#include "gui/matrix/matrix_blocks.hpp"
#include "gui/matrix/matrix_memory.hpp"
#include "gui/matrix/matrix_pictures.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/widgets/image_plot.hpp"
#include "gui/widgets/number_box.hpp"
#include "gui/widgets/wrapping_layout.hpp"

#include <QCheckBox>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSlider>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace gantry {

MatrixExplorer::MatrixExplorer(const Catalog& catalog, const BackendList& backends,
                               ExperimentModel& model, RunController& controller, QWidget* parent)
    : QWidget(parent),
      catalog_(catalog),
      backends_(backends),
      model_(model),
      controller_(controller),
      probe_(new MatrixProbe(catalog, this)),
      readout_(new QLabel(this)) {
  auto* bar = new QWidget(this);
  addControls(new WrappingLayout(bar));
  auto* plots = new QWidget;
  plots_ = new QGridLayout(plots);
  plots_->setContentsMargins(0, 0, 0, 0);
  plots_->setSpacing(6);
  makePlots();
  auto* scroll = new QScrollArea(this);
  scroll->setWidget(plots);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  readout_->setObjectName(QStringLiteral("matrixReadout"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(4, 4, 4, 4);
  layout->addWidget(bar);
  layout->addWidget(scroll, 1);
  layout->addWidget(readout_);
  connectPlots();
  connectProbe();
  connect(&model_, &ExperimentModel::changed, this, &MatrixExplorer::adopt);
  connect(&controller_, &RunController::dataChanged, this, &MatrixExplorer::adopt);
  connect(&controller_, &RunController::referenceChanged, this, &MatrixExplorer::drawFootprint);
  connect(&controller_, &RunController::snapshotReady, this, [this](int id) {
    if (id == id_) drawBuilt();
  });
}

QSpinBox* MatrixExplorer::addNumber(QLayout* row, const QString& name, const QString& label,
                                    const QString& help) {
  auto* box = new WholeBox(this);
  box->setObjectName(name);
  box->setPrefix(label + QLatin1Char(' '));
  box->setToolTip(help);
  row->addWidget(box);
  return box;
}

void MatrixExplorer::addControls(QLayout* row) {
  whose_ = new QLabel(this);
  whose_->setObjectName(QStringLiteral("matrixWhose"));
  row->addWidget(whose_);
  view_ = new QSlider(Qt::Horizontal, this);
  view_->setObjectName(QStringLiteral("matrixView"));
  view_->setToolTip(tr("The view whose matrix rows are shown"));
  view_->setMinimumWidth(80);
  viewLabel_ = new QLabel(this);
  row->addWidget(view_);
  row->addWidget(viewLabel_);
  cell_ = addNumber(row, QStringLiteral("matrixRay"), tr("cell"),
                    tr("The detector cell whose ray is shown; a click into the view's pattern "
                       "chooses it as well"));
  row_ = addNumber(row, QStringLiteral("matrixRow"), tr("row"), tr("The row of the detector"));
  slice_ = addNumber(row, QStringLiteral("matrixSlice"), tr("slice"),
                     tr("The axial slice for which pattern and footprint are drawn"));
  copies_ = new QCheckBox(tr("copies"), this);
  copies_->setObjectName(QStringLiteral("matrixCopies"));
  copies_->setToolTip(
      tr("Also draws the images of this ray under the rotations and mirrors of the scan, in other "
         "colours: a matrix stored by symmetry holds only one of these rows"));
  copies_->setChecked(true);
  row->addWidget(copies_);
  connect(view_, &QSlider::valueChanged, this, [this](int view) {
    setRay({view, ray_.column, ray_.row});
  });
  connect(cell_, &QSpinBox::valueChanged, this, [this](int cell) {
    setRay({ray_.view, cell, ray_.row});
  });
  connect(row_, &QSpinBox::valueChanged, this, [this](int detector_row) {
    setRay({ray_.view, ray_.column, detector_row});
  });
  connect(slice_, &QSpinBox::valueChanged, this, &MatrixExplorer::setSlice);
  connect(copies_, &QCheckBox::toggled, this, [this] {
    drawFootprint();
    drawCurve();
  });
}

void MatrixExplorer::makePlots() {
  sparsity_ = new ImagePlot(this);
  sparsity_->setObjectName(QStringLiteral("matrixSparsity"));
  sparsity_->setToolTip(
      tr("Nonzeros of the matrix rows of this view: the darker a dot, the more nonzeros. Click to "
         "choose the ray"));
  footprint_ = new ImagePlot(this);
  footprint_->setObjectName(QStringLiteral("matrixFootprint"));
  footprint_->setTrueToScale(true);
  footprint_->setToolTip(
      tr("Weights of the ray and of its symmetric copies: the stronger the colour, the larger the "
         "weight. Click to choose the voxel"));
  curve_ = new ImagePlot(this);
  curve_->setObjectName(QStringLiteral("matrixCurve"));
  curve_->setToolTip(tr("The rays through the voxel, in the sinogram. Click to choose the ray"));
  profile_ = new ChartView(this, ChartView::Place::window);
  profile_->setObjectName(QStringLiteral("matrixProfile"));
  profile_->edit([](ChartScene& chart) {
    chart.setAxisTitles({tr("detector cell").toStdString(), {}},
                        {tr("nonzeros of the row").toStdString(), {}});
    chart.setHint(tr("Counting").toStdString());
  });
  histogram_ = new ChartView(this, ChartView::Place::window);
  histogram_->setObjectName(QStringLiteral("matrixHistogram"));
  histogram_->edit([](ChartScene& chart) {
    chart.setAxisTitles({tr("nonzeros of a row").toStdString(), {}},
                        {tr("rays").toStdString(), {}});
    chart.setHint(tr("Counting").toStdString());
  });
  blocks_ = new MatrixBlocksPage(this);
  memory_ = new MatrixMemory(this);
  pages_ = new QTabWidget(this);
  pages_->setObjectName(QStringLiteral("matrixPages"));
  pages_->addTab(profile_, tr("Rows of views"));
  pages_->addTab(histogram_, tr("All rows"));
  pages_->addTab(blocks_, tr("Blocks"));
  pages_->addTab(memory_, tr("Memory"));
  pages_->setTabToolTip(0, tr("Nonzeros in the matrix row of each ray, for the chosen view and "
                              "some of the stored views"));
  pages_->setTabToolTip(1, tr("Histogram of the nonzeros per matrix row"));
  pages_->setTabToolTip(2,
                        tr("Which blocks of rays and pixels hold nonzeros, before and after rays "
                           "and pixels are reordered"));
  pages_->setTabToolTip(3,
                        tr("Memory of the matrix in each format, and whether that much is free"));
  pages_->setMinimumSize(150, 110);
}

/// Arranges the four plots side by side where the panel is low, below each other where it is
/// narrow, otherwise two by two.
void MatrixExplorer::arrange() {
  constexpr int narrow = 480, least_height = 190;
  const int columns = width() < narrow ? 1 : width() > 2.6 * height() ? 4 : 2;
  if (columns == columns_) return;
  columns_ = columns;
  QWidget* const parts[] = {sparsity_, footprint_, curve_, pages_};
  for (int i = 0; i < 4; ++i) {
    plots_->removeWidget(parts[i]);
    plots_->addWidget(parts[i], i / columns, i % columns);
    plots_->setColumnStretch(i, i < columns ? 1 : 0);
    plots_->setRowStretch(i, i < 4 / columns ? 1 : 0);
    plots_->setRowMinimumHeight(i, i < 4 / columns && columns == 1 ? least_height : 0);
  }
}

void MatrixExplorer::connectPlots() {
  connect(sparsity_, &ImagePlot::clicked, this, [this](QPointF at) {
    setRay({ray_.view, nearestIndex(at.y(), cell_->maximum() + 1), ray_.row});
  });
  connect(curve_, &ImagePlot::clicked, this, [this](QPointF at) {
    setRay({nearestIndex(at.y(), view_->maximum() + 1), nearestIndex(at.x(), cell_->maximum() + 1),
            ray_.row});
  });
  connect(footprint_, &ImagePlot::clicked, this, [this](QPointF at) {
    if (const auto voxel = voxelAt(at)) setVoxel(*voxel);
  });
  connect(sparsity_, &ImagePlot::dotsChanged, this, &MatrixExplorer::askView);
  connect(footprint_, &ImagePlot::dotsChanged, this, &MatrixExplorer::drawFootprint);
  connect(curve_, &ImagePlot::dotsChanged, this, &MatrixExplorer::drawCurve);
  connect(sparsity_, &ImagePlot::hovered, this, &MatrixExplorer::showViewReadout);
  connect(footprint_, &ImagePlot::hovered, this, &MatrixExplorer::showFootprintReadout);
  connect(curve_, &ImagePlot::hovered, this, &MatrixExplorer::showCurveReadout);
  for (const ImagePlot* plot : {sparsity_, footprint_, curve_})
    connect(plot, &ImagePlot::left, readout_, &QLabel::clear);
}

void MatrixExplorer::connectProbe() {
  connect(probe_, &MatrixProbe::viewReady, this, &MatrixExplorer::drawView);
  connect(probe_, &MatrixProbe::rayReady, this, &MatrixExplorer::drawFootprint);
  connect(probe_, &MatrixProbe::rayReady, this, &MatrixExplorer::drawCurve);
  connect(probe_, &MatrixProbe::voxelReady, this, &MatrixExplorer::drawCurve);
  connect(probe_, &MatrixProbe::overviewReady, this, [this] {
    drawProfile();
    drawHistogram();
    drawMemory();
  });
  connect(blocks_, &MatrixBlocksPage::wanted, this, &MatrixExplorer::askBlocks);
  connect(probe_, &MatrixProbe::blocksReady, this, &MatrixExplorer::drawBlocks);
  connect(probe_, &MatrixProbe::blocksFailed, blocks_, &MatrixBlocksPage::showNothing);
  connect(probe_, &MatrixProbe::failed, this, [this](const QString& message) {
    for (ImagePlot* plot : {sparsity_, footprint_, curve_}) plot->setHint(message);
    for (ChartView* chart : {profile_, histogram_})
      chart->edit([&](ChartScene& scene) { scene.setHint(message.toStdString()); });
    memory_->showNothing(message);
  });
}

void MatrixExplorer::setRun(int id) {
  id_ = id;
  adopt();
}

/// Returns the selected run's projector and format for the data as they were last prepared; none
/// without a run or data.
std::optional<MatrixSource> MatrixExplorer::wanted() const {
  const auto prepared = controller_.data();
  const RunSpec* run = model_.run(id_);
  if (prepared == nullptr || run == nullptr) return std::nullopt;
  try {
    return MatrixSource{prepared->geometry,
                        prepared->grid,
                        run->projector,
                        run->format,
                        backends_.resolved_key(run->backend),
                        run->projector_params,
                        run->format_params};
  } catch (const Error&) {  // the experiment names a backend that this computer lacks
    return MatrixSource{prepared->geometry, prepared->grid,        run->projector,    run->format,
                        run->backend,       run->projector_params, run->format_params};
  }
}

void MatrixExplorer::adopt() {
  if (!isVisible()) return;
  if (const RunSpec* run = model_.run(id_))
    whose_->setText(tr("%1 of %2")
                        .arg(QString::fromStdString(catalog_.projectors.at(run->projector).label),
                             QString::fromStdString(run_label(*run, catalog_))));
  const auto before = probe_->source();
  if (!probe_->setSource(wanted())) return drawBuilt();
  const auto& source = probe_->source();
  for (ImagePlot* plot : {sparsity_, footprint_, curve_})
    plot->setHint(source ? tr("Looking")
                         : tr("No run is selected, or its data are still being prepared"));
  if (!source) return drawAll();
  blocks_->adopt(source->format_params);
  setRanges();
  if (!before || !(before->grid == source->grid) ||
      before->geometry->rays() != source->geometry->rays())
    chooseFirstRayAndVoxel();
  setAxes();
  ask();
  drawAll();
}

/// Chooses a first ray and voxel away from the centre, where a ray differs from its copies and a
/// voxel from its mirror image.
void MatrixExplorer::chooseFirstRayAndVoxel() {
  const MatrixSource& source = *probe_->source();
  ray_ = {0, 2 * source.geometry->columns() / 5, source.geometry->rows() / 2};
  voxel_ = {3 * source.grid.nx / 5, 2 * source.grid.ny / 3, source.grid.nz / 2};
  setRanges();
}

void MatrixExplorer::setRanges() {
  const MatrixSource& source = *probe_->source();
  const QSignalBlocker q1(view_), q2(cell_), q3(row_), q4(slice_);
  view_->setRange(0, source.geometry->views() - 1);
  cell_->setRange(0, source.geometry->columns() - 1);
  row_->setRange(0, source.geometry->rows() - 1);
  slice_->setRange(0, source.grid.nz - 1);
  view_->setValue(ray_.view);
  cell_->setValue(ray_.column);
  row_->setValue(ray_.row);
  slice_->setValue(voxel_.z);
  row_->setVisible(source.geometry->rows() > 1);
  slice_->setVisible(source.grid.nz > 1);
  viewLabel_->setText(viewText(ray_.view));
}

void MatrixExplorer::setRay(RayIndex ray) {
  if (!probe_->source()) return;
  const bool other_view = ray.view != ray_.view || ray.row != ray_.row;
  ray_ = ray;
  setRanges();
  probe_->askRay(ray_);
  if (other_view) {
    askView();
    emit viewChosen(ray_.view);
  }
  drawView();
}

void MatrixExplorer::setVoxel(VoxelIndex voxel) {
  voxel_ = voxel;
  setRanges();
  probe_->askVoxel(voxel_);
  drawFootprint();
}

void MatrixExplorer::setSlice(int slice) {
  if (!probe_->source()) return;
  setVoxel({voxel_.x, voxel_.y, slice});
  askView();
}

void MatrixExplorer::askView() {
  if (probe_->source()) probe_->askView(ray_.view, ray_.row, voxel_.z, sparsity_->dots());
}

/// Requests the blocks only while their page is visible, because counting them is costly.
void MatrixExplorer::askBlocks() {
  if (!blocks_->isVisible() || !probe_->source()) return;
  if (!probe_->blocks()) blocks_->showNothing(tr("Counting"));
  probe_->askBlocks(blocks_->question());
}

void MatrixExplorer::ask() {
  askView();
  askBlocks();
  probe_->askRay(ray_);
  probe_->askVoxel(voxel_);
  probe_->askOverview();
}

void MatrixExplorer::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  adopt();
}

void MatrixExplorer::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

void MatrixExplorer::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) drawAll();
}

}  // namespace gantry
