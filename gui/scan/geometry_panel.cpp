#include "gui/scan/geometry_panel.hpp"

#include "core/base/error.hpp"
#include "core/geometry/change_beam.hpp"
#include "core/geometry/circle_of_poses.hpp"
#include "core/geometry/detector_move.hpp"
#include "core/geometry/fan_rebinning.hpp"
#include "core/geometry/presets.hpp"
#include "core/geometry/view_angles.hpp"
#include "gui/scan/preset_box.hpp"
#include "gui/scan/symmetry_label.hpp"
#include "gui/widgets/field_names.hpp"
#include "gui/widgets/knob.hpp"
#include "gui/widgets/number_box.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

/// Sets the trajectory. A new helix gets the feed at which successive turns adjoin: the height of
/// the detector rows, scaled to the rotation axis. Free poses become the circle that they are.
void set_trajectory(ScanSpec& s, Trajectory trajectory) {
  if (trajectory == Trajectory::poses) {
    s = with_free_poses(s);
    return;
  }
  if (s.trajectory == Trajectory::poses) s = circle_of_poses(s).value_or(s);
  s.trajectory = trajectory;
  s.helical_feed_mm_per_turn =
      trajectory == Trajectory::helical
          ? s.detector_rows * s.row_pitch_mm * s.source_to_isocenter_mm / s.source_to_detector_mm
          : 0;
}

constexpr double least_turn_deg = 0.1, most_circles_deg = 3600;

// With free poses, rotation and detector are given by the poses and have no fields.
bool turning(const ScanSpec& s) { return s.trajectory != Trajectory::poses; }
bool diverging(const ScanSpec& s) { return turning(s) && s.beam != Beam::parallel; }
bool several_rows(const ScanSpec& s) {
  return turning(s) && (s.detector_rows > 1 || s.beam == Beam::cone);
}
bool climbing(const ScanSpec& s) { return s.trajectory == Trajectory::helical; }

}  // namespace

GeometryPanel::GeometryPanel(ExperimentModel& model, QWidget* parent)
    : QWidget(parent),
      model_(model),
      form_(new QFormLayout),
      preset_(new PresetBox(this)),
      beam_(new QComboBox(this)),
      detector_(new QComboBox(this)),
      trajectory_(new QComboBox(this)),
      trajectoryName_(new QLabel(tr("Trajectory"), this)),
      rebin_(new QCheckBox(tr("Rebinned to fans"), this)),
      poses_(new QLabel(this)),
      editPoses_(new QPushButton(tr("Edit the poses…"), this)),
      tiltName_(new QLabel(tr("Detector tilt"), this)),
      sweepTilt_(sweepButton(tr("detector tilt"), "scan:detector_tilt_deg")),
      symmetry_(new SymmetryLabel(this)),
      reset_(new QPushButton(tr("As in the file"), this)),
      fit_(new QPushButton(tr("Fit grid to scan"), this)),
      circle_(new QPushButton(tr("Fit the circle"), this)) {
  QFormLayout* form = form_;
  form->setContentsMargins(0, 0, 0, 0);
  form->setHorizontalSpacing(4);
  addChoices(form);
  addGantryFields(form);
  addDetectorFields(form);
  addTilt(form);
  addGridFields(form);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addLayout(form);
  layout->addWidget(symmetry_);
  layout->addWidget(reset_);
  layout->addWidget(circle_);
  layout->addWidget(fit_);
  connect(reset_, &QPushButton::clicked, this,
          [this] { model_.edit(tr("Reset geometry"), [](Experiment& e) { e.geometry.reset(); }); });
  connect(fit_, &QPushButton::clicked, this, [this] {
    try {
      const ScanGeometry scan(spec());
      const VolumeGrid fitted =
          model_.experiment().source.rebin_to_fans ? rebinned_grid(scan) : default_grid(scan);
      editGrid(tr("Fit grid"), [&](VolumeGrid& g) { g = fitted; });
    } catch (const Error& error) {
      emit problem(in_names_of_fields(QString::fromUtf8(error.what())));
    }
  });
  circle_->setObjectName(QStringLiteral("fitCircle"));
  connect(circle_, &QPushButton::clicked, this, &GeometryPanel::fitCircle);
  reset_->setToolTip(tr("Takes the geometry from the scan file again"));
  fit_->setToolTip(tr("A square grid over the field of view, a pixel per detector column"));
  connect(&model_, &ExperimentModel::changed, this, [this] {
    emit problem({});  // undo has taken away what it was about, too
    showModel();
  });
  showModel();
}

