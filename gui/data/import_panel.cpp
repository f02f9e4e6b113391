#include "gui/data/import_panel.hpp"

#include "core/geometry/scan_geometry.hpp"
#include "core/io/imports/array_frames.hpp"
#include "core/io/imports/import_geometry.hpp"
#include "core/io/imports/import_scan.hpp"
#include "gui/data/data_set_fields.hpp"
#include "gui/data/part_fields.hpp"
#include "gui/widgets/field_names.hpp"
#include "gui/widgets/number_box.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStandardItemModel>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace gantry {

namespace {

QString folder_of_source(const ExperimentModel& model) {
  const QFileInfo source(QString::fromStdString(model.experiment().source.path));
  return source.isDir() ? source.filePath() : source.path();
}

constexpr double mostDegrees = 36000;
constexpr int unknownColumns = 1000000;  // a bound, while those of the images are not known
constexpr int onlyTurns = -1;            // in the place of TranslationAxes

/// Returns the number in a box whose least value stands for none.
std::optional<double> given(const QDoubleSpinBox& box) {
  return box.value() > box.minimum() ? std::optional(box.value()) : std::nullopt;
}

bool is_imported(const SourceSpec& source) {
  return source.kind == SourceKind::scan && is_importable(source.path);
}

bool hasDataSets(const std::string& path) {
  const ImportFormat* format = import_formats().recognise(path).format;
  return format != nullptr && format->data_sets;
}

/// Whether the format of a file leaves open what a flag of it says.
bool isOpen(const std::string& path, bool ImportFormat::*flag) {
  const ImportFormat* format = import_formats().recognise(path).format;
  return format != nullptr && format->*flag;
}

}  // namespace

ImportPanel::ImportPanel(ExperimentModel& model, QWidget* parent)
    : QWidget(parent), model_(model), wholeColumns_(unknownColumns) {
  auto* form = new QFormLayout(this);
  form->setContentsMargins(0, 0, 0, 0);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->setRowWrapPolicy(QFormLayout::WrapLongRows);
  dataSets_ = new DataSetFields(form);
  connect(dataSets_, &DataSetFields::chosen, this, [this](const DataSetPaths& paths) {
    edit(tr("Change data set"), [&](ImportSettings& s) { s.data_sets = paths; });
  });
  addImages();
  addAxes();
  addAngles();
  addMotion();
  centre_ = addNumber(QStringLiteral("importCentre"), tr("Axis of rotation"),
                      tr("Column of the images, from 0, onto which the axis is projected. In the "
                         "step Scan, Central column has a slider and a strip of slices that find "
                         "it"));
  centre_->setSuffix(tr(" column"));
  centre_->setSingleStep(0.1);
  pixel_ = addNumber(QStringLiteral("importPixel"), tr("Cell of the detector"),
                     tr("Distance of neighbouring cells of the detector"));
  sourceToAxis_ = addNumber(QStringLiteral("importSourceToAxis"), tr("Source to axis"),
                            tr("Distance of the source"));
  sourceToDetector_ = addNumber(QStringLiteral("importSourceToDetector"), tr("Source to detector"),
                                tr("Distance of the source; give both, or neither"));
  for (QDoubleSpinBox* length : {pixel_, sourceToAxis_, sourceToDetector_}) {
    length->setSuffix(tr(" mm"));
    length->setDecimals(5);
    length->setRange(0, 1e6);
  }
  flats_ = addFiles(tr("Flats"), tr("Frames without the object, if their names do not tell them"),
                    &ImportSettings::flats);
  darks_ = addFiles(tr("Darks"), tr("Frames without the beam, if their names do not tell them"),
                    &ImportSettings::darks);
  addValues();
  part_ = new PartFields(form);
  connect(part_, &PartFields::edited, this, &ImportPanel::edit);
  assumptions_ = new QLabel(this);
  assumptions_->setObjectName(QStringLiteral("importAssumptions"));
  assumptions_->setWordWrap(true);
  assumptions_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  form->addRow(assumptions_);
  const auto connect_number = [this](QDoubleSpinBox* box, const QString& what, auto set) {
    connect(box, &QDoubleSpinBox::valueChanged, this, [this, what, set](double value) {
      edit(what, [&](ImportSettings& s) { set(s, value); });
    });
  };
  connect_number(centre_, tr("Change axis of rotation"),
                 [this](ImportSettings& s, double) { s.centre = given(*centre_); });
  connect_number(pixel_, tr("Change cell of the detector"),
                 [](ImportSettings& s, double value) { s.pixel_mm = value; });
  connect_number(whiteLevel_, tr("Change level of air"), [](ImportSettings& s, double value) {
    s.normalise.white_level = value;
    if (!(value > 0)) return;
    s.flats.clear();
    s.normalise.are_line_integrals = false;
    if (s.normalise.average == FrameAverage::interpolated)
      s.normalise.average = NormaliseOptions().average;
  });
  connect_number(sourceToAxis_, tr("Change distance"),
                 [](ImportSettings& s, double value) { s.source_to_axis_mm = value; });
  connect_number(sourceToDetector_, tr("Change distance"),
                 [](ImportSettings& s, double value) { s.source_to_detector_mm = value; });
  connect(&model_, &ExperimentModel::changed, this, &ImportPanel::showModel);
  showFound(nullptr, false, false);
  showModel();
}

