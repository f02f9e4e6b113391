#include "gui/stage/measure_panel.hpp"

#include "core/base/error.hpp"
#include "core/job/measurement.hpp"
#include "core/physics/units.hpp"
#include "gui/stage/region_list.hpp"
#include "gui/stage/region_stats.hpp"
#include "gui/stage/region_table.hpp"
#include "gui/views/key_list.hpp"
#include "gui/widgets/length_units.hpp"
#include "gui/widgets/palette.hpp"
#include "gui/widgets/switch_button.hpp"
#include "gui/widgets/table_text.hpp"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace gantry {

namespace {

/// Returns keys and labels, with units, of the metrics that need measurement regions.
std::vector<std::pair<std::string, QString>> region_metrics(const Catalog& catalog,
                                                            bool lengths_are_known) {
  std::vector<std::pair<std::string, QString>> all;
  for (const auto& entry : catalog.metrics.entries()) {
    const auto metric = entry.make("any", {});
    if (metric->needs() == MetricNeeds::reference) continue;
    const QString unit = shown_unit(metric->unit(), lengths_are_known);
    all.emplace_back(entry.key, QString::fromStdString(metric->label()) +
                                    (unit.isEmpty() ? QString() : QStringLiteral(", ") + unit));
  }
  return all;
}

void set_text(QLineEdit* field, const std::string& text) {
  const QSignalBlocker quiet(field);
  field->setText(QString::fromStdString(text));
}

}  // namespace