void GeometryPanel::addChoices(QFormLayout* form) {
  beam_->addItems({tr("Parallel beam"), tr("Fan beam"), tr("Cone beam")});
  beam_->setObjectName(QStringLiteral("beam"));
  beam_->setToolTip(
      tr("A cone beam measures all slices at once. With a parallel or fan beam, each detector row "
         "measures one slice, and all slices share their weights"));
  detector_->addItems({tr("Flat detector"), tr("Arc detector")});
  detector_->setToolTip(tr("Cells of an arc lie at equal angles about the source"));
  trajectory_->addItems({tr("Circle"), tr("Helix"), tr("Free poses")});
  trajectory_->setObjectName(QStringLiteral("trajectory"));
  trajectory_->setToolTip(
      tr("A helix climbs along the axis. Free poses: each view has a source and a flat detector of "
         "its own, for detectors that are tilted or wander"));
  editPoses_->setObjectName(QStringLiteral("editPoses"));
  editPoses_->setToolTip(tr("Shows the poses of all views as a table, and moves the detector"));
  connect(editPoses_, &QPushButton::clicked, this, &GeometryPanel::editPoses);
  rebin_->setObjectName(QStringLiteral("rebin"));
  poses_->setObjectName(QStringLiteral("poses"));
  auto* preset_name = new QLabel(tr("Preset"), this);
  preset_name->setBuddy(preset_);
  form->addRow(preset_name, preset_);
  form->addRow(beam_, detector_);
  form->addRow(trajectoryName_, trajectory_);
  form->addRow(QString(), rebin_);
  // A label that wraps its words would do, but then QFormLayout (Qt 6.4) gives rows that are shown
  // later no height.
  form->addRow(poses_);
  form->addRow(editPoses_);
  connect(preset_, &PresetBox::chosen, this, [this](const ScanPreset& preset) {
    emit problem({});
    model_.edit(tr("Apply preset"), [&](Experiment& e) {
      e.geometry = preset.scan;
      e.grid = preset.grid;
      e.source.rebin_to_fans = false;
    });
  });
  connect(beam_, &QComboBox::activated, this, [this](int index) {
    editSpec(tr("Change beam"),
             [&](ScanSpec& s) { s = with_beam(s, static_cast<Beam>(index), grid()); });
  });
  connect(detector_, &QComboBox::activated, this, [this](int index) {
    editSpec(tr("Change detector"),
             [&](ScanSpec& s) { s.detector = static_cast<DetectorShape>(index); });
  });
  connect(trajectory_, &QComboBox::activated, this, [this](int index) {
    editSpec(tr("Change trajectory"),
             [&](ScanSpec& s) { set_trajectory(s, static_cast<Trajectory>(index)); });
  });
  connect(rebin_, &QCheckBox::toggled, this, &GeometryPanel::rebin);
}

