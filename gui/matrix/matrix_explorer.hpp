#pragma once

#include "core/backend/backend_list.hpp"
#include "gui/worker/matrix_probe.hpp"
#include "gui/worker/run_controller.hpp"

#include <QWidget>

class QCheckBox;
class QGridLayout;
class QLabel;
class QSlider;
class QSpinBox;
class QTabWidget;

namespace gantry {

class ChartView;
class ImagePlot;
class MatrixBlocksPage;
class MatrixMemory;

/// Shows the system matrix of the selected run before any of it is stored: the sparsity pattern of
/// a view; a matrix row (ray) as its footprint on the image, with its symmetric copies; a matrix
/// column (voxel) as its curve in the sinogram; the lengths of the matrix rows; and the memory that
/// the matrix would take in each format.
class MatrixExplorer : public QWidget {
  Q_OBJECT
 public:
  MatrixExplorer(const Catalog& catalog, const BackendList& backends, ExperimentModel& model,
                 RunController& controller, QWidget* parent = nullptr);

  void setRun(int id);
  const MatrixProbe& probe() const { return *probe_; }
  RayIndex ray() const { return ray_; }
  VoxelIndex voxel() const { return voxel_; }

 signals:
  /// Emitted when another view is chosen, so that the sketch of the scan shows that view.
  void viewChosen(int view);

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void addControls(QLayout* row);
  QSpinBox* addNumber(QLayout* row, const QString& name, const QString& label, const QString& help);
  void makePlots();
  void connectPlots();
  void connectProbe();
  void arrange();
  void adopt();
  std::optional<MatrixSource> wanted() const;
  void chooseFirstRayAndVoxel();
  void setRanges();
  void setRay(RayIndex ray);
  void setVoxel(VoxelIndex voxel);
  void setSlice(int slice);
  void ask();
  void askView();
  void askBlocks();
  void drawAll();
  void drawView();
  void drawFootprint();
  void drawCurve();
  void drawProfile();
  void drawHistogram();
  void drawBlocks();
  void drawMemory();
  void drawBuilt();
  void setAxes();
  std::vector<RayCopy> shownRays() const;
  bool isUp() const;
  void showViewReadout(QPointF at);
  void showFootprintReadout(QPointF at);
  void showCurveReadout(QPointF at);
  std::optional<VoxelIndex> voxelAt(QPointF mm) const;
  QString viewText(int view) const;
  QString rayText(RayIndex ray) const;

  const Catalog& catalog_;
  const BackendList& backends_;
  ExperimentModel& model_;
  RunController& controller_;
  MatrixProbe* probe_;
  int id_ = -1;
  RayIndex ray_;
  VoxelIndex voxel_;
  int columns_ = 0;  // of the grid of plots
  QLabel* whose_;
  QSlider* view_;
  QLabel* viewLabel_;
  QSpinBox* cell_;
  QSpinBox* row_;
  QSpinBox* slice_;
  QCheckBox* copies_;
  QGridLayout* plots_;
  ImagePlot* sparsity_;
  ImagePlot* footprint_;
  ImagePlot* curve_;
  QTabWidget* pages_;
  ChartView* profile_;
  ChartView* histogram_;
  MatrixBlocksPage* blocks_;
  MatrixMemory* memory_;
  QLabel* readout_;
};

}  // namespace gantry