MeasurePanel::MeasurePanel(const Catalog& catalog, ExperimentModel& model,
                           RunController& controller, ViewState& state, SliceBoard& board,
                           QWidget* parent)
    : QWidget(parent),
      catalog_(catalog),
      model_(model),
      controller_(controller),
      state_(state),
      board_(board),
      measurements_(board.measurements()),
      problem_(new QLabel(this)),
      extent_(new QLabel(this)),
      values_(new QTreeWidget(this)),
      table_(new RegionTable(model, board, state, this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(4, 4, 4, 4);
  layout->addWidget(makeTools());
  layout->addWidget(hint_);
  list_ = new RegionList(measurements_, this);
  layout->addWidget(list_, 1);
  layout->addWidget(makePair());
  layout->addWidget(table_, 2);
  layout->addWidget(makeExports());
  makeValues();
  extent_->setWordWrap(true);
  extent_->setObjectName(QStringLiteral("measuredExtent"));
  layout->addWidget(extent_);
  layout->addWidget(values_, 1);
  problem_->setWordWrap(true);
  problem_->setObjectName(QStringLiteral("measureProblem"));
  layout->addWidget(problem_);
  connect(list_, &RegionList::problem, this, &MeasurePanel::showProblem);
  connect(delete_, &QToolButton::clicked, list_, &RegionList::removeSelected);
  connect(&model_, &ExperimentModel::changed, this, [this] {
    showRegions();
    showValues();
  });
  connect(&measurements_, &Measurements::changed, this, &MeasurePanel::showChoices);
  connect(&measurements_, &Measurements::drawableChanged, this, &MeasurePanel::showTools);
  connect(&board_, &SliceBoard::shownImagesChanged, this, &MeasurePanel::showWater);
  connect(&board_, &SliceBoard::activeTileChanged, this, &MeasurePanel::showWater);
  connect(&measurements_, &Measurements::selectionChanged, this, &MeasurePanel::showRegions);
  connect(&state_, &ViewState::drawModeChanged, this, &MeasurePanel::showRegions);
  connect(&state_, &ViewState::profileChanged, this, &MeasurePanel::showRegions);
  connect(&state_, &ViewState::planeChanged, this, &MeasurePanel::showRegions);
  connect(&controller_, &RunController::updatesEmitted, this, &MeasurePanel::showValues);
  connect(&state_, &ViewState::unitChanged, this, &MeasurePanel::showHeader);
  connect(&controller_, &RunController::referenceChanged, this, &MeasurePanel::showValues);
  showRegions();
  showChoices();
  showTools();
}

QWidget* MeasurePanel::makeTools() {
  shape_ = new QComboBox(this);
  shape_->setObjectName(QStringLiteral("regionShape"));
  shape_->addItems({tr("Circle"), tr("Ellipse"), tr("Rectangle")});
  shape_->setToolTip(tr("Shape of a region that is newly drawn"));
  shape_->setAccessibleName(shape_->toolTip());
  connect(shape_, &QComboBox::activated, this,
          [this](int index) { state_.setDrawShape(static_cast<NewRegion>(index)); });
  delete_ = new QToolButton(this);
  delete_->setObjectName(QStringLiteral("deleteRegion"));
  delete_->setText(tr("Delete"));
  water_ = new QToolButton(this);
  water_->setObjectName(QStringLiteral("regionIsWater"));
  water_->setText(tr("Water"));
  connect(water_, &QToolButton::clicked, this, &MeasurePanel::takeWater);
  auto* box = new QWidget(this);
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(4);
  row->addWidget(shape_);
  row->addWidget(makeDrawButton(
      DrawMode::region, tr("Draw"),
      drawHelp() + QLatin1Char(' ') +
          tr("The first one is the region of the contrast-to-noise ratio, the second its "
             "background")));
  row->addWidget(
      makeDrawButton(DrawMode::distance, tr("Distance"),
                     tr("Drag a line on any view, or click its two ends: its length is written "
                        "beside it")));
  row->addWidget(makeDrawButton(
      DrawMode::angle, tr("Angle"),
      tr("Click three points on any view, the vertex second: the angle is written beside it")));
  row->addWidget(delete_);
  row->addWidget(water_);
  row->addStretch(1);
  hint_ = new QLabel(drawHelp(), this);
  hint_->setObjectName(QStringLiteral("drawHint"));
  hint_->setWordWrap(true);
  return box;
}

/// Makes the hint that tells what the mouse does while regions are drawn.
QString MeasurePanel::drawHelp() {
  return tr(
      "A drag on an axial view draws a region, also inside another one. A drag of a rim "
      "resizes it, Ctrl and a drag move it; a click selects it, arrow keys move it by a "
      "pixel, Delete removes it.");
}

QWidget* MeasurePanel::makePair() {
  const QString region_form =
      tr("X,Y,R for a circle, X0,Y0,X1,Y1 for a box, ellipse:X0,Y0,X1,Y1 for the ellipse in it, in "
         "mm; then ,Z0,Z1 to limit it to some slices. Empty: none");
  roi_ = makeField(QStringLiteral("roi"), tr("region"), region_form,
                   [](MeasurementRegions& regions, const std::string& text) {
                     regions.roi.reset();
                     if (!text.empty()) regions.roi = parse_region(text, "Region");
                   });
  background_ = makeField(QStringLiteral("background"), tr("background"), region_form,
                          [](MeasurementRegions& regions, const std::string& text) {
                            regions.background.reset();
                            if (!text.empty())
                              regions.background = parse_region(text, "Background");
                          });
  edge_ = makeField(QStringLiteral("edge"), tr("edge"),
                    tr("X0,Y0,X1,Y1 in mm, optionally ,Z (default: the middle slice): a line "
                       "across an edge. The 10 to 90 % width of the edge is measured from the "
                       "pixels within 1.5 pixels of the line. Empty: none"),
                    [](MeasurementRegions& regions, const std::string& text) {
                      regions.edge.reset();
                      if (!text.empty()) regions.edge = parse_edge(text, "Edge");
                    });
  roiChoice_ = makeChoice(QStringLiteral("contrastOf"),
                          tr("The region whose contrast is measured; also the mask \"in region\""));
  backgroundChoice_ =
      makeChoice(QStringLiteral("contrastAgainst"),
                 tr("The background: its deviation is the noise of the contrast-to-noise ratio"));
  takeProfile_ = new QToolButton(this);
  takeProfile_->setText(tr("Profile line"));
  takeProfile_->setToolTip(tr("Takes the profile line as the line across an edge (L draws it)"));
  connect(takeProfile_, &QToolButton::clicked, this, &MeasurePanel::takeProfile);
  auto* box = new QWidget(this);
  auto* form = new QFormLayout(box);
  form->setContentsMargins(0, 0, 0, 0);
  form->setVerticalSpacing(4);
  form->addRow(tr("Contrast of"), makeRow(roiChoice_, roi_));
  form->addRow(tr("against"), makeRow(backgroundChoice_, background_));
  form->addRow(tr("Edge"), makeRow(edge_, takeProfile_));
  return box;
}

QComboBox* MeasurePanel::makeChoice(const QString& name, const QString& tip) {
  auto* box = new QComboBox(this);
  box->setObjectName(name);
  box->setToolTip(tip);
  box->setAccessibleName(tip);
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(7);
  connect(box, &QComboBox::activated, this, [this] {
    measurements_.setPair(roiChoice_->currentData().toInt(),
                          backgroundChoice_->currentData().toInt());
    showChoices();
  });
  return box;
}

/// Makes the buttons that copy the table of regions and the list of what was drawn.
QWidget* MeasurePanel::makeExports() {
  auto* box = new QWidget(this);
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(0, 0, 0, 0);
  const auto add = [&](const QString& name, const QString& text, auto make) {
    auto* button = new QToolButton(box);
    button->setObjectName(name);
    button->setText(text);
    button->setToolTip(
        tr("Copies the table above, of the slice that is shown, and the list of "
           "regions, distances and angles"));
    connect(button, &QToolButton::clicked, this, [this, make] {
      QApplication::clipboard()->setText(make(*table_) + QLatin1Char('\n') + make(*list_));
    });
    row->addWidget(button);
  };
  add(QStringLiteral("copyRegionTable"), tr("Copy as CSV"), csv_of);
  add(QStringLiteral("copyRegionLatex"), tr("Copy as LaTeX"), latex_of);
  row->addStretch(1);
  return box;
}

/// Makes the table of metrics. Columns fit their contents, so that names and titles are complete.
void MeasurePanel::makeValues() {
  values_->setObjectName(QStringLiteral("measuredValues"));
  values_->setAccessibleName(tr("Metrics of the regions, of every run"));
  values_->setRootIsDecorated(false);
  values_->setUniformRowHeights(true);
  values_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  values_->header()->setStretchLastSection(false);
  showHeader();
}

void MeasurePanel::showHeader() {
  QStringList header{tr("Run")};
  for (const auto& [key, label] : region_metrics(catalog_, state_.lengthsAreKnown()))
    header << label;
  values_->setHeaderLabels(header);
  for (int i = 0; i < values_->columnCount(); ++i) values_->headerItem()->setToolTip(i, header[i]);
}

QWidget* MeasurePanel::makeRow(QWidget* first, QWidget* second) {
  auto* box = new QWidget(this);
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(first, qobject_cast<QLineEdit*>(first) != nullptr ? 1 : 0);
  row->addWidget(second, qobject_cast<QLineEdit*>(second) != nullptr ? 1 : 0);
  return box;
}

QToolButton* MeasurePanel::makeDrawButton(DrawMode mode, const QString& text, const QString& tip) {
  auto* button = new SwitchButton(text, this);
  button->setProperty("help", tip);
  connect(button, &QToolButton::toggled, this,
          [this, mode](bool on) { state_.setDrawMode(on ? mode : DrawMode::none); });
  drawButtons_.emplace_back(mode, button);
  return button;
}

QLineEdit* MeasurePanel::makeField(
    const QString& name, const QString& label, const QString& form,
    const std::function<void(MeasurementRegions&, const std::string&)>& set) {
  auto* field = new QLineEdit(this);
  field->setObjectName(name);
  field->setAccessibleName(label);
  field->setPlaceholderText(tr("none"));
  field->setToolTip(form);
  field->setClearButtonEnabled(true);
  field->setMinimumWidth(60);
  connect(field, &QLineEdit::textChanged, this, [this, label, set](const QString& text) {
    MeasurementRegions regions = model_.experiment().metrics.regions;
    try {
      set(regions, text.trimmed().remove(QLatin1Char(' ')).toStdString());
    } catch (const UsageError& error) {
      return showProblem(QString::fromUtf8(error.what()));
    }
    showProblem({});
    isTyped_ = true;
    model_.edit(tr("Change %1").arg(label), [&](Experiment& e) {
      e.metrics.regions = regions;
      if (!regions.roi && e.metrics.mask == MaskKind::roi) e.metrics.mask = MaskKind::circle;
    });
    isTyped_ = false;
  });
  return field;
}

void MeasurePanel::takeProfile() {
  if (!state_.profile()) return;
  const LineSegment& line = *state_.profile();
  EdgeSegment edge{line.u0_mm, line.v0_mm, line.u1_mm, line.v1_mm};
  if (const auto prepared = controller_.data(); prepared != nullptr && prepared->grid.nz > 1)
    edge.z_mm = slice_position_mm(prepared->grid, Axis::axial, state_.slice());
  if (!(edge.length_mm() > 0)) return;
  model_.edit(tr("Change edge"), [&](Experiment& e) { e.metrics.regions.edge = edge; });
}

/// Enables the tools that draw where a view is shown in which they do, and says where that is.
void MeasurePanel::showTools() {
  const bool can_draw = measurements_.canDraw();
  for (const auto& [mode, button] : drawButtons_) {
    button->setEnabled(can_draw);
    button->setToolTip(can_draw ? button->property("help").toString()
                                : tr("Nothing can be drawn in the views of this workspace: choose "
                                     "Compare, or Data with its projections"));
  }
  hint_->setVisible(can_draw && state_.drawMode() == DrawMode::region);
}

/// Returns the slice of the active view that a run has computed; null: it has none yet.
std::shared_ptr<const SliceImage> MeasurePanel::activeSlice() const {
  const SliceTile* tile = board_.activeTile();
  return tile == nullptr ? nullptr : board_.slice(tile->id(), state_.axis(), state_.slice());
}

/// Sets the attenuation of water to the mean of the selected region in the active view.
void MeasurePanel::takeWater() {
  const SliceTile* tile = board_.activeTile();
  const auto region = measurements_.region(measurements_.selected());
  const auto image = activeSlice();
  if (image == nullptr || !region) return;
  const auto stats = region_stats(*image, region->region);
  if (!stats) return showProblem(tr("Water: %1 holds no pixel of the slice").arg(region->name));
  const double mean = stats->values.mean, deviation = stats->values.deviation;
  // Refuses air, whose mean is far below other values of the slice or less than its deviation, and
  // edges, which also have a large deviation.
  const double least = std::max<double>(least_mu_water, 0.01 * std::ranges::max(image->values));
  if (!(mean >= least && mean <= largest_mu_water && mean > deviation))
    return showProblem(tr("Water: the mean of %1 in the view %2 is %3 ± %4 %5, which is no water; "
                          "select a region inside water")
                           .arg(region->name, tile->title())
                           .arg(mean, 0, 'g', 3)
                           .arg(deviation, 0, 'g', 3)
                           .arg(state_.muUnit()));
  showProblem({});
  said_ = tr("Water is now %1 %2, the mean of %3 in the view %4: that is 0 HU")
              .arg(mean, 0, 'g', 4)
              .arg(state_.muUnit(), region->name, tile->title());
  problem_->setText(said_);
  model_.edit(tr("Take %1 as water").arg(region->name),
              [&](Experiment& e) { e.source.mu_water = mean; });
}

/// Says why no region can be taken as water, where this is so.
void MeasurePanel::showWater() {
  const bool is_measured = model_.experiment().source.kind == SourceKind::scan;
  const bool has_region = measurements_.region(measurements_.selected()).has_value();
  const bool is_axial = state_.axis() == Axis::axial, has_slice = activeSlice() != nullptr;
  water_->setEnabled(is_measured && has_region && is_axial && has_slice);
  water_->setToolTip(
      !is_measured ? tr("For measured scans: in simulated data the attenuation of water is set, in "
                        "the step Data")
      : !has_region || !is_axial
          ? tr("Select a region in the list, in an axial view, that lies in water")
      : !has_slice
          ? tr("Start a run: water is measured in what the active run has computed, not "
               "in the preview")
          : tr("Takes the mean of the selected region in the active view as the attenuation of "
               "water: HU are then relative to it, on the screen and in saved files"));
}

void MeasurePanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  showValues();
}

