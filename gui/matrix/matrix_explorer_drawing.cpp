// MatrixExplorer: draws the answers of the probe and describes the point under the mouse.
#include "core/base/error.hpp"
#include "gui/matrix/matrix_blocks.hpp"
#include "gui/matrix/matrix_explorer.hpp"
#include "gui/matrix/matrix_memory.hpp"
#include "gui/matrix/matrix_pictures.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/widgets/image_plot.hpp"
#include "gui/widgets/palette.hpp"

#include <QCheckBox>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>

#include <algorithm>

namespace gantry {

namespace {}  // namespace

bool MatrixExplorer::isUp() const {
  return controller_.data() == nullptr || !controller_.data()->radiological;
}

void MatrixExplorer::setAxes() {
  const MatrixSource& source = *probe_->source();
  const ScanGeometry& scan = *source.geometry;
  const VolumeGrid& grid = source.grid;
  sparsity_->setAxes(indexAxis(tr("pixel"), grid.nx * grid.ny),
                     indexAxis(tr("detector cell"), scan.columns()));
  const Vec3 low = grid.lower_corner_mm(), high = grid.upper_corner_mm();
  footprint_->setAxes({tr("x, mm"), low.x, high.x}, isUp() ? PlotAxis{tr("y, mm"), high.y, low.y}
                                                           : PlotAxis{tr("y, mm"), low.y, high.y});
  curve_->setAxes(indexAxis(tr("detector cell"), scan.columns()),
                  indexAxis(tr("view"), scan.views()));
}

void MatrixExplorer::drawAll() {
  drawView();
  drawFootprint();
  drawCurve();
  drawProfile();
  drawHistogram();
  drawBlocks();
  drawMemory();
}

void MatrixExplorer::drawView() {
  const auto& view = probe_->view();
  sparsity_->setImage(view ? sparsity_picture(*view, palette()) : QImage());
  sparsity_->setTitle(tr("Nonzeros of view %1").arg(view ? view->view : ray_.view));
  sparsity_->setMarks(
      {{PlotMark::Kind::line_across, QPointF(0, ray_.column), ray_colour(0, palette())}});
  drawProfile();
}

std::vector<RayCopy> MatrixExplorer::shownRays() const {
  std::vector<RayCopy> rays = probe_->rays();
  if (!copies_->isChecked() && rays.size() > 1) rays.erase(rays.begin() + 1, rays.end());
  return rays;
}

void MatrixExplorer::drawFootprint() {
  const auto& source = probe_->source();
  const std::vector<RayCopy> rays = shownRays();
  if (!source || rays.empty()) {
    footprint_->setImage({});
    return footprint_->setMarks({});
  }
  const auto reference = controller_.reference();
  SliceImage behind;
  if (reference != nullptr && reference->grid == source->grid)
    behind = extract_slice(reference->grid, reference->mu(), Axis::axial, voxel_.z);
  footprint_->setImage(footprint_picture(
      rays, source->grid, {voxel_.z, isUp(), footprint_->dots(), &behind}, palette()));
  footprint_->setTitle(tr("Row of cell %1: %2 nonzeros, %n copies", nullptr,
                          static_cast<int>(probe_->rays().size()) - 1)
                           .arg(rays.front().ray.column)
                           .arg(rays.front().row.size()));
  const Vec3 at = source->grid.voxel_center_mm(voxel_.x, voxel_.y, voxel_.z);
  footprint_->setMarks({{PlotMark::Kind::point, QPointF(at.x, at.y), voxel_colour(palette())}});
}

void MatrixExplorer::drawCurve() {
  const auto& source = probe_->source();
  const auto& column = probe_->column();
  if (!source || !column) return curve_->setImage({});
  const ScanGeometry& scan = *source->geometry;
  curve_->setImage(
      column_picture(*column, {scan.columns(), scan.views()}, curve_->dots(), palette()));
  curve_->setTitle(
      tr("Column of voxel (%1, %2): %3 nonzeros").arg(voxel_.x).arg(voxel_.y).arg(column->size()));
  std::vector<PlotMark> marks;
  for (const RayCopy& ray : shownRays())
    marks.push_back({PlotMark::Kind::point, QPointF(ray.ray.column, ray.ray.view),
                     ray_colour(marks.size(), palette())});
  curve_->setMarks(std::move(marks));
}

/// Draws the lengths of matrix rows over the rays of a view, as in Fig. 6 of the cuART paper.
void MatrixExplorer::drawProfile() {
  profile_->edit([this](ChartScene& chart) {
    chart.clear();
    const auto add = [&chart](const std::string& label, Rgb colour, double width_px,
                              const std::vector<std::uint32_t>& lengths) {
      std::vector<double> cells, values(lengths.begin(), lengths.end());
      for (std::size_t i = 0; i < lengths.size(); ++i) cells.push_back(static_cast<double>(i));
      chart.setSeries(label, {label, colour, LineStyle::solid, width_px, false});
      chart.setData(label, std::move(cells), std::move(values));
    };
    if (probe_->overview())
      for (std::size_t i = 0; i < probe_->overview()->profiles.size(); ++i) {
        const auto& [view, lengths] = probe_->overview()->profiles[i];
        if (!probe_->view() || view != probe_->view()->view)
          add(tr("view %1").arg(view).toStdString(), rgbOf(ray_colour(i + 1, palette())), 1,
              lengths);
      }
    if (probe_->view())
      add(tr("view %1, shown").arg(probe_->view()->view).toStdString(),
          rgbOf(ray_colour(0, palette())), 2.5, probe_->view()->row_nonzeros);
  });
}

void MatrixExplorer::drawHistogram() {
  histogram_->edit([this](ChartScene& chart) {
    if (!probe_->overview()) return chart.setHistogram(std::nullopt);
    const RowLengths& lengths = probe_->overview()->lengths;
    Histogram histogram;
    histogram.colour = rgbOf(ray_colour(0, palette()));
    for (std::size_t i = 0; i <= lengths.histogram.size(); ++i)
      histogram.edges.push_back(static_cast<double>(i * lengths.bin_width) - 0.5);
    histogram.counts.assign(lengths.histogram.begin(), lengths.histogram.end());
    const bool all = lengths.sampled == lengths.rays;
    chart.setAxisTitles({tr("nonzeros of a row (mean %1, longest %2)")
                             .arg(lengths.mean, 0, 'f', 1)
                             .arg(lengths.longest)
                             .toStdString(),
                         {}},
                        {(all ? tr("rays, of %1").arg(lengths.rays)
                              : tr("rays, of a sample of %1").arg(lengths.sampled))
                             .toStdString(),
                         {}});
    chart.setHistogram(histogram);
  });
}

void MatrixExplorer::drawBlocks() {
  if (probe_->blocks()) blocks_->showBlocks(*probe_->blocks());
}

void MatrixExplorer::drawMemory() {
  const auto& source = probe_->source();
  if (!source) return memory_->showNothing(tr("No run is selected"));
  drawBuilt();
  if (!probe_->overview()) return memory_->showNothing(tr("Estimating"));
  try {
    const Backend& backend = backends_.resolve(source->backend_key);
    memory_->showOverview(*probe_->overview(), QString::fromStdString(backend.name()),
                          backend.free_bytes(), source->format);
  } catch (const Error& error) {
    memory_->showNothing(QString::fromUtf8(error.what()));
  }
}

void MatrixExplorer::drawBuilt() {
  const RunSpec* run = model_.run(id_);
  const auto snapshot = controller_.status(id_).snapshot;
  if (run == nullptr || snapshot == nullptr || !controller_.isCurrent(id_))
    return memory_->showBuilt({}, std::nullopt);
  memory_->showBuilt(QString::fromStdString(run_label(*run, catalog_)), snapshot->matrix);
}

QString MatrixExplorer::viewText(int view) const {
  const double angle = degrees(probe_->source()->geometry->angle_rad(view));
  return tr("view %1, %2°").arg(view).arg(angle, 0, 'f', 1);
}

QString MatrixExplorer::rayText(RayIndex ray) const {
  const QString text = tr("%1, cell %2").arg(viewText(ray.view)).arg(ray.column);
  return probe_->source()->geometry->rows() > 1 ? tr("%1, row %2").arg(text).arg(ray.row) : text;
}

std::optional<VoxelIndex> MatrixExplorer::voxelAt(QPointF mm) const {
  if (!probe_->source()) return std::nullopt;
  const VolumeGrid& grid = probe_->source()->grid;
  return VoxelIndex{nearestIndex((mm.x() - grid.origin_mm.x) / grid.spacing_mm.x, grid.nx),
                    nearestIndex((mm.y() - grid.origin_mm.y) / grid.spacing_mm.y, grid.ny),
                    voxel_.z};
}

void MatrixExplorer::showViewReadout(QPointF at) {
  const auto& view = probe_->view();
  if (!view) return;
  const int nx = probe_->source()->grid.nx, cell = nearestIndex(at.y(), cell_->maximum() + 1),
            pixel = nearestIndex(at.x(), nx * probe_->source()->grid.ny);
  readout_->setText(tr("%1: %2 nonzeros; pixel %3 (column %4, row %5)")
                        .arg(rayText({view->view, cell, ray_.row}))
                        .arg(view->row_nonzeros[static_cast<std::size_t>(cell)])
                        .arg(pixel)
                        .arg(pixel % nx)
                        .arg(pixel / nx));
}

void MatrixExplorer::showFootprintReadout(QPointF at) {
  const auto voxel = voxelAt(at);
  if (!voxel) return;
  QString text = tr("x %1 y %2 mm, voxel (%3, %4)")
                     .arg(at.x(), 0, 'f', 1)
                     .arg(at.y(), 0, 'f', 1)
                     .arg(voxel->x)
                     .arg(voxel->y);
  const std::size_t j = probe_->source()->grid.index(voxel->x, voxel->y, voxel->z);
  for (const RayCopy& ray : shownRays()) {
    const auto found = std::ranges::find(ray.row.voxel, j);
    if (found == ray.row.voxel.end()) continue;
    text +=
        tr("; %1 of %2")
            .arg(ray.row.weight[static_cast<std::size_t>(found - ray.row.voxel.begin())], 0, 'g', 4)
            .arg(rayText(ray.ray));
    if (!(ray.element == SymmetryElement{}))
      text += tr(" (%1)").arg(QString::fromStdString(describe(ray.element)));
  }
  readout_->setText(text);
}

void MatrixExplorer::showCurveReadout(QPointF at) {
  if (!probe_->column()) return;
  const RayIndex ray{nearestIndex(at.y(), view_->maximum() + 1),
                     nearestIndex(at.x(), cell_->maximum() + 1), ray_.row};
  double weight = 0;
  for (const RayWeight& element : *probe_->column())
    if (element.ray.view == ray.view && element.ray.column == ray.column) weight += element.weight;
  readout_->setText(tr("%1, cell %2: %3")
                        .arg(viewText(ray.view))
                        .arg(ray.column)
                        .arg(weight > 0 ? tr("weight %1").arg(weight, 0, 'g', 4)
                                        : tr("does not meet the voxel")));
}

}  // namespace gantry
