#include "gui/data/lessons.hpp"

#include "gui/widgets/icons.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace gantry {

namespace {

RunSpec run(const char* solver, int colour, int iterations, Params params = {}) {
  RunSpec spec;
  spec.solver = solver;
  spec.colour = colour;
  spec.iterations = iterations;
  spec.solver_params = std::move(params);
  return spec;
}

RunSpec with_prior(RunSpec spec, const char* prior, Params params) {
  spec.prior = prior;
  spec.prior_params = std::move(params);
  return spec;
}

/// Filtered backprojection, SART, which ends when it fits the data as well as the noise allows, and
/// two methods that know what images look like: by total variation and by the Mumford-Shah
/// functional, with their weights.
std::vector<RunSpec> low_dose_runs(double tv_weight, double edge_weight, double threshold_hu) {
  RunSpec sart = run("sart", 0, 20);
  sart.discrepancy = 1.02;
  return {run("fbp", 2, 1), sart, with_prior(run("fista", 3, 60), "tv", {{"weight", tv_weight}}),
          with_prior(run("wls_pcg", 4, 60), "mumford_shah",
                     {{"weight", edge_weight}, {"threshold", threshold_hu}})};
}

/// Returns an experiment with a head of 256 x 256 pixels, which is quick enough to watch on any
/// machine.
Experiment small_head(int views) {
  Experiment experiment = ready_experiment();
  experiment.geometry->detector_columns = 256;
  experiment.geometry->column_pitch_mm *= 2;
  experiment.geometry->row_pitch_mm *= 2;
  experiment.geometry->central_column = 127.5;
  experiment.geometry->view_angles_rad = angles_from_degrees(180.0 / views, 360.0 / views, views);
  experiment.grid = VolumeGrid::centered(256, 256, 1, {1, 1, 1});
  experiment.noise.photons_per_ray = 0;
  return experiment;
}

}  // namespace

std::vector<Lesson> lessons() {
  std::vector<Lesson> all;
  const auto add = [&all](const char* title, const QString& text, Experiment experiment) {
    experiment.title = title;
    all.push_back({LessonStrip::tr(title), text, std::move(experiment)});
  };
  Experiment race = small_head(360);
  race.runs = {run("sart", 0, 10, {{"relaxation", 0.2}}), run("sirt", 1, 10)};
  add(QT_TR_NOOP("Watch SART beat SIRT"),
      LessonStrip::tr(
          "Both correct the image by the same formula. SIRT corrects once per pass over "
          "all views, SART after every view: one pass of SART is worth dozens of SIRT's. "
          "Switch the x axis to seconds: is it still ahead?"),
      race);
  Experiment few = small_head(36);
  few.runs = {run("fbp", 2, 1), run("sart", 0, 30), run("cgls", 3, 30)};
  add(QT_TR_NOOP("Fewer views"),
      LessonStrip::tr(
          "Only 36 views. Filtered backprojection draws streaks where data are missing; "
          "the iterative methods spread the lack more kindly. Add views in the step "
          "Scan and run again: where do they meet?"),
      few);
  Experiment noisy = small_head(360);
  noisy.noise.photons_per_ray = 3000;
  noisy.runs = {run("sirt", 1, 180), run("sart", 0, 40, {{"relaxation", 0.03}}),
                run("cgls", 3, 40)};
  add(QT_TR_NOOP("More noise"),
      LessonStrip::tr(
          "3000 photons per ray. The error falls, then rises again: the methods begin to "
          "fit the noise, the faster ones earlier. The residual keeps falling all the "
          "same. Where would you stop?"),
      noisy);
  Experiment sparse = small_head(30);
  sparse.noise.photons_per_ray = 1e5;
  sparse.runs = low_dose_runs(0.015, 300, 50);
  add(QT_TR_NOOP("Sparse views"),
      LessonStrip::tr(
          "30 views. Total variation and Mumford-Shah prefer even regions with edges, and "
          "come closer to the truth than methods without a prior. Choose Edge field over "
          "the picture of WLS-PCG: where does the prior see edges?"),
      sparse);
  Experiment limited = small_head(90);
  limited.geometry->view_angles_rad = angles_from_degrees(0.5, 1, 90);
  limited.noise.photons_per_ray = 1e5;
  limited.runs = low_dose_runs(0.015, 100, 50);
  add(QT_TR_NOOP("Limited angle"),
      LessonStrip::tr(
          "A quarter of a turn. Edges along the missing directions were not measured: no "
          "prior brings them back. Make the step of the angles larger under "
          "Scan, and see the error of all methods fall."),
      limited);
  Experiment starved = small_head(180);
  starved.noise.photons_per_ray = 300;
  starved.runs = low_dose_runs(0.2, 1000, 100);
  starved.runs.back().weights = RayWeights::statistical;
  add(QT_TR_NOOP("Few photons"),
      LessonStrip::tr(
          "300 photons per ray. SART ends at the noise: further iterations would fit it. The "
          "priors remove the noise, and keep the edges that stand out of it. Halve their weights, "
          "double them: which details go first?"),
      starved);
  return all;
}

LessonStrip::LessonStrip(QWidget* parent)
    : QFrame(parent), formula_(new QLabel(this)), text_(new QLabel(this)) {
  auto* close = new QToolButton(this);
  close->setIcon(lineIcon(QStringLiteral("close")));
  close->setAutoRaise(true);
  close->setToolTip(tr("Hides this text; the menu Lessons brings it back"));
  close->setAccessibleName(tr("Close"));
  connect(close, &QToolButton::clicked, this, &QWidget::hide);
  formula_->setObjectName(QStringLiteral("lessonFormula"));
  text_->setObjectName(QStringLiteral("lessonText"));
  auto* texts = new QVBoxLayout;
  for (QLabel* label : {formula_, text_}) {
    label->setWordWrap(true);
    label->hide();
    texts->addWidget(label);
  }
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(10, 4, 4, 4);
  row->addLayout(texts, 1);
  row->addWidget(close, 0, Qt::AlignTop);
  hide();
}

void LessonStrip::showText(const QString& text) { show(text_, text); }
QString LessonStrip::text() const { return text_->text(); }
void LessonStrip::showFormula(const QString& formula) { show(formula_, formula); }

void LessonStrip::show(QLabel* label, const QString& text) {
  label->setText(text);
  label->setVisible(!text.isEmpty());
  setVisible(!text_->text().isEmpty() || !formula_->text().isEmpty());
}

}  // namespace gantry