void MeasurePanel::showRegions() {
  const MeasurementRegions& regions = model_.experiment().metrics.regions;
  // A field in which the user is typing is overwritten only when its value is changed elsewhere,
  // for example by undo.
  const auto show = [this](QLineEdit* field, const std::string& text) {
    const bool is_news = std::exchange(shownValues_[field], text) != text;
    if (!field->hasFocus()) return set_text(field, text);
    if (!is_news || isTyped_) return;
    set_text(field, text);
    showProblem({});  // of what was typed
  };
  show(roi_, regions.roi ? format_region(*regions.roi) : std::string{});
  show(background_, regions.background ? format_region(*regions.background) : std::string{});
  show(edge_, regions.edge ? format_edge(*regions.edge) : std::string{});
  for (const auto& [mode, button] : drawButtons_) {
    const QSignalBlocker quiet(button);
    button->setChecked(state_.drawMode() == mode);
  }
  showTools();
  const bool has_selection = measurements_.selected() != 0;
  delete_->setEnabled(has_selection);
  delete_->setToolTip(has_selection
                          ? tr("Deletes what is selected in the list") + key_hint("region.delete")
                          : tr("Select a region, a distance or an angle in the list"));
  showWater();
  takeProfile_->setEnabled(state_.profile().has_value() && state_.axis() == Axis::axial);
  shape_->setCurrentIndex(static_cast<int>(state_.drawShape()));
}