NumberBox* ImportPanel::addNumber(const QString& name, const QString& label, const QString& tip) {
  auto* box = new NumberBox(this);
  box->setObjectName(name);
  box->setAccessibleName(label);
  box->setButtonSymbols(QAbstractSpinBox::NoButtons);  // what was found needs the room
  box->setDecimals(4);
  box->setToolTip(tip);
  static_cast<QFormLayout*>(layout())->addRow(label, box);
  return box;
}

void ImportPanel::addImages() {
  images_ = new QComboBox(this);
  images_->setObjectName(QStringLiteral("importImages"));
  images_->setAccessibleName(tr("Images"));
  images_->addItem(tr("as found"), static_cast<int>(ImageContent::as_found));
  images_->addItem(tr("projections"), static_cast<int>(ImageContent::projections));
  images_->addItem(tr("sinograms"), static_cast<int>(ImageContent::sinograms));
  images_->setToolTip(
      tr("Projections: each image is a view. Sinograms: each image is a row of the detector, with "
         "a view in each of its rows. As found: a single image, or images with the word sino in "
         "their names, are sinograms"));
  static_cast<QFormLayout*>(layout())->addRow(tr("Images"), images_);
  connect(images_, &QComboBox::activated, this, [this](int index) {
    const auto images = static_cast<ImageContent>(images_->itemData(index).toInt());
    edit(tr("Change images"), [images](ImportSettings& s) {
      s.images = images;
      if (images != ImageContent::as_found) s.axes.clear();
    });
  });
}

void ImportPanel::addAxes() {
  axes_ = new QComboBox(this);
  axes_->setObjectName(QStringLiteral("importAxes"));
  axes_->setAccessibleName(tr("Order of axes"));
  axes_->addItem(tr("as found"), QString());
  for (const char* order : {"views,rows,columns", "views,columns,rows", "rows,views,columns",
                            "rows,columns,views", "columns,views,rows", "columns,rows,views",
                            "views,columns", "columns,views", "rows,columns", "columns,rows"}) {
    const QString text = QString::fromLatin1(order);
    axes_->addItem(QString(text).replace(QLatin1Char(','), QStringLiteral(", ")), text);
  }
  axes_->setToolTip(
      tr("What the axes of an array or a data set are, in the order of its sizes. As found: by the "
         "number of angles, else the usual order of the format"));
  static_cast<QFormLayout*>(layout())->addRow(tr("Order of axes"), axes_);
  connect(axes_, &QComboBox::activated, this, [this](int index) {
    const auto order = axis_order_in(axes_->itemData(index).toString().toStdString());
    edit(tr("Change order of axes"), [&order](ImportSettings& s) {
      s.axes = order.value_or(AxisOrder{});
      if (order) s.images = ImageContent::as_found;
    });
  });
}

