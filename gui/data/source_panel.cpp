#include "gui/data/source_panel.hpp"

#include "core/job/experiment_data.hpp"
#include "gui/widgets/knob.hpp"
#include "gui/widgets/length_units.hpp"
#include "gui/widgets/number_box.hpp"
#include "gui/widgets/parameter_form.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace gantry {

namespace {

constexpr int longestNamePx = 150;
constexpr double leastMuWater = 0.00001;
constexpr double fewestPhotons = 100, mostPhotons = 1e7;  // of the slider

/// In the order of the box slices_.
enum Slices { oneSlice, sliceBySlice, byCone };

Slices shownSlices(const SourceSpec& source) {
  if (source.slice >= 0) return oneSlice;
  return source.slice_by_slice ? sliceBySlice : byCone;
}

}  // namespace

SourcePanel::SourcePanel(const Catalog& catalog, ExperimentModel& model, QWidget* parent)
    : QWidget(parent),
      catalog_(catalog),
      model_(model),
      opening_(new QLabel(this)),
      kind_(new QComboBox(this)),
      pages_{makePhantomPage(), makeFilePage()} {
  kind_->addItems({tr("Phantom"), tr("Volume or DICOM series"), tr("Measured scan")});
  kind_->setObjectName(QStringLiteral("sourceKind"));
  kind_->setToolTip(
      tr("Simulate the scan of a phantom or of a volume, or reconstruct a measured scan"));
  noise_ = makeNoise();
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  opening_->setObjectName(QStringLiteral("openingLine"));
  opening_->setTextFormat(Qt::PlainText);
  opening_->setWordWrap(true);
  layout->addWidget(opening_);
  layout->addWidget(kind_);
  for (QWidget* page : pages_) layout->addWidget(page);
  layout->addWidget(noise_);
  connect(kind_, &QComboBox::activated, this, &SourcePanel::changeKind);
  connect(&model_, &ExperimentModel::changed, this, &SourcePanel::showModel);
  showModel();
}

QWidget* SourcePanel::makePhantomPage() {
  auto* page = new QWidget(this);
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 0, 0, 0);
  phantom_ = new QComboBox(page);
  phantom_->setObjectName(QStringLiteral("phantom"));
  for (const auto& entry : catalog_.phantoms.entries()) {
    phantom_->addItem(QString::fromStdString(entry.label), QString::fromStdString(entry.key));
    phantom_->setItemData(phantom_->count() - 1, QString::fromStdString(entry.help()),
                          Qt::ToolTipRole);
  }
  phantomForm_ = new ParameterForm(page);
  layout->addWidget(phantom_);
  layout->addWidget(phantomForm_);
  connect(phantom_, &QComboBox::activated, this, [this](int index) {
    model_.edit(tr("Change phantom"), [&](Experiment& e) {
      choose_phantom(e, phantom_->itemData(index).toString().toStdString(), catalog_);
    });
  });
  connect(phantomForm_, &ParameterForm::edited, this,
          [this](const QString& key, const ParamValue& value) {
            model_.edit(tr("Change %1").arg(key), [&](Experiment& e) {
              e.source.phantom_params.set(key.toStdString(), value);
            });
          });
  return page;
}

QWidget* SourcePanel::makeFilePage() {
  auto* page = new QWidget(this);
  auto* form = new QFormLayout(page);
  form->setContentsMargins(0, 0, 0, 0);
  file_ = new QLabel(page);
  file_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  open_ = new QPushButton(tr("Open…"), page);
  auto* row = new QHBoxLayout;
  row->addWidget(file_, 1);
  row->addWidget(open_);
  form->addRow(tr("File"), row);
  slicesLabel_ = new QLabel(tr("Slices"), page);
  slices_ = new QComboBox(page);
  slices_->setObjectName(QStringLiteral("sourceSlices"));
  for (const QString& name : {tr("one"), tr("all, slice by slice"), tr("all, by a cone beam")})
    slices_->addItem(name);
  slices_->setToolTip(
      tr("Slice by slice: each slice is measured by a fan beam of its own; all slices share their "
         "weights. By a cone beam: all slices are measured at once."));
  slice_ = new WholeBox(page);
  slice_->setObjectName(QStringLiteral("sourceSlice"));
  slice_->setRange(0, 0);
  slice_->setToolTip(tr("Number of the slice, from 0"));
  auto* slices = new QHBoxLayout;
  slices->addWidget(slices_, 1);
  slices->addWidget(slice_);
  form->addRow(slicesLabel_, slices);
  hu_ = new QCheckBox(tr("values are HU"), page);
  hu_->setObjectName(QStringLiteral("valuesAreHu"));
  form->addRow(QString(), hu_);
  muWater_ = new NumberBox(page);
  muWater_->setObjectName(QStringLiteral("muWater"));
  muWater_->setDecimals(5);
  muWater_->setRange(leastMuWater, 10);
  muWater_->setSingleStep(0.001);
  muWater_->setSuffix(tr(" 1/mm"));
  muWater_->setToolTip(tr("Attenuation of water: converts HU into 1/mm and back"));
  form->addRow(tr("μ of water"), muWater_);
  connect(open_, &QPushButton::clicked, this, [this] {
    if (model_.experiment().source.kind == SourceKind::scan)
      emit openScanRequested();
    else
      emit openVolumeRequested();
  });
  connect(slices_, &QComboBox::activated, this, &SourcePanel::changeSlices);
  connect(slice_, &QSpinBox::valueChanged, this, [this](int value) {
    model_.edit(tr("Change slice"), [&](Experiment& e) {
      e.source.slice = value;
      e.grid.reset();  // a new grid is then fitted to the source
    });
  });
  connect(hu_, &QCheckBox::toggled, this, [this](bool on) {
    model_.edit(tr("Change unit"), [&](Experiment& e) { e.source.values_are_hu = on; });
  });
  connect(muWater_, &QDoubleSpinBox::valueChanged, this, [this](double value) {
    if (value < leastMuWater) return;  // "not known"
    model_.edit(tr("Change μ of water"), [&](Experiment& e) { e.source.mu_water = value; });
  });
  return page;
}

