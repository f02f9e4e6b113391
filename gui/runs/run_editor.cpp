#include "gui/runs/run_editor.hpp"

#include "core/job/run_prior.hpp"
#include "gui/runs/device_choice.hpp"
#include "gui/runs/suitable_text.hpp"
#include "gui/runs/wrapped_label.hpp"
#include "gui/widgets/algorithm_choice.hpp"
#include "gui/widgets/icons.hpp"
#include "gui/widgets/number_box.hpp"
#include "gui/widgets/palette.hpp"

#include <QAction>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

namespace gantry {

namespace {

QString costOfResidual() {
  return RunEditor::tr(
      " Takes one more projection per iteration, unless the method computes the residual itself.");
}

constexpr double smallestFactor = 0.98;  // times the noise: one step below 1, shown as "never"

}  // namespace

RunEditor::RunEditor(const Catalog& catalog, const BackendList& backends, ExperimentModel& model,
                     RunController& controller, QWidget* parent)
    : QWidget(parent),
      catalog_(catalog),
      backends_(backends),
      model_(model),
      controller_(controller) {
  auto* form = new QFormLayout;
  form->setContentsMargins(0, 0, 0, 0);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  addMethod(form);
  QFormLayout* advanced = addAdvanced();
  addIdentity(advanced);
  addStopping(form, advanced);
  formula_ = new QLabel(this);
  formula_->setWordWrap(true);
  formula_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  formula_->setToolTip(tr("What one step does, and where the method was published"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addLayout(form);
  layout->addWidget(advancedSwitch_);
  layout->addWidget(advanced_);
  layout->addWidget(formula_);
  layout->addStretch(1);
  connect(&model_, &ExperimentModel::changed, this, &RunEditor::showRun);
  connect(&controller_, &RunController::stateChanged, this, [this](int id) {
    if (id == id_) showRun();
  });
  connect(&controller_, &RunController::dataChanged, this, &RunEditor::showRun);
  connect(&controller_, &RunController::snapshotReady, this, [this](int id) {
    if (id == id_) showRelaxation();
  });
  addStudies();
  showRun();
}

void RunEditor::addStudies() {
  const QString setting = QStringLiteral("showStudyMethods");
  studies_ = new QAction(tr("Show methods kept for comparison"), this);
  studies_->setObjectName(setting);
  studies_->setCheckable(true);
  studies_->setToolTip(
      tr("Offers also the matrix formats, projectors, solvers and choices of their parameters that "
         "only repeat the comparisons of published studies"));
  connect(studies_, &QAction::toggled, this, [this, setting](bool shows) {
    QSettings().setValue(setting, shows);
    for (AlgorithmChoice* choice : {solver_, prior_, projector_, format_})
      choice->setShowsStudies(shows);
  });
  studies_->setChecked(QSettings().value(setting, false).toBool());
}

/// Adds the part of the form with what few people change, which a switch folds away.
QFormLayout* RunEditor::addAdvanced() {
  const QString setting = QStringLiteral("showAdvanced");
  advanced_ = new QWidget(this);
  auto* form = new QFormLayout(advanced_);
  form->setContentsMargins(0, 0, 0, 0);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  advancedSwitch_ = new QToolButton(this);
  advancedSwitch_->setObjectName(setting);
  advancedSwitch_->setText(tr("Advanced"));
  advancedSwitch_->setToolTip(tr("Name, colour, coarse grids and stopping rules"));
  advancedSwitch_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  advancedSwitch_->setAutoRaise(true);
  advancedSwitch_->setCheckable(true);
  const auto show = [this, setting](bool shows) {
    advanced_->setVisible(shows);
    advancedSwitch_->setIcon(lineIcon(shows ? QStringLiteral("down") : QStringLiteral("right")));
    QSettings().setValue(setting, shows);
  };
  connect(advancedSwitch_, &QToolButton::toggled, this, show);
  const bool shows = QSettings().value(setting, false).toBool();
  advancedSwitch_->setChecked(shows);
  show(shows);
  return form;
}

void RunEditor::addIdentity(QFormLayout* form) {
  name_ = new QLineEdit(this);
  name_->setObjectName(QStringLiteral("runName"));
  name_->setToolTip(
      tr("How the run is called in views, charts and files; empty: made from its solver"));
  colour_ = new QComboBox(this);
  for (int i = 0; i < runColourCount(); ++i) colour_->addItem(runIcon(i), runColourName(i));
  colour_->setToolTip(tr("Colour of its view, curve and profile"));
  form->addRow(tr("Name"), name_);
  form->addRow(tr("Colour"), colour_);
  connect(name_, &QLineEdit::textEdited, this, [this](const QString& text) {
    edit(tr("Rename run"), [&](RunSpec& run) { run.name = text.trimmed().toStdString(); });
  });
  connect(colour_, &QComboBox::activated, this, [this](int index) {
    edit(tr("Change colour"), [&](RunSpec& run) { run.colour = index; });
  });
}

/// Adds the box for one of the run's algorithms. A newly chosen algorithm starts with its default
/// parameters.
AlgorithmChoice* RunEditor::addAlgorithm(const QString& name, std::string RunSpec::*key,
                                         Params RunSpec::*params) {
  auto* choice = new AlgorithmChoice(name, this);
  connect(choice, &AlgorithmChoice::chosen, this,
          [this, name, key, params](const std::string& chosen) {
            edit(tr("Change %1").arg(name), [&](RunSpec& run) {
              run.*key = chosen;
              run.*params = {};
              if (key == &RunSpec::solver) drop_unsuitable_prior(run, catalog_);
            });
          });
  const auto change = [this, params](const QString& parameter, const ParamValue& value) {
    return [this, params, key = parameter.toStdString(), value](RunSpec& run) {
      (run.*params).set(key, value);
      // A prior with parameters of its own is chosen by name: see RunSettings::prior.
      if (params == &RunSpec::prior_params) run.prior = prior_of(run, catalog_);
    };
  };
  connect(choice, &AlgorithmChoice::edited, this,
          [this, change](const QString& parameter, const ParamValue& value) {
            edit(tr("Change %1").arg(parameter), change(parameter, value));
          });
  connect(choice, &AlgorithmChoice::dragged, this,
          [this, change](const QString& parameter, const ParamValue& value) {
            model_.tryOutRun(id_, change(parameter, value));
          });
  connect(choice, &AlgorithmChoice::sweepWanted, this,
          [this, name](const QString& parameter) { emit sweepWanted(name + u':' + parameter); });
  return choice;
}

void RunEditor::addMethod(QFormLayout* form) {
  solver_ = addAlgorithm(QStringLiteral("solver"), &RunSpec::solver, &RunSpec::solver_params);
  solver_->addGroups(catalog_.solvers, [](const auto& entry) {
    const SolverFamilyText family = describe(entry.traits.family);
    return QStringLiteral("%1: %2").arg(QLatin1String(family.label), QLatin1String(family.idea));
  });
  solver_->setOffersTrials(ParameterForm::Sliders::ofNamed);
  prior_ = addAlgorithm(QStringLiteral("prior"), &RunSpec::prior, &RunSpec::prior_params);
  prior_->addAll(catalog_.priors);
  prior_->setOffersTrials(ParameterForm::Sliders::ofNamed);
  projector_ =
      addAlgorithm(QStringLiteral("projector"), &RunSpec::projector, &RunSpec::projector_params);
  projector_->addAll(catalog_.projectors);
  format_ = addAlgorithm(QStringLiteral("matrix"), &RunSpec::format, &RunSpec::format_params);
  format_->addNone(tr("on the fly"),
                   tr("The projector's weights are computed anew for every product"));
  format_->addAll(catalog_.matrix_formats);
  device_ = new DeviceChoice(catalog_, backends_, model_, controller_, this);
  weights_ = new QComboBox(this);
  weights_->setObjectName(QStringLiteral("weights"));
  weights_->addItems({tr("none"), tr("statistical")});
  solver_->addTo(form, tr("Solver"));
  relaxation_ = new WrappedLabel(this);
  relaxation_->setObjectName(QStringLiteral("relaxationRange"));
  relaxation_->setToolTip(
      tr("The relaxation in the scale in which the method was published, and its bound for this "
         "scan"));
  form->addRow(relaxation_);
  prior_->addTo(form, tr("Prior"),
                tr("What the solver prefers among the images that fit the data, and how strongly"));
  projector_->addTo(form, tr("Projector"));
  format_->addTo(form, tr("Matrix"),
                 tr("Whether the weights are computed for every product or stored in memory, and "
                    "in which format. The line below Device says whether they fit."));
  form->addRow(tr("Device"), device_);
  form->addRow(tr("Ray weights"), weights_);
  connect(weights_, &QComboBox::activated, this, [this](int index) {
    edit(tr("Change weights"),
         [index](RunSpec& run) { run.weights = static_cast<RayWeights>(index); });
  });
  connect(device_, &DeviceChoice::chosen, this, [this](const QString& key) {
    edit(tr("Change device"), [&](RunSpec& run) { run.backend = key.toStdString(); });
  });
  connect(device_, &DeviceChoice::added, this, &RunEditor::added);
}

void RunEditor::addStopping(QFormLayout* form, QFormLayout* advanced) {
  iterations_ = new WholeBox(this);
  iterations_->setObjectName(QStringLiteral("iterations"));
  iterations_->setRange(1, 1000000);
  form->addRow(tr("Iterations"), iterations_);
  connect(iterations_, &QSpinBox::valueChanged, this, [this](int value) {
    edit(tr("Change iterations"), [&](RunSpec& run) { run.iterations = value; });
  });
  addCoarseStart(advanced);
  relativeUpdate_ = addRule(advanced, tr("Stop at update"),
                            tr("Ends the run early when an iteration changes the image by less "
                               "than this fraction of its norm"),
                            &RunSpec::relative_update);
  relativeResidual_ = addRule(
      advanced, tr("Stop at residual"),
      tr("Ends the run early when ‖A x − b‖ falls below this fraction of ‖b‖.") + costOfResidual(),
      &RunSpec::relative_residual);
  relativeObjective_ = addRule(
      advanced, tr("Stop at objective"),
      tr("Ends the run early when an iteration changes the objective by less than this fraction of "
         "it; for methods that report one, such as CGLS and ICD"),
      &RunSpec::relative_objective);
  discrepancy_ = addRule(advanced, tr("Stop at noise"), {}, &RunSpec::discrepancy);
  discrepancy_->setObjectName(QStringLiteral("discrepancy"));
  const QSignalBlocker quiet(discrepancy_);
  discrepancy_->setPrefix(QStringLiteral("τ "));
  discrepancy_->setDecimals(2);
  discrepancy_->setRange(smallestFactor, 1000);
  discrepancy_->setSingleStep(0.02);
}

/// Adds the fields of the coarser grids from which the run starts.
void RunEditor::addCoarseStart(QFormLayout* form) {
  auto* row = new QWidget(this);
  auto* boxes = new QHBoxLayout(row);
  boxes->setContentsMargins(0, 0, 0, 0);
  coarseLevels_ = new WholeBox(row);
  coarseLevels_->setObjectName(QStringLiteral("coarseLevels"));
  coarseLevels_->setRange(0, most_coarse_levels);
  coarseLevels_->setSpecialValueText(tr("none"));
  coarseLevels_->setToolTip(
      tr("The run starts from the result of the same method on voxels of twice the size; that one "
         "from voxels of four times the size, and so on: so many times"));
  coarseIterations_ = new WholeBox(row);
  coarseIterations_->setObjectName(QStringLiteral("coarseIterations"));
  coarseIterations_->setRange(1, 1000000);
  coarseIterations_->setToolTip(tr("Iterations on each of the coarser grids"));
  for (QSpinBox* box : {coarseLevels_, coarseIterations_}) {
    box->setMinimumWidth(50);  // two boxes beside each other must not widen the panel
    boxes->addWidget(box, 1);
  }
  form->addRow(tr("Coarse grids"), row);
  connect(coarseLevels_, &QSpinBox::valueChanged, this, [this](int value) {
    edit(tr("Change coarse grids"), [&](RunSpec& run) { run.coarse_levels = value; });
    coarseIterations_->setVisible(value > 0);
  });
  connect(coarseIterations_, &QSpinBox::valueChanged, this, [this](int value) {
    edit(tr("Change iterations on coarse grids"),
         [&](RunSpec& run) { run.coarse_iterations = value; });
  });
}

/// Adds the field for a stopping rule of the run; the smallest value means never.
QDoubleSpinBox* RunEditor::addRule(QFormLayout* form, const QString& label, const QString& help,
                                   double RunSpec::*rule) {
  auto* box = new NumberBox(this);
  box->setDecimals(6);
  box->setRange(0, 1);
  box->setSingleStep(0.0001);
  box->setSpecialValueText(tr("never"));
  box->setToolTip(help);
  form->addRow(label, box);
  connect(box, &QDoubleSpinBox::valueChanged, this, [this, box, rule](double value) {
    edit(tr("Change stopping rule"),
         [&](RunSpec& run) { run.*rule = value > box->minimum() ? value : 0; });
  });
  return box;
}

void RunEditor::setRun(int id) {
  if (id == id_) return;
  id_ = id;
  showRun();
}

QAction* RunEditor::compareAction() const { return device_->compareAction(); }

void RunEditor::edit(const QString& name, const std::function<void(RunSpec&)>& change) {
  model_.editRun(id_, name, change);
}

void RunEditor::showRun() {
  const RunSpec* spec = model_.run(id_);
  setEnabled(spec != nullptr);
  device_->showRun(id_);
  if (spec == nullptr) return;
  const QSignalBlocker q1(name_), q2(colour_), q3(iterations_), q4(relativeUpdate_),
      q5(relativeResidual_), q6(discrepancy_), q7(relativeObjective_), q8(coarseLevels_),
      q9(coarseIterations_);
  const QString name = QString::fromStdString(spec->name);
  if (name_->text().trimmed() != name) name_->setText(name);
  name_->setPlaceholderText(QString::fromStdString(run_label(*spec, catalog_)));
  colour_->setCurrentIndex(std::max(0, spec->colour) % runColourCount());
  disableUnsuitable();
  solver_->show(spec->solver, spec->solver_params);
  showPrior(*spec);
  projector_->show(spec->projector, spec->projector_params);
  format_->show(spec->format, spec->format_params);
  showIterations(*spec);
  coarseLevels_->setValue(spec->coarse_levels);
  coarseIterations_->setValue(spec->coarse_iterations);
  coarseIterations_->setVisible(spec->coarse_levels > 0);
  relativeUpdate_->setValue(spec->relative_update);
  relativeResidual_->setValue(spec->relative_residual);
  relativeObjective_->setValue(spec->relative_objective);
  discrepancy_->setValue(spec->discrepancy);
  formula_->setText(QString::fromStdString(catalog_.solvers.at(spec->solver).help()));
  showWeights(*spec);
  showNoise();
  showRelaxation();
}

/// Disables the solvers and projectors that cannot reconstruct the scan.
void RunEditor::disableUnsuitable() {
  const auto now = controller_.data();
  if (now == nullptr) return;
  const auto by = [geometry = now->geometry](const auto& registry) {
    return [&registry, geometry](const std::string& key) {
      return why_unsuitable(registry.at(key).traits.scans, *geometry);
    };
  };
  solver_->disableWhere(by(catalog_.solvers));
  projector_->disableWhere(by(catalog_.projectors));
}

void RunEditor::showIterations(const RunSpec& spec) {
  const bool is_direct = catalog_.solvers.at(spec.solver).traits.is_direct;
  iterations_->setValue(spec.iterations);
  iterations_->setEnabled(!is_direct);
  iterations_->setToolTip(
      is_direct ? tr("A direct method computes its image in one step; other methods iterate")
                : tr("Passes over all data after which the run ends; it can be continued"));
}

/// Offers the priors that the solver takes; hides the box for a solver that takes none.
void RunEditor::showPrior(const RunSpec& spec) {
  const SolverTraits solver = catalog_.solvers.at(spec.solver).traits;
  prior_->offerOnly([this, solver](const std::string& key) {
    return solver.takes(catalog_.priors.at(key).traits);
  });
  const std::string key = prior_of(spec, catalog_);
  prior_->setVisible(!key.empty());
  prior_->show(key, spec.prior_params);
}

void RunEditor::showRelaxation() {
  const RunStatus& status = controller_.status(id_);
  const bool known =
      status.snapshot != nullptr && status.snapshot->relaxation && controller_.isCurrent(id_);
  const QString text =
      known ? QString::fromStdString(describe(*status.snapshot->relaxation)) : QString();
  if (relaxation_->text() != text) relaxation_->setText(text);
  relaxation_->setVisible(known);
}

/// Enables the rule only where the noise is known, as for data simulated with noise. A rule that is
/// already set can always be removed.
void RunEditor::showNoise() {
  const auto prepared = controller_.data();
  const bool known = prepared != nullptr && prepared->noise_norm > 0;
  const bool is_set = discrepancy_->value() > discrepancy_->minimum();
  discrepancy_->setEnabled(known || is_set);
  const QString help = tr("Ends the run early when ‖A x − b‖ falls below τ times the norm of the "
                          "noise (discrepancy principle): to fit the data better is to fit their "
                          "noise. 1.02 is usual.") +
                       costOfResidual();
  discrepancy_->setToolTip(
      known ? help
            : tr("Available for data simulated with noise only, whose noise is known. ") + help);
}

void RunEditor::showWeights(const RunSpec& spec) {
  const bool used = catalog_.solvers.at(spec.solver).traits.uses_ray_weights;
  weights_->setCurrentIndex(static_cast<int>(spec.weights));
  weights_->setEnabled(used || spec.weights != RayWeights::none);
  weights_->setToolTip(!used ? tr("This solver does not weight rays")
                             : tr("Statistical: the weight of a ray is the reciprocal of its "
                                  "variance, I²/(I + σ²) for I photons, or exp(−p) where their "
                                  "number is unknown"));
}

}  // namespace gantry