void ImportPanel::addAngles() {
  arc_ = addNumber(QStringLiteral("importArc"), tr("Arc"),
                   tr("Angle from the first to the last projection. As found: by the files, else "
                      "by comparing the "
                      "first and the last projection of a parallel beam"));
  arc_->setRangeOrSpecial(-mostDegrees, mostDegrees);
  arc_->setSuffix(QStringLiteral("°"));
  open_ = new QCheckBox(tr("the end is not measured"), this);
  open_->setObjectName(QStringLiteral("importOpen"));
  open_->setToolTip(tr("The last projection lies a step before the end of the arc"));
  angles_ = new QPushButton(this);
  angles_->setObjectName(QStringLiteral("importAngles"));
  auto* form = static_cast<QFormLayout*>(layout());
  form->addRow(QString(), open_);
  form->addRow(tr("Angles"), angles_);
  angleColumn_ = new QLineEdit(this);
  angleColumn_->setObjectName(QStringLiteral("importAngleColumn"));
  angleColumn_->setAccessibleName(tr("Column of angles"));
  angleColumn_->setPlaceholderText(tr("as found"));
  angleColumn_->setToolTip(
      tr("The column with the angles in a table, by its name or its number from 1"));
  form->addRow(tr("Column of angles"), angleColumn_);
  connect(angleColumn_, &QLineEdit::editingFinished, this, [this] {
    const std::string typed = angleColumn_->text().trimmed().toStdString();
    if (typed != model_.experiment().source.import_settings.angle_column)
      edit(tr("Change column of angles"), [&](ImportSettings& s) { s.angle_column = typed; });
  });
  connect(arc_, &QDoubleSpinBox::valueChanged, this, [this] {
    edit(tr("Change arc"), [this](ImportSettings& s) {
      s.arc_deg = given(*arc_);
      if (!s.arc_deg) return;
      s.angles.clear();
      s.angle_column.clear();
    });
  });
  connect(open_, &QCheckBox::toggled, this, [this](bool on) {
    edit(tr("Change arc"), [on](ImportSettings& s) { s.arc_is_open = on; });
  });
  connect(angles_, &QPushButton::clicked, this, [this] {
    const bool has_file = !model_.experiment().source.import_settings.angles.empty();
    const QString path =
        has_file ? QString()
                 : QFileDialog::getOpenFileName(this, tr("Angles, one per line"),
                                                folder_of_source(model_), tr("Any file (*)"));
    if (!has_file && path.isEmpty()) return;
    edit(tr("Change angles"), [&](ImportSettings& s) {
      s.angles = path.toStdString();
      s.angle_column.clear();
      if (!path.isEmpty()) s.arc_deg.reset();
    });
  });
}

void ImportPanel::addMotion() {
  motion_ = new QComboBox(this);
  motion_->setObjectName(QStringLiteral("importMotion"));
  motion_->setAccessibleName(tr("Motion"));
  motion_->addItem(tr("as the files state"), static_cast<int>(TranslationAxes::as_stated));
  motion_->addItem(tr("translations along NeXus's axes"), static_cast<int>(TranslationAxes::nexus));
  motion_->addItem(tr("translations along ESRF's axes"), static_cast<int>(TranslationAxes::esrf));
  motion_->addItem(tr("only a turn"), onlyTurns);
  motion_->setToolTip(tr(
      "Motions of the object beside its rotation: translations that an HDF5 file lists, and tilts "
      "of the axis. NeXus: x is to the left as seen from the source, y is up. ESRF: y is to the "
      "left, z is up. Only a turn: both are left out"));
  static_cast<QFormLayout*>(layout())->addRow(tr("Motion"), motion_);
  connect(motion_, &QComboBox::activated, this, [this](int index) {
    const int chosen = motion_->itemData(index).toInt();
    edit(tr("Change motion"), [chosen](ImportSettings& s) {
      s.only_turns = chosen == onlyTurns;
      s.translations =
          s.only_turns ? TranslationAxes::as_stated : static_cast<TranslationAxes>(chosen);
    });
  });
}