QWidget* SourcePanel::makeNoise() {
  auto* box = new QWidget(this);
  auto* form = new QFormLayout(box);
  form->setContentsMargins(0, 0, 0, 0);
  noisy_ = new QCheckBox(tr("Noise"), box);
  noisy_->setToolTip(tr("Counting statistics: each ray counts photons"));
  photons_ = new NumberBox(box);
  photons_->setObjectName(QStringLiteral("photons"));
  photons_->setDecimals(0);
  photons_->setRange(1, 1e12);
  photons_->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
  photons_->setGroupSeparatorShown(true);
  photons_->setToolTip(tr("Photons that an unattenuated ray counts; fewer are noisier"));
  electronic_ = new NumberBox(box);
  electronic_->setDecimals(1);
  electronic_->setRange(0, 1e6);
  electronic_->setSuffix(tr(" photons"));
  electronic_->setToolTip(tr("Standard deviation of the electronic noise"));
  seed_ = new WholeBox(box);
  seed_->setObjectName(QStringLiteral("seed"));
  seed_->setRange(0, std::numeric_limits<int>::max());
  seed_->setToolTip(tr("The same seed gives the same noise"));
  photonsKnob_ = new Knob(photons_, tr("Photons"), box);
  photonsKnob_->setObjectName(QStringLiteral("knob_photons"));
  photonsKnob_->setValues(ValueRange{fewestPhotons, mostPhotons, true, true});
  QToolButton* sweep = makeSweepButton(tr("Photons"), box);
  connect(sweep, &QToolButton::clicked, this,
          [this] { emit sweepWanted(QStringLiteral("scan:photons")); });
  form->addRow(noisy_);
  form->addRow(tr("Photons"), knobRow(photonsKnob_, photons_, {sweep}, box));
  connect(photonsKnob_, &Knob::dragged, this, [this](double value) {
    model_.tryOut([value](Experiment& e) { e.noise.photons_per_ray = value; });
  });
  form->addRow(tr("Electronic"), electronic_);
  form->addRow(tr("Seed"), seed_);
  connect(noisy_, &QCheckBox::toggled, this, [this](bool on) {
    model_.edit(tr("Switch noise"),
                [&](Experiment& e) { e.noise.photons_per_ray = on ? photons_->value() : 0; });
  });
  connect(photons_, &QDoubleSpinBox::valueChanged, this, [this](double value) {
    model_.edit(tr("Change photons"), [&](Experiment& e) { e.noise.photons_per_ray = value; });
  });
  connect(electronic_, &QDoubleSpinBox::valueChanged, this, [this](double value) {
    model_.edit(tr("Change electronic noise"),
                [&](Experiment& e) { e.noise.electronic_sigma = value; });
  });
  connect(seed_, &QSpinBox::valueChanged, this, [this](int value) {
    model_.edit(tr("Change seed"),
                [&](Experiment& e) { e.noise.seed = static_cast<std::uint64_t>(value); });
  });
  return box;
}

void SourcePanel::changeKind(int index) {
  const auto kind = static_cast<SourceKind>(index);
  if (kind == model_.experiment().source.kind) return;
  showModel();  // the form stays unchanged until a file has been chosen
  if (kind == SourceKind::scan) return emit openScanRequested();
  if (kind == SourceKind::volume) return emit openVolumeRequested();
  model_.edit(tr("Change source"), [](Experiment& e) {
    const SourceSpec fresh;
    e.source = fresh;
    e.corrections.clear();
    e.geometry.reset();
    e.grid.reset();
  });
}