template <class Get, class Set, class Visible>
void GeometryPanel::addField(QFormLayout* form, const QString& text, const QString& unit,
                             const QString& help, Range range, Get get, Set set, Visible visible) {
  auto* box = new NumberBox(this);
  box->setDecimals(range.decimals);
  box->setRange(range.low, range.high);
  box->setSingleStep(range.step);
  if (!unit.isEmpty()) box->setSuffix(QStringLiteral(" ") + unit);
  box->setToolTip(help);
  box->setAccelerated(true);
  auto* label = new QLabel(text, this);
  label->setToolTip(help);
  label->setBuddy(box);
  const auto change = [set, text](double value) { set(tr("Change %1").arg(text), value); };
  connect(box, &QDoubleSpinBox::valueChanged, this, change);
  Field field{box, label, get, visible, box, nullptr, range.values};
  if (*range.sweep != '\0') {
    field.sweep = sweepButton(text, range.sweep);
    field.sweptIfMeasured = range.sweptIfMeasured;
  }
  if (range.values) {
    field.knob = new Knob(box, text, this);
    field.knob->setObjectName(QLatin1String(range.knob));
    connect(field.knob, &Knob::dragged, this, [this, change](double value) {
      isTrying_ = true;
      change(value);
      isTrying_ = false;
    });
  }
  if (field.knob != nullptr || field.sweep != nullptr)
    field.cell = (field.knob != nullptr ? knobBelow : knobRow)(
        field.knob, box, field.sweep ? QList<QWidget*>{field.sweep} : QList<QWidget*>{}, this);
  form->addRow(label, field.cell);
  fields_.push_back(field);
}

template <class Get, class Set>
void GeometryPanel::addSpecField(QFormLayout* form, const QString& text, const QString& unit,
                                 const QString& help, Range range, Get get, Set set,
                                 bool (*visible)(const ScanSpec&)) {
  addField(
      form, text, unit, help, range, [get](const ScanSpec& s, const VolumeGrid&) { return get(s); },
      [this, set](const QString& name, double value) {
        editSpec(name, [&](ScanSpec& s) { set(s, value); });
      },
      [visible](const ScanSpec& s, const VolumeGrid&) { return visible(s); });
}

void GeometryPanel::addGantryFields(QFormLayout* form) {
  const Range length{0.001, 1e6, 10, 3};
  Range distance = length;
  distance.sweep = "scan:source_to_isocenter_mm";
  distance.sweptIfMeasured = true;
  addSpecField(
      form, tr("Source to axis"), tr("mm"),
      tr("SID: distance from the source to the axis of rotation"), distance,
      [](const ScanSpec& s) { return s.source_to_isocenter_mm; },
      [](ScanSpec& s, double v) { s.source_to_isocenter_mm = v; }, diverging);
  addSpecField(
      form, tr("Source to detector"), tr("mm"), tr("SDD: distance from the source to the detector"),
      length, [](const ScanSpec& s) { return s.source_to_detector_mm; },
      [](ScanSpec& s, double v) { s.source_to_detector_mm = v; }, diverging);
  addSpecField(
      form, tr("Views"), QString(), tr("Number of views"),
      {1, 65536, 1, 0, "knob_views", [this] { return viewsToTry(); }, "scan:views"},
      [](const ScanSpec& s) { return static_cast<double>(s.view_angles_rad.size()); },
      [](ScanSpec& s, double v) {
        set_views(s, first_angle_deg(s), covered_angle_deg(s), static_cast<int>(v));
      },
      turning);
  addSpecField(
      form, tr("First angle"), tr("°"),
      tr("Gantry angle of the first view, counter-clockwise seen from +z; 0 has the source at −y"),
      {-36000, 36000, 1, 3}, first_angle_deg,
      [](ScanSpec& s, double v) {
        set_views(s, v, covered_angle_deg(s), static_cast<int>(s.view_angles_rad.size()));
      },
      turning);
  addSpecField(
      form, tr("Turn"), tr("°"),
      tr("Angle that the views cover in equal steps; negative: they turn the other way"),
      {-36000, 36000, 10, 2}, covered_angle_deg,
      [](ScanSpec& s, double v) {
        if (std::abs(v) < least_turn_deg)
          throw InputError("the views do not turn", "Turn",
                           "give an angle of 0.1° at least, or of −0.1° at most");
        if (s.trajectory == Trajectory::circular && std::abs(v) > most_circles_deg)
          throw InputError("the views go round the circle more than ten times", "Turn",
                           "give −3600° to 3600°, or choose a helix");
        set_views(s, first_angle_deg(s), v, static_cast<int>(s.view_angles_rad.size()));
      },
      turning);
  addSpecField(
      form, tr("Feed"), tr("mm a turn"),
      tr("How far the source climbs along the axis with each turn; negative: downwards"),
      {-1e5, 1e5, 1, 3}, [](const ScanSpec& s) { return s.helical_feed_mm_per_turn; },
      [](ScanSpec& s, double v) { s.helical_feed_mm_per_turn = v; }, climbing);
}