QPushButton* ImportPanel::addFiles(const QString& label, const QString& tip, Files files) {
  auto* button = new QPushButton(this);
  button->setAccessibleName(label);
  button->setToolTip(tip);
  static_cast<QFormLayout*>(layout())->addRow(label, button);
  connect(button, &QPushButton::clicked, this, [this, label, files] {
    std::vector<std::string> chosen;
    if ((model_.experiment().source.import_settings.*files).empty()) {
      for (const QString& path :
           QFileDialog::getOpenFileNames(this, label, folder_of_source(model_), tr("Any file (*)")))
        chosen.push_back(path.toStdString());
      if (chosen.empty()) return;
    }
    edit(tr("Change %1").arg(label), [&](ImportSettings& s) {
      s.*files = chosen;
      if (!s.flats.empty()) s.normalise.white_level = 0;
    });
  });
  return button;
}

void ImportPanel::addValues() {
  average_ = new QComboBox(this);
  average_->setObjectName(QStringLiteral("importAverage"));
  average_->addItem(tr("Median"), static_cast<int>(FrameAverage::median));
  average_->addItem(tr("Mean"), static_cast<int>(FrameAverage::mean));
  average_->addItem(tr("Interpolated in time"), static_cast<int>(FrameAverage::interpolated));
  average_->setToolTip(tr(
      "How several flats and darks become one. Interpolated: each view gets the beam between the "
      "flats before and after it, where the files or their names tell when these were taken"));
  air_ = new WholeBox(this);
  air_->setObjectName(QStringLiteral("importAir"));
  air_->setRange(0, 65536);
  air_->setSpecialValueText(tr("none"));
  air_->setToolTip(tr(
      "Columns at both ends of the detector that see air in every view: the beam there is made 1, "
      "which removes a drift of the source"));
  lineIntegrals_ = new QCheckBox(tr("are line integrals"), this);
  lineIntegrals_->setObjectName(QStringLiteral("importLineIntegrals"));
  lineIntegrals_->setToolTip(tr("The values are -ln(I / I0) already, instead of intensities"));
  auto* form = static_cast<QFormLayout*>(layout());
  form->addRow(tr("Average of flats"), average_);
  form->addRow(tr("Columns of air"), air_);
  whiteLevel_ = addNumber(QStringLiteral("importWhiteLevel"), tr("Level of air"),
                          tr("What a cell shows without an object, instead of flats. As found: by "
                             "the flats or as the files state it, else by the projections"));
  whiteLevel_->setRange(0, 1e9);
  whiteLevel_->setSpecialValueText(tr("as found"));
  connect(average_, &QComboBox::activated, this, [this](int index) {
    const auto average = static_cast<FrameAverage>(average_->itemData(index).toInt());
    edit(tr("Change average of flats"), [average](ImportSettings& s) {
      s.normalise.average = average;
      if (average == FrameAverage::interpolated) s.normalise.white_level = 0;
    });
  });
  form->addRow(tr("Values"), lineIntegrals_);
  connect(air_, &QSpinBox::valueChanged, this, [this](int value) {
    edit(tr("Change columns of air"),
         [value](ImportSettings& s) { s.normalise.air_columns = value; });
  });
  connect(lineIntegrals_, &QCheckBox::toggled, this, [this](bool on) {
    edit(tr("Change values"), [on](ImportSettings& s) {
      s.normalise.are_line_integrals = on;
      if (on) s.normalise.white_level = 0;
    });
  });
}

