// The panels of the window. A new panel takes a file with its widget, a line of Panels::list() with
// a maker, and a line in gui/CMakeLists.txt.
#include "gui/data/correction_panel.hpp"
#include "gui/data/file_actions.hpp"
#include "gui/data/import_panel.hpp"
#include "gui/data/results_panel.hpp"
#include "gui/data/shown_description.hpp"
#include "gui/data/source_panel.hpp"
#include "gui/help/formula_panel.hpp"
#include "gui/help/notes_panel.hpp"
#include "gui/matrix/matrix_explorer.hpp"
#include "gui/models/selection.hpp"
#include "gui/panels/panel.hpp"
#include "gui/runs/plan_panel.hpp"
#include "gui/runs/run_editor.hpp"
#include "gui/runs/runs_panel.hpp"
#include "gui/scan/axis_finder.hpp"
#include "gui/scan/geometry_panel.hpp"
#include "gui/stage/measure_panel.hpp"
#include "gui/track/convergence_panel.hpp"
#include "gui/track/profile_panel.hpp"
#include "gui/track/sinogram_panel.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/views/geometry_view.hpp"
#include "gui/views/key_list.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/widgets/banners.hpp"
#include "gui/widgets/length_units.hpp"
#include "gui/widgets/scrolled_panel.hpp"

#include <QCoreApplication>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>