void SourcePanel::changeSlices(int which) {
  if (which == shownSlices(model_.experiment().source)) return;
  model_.edit(tr("Change slices"), [&](Experiment& e) {
    e.source.slice = which == oneSlice ? slice_->value() : -1;
    e.source.slice_by_slice = which == sliceBySlice;
    e.source.rebin_to_fans = false;
    e.geometry.reset();  // new ones are then fitted to the source
    e.grid.reset();
  });
}

void SourcePanel::setSliceCount(int count) {
  const QSignalBlocker quiet(slice_);
  slice_->setMaximum(std::max(0, count - 1));
}

void SourcePanel::setStated(bool holds_hu, double mu_water, bool lengths_are_known) {
  muWater_->setSuffix(QLatin1Char(' ') + mu_unit(lengths_are_known));
  lengthsAreKnown_ = lengths_are_known;
  holdsHu_ = holds_hu;
  statedMuWater_ = mu_water;
  showModel();
}

void SourcePanel::setOpening(const QString& name) {
  opening_->setText(name.isEmpty() ? QString() : tr("Opening %1…").arg(name));
  showModel();
}

void SourcePanel::showModel() {
  const SourceSpec& source = model_.experiment().source;
  const NoiseSpec& noise = model_.experiment().noise;
  const QSignalBlocker q1(kind_), q2(slice_), q3(hu_), q4(muWater_), q5(noisy_), q6(photons_),
      q7(electronic_), q8(seed_);
  kind_->setCurrentIndex(static_cast<int>(source.kind));
  const bool from_file = source.kind != SourceKind::phantom,
             volume = source.kind == SourceKind::volume;
  const bool opens = !opening_->text().isEmpty();
  opening_->setVisible(opens);
  kind_->setVisible(!opens);
  pages_[0]->setVisible(!from_file && !opens);
  pages_[1]->setVisible(from_file && !opens);
  if (!from_file) {
    phantom_->setCurrentIndex(phantom_->findData(QString::fromStdString(source.phantom)));
    phantomForm_->show(catalog_.phantoms.at(source.phantom).params, source.phantom_params);
  }
  const QString path = QString::fromStdString(source.path);
  const QString name = path.isEmpty() ? tr("none") : QFileInfo(path).fileName();
  file_->setText(file_->fontMetrics().elidedText(name, Qt::ElideMiddle, longestNamePx));
  file_->setToolTip(path);
  slices_->setCurrentIndex(shownSlices(source));
  slice_->setMaximum(std::max(slice_->maximum(), source.slice));
  // Where all slices are used, the box keeps the slice that was chosen last.
  if (source.slice >= 0) slice_->setValue(source.slice);
  slice_->setVisible(volume && source.slice >= 0);
  for (QWidget* part : {static_cast<QWidget*>(slices_), static_cast<QWidget*>(slicesLabel_)})
    part->setVisible(volume);
  hu_->setVisible(volume);
  hu_->setChecked(source.values_are_hu || holdsHu_);
  hu_->setEnabled(!holdsHu_);
  hu_->setToolTip(holdsHu_ ? tr("DICOM always holds HU")
                           : tr("The values of the file are HU instead of 1/mm: this format does "
                                "not say which"));
  // Where the experiment says nothing else, what the projections state is in force.
  const bool is_stated = source.kind == SourceKind::scan && source.mu_water == default_mu_water,
             is_known = lengthsAreKnown_ || !is_stated || statedMuWater_ != default_mu_water;
  muWater_->setMinimum(is_known ? leastMuWater : 0);
  muWater_->setSpecialValueText(is_known ? QString() : tr("not known"));
  if (!is_known)
    muWater_->setValue(0);
  else
    muWater_->setValue(is_stated ? statedMuWater_ : source.mu_water);
  noise_->setVisible(source.kind != SourceKind::scan && !opens);
  noisy_->setChecked(noise.photons_per_ray > 0);
  if (noise.photons_per_ray > 0) photons_->setValue(noise.photons_per_ray);
  photons_->setEnabled(noise.photons_per_ray > 0);
  photonsKnob_->follow();
  photonsKnob_->setEnabled(noise.photons_per_ray > 0);
  electronic_->setEnabled(noise.photons_per_ray > 0);
  seed_->setEnabled(noise.photons_per_ray > 0);
  const QString why = noise.photons_per_ray > 0 ? QString() : tr("Switch noise on first");
  electronic_->setToolTip(why.isEmpty() ? tr("Standard deviation of the electronic noise") : why);
  seed_->setToolTip(why.isEmpty() ? tr("The same seed gives the same noise") : why);
  photons_->setToolTip(
      why.isEmpty() ? tr("Photons that an unattenuated ray counts; fewer are noisier") : why);
  electronic_->setValue(noise.electronic_sigma);
  seed_->setValue(static_cast<int>(noise.seed));
}

}  // namespace gantry