void ImportPanel::edit(const QString& what, const std::function<void(ImportSettings&)>& change) {
  const Experiment before = model_.experiment();
  bool loses_geometry = false;
  model_.edit(what, [&](Experiment& e) { loses_geometry = change_import(e, found_, change); });
  // An axis that is to be found again may have been in the geometry alone.
  const ImportSettings& now = model_.experiment().source.import_settings;
  if (before.geometry && now == before.source.import_settings) emit importWanted();
  if (loses_geometry)
    emit remark(
        tr("Scan shows what the files state again: the geometry that was set there belonged to the "
           "former import. Undo brings it back"));
}

void ImportPanel::setImported(const ScanGeometry& geometry,
                              const std::vector<Assumption>& assumptions) {
  QStringList lines;
  bool pixelIsKnown = true, arcIsAssumed = false;
  for (const Assumption& one : assumptions) {
    lines << tr("%1: %2 (%3)")
                 .arg(QString::fromStdString(one.what), QString::fromStdString(one.value),
                      QString::fromStdString(one.why));
    pixelIsKnown &= one != unknown_pixel;
    arcIsAssumed |= one.why == nothing_tells;
  }
  assumptions_->setText(lines.isEmpty()
                            ? QString()
                            : tr("Concluded or assumed:\n• %1")
                                  .arg(options_as_fields(lines.join(QStringLiteral("\n• ")))));
  assumptions_->setVisible(!lines.isEmpty());
  const Experiment& now = model_.experiment();
  // The form is about the whole images of the file, as it states them.
  const bool isOfFile = !now.geometry && !now.source.rebin_to_fans &&
                        now.source.import_settings.part == FramePart{} &&
                        now.source.import_settings.padding.columns == 0 &&
                        geometry.spec().trajectory != Trajectory::poses;
  if (now.source.path != found_.path) {
    found_ = {.path = now.source.path};
    wholeColumns_ = unknownColumns;
  }
  found_.columns = geometry.columns();
  if (!now.geometry) keep_found(now, geometry.spec(), found_);
  if (isOfFile) wholeColumns_ = geometry.columns();
  showCentre();
  showFound(isOfFile ? &geometry : nullptr, pixelIsKnown, arcIsAssumed);
}

/// Shows the axis that the experiment states, wherever it was chosen; it may be typed at most a
/// width of the detector beside it: even that of a shifted detector is near an edge. An experiment
/// may say otherwise.
void ImportPanel::showCentre() {
  const std::optional<double> given = chosen_axis(model_.experiment(), found_);
  const double columns = wholeColumns_, any = given.value_or(0);
  const QSignalBlocker quiet(centre_);
  centre_->setRangeOrSpecial(std::min(-columns, any), std::max(2 * columns - 1, any));
  centre_->setValue(given.value_or(centre_->minimum()));
}

