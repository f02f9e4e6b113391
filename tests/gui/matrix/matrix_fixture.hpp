#pragma once

// The matrix explorer on a small scan, and the weights themselves to hold it against.
#include "core/backend/cpu_backend.hpp"
#include "core/operator/row_source.hpp"
#include "gui/matrix/matrix_explorer.hpp"
#include "gui/runs/runs_panel.hpp"
#include "gui/widgets/image_plot.hpp"
#include "tests/gui/window_fixture.hpp"

#include <QAction>

#include <functional>
#include <map>
#include <memory>

namespace gantry::test {

class MatrixFixture : public QObject {
 protected:
  void openWindow(const std::function<void(Program&)>& change = {}) {
    w_ = std::make_unique<WindowFixture>(change);
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
  }
  void closeWindow() {
    A_.reset();
    w_.reset();
  }
  MainWindow& window() { return *w_->window; }
  MatrixExplorer& explorer() { return window().matrix(); }
  template <class Widget>
  Widget& find(const char* name) {
    auto* widget = window().findChild<Widget*>(QString::fromLatin1(name));
    if (widget == nullptr) qFatal("no %s", name);
    return *widget;
  }
  ImagePlot& plot(const char* name) { return find<ImagePlot>(name); }

  void openSmall(const std::function<void(Experiment&)>& change = {}) {
    Experiment experiment = WindowFixture::small();
    for (RunSpec& run : experiment.runs) run.projector = "siddon";
    if (change) change(experiment);
    w_->model().reset(experiment, {});
    QString why;
    const auto listening = connect(&w_->controller(), &RunController::dataFailed, this,
                                   [&](const QString& message) { why = message; });
    w_->controller().prepareData();
    WAIT_FOR(w_->isReady());
    disconnect(listening);
    QVERIFY2(why.isEmpty(), qPrintable(why));
    window().runs().selectRun(w_->run(0));
    w_->waitForEstimates();
  }
  void openExplorer() {
    find<QAction>("openMatrix").trigger();
    QVERIFY(explorer().isVisible());
    settle();
  }
  void settle() {
    WAIT_FOR(!explorer().probe().isBusy());
    QCoreApplication::processEvents();
  }
  /// A row from the projector's definition, by voxel.
  std::map<std::size_t, double> row(int view, int column, int detector_row = 0) {
    const auto data = w_->controller().data();
    if (A_ == nullptr || A_->shared_geometry() != data->geometry || !(A_->grid() == data->grid))
      A_ = w_->program.catalog.projectors.make("siddon", "cpu", backend_, data->geometry,
                                               data->grid, {});
    RowWeights weights;
    A_->row_source()->view_rows(view)->weights(column, detector_row, weights);
    std::map<std::size_t, double> result;
    for (std::size_t k = 0; k < weights.size(); ++k) result[weights.voxel[k]] = weights.weight[k];
    return result;
  }
  bool isBlank(const QColor& colour) { return colour == window().palette().color(QPalette::Base); }

  std::unique_ptr<WindowFixture> w_;
  CpuBackend backend_;
  std::unique_ptr<Projector> A_;  // of the rows below
};

}  // namespace gantry::test