/// A measured scan keeps its views.
std::optional<ValueRange> GeometryPanel::viewsToTry() const {
  constexpr double fewest = 8, most = 1440;
  if (measured()) return std::nullopt;
  return ValueRange{fewest, most, true, true};
}

/// Returns the columns near the middle of the detector.
std::optional<ValueRange> GeometryPanel::centresToTry() const {
  constexpr double share = 0.05;  // of the columns, to both sides
  const double columns = spec().detector_columns, middle = 0.5 * (columns - 1);
  return ValueRange{middle - share * columns, middle + share * columns, false, false};
}

void GeometryPanel::addDetectorFields(QFormLayout* form) {
  const Range pitch{0.0001, 1e4, 0.1, 4}, count{1, 65536, 1, 0}, index{-1e5, 1e5, 0.25, 3};
  addSpecField(
      form, tr("Columns"), QString(), tr("Detector cells across"), count,
      [](const ScanSpec& s) { return static_cast<double>(s.detector_columns); },
      [](ScanSpec& s, double v) {
        const double width = s.column_pitch_mm * s.detector_columns;  // the width is kept
        s.detector_columns = static_cast<int>(v);
        s.column_pitch_mm = width / s.detector_columns;
        s.central_column = 0.5 * (s.detector_columns - 1);
      },
      turning);
  addSpecField(
      form, tr("Column pitch"), tr("mm"), tr("Distance between columns; on an arc, along the arc"),
      pitch, [](const ScanSpec& s) { return s.column_pitch_mm; },
      [](ScanSpec& s, double v) { s.column_pitch_mm = v; }, turning);
  addSpecField(
      form, tr("Central column"), QString(),
      tr("Fractional column, from 0, of the ray through the axis; a wrong value doubles edges"),
      {index.low, index.high, index.step, index.decimals, "knob_centralColumn",
       [this] { return centresToTry(); }, "scan:central_column", true},
      [](const ScanSpec& s) { return s.central_column; },
      [](ScanSpec& s, double v) {
        const int columns = s.detector_columns;
        if (v < -columns || v > 2 * columns - 1)
          throw InputError(
              "the axis lies further beside the detector than its width", "Central column",
              "give " + std::to_string(-columns) + " to " + std::to_string(2 * columns - 1) +
                  "; the detector has the columns 0 to " + std::to_string(columns - 1));
        s.central_column = v;
      },
      turning);
  addSpecField(
      form, tr("Rows"), QString(), tr("Detector cells along the axis"), count,
      [](const ScanSpec& s) { return static_cast<double>(s.detector_rows); },
      [](ScanSpec& s, double v) {
        s.detector_rows = static_cast<int>(v);
        s.central_row = 0.5 * (s.detector_rows - 1);
      },
      several_rows);
  addSpecField(
      form, tr("Row pitch"), tr("mm"), tr("Distance between rows"), pitch,
      [](const ScanSpec& s) { return s.row_pitch_mm; },
      [](ScanSpec& s, double v) { s.row_pitch_mm = v; }, several_rows);
  addSpecField(
      form, tr("Central row"), QString(), tr("Index, from 0, of the row at the source's height"),
      index, [](const ScanSpec& s) { return s.central_row; },
      [](ScanSpec& s, double v) { s.central_row = v; }, several_rows);
}