/// Shows in the fields that the user has left open what was found; without a geometry, only that
/// something is.
void ImportPanel::showFound(const ScanGeometry* geometry, bool pixelIsKnown, bool arcIsAssumed) {
  const ImportSettings& now = model_.experiment().source.import_settings;
  // A value that the user gives is shown itself; it was not found.
  const auto show = [geometry](QDoubleSpinBox* box, bool isGiven, const QString& unknown,
                               const auto& found) {
    box->setSpecialValueText(geometry == nullptr || isGiven ? unknown : found(geometry->spec()));
  };
  const auto number = [](double value, int digits = 6) {
    return QLocale::c().toString(value, 'g', digits);
  };
  show(arc_, now.arc_deg || !now.angles.empty(), tr("as found"), [&](const ScanSpec& spec) {
    const auto& angles = spec.view_angles_rad;
    return (arcIsAssumed ? tr("%1 to %2°, assumed") : tr("%1 to %2°, found"))
        .arg(number(degrees(angles.front()), 5), number(degrees(angles.back()), 5));
  });
  show(centre_, chosen_axis(model_.experiment(), found_).has_value(), tr("as found"),
       [&](const ScanSpec& spec) { return tr("%1, as found").arg(number(spec.central_column)); });
  show(pixel_, now.pixel_mm > 0, tr("as stated"), [&](const ScanSpec& spec) {
    return pixelIsKnown ? tr("%1 mm, as stated").arg(number(spec.column_pitch_mm))
                        : tr("not known (cells)");
  });
  const auto show_distance = [&](QDoubleSpinBox* box, double given_mm, double ScanSpec::*distance) {
    show(box, given_mm > 0, tr("as stated"), [&](const ScanSpec& spec) {
      return spec.beam == Beam::parallel ? tr("parallel beam")
                                         : tr("%1 mm, as stated").arg(number(spec.*distance));
    });
  };
  show_distance(sourceToAxis_, now.source_to_axis_mm, &ScanSpec::source_to_isocenter_mm);
  show_distance(sourceToDetector_, now.source_to_detector_mm, &ScanSpec::source_to_detector_mm);
}

void ImportPanel::showModel() {
  const SourceSpec& source = model_.experiment().source;
  const bool imported = is_imported(source);
  setVisible(imported);
  const ImportSettings& now = source.import_settings;
  // One distance alone waits for the other one.
  const bool is_whole = (now.source_to_axis_mm > 0) == (now.source_to_detector_mm > 0);
  if (std::exchange(shown_, now) != now && imported && is_whole) emit importWanted();
  const auto show_number = [](QDoubleSpinBox* box, double value) {
    const QSignalBlocker quiet(box);
    box->setValue(value);
  };
  show_number(arc_, now.arc_deg.value_or(arc_->minimum()));
  showCentre();
  show_number(pixel_, now.pixel_mm);
  show_number(whiteLevel_, now.normalise.white_level);
  show_number(sourceToAxis_, now.source_to_axis_mm);
  show_number(sourceToDetector_, now.source_to_detector_mm);
  const QSignalBlocker q1(open_), q2(air_), q3(lineIntegrals_);
  dataSets_->show(imported ? source.path : std::string(), now.data_sets);
  images_->setCurrentIndex(images_->findData(static_cast<int>(now.images)));
  images_->setEnabled(imported && isOpen(source.path, &ImportFormat::has_open_images));
  axes_->setCurrentIndex(axes_->findData(QString::fromStdString(text_of(now.axes))));
  axes_->setEnabled(imported && isOpen(source.path, &ImportFormat::has_open_axes));
  const auto* axes = qobject_cast<QStandardItemModel*>(motion_->model());
  for (const int row : {1, 2})  // which HDF5 alone lists translations along
    axes->item(row)->setEnabled(imported && hasDataSets(source.path));
  motion_->setCurrentIndex(
      motion_->findData(now.only_turns ? onlyTurns : static_cast<int>(now.translations)));
  part_->show(now);
  open_->setChecked(now.arc_is_open);
  open_->setEnabled(now.arc_deg.has_value());
  air_->setValue(now.normalise.air_columns);
  average_->setCurrentIndex(average_->findData(static_cast<int>(now.normalise.average)));
  lineIntegrals_->setChecked(now.normalise.are_line_integrals);
  const QString file = QFileInfo(QString::fromStdString(now.angles)).fileName();
  angles_->setText(file.isEmpty() ? tr("From a file…") : tr("%1: forget").arg(file));
  angles_->setToolTip(tr("A text with one angle per line"));
  angleColumn_->setText(QString::fromStdString(now.angle_column));
  for (const auto& [button, files] : {std::pair{flats_, &now.flats}, std::pair{darks_, &now.darks}})
    button->setText(files->empty() ? tr("By their names; choose…")
                                   : tr("%1 chosen: forget").arg(files->size()));
}

}  // namespace gantry