/// Offers every region as region of interest and as background.
void MeasurePanel::showChoices() {
  const auto regions = measurements_.regions();
  for (const auto& [box, chosen] : {std::pair(roiChoice_, measurements_.roi()),
                                    std::pair(backgroundChoice_, measurements_.background())}) {
    const QSignalBlocker quiet(box);
    box->clear();
    box->addItem(tr("none"), 0);
    for (const MeasuredRegion& one : regions) box->addItem(one.name, one.id);
    box->setCurrentIndex(std::max(0, box->findData(chosen)));
  }
}

void MeasurePanel::showValues() {
  if (!isVisible()) return;
  const auto metrics = region_metrics(catalog_, state_.lengthsAreKnown());
  const std::vector<int>& ids = model_.runIds();
  while (values_->topLevelItemCount() > static_cast<int>(ids.size()))
    delete values_->takeTopLevelItem(values_->topLevelItemCount() - 1);
  QStringList problems;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (static_cast<int>(i) >= values_->topLevelItemCount())
      values_->addTopLevelItem(new QTreeWidgetItem);
    QTreeWidgetItem* item = values_->topLevelItem(static_cast<int>(i));
    const RunSpec& run = *model_.run(ids[i]);
    const QString name = QString::fromStdString(controller_.label(ids[i]));
    item->setIcon(0, runIcon(run.colour));
    item->setText(0, name);
    const RunStatus& status = controller_.status(ids[i]);
    const HistoryEntry* entry = status.lastMeasured();
    // A pending entry was measured with the earlier regions; its problem is shown instead.
    if (!status.history.empty() && !status.history.back().problems.empty())
      entry = &status.history.back();
    if (status.history.empty() && status.isActive() &&
        model_.experiment().metrics.regions != MeasurementRegions{})
      problems << tr("%1: measured at the end of its first iteration").arg(name);
    for (std::size_t m = 0; m < metrics.size(); ++m) {
      const auto& [key, label] = metrics[m];
      const int column = static_cast<int>(m) + 1;
      const bool taken = entry != nullptr && entry->metrics.contains(key);
      const double value = taken ? entry->metrics.at(key) : nan_value;
      item->setText(column,
                    std::isnan(value) ? QStringLiteral("–") : QString::number(value, 'g', 4));
      item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
      if (taken && entry->problems.contains(key))
        problems << tr("%1: %2").arg(name, QString::fromStdString(entry->problems.at(key)));
    }
  }
  if (!problem_->property("typing").toBool())
    problem_->setText(problems.isEmpty() ? said_ : problems.join(QLatin1Char('\n')));
  showExtent();
}

/// Says over which slices the metrics of runs are: these cover the whole regions, whereas the table
/// above refers to the slice that is shown.
void MeasurePanel::showExtent() {
  const auto prepared = controller_.data();
  const MeasurementRegions& regions = model_.experiment().metrics.regions;
  extent_->setVisible(prepared != nullptr && prepared->grid.nz > 1 && regions.roi &&
                      regions.background);
  const bool is_limited = regions.roi && regions.roi->limited_in_z();
  extent_->setText(is_limited ? tr("CNR over the slices of the regions, not of the one shown:")
                              : tr("CNR over all slices, not the one shown (end a region's place "
                                   "with its lowest and highest z to limit it):"));
}

/// Shows the error in a typed text, which has precedence over problems of measuring.
void MeasurePanel::showProblem(const QString& problem) {
  said_.clear();
  problem_->setProperty("typing", !problem.isEmpty());
  problem_->setText(problem);
}

}  // namespace gantry