void GeometryPanel::addGridFields(QFormLayout* form) {
  const auto always = [](const ScanSpec&, const VolumeGrid&) { return true; };
  const auto several = [](const ScanSpec& s, const VolumeGrid& g) {
    return g.nz > 1 || s.detector_rows > 1;
  };
  const auto add = [&](const QString& text, const QString& unit, const QString& help, Range range,
                       auto get, auto set, auto visible) {
    addField(
        form, text, unit, help, range,
        [get](const ScanSpec&, const VolumeGrid& g) { return get(g); },
        [this, set](const QString& name, double value) {
          editGrid(name, [&](VolumeGrid& g) { set(g, value); });
        },
        visible);
  };
  const Range count{1, 65536, 1, 0}, size{0.00001, 1000, 0.01, 5};
  const auto resized = [](const VolumeGrid& g, int nx, int ny, int nz, Vec3 spacing) {
    const Vec3 centre = g.center_mm();
    VolumeGrid next = VolumeGrid::centered(nx, ny, nz, spacing);
    next.origin_mm = next.origin_mm + centre;
    return next;
  };
  add(
      tr("Grid, x"), tr("pixels"),
      tr("Pixels of the reconstruction along x; the field keeps its size"), count,
      [](const VolumeGrid& g) { return static_cast<double>(g.nx); },
      [=](VolumeGrid& g, double v) {
        g = resized(g, static_cast<int>(v), g.ny, g.nz,
                    {g.nx * g.spacing_mm.x / v, g.spacing_mm.y, g.spacing_mm.z});
      },
      always);
  add(
      tr("Grid, y"), tr("pixels"),
      tr("Pixels of the reconstruction along y; the field keeps its size"), count,
      [](const VolumeGrid& g) { return static_cast<double>(g.ny); },
      [=](VolumeGrid& g, double v) {
        g = resized(g, g.nx, static_cast<int>(v), g.nz,
                    {g.spacing_mm.x, g.ny * g.spacing_mm.y / v, g.spacing_mm.z});
      },
      always);
  add(
      tr("Pixel size"), tr("mm"), tr("Side of a pixel"), size,
      [](const VolumeGrid& g) { return g.spacing_mm.x; },
      [=](VolumeGrid& g, double v) {
        g = resized(g, g.nx, g.ny, g.nz, {v, v * g.spacing_mm.y / g.spacing_mm.x, g.spacing_mm.z});
      },
      always);
  add(
      tr("Slices"), QString(), tr("Slices of the reconstruction"), count,
      [](const VolumeGrid& g) { return static_cast<double>(g.nz); },
      [=](VolumeGrid& g, double v) {
        g = resized(g, g.nx, g.ny, static_cast<int>(v), g.spacing_mm);
      },
      several);
  add(
      tr("Slice distance"), tr("mm"), tr("Distance between slices"), size,
      [](const VolumeGrid& g) { return g.spacing_mm.z; },
      [=](VolumeGrid& g, double v) {
        g = resized(g, g.nx, g.ny, g.nz, {g.spacing_mm.x, g.spacing_mm.y, v});
      },
      several);
}

ScanSpec GeometryPanel::spec() const {
  if (model_.experiment().geometry) return *model_.experiment().geometry;
  return preparedGeometry_ != nullptr ? preparedGeometry_->spec() : default_scan(128, 0);
}

VolumeGrid GeometryPanel::grid() const { return model_.experiment().grid.value_or(preparedGrid_); }

