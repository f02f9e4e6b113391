#include "gui/data/data_set_fields.hpp"

#include "gui/widgets/background.hpp"

#include <QComboBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QLineEdit>
#include <QSignalBlocker>

#include <algorithm>
#include <utility>

namespace gantry {

namespace {

/// Returns the path in "/entry/data (91 x 135 x 160)".
QString path_in(const QString& text) { return text.section(QStringLiteral(" ("), 0, 0).trimmed(); }

}  // namespace

DataSetFields::DataSetFields(QFormLayout* form)
    : QObject(form->parentWidget()),
      form_(form),
      fields_{addField(QStringLiteral("importData"), tr("Data set"),
                       tr("The data set of HDF5 that holds the projections, in the order view, "
                          "row, column, or a sinogram: view, column"),
                       &DataSetPaths::projections, false),
              addField(QStringLiteral("importFlatData"), tr("Data set of flats"),
                       tr("Frames without the object, in this file or in the one chosen for "
                          "flats"),
                       &DataSetPaths::flats, false),
              addField(QStringLiteral("importDarkData"), tr("Data set of darks"),
                       tr("Frames without the beam, in this file or in the one chosen for darks"),
                       &DataSetPaths::darks, false),
              addField(QStringLiteral("importAnglesData"), tr("Data set of angles"),
                       tr("Degrees, unless its attribute units says radians"),
                       &DataSetPaths::angles, true)} {
  for (const Field& field : fields_) {
    form_->setRowVisible(field.box, false);
    connect(field.box, &QComboBox::activated, this, [this, field] { take(field); });
    connect(field.box->lineEdit(), &QLineEdit::editingFinished, this,
            [this, field] { take(field); });
  }
}

DataSetFields::Field DataSetFields::addField(const QString& name, const QString& label,
                                             const QString& tip, std::string DataSetPaths::*path,
                                             bool takesLists) {
  auto* box = new QComboBox(form_->parentWidget());
  box->setObjectName(name);
  box->setAccessibleName(label);
  box->setToolTip(tip);
  box->setEditable(true);
  box->setInsertPolicy(QComboBox::NoInsert);
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->lineEdit()->setPlaceholderText(tr("as found"));
  form_->addRow(label, box);
  return {path, box, takesLists};
}

void DataSetFields::show(const std::string& path, const DataSetPaths& paths) {
  paths_ = paths;
  const ImportFormat* format = path.empty() ? nullptr : import_formats().recognise(path).format;
  const bool hasPaths = format != nullptr && format->data_sets;
  for (const Field& field : fields_) form_->setRowVisible(field.box, hasPaths);
  if (const std::string file = hasPaths ? path : std::string();
      std::exchange(file_, file) != file) {
    list({});
    if (hasPaths)
      in_background<std::vector<DataSetEntry>>(
          this, [path, open = format->data_sets] { return open(path, nullptr); },
          [this, path](const std::vector<DataSetEntry>& entries) {
            if (path == file_) list(entries);
          },
          [](const QString&) {});  // the import says what is wrong with the file
  }
  showPaths();
}

void DataSetFields::list(const std::vector<DataSetEntry>& entries) {
  for (const Field& field : fields_) {
    const QSignalBlocker quiet(field.box);
    field.box->clear();
    field.box->addItem(QString());  // as found
    for (const DataSetEntry& one : entries)
      if (field.takesLists != QString::fromStdString(one.size).contains(QStringLiteral(" x ")))
        field.box->addItem(QStringLiteral("%1 (%2)").arg(QString::fromStdString(one.path),
                                                         QString::fromStdString(one.size)));
  }
  showPaths();
}

void DataSetFields::showPaths() {
  for (const Field& field : fields_) {
    const QSignalBlocker quiet(field.box);
    const QString path = QString::fromStdString(paths_.*field.path);
    int index = -1;
    for (int i = 0; i < field.box->count(); ++i)
      if (path_in(field.box->itemText(i)) == path) index = i;
    field.box->setCurrentIndex(index);
    if (index < 0) field.box->setEditText(path);
  }
}

void DataSetFields::take(const Field& field) {
  DataSetPaths now = paths_;
  now.*field.path = path_in(field.box->currentText()).toStdString();
  if (now != paths_) emit chosen(now);
}

void name_data_set(QObject* context, const SourceSpec& source,
                   const std::function<void(const SourceSpec&, const QString& said)>& done) {
  const ImportFormat* format = import_formats().recognise(source.path).format;
  if (format == nullptr || !format->data_sets) return done(source, {});
  const auto name = [source, done](const std::vector<DataSetEntry>& entries) {
    const auto largest = std::ranges::find(entries, true, &DataSetEntry::is_largest_of_several);
    if (largest == entries.end()) return done(source, {});
    SourceSpec named = source;
    named.import_settings.data_sets.projections = largest->path;
    done(named,
         DataSetFields::tr("%1: several data sets may be the projections; %2 (%3), the "
                           "largest, was taken. The form of the data chooses another")
             .arg(QFileInfo(QString::fromStdString(source.path)).fileName(),
                  QString::fromStdString(largest->path), QString::fromStdString(largest->size)));
  };
  in_background<std::vector<DataSetEntry>>(
      context, [path = source.path, list = format->data_sets] { return list(path, nullptr); }, name,
      [source, done](const QString&) { done(source, {}); });
}

}  // namespace gantry
