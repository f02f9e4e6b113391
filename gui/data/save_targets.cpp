#include "gui/data/save_targets.hpp"

#include <QCheckBox>
#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QSettings>
#include <QStandardPaths>

namespace gantry {

namespace {

const QString setting = QStringLiteral("resultsFolder");
const QString deidentify_setting = QStringLiteral("deidentifyDicom");
const QString session_ending = QStringLiteral(".gantry");

QString translated(const char* text) { return QCoreApplication::translate("SaveTargets", text); }

}  // namespace

QString volume_file_name(int index, const QString& label) {
  QString name;
  for (const QChar c : label)
    name += c.isLetterOrNumber() && c.unicode() < 128 ? c : QLatin1Char('-');
  return QStringLiteral("run%1-%2.mha").arg(index + 1).arg(name.simplified());
}

QString session_file_name(const QString& name) {
  QString safe;
  for (const QChar c : name.simplified())
    safe += c.isLetterOrNumber() || QStringLiteral(" -_.").contains(c) ? c : QLatin1Char('-');
  return (safe.isEmpty() ? QStringLiteral("session") : safe) + session_ending;
}

bool is_session_name(const QString& path) {
  return path.endsWith(session_ending, Qt::CaseInsensitive);
}

QString results_folder() {
  const QString last = QSettings().value(setting).toString();
  if (!last.isEmpty() && QFileInfo(last).isDir()) return last;
  const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  return QDir(documents).filePath(translated("Gantry results"));
}

QString ask_where_to_save(QWidget* window, const QString& title, const QString& filter,
                          const QString& suggestion, QString* chosen) {
  const QString folder = results_folder();
  const bool is_new = !QFileInfo::exists(folder) && QDir().mkpath(folder);  // for the dialog
  const QString path = QFileDialog::getSaveFileName(
      window, title, QDir(folder).filePath(suggestion), filter, chosen);
  if (!path.isEmpty()) QSettings().setValue(setting, QFileInfo(path).absolutePath());
  if (is_new && QFileInfo(path).absolutePath() != folder) QDir().rmdir(folder);
  return path;
}

std::optional<bool> ask_deidentify(QWidget* window) {
  QMessageBox box(QMessageBox::Question, translated("Save DICOM series"),
                  translated("The series states patient and study of its source."),
                  QMessageBox::Save | QMessageBox::Cancel, window);
  auto* check = new QCheckBox(translated("De-identify"));
  check->setObjectName(QStringLiteral("deidentify"));
  check->setToolTip(
      translated("Without name, numbers, dates, places, texts and the UIDs of the source (DICOM "
                 "PS3.15, basic profile). Pixels stay as they are; sessions, curves and pictures "
                 "of the window still say which series the source is"));
  check->setChecked(QSettings().value(deidentify_setting, false).toBool());
  box.setCheckBox(check);
  if (box.exec() != QMessageBox::Save) return std::nullopt;
  QSettings().setValue(deidentify_setting, check->isChecked());
  return check->isChecked();
}

}  // namespace gantry