namespace gantry {

namespace {

struct Panels {
  Q_DECLARE_TR_FUNCTIONS(Panels)
 public:
  static Panel data(const PanelContext& context);
  static Panel scan(const PanelContext& context);
  static Panel runs(const PanelContext& context);
  static Panel results(const PanelContext& context);
  static Panel convergence(const PanelContext& context);
  static Panel profile(const PanelContext& context);
  static Panel measure(const PanelContext& context);
  static Panel histogram(const PanelContext& context);
  static Panel notes(const PanelContext& context);
  static Panel formula(const PanelContext& context);
  static Panel plan(const PanelContext& context);
  static Panel sinogram(const PanelContext& context);
  static Panel matrix(const PanelContext& context);
  static std::vector<PanelSpec> list();
};

/// Returns forms one below the other, which scroll where the window is too low.
QWidget* column(std::initializer_list<QWidget*> forms) {
  auto* all = new QWidget;
  auto* layout = new QVBoxLayout(all);
  layout->setContentsMargins(4, 4, 4, 4);
  for (QWidget* form : forms) layout->addWidget(form);
  layout->addStretch(1);
  return new ScrolledPanel(all);
}

/// Returns a panel whose figure is one of its views, or its chart.
template <class Widget, class View>
Panel with_figure(Widget* panel, View& view) {
  return {panel, [panel, &view] {
            return PanelFigure{view.grabImage(figureScale), panel->caption(),
                               view.drawing(figureScale)};
          }};
}

/// Lets a panel show whichever run is selected.
template <class Widget>
void follow_selection(Widget* panel, const Selection& selection) {
  QObject::connect(&selection, &Selection::runSelected, panel, &Widget::setRun);
}

Panel Panels::data(const PanelContext& context) {
  auto* source = new SourcePanel(context.catalog, context.model);
  FileActions* files = &context.files;
  QObject::connect(source, &SourcePanel::openScanRequested, files, &FileActions::chooseScan);
  QObject::connect(source, &SourcePanel::openVolumeRequested, files, &FileActions::chooseVolume);
  QObject::connect(source, &SourcePanel::sweepWanted, &context.selection, &Selection::askForSweep);
  QObject::connect(&context.controller, &RunController::dataChanged, source,
                   [&controller = context.controller, source] {
                     const auto now = controller.data();
                     source->setSliceCount(now->source_slices);
                     source->setStated(now->volume != nullptr && now->volume->study != nullptr,
                                       now->stated_mu_water, now->lengths_are_known);
                   });
  QObject::connect(files, &FileActions::openingChanged, source, &SourcePanel::setOpening);
  auto* imported = new ImportPanel(context.model);
  const auto prepare = [&controller = context.controller] {
    if (!controller.dataAreCurrent()) controller.prepareData();
  };
  QObject::connect(imported, &ImportPanel::importWanted, &context.controller, prepare);
  QObject::connect(imported, &ImportPanel::remark, files, &FileActions::remark);
  QObject::connect(&context.controller, &RunController::dataChanged, imported,
                   [&controller = context.controller, imported] {
                     imported->setImported(controller.data()->measured_geometry(),
                                           controller.data()->assumptions);
                   });
  auto* corrections = new CorrectionPanel(context.catalog, context.model);
  QObject::connect(corrections, &CorrectionPanel::correctionsChanged, &context.controller, prepare);
  QObject::connect(corrections, &CorrectionPanel::sweepWanted, &context.selection,
                   &Selection::askForSweep);
  const auto summary = [&controller = context.controller, &catalog = context.catalog] {
    const auto now = controller.data();
    return now != nullptr ? shown_description(*now, catalog) : tr("nothing opened yet");
  };
  return {column({source, imported, corrections}), {}, summary};
}

Panel Panels::scan(const PanelContext& context) {
  auto* sketch = new GeometryView;
  auto* geometry = new GeometryPanel(context.model);
  sketch->setFixedHeight(170);
  sketch->setToolTip(
      tr("Drag to rotate, Ctrl and the wheel to zoom, double click to see everything.\n"
         "S source, D detector with its columns u and rows v, t the path of the source"));
  auto* axis = new AxisFinder(context.model, context.controller);
  QWidget* panel = column({sketch, geometry, axis});
  QObject::connect(axis, &AxisFinder::found, geometry, &GeometryPanel::setCentralColumn);
  QObject::connect(geometry, &GeometryPanel::shown, sketch, &GeometryView::setGeometry);
  QObject::connect(geometry, &GeometryPanel::sweepWanted, &context.selection,
                   &Selection::askForSweep);
  QObject::connect(&context.selection, &Selection::viewPointedAt, sketch, &GeometryView::setView);
  const auto say = [&banners = context.banners](const QString& message) {
    const QString subject = tr("Geometry");
    if (message.isEmpty()) return banners.clear(subject);
    banners.show(subject, Banners::Kind::error, message);
  };
  QObject::connect(geometry, &GeometryPanel::problem, &context.banners, say);
  QObject::connect(&context.controller, &RunController::dataChanged, panel,
                   [&controller = context.controller, geometry] {
                     const auto now = controller.data();
                     geometry->setPrepared(now->rebinned_from ? now->rebinned_from : now->geometry,
                                           now->grid, now->lengths_are_known);
                   });
  const auto summary = [&controller = context.controller] {
    const auto now = controller.data();
    return now == nullptr
               ? QString()
               : QString::fromStdString(describe(*now->geometry, now->lengths_are_known) + ", " +
                                        describe(now->grid, now->lengths_are_known));
  };
  return {panel, {}, summary};
}

Panel Panels::results(const PanelContext& context) {
  const auto summary = [&controller = context.controller, &model = context.model] {
    const auto done = std::ranges::count_if(
        model.runIds(), [&](int id) { return controller.status(id).hasResults(); });
    return done == 0   ? tr("no result yet")
           : done == 1 ? tr("1 result")
                       : tr("%1 results").arg(done);
  };
  return {column({new ResultsPanel(context.files)}), {}, summary};
}

Panel Panels::runs(const PanelContext& context) {
  auto* runs = new RunsPanel(context.catalog, context.model, context.controller);
  auto* editor =
      new RunEditor(context.catalog, context.backends, context.model, context.controller);
  QObject::connect(runs, &RunsPanel::selectionChanged, &context.selection, &Selection::selectRun);
  QObject::connect(editor, &RunEditor::added, runs, &RunsPanel::selectRun);
  QObject::connect(editor, &RunEditor::sweepWanted, &context.selection, &Selection::askForSweep);
  follow_selection(editor, context.selection);
  const auto summary = [&controller = context.controller, &model = context.model] {
    const auto active = std::ranges::count_if(
        model.runIds(), [&](int id) { return controller.status(id).isActive(); });
    const auto done = std::ranges::count_if(
        model.runIds(), [&](int id) { return controller.status(id).hasEstimate(); });
    const auto all = static_cast<qsizetype>(model.runIds().size());
    return active > 0 ? tr("%1 of %2 computing").arg(active).arg(all)
           : done > 0 ? tr("%1 of %2 have computed").arg(done).arg(all)
                      : tr("%1, none started").arg(all);
  };
  return {column({runs, editor}), {}, summary};
}

Panel Panels::convergence(const PanelContext& context) {
  auto* panel = new ConvergencePanel(context.catalog, context.model, context.controller,
                                     context.playhead, context.selection);
  return with_figure(panel, panel->chart());
}

Panel Panels::profile(const PanelContext& context) {
  auto* panel = new ProfilePanel(context.board, context.state);
  return with_figure(panel, panel->chart());
}

Panel Panels::measure(const PanelContext& context) {
  return {new MeasurePanel(context.catalog, context.model, context.controller, context.state,
                           context.board)};
}

Panel Panels::histogram(const PanelContext& context) {
  auto* panel = new HistogramPanel(context.board, context.state);
  return with_figure(panel, panel->chart());
}

Panel Panels::notes(const PanelContext& context) {
  auto* panel = new NotesPanel(context.catalog, context.model, context.controller);
  QObject::connect(&context.banners, &Banners::movedOut, panel, &NotesPanel::addMessage);
  return {panel};
}

Panel Panels::formula(const PanelContext& context) {
  auto* panel = new FormulaPanel(context.catalog, context.model, context.controller);
  follow_selection(panel, context.selection);
  return {panel};
}

Panel Panels::plan(const PanelContext& context) {
  auto* panel = new PlanPanel(context.model, context.controller);
  follow_selection(panel, context.selection);
  return {panel};
}

Panel Panels::sinogram(const PanelContext& context) {
  auto* panel = new SinogramPanel(context.catalog, context.model, context.controller);
  follow_selection(panel, context.selection);
  QObject::connect(
      panel, &SinogramPanel::viewHovered, &context.selection,
      [&selection = context.selection](int view) { selection.pointAtView(std::max(0, view)); });
  return with_figure(panel, panel->view());
}

Panel Panels::matrix(const PanelContext& context) {
  auto* panel =
      new MatrixExplorer(context.catalog, context.backends, context.model, context.controller);
  follow_selection(panel, context.selection);
  QObject::connect(panel, &MatrixExplorer::viewChosen, &context.selection, &Selection::pointAtView);
  return {panel};
}

// clang-format off
std::vector<PanelSpec> Panels::list() {
  constexpr auto curves = WindowLayout::compare | WindowLayout::single | WindowLayout::space, forms = curves | WindowLayout::sweep | WindowLayout::data, always = curves | WindowLayout::present;
  using enum PanelPlace;
  return {
    {.key = QStringLiteral("data"), .title = tr("Data"), .place = step, .layouts = forms, .icon = QStringLiteral("data"), .tour = tr("Where the data come from: a phantom with exact line integrals, a volume or DICOM series to simulate from, or a measured scan, and the noise. Every edit can be undone; what opens another experiment asks about unsaved work."), .make = data},
    {.key = QStringLiteral("scan"), .title = tr("Scan"), .place = step, .layouts = forms, .icon = QStringLiteral("scan"), .tour = tr("Source, detector, volume and field of view, with every sign as an arrow: the gantry angle, columns u, rows v. Drag to rotate. Below it geometry and grid."), .make = scan},
    {.key = QStringLiteral("runs"), .title = tr("Runs"), .place = step, .layouts = forms, .icon = QStringLiteral("runs"), .tour = tr("Each run is a solver with a projector, a device and parameters. Add or duplicate one, change a setting, compare. Editing never starts a run by itself."), .make = runs},
    {.key = QStringLiteral("results"), .title = tr("Results"), .place = step, .layouts = forms, .icon = QStringLiteral("save"), .tour = tr("Save everything that is open as a session; or the volume of the selected run, the curves of all, the scan, or the experiment, which gantry-cli run computes again."), .make = results},
    {.key = QStringLiteral("convergence"), .title = tr("Curves"), .place = track, .layouts = always, .tour = tr("RMSE, SSIM, PSNR, residual and more of all runs, over iterations, projector applications or seconds."), .make = convergence},
    {.key = QStringLiteral("profile"), .title = tr("Profile"), .place = track, .layouts = always, .tour = tr("Press L and drag a line on a slice, in Data or Compare: it appears on all, and the chart shows the preview of the data and every run along it."), .make = profile},
    {.key = QStringLiteral("histogram"), .title = tr("Histogram"), .place = track, .layouts = always, .make = histogram},
    {.key = QStringLiteral("sinogram"), .title = tr("Sinogram"), .place = track, .layouts = always, .tour = tr("The data, what the estimate would have measured, and what is left between them. Hovering rotates the sketch to that view."), .make = sinogram},
    {.key = QStringLiteral("measure"), .title = tr("Measure"), .icon = QStringLiteral("measure"), .help = tr("Regions, contrast to noise, and the width of edges"), .tour = tr("Draw a region and a background for the contrast-to-noise ratio, or take the profile line across an edge for its width. Neither needs a truth."), .make = measure},
    {.key = QStringLiteral("formula"), .title = tr("Formula"), .icon = QStringLiteral("formula"), .help = tr("The method of the selected run: what it computes, its symbols, its present values"), .make = formula},
    {.key = QStringLiteral("matrix"), .title = tr("Matrix"), .icon = QStringLiteral("matrix"), .command = tr("Matrix of the selected run"), .shortcut = keys_of("matrix").value(0), .help = tr("The system matrix: its pattern, a ray's row, a voxel's column, and the memory that each format takes"), .make = matrix},
    {.key = QStringLiteral("plan"), .title = tr("Plan"), .icon = QStringLiteral("plan"), .help = tr("What the selected run needs: device, memory by name, seconds"), .make = plan},
    {.key = QStringLiteral("notes"), .title = tr("Notes"), .icon = QStringLiteral("notes"), .help = tr("Your notes, and what the program noticed about the data and the runs"), .make = notes},
  };
}
// clang-format on

}  // namespace

const std::vector<PanelSpec>& panel_list() {
  static const std::vector<PanelSpec> list = Panels::list();
  return list;
}

}  // namespace gantry