void GeometryPanel::editSpec(const QString& name, const std::function<void(ScanSpec&)>& change) {
  ScanSpec next = spec();
  try {
    change(next);
    const ScanGeometry checked(next);
  } catch (const Error& error) {
    emit problem(in_names_of_fields(QString::fromUtf8(error.what())));
    return showModel();
  }
  emit problem({});
  const auto set = [&](Experiment& e) {
    if (!e.grid) e.grid = grid();  // the grid on screen is kept
    e.geometry = next;
    if (next.beam != Beam::cone) e.source.rebin_to_fans = false;
  };
  isTrying_ ? model_.tryOut(set) : model_.edit(name, set);
}

void GeometryPanel::editGrid(const QString& name, const std::function<void(VolumeGrid&)>& change) {
  VolumeGrid next = grid();
  change(next);
  emit problem({});
  model_.edit(name, [&](Experiment& e) { e.grid = next; });
}

/// Makes the grid the square around the circle that is seen over half a turn, with as many pixels
/// as before.
void GeometryPanel::fitCircle() {
  const double radius_mm = ScanGeometry(spec()).field_of_view_radius_mm();
  editGrid(tr("Fit the circle"), [&](VolumeGrid& g) {
    const int pixels = std::max(g.nx, g.ny);
    const double size = 2 * radius_mm / pixels, z_mm = g.origin_mm.z;
    g = VolumeGrid::centered(pixels, pixels, g.nz, {size, size, g.spacing_mm.z});
    g.origin_mm.z = z_mm;
  });
}

/// Enables the button where there is such a circle.
void GeometryPanel::showCircle() {
  double radius_mm = 0;
  try {
    radius_mm = ScanGeometry(spec()).field_of_view_radius_mm();
  } catch (const Error&) {
    // The form says what is wrong with the scan.
  }
  circle_->setEnabled(radius_mm > 0);
  circle_->setToolTip(
      radius_mm > 0
          ? tr("Makes the grid the square around the circle about the axis whose points are all "
               "seen over half a turn, of radius %1 mm; the number of pixels stays")
                .arg(radius_mm, 0, 'f', 2)
          : tr("A view does not see the axis, and with it no circle about it: move or widen the "
               "detector"));
}

void GeometryPanel::setPrepared(std::shared_ptr<const ScanGeometry> geometry,
                                const VolumeGrid& grid, bool lengthsAreKnown) {
  const QString mm = QStringLiteral(" mm"), cells = tr(" cells");
  for (const Field& field : fields_)
    if (field.box->suffix() == mm || field.box->suffix() == cells)
      field.box->setSuffix(lengthsAreKnown ? mm : cells);
  preparedGeometry_ = std::move(geometry);
  preparedGrid_ = grid;
  showModel();
}

void GeometryPanel::setCentralColumn(double column) {
  editSpec(tr("Axis from data"), [column](ScanSpec& s) { s.central_column = column; });
}

void GeometryPanel::showModel() {
  const ScanSpec s = spec();
  const VolumeGrid g = grid();
  preset_->showPresetOf(s, g);
  preset_->setEnabled(!measured());  // data of a scan file keep their geometry
  showChoices(s);
  reset_->setVisible(measured());
  reset_->setEnabled(model_.experiment().geometry.has_value());
  showCircle();
  for (const Field& field : fields_) {
    const QSignalBlocker quiet(field.box);
    const double value = field.get(s, g);
    if (field.box->value() != value) field.box->setValue(value);
    const bool visible = field.visible(s, g);
    if (field.knob != nullptr) field.knob->setValues(field.values());
    if (field.sweep != nullptr) field.sweep->setVisible(field.sweptIfMeasured == measured());
    form_->setRowVisible(field.cell, visible);
  }
  try {
    const auto geometry = std::make_shared<const ScanGeometry>(s);
    const bool rebinned = model_.experiment().source.rebin_to_fans;
    symmetry_->showSymmetry(
        rebinned ? *FanRebinning(*geometry, rebinnable_slices(*geometry, g)).fans() : *geometry, g);
    emit shown(geometry, g);
  } catch (const Error& error) {
    emit problem(in_names_of_fields(QString::fromUtf8(error.what())));
  }
}

}  // namespace gantry
