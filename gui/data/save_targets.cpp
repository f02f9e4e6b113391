#include "gui/data/save_targets.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QStandardPaths>

namespace gantry {

namespace {

const QString setting = QStringLiteral("resultsFolder");
const QString session_ending = QStringLiteral(".gantry");

QString saveTargetsText(const char* text) {
  return QCoreApplication::translate("SaveTargets", text);
}

}  // namespace

QString volume_file_name(int index, const QString& label) {
  QString name;
  for (const QChar c : label)
    name += c.isLetterOrNumber() && c.unicode() < 128 ? c : QLatin1Char('-');
  return QStringLiteral("run%1-%2.mha").arg(index + 1).arg(name.simplified());
}

bool has_ending(const QString& path) {
  static const QRegularExpression ending(QStringLiteral("^[A-Za-z][A-Za-z0-9]*$"));
  return ending.match(QFileInfo(path).suffix()).hasMatch();
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
  return QDir(documents).filePath(saveTargetsText("Gantry results"));
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

std::optional<WantedIterate> choose_iterate(QWidget* window, const QString& shown, bool is_exact) {
  QMessageBox box(
      QMessageBox::Question, saveTargetsText("Save volume"),
      saveTargetsText("The views show an earlier iterate, %1. Which one is to be saved?")
          .arg(shown),
      QMessageBox::Cancel, window);
  if (!is_exact)
    box.setInformativeText(
        saveTargetsText("The earlier one is kept as an image of rounded values."));
  const QPushButton* earlier =
      box.addButton(saveTargetsText("The one shown"), QMessageBox::AcceptRole);
  const QPushButton* latest = box.addButton(saveTargetsText("The latest"), QMessageBox::AcceptRole);
  box.exec();
  if (box.clickedButton() == earlier) return WantedIterate::shown;
  if (box.clickedButton() == latest) return WantedIterate::latest;
  return std::nullopt;
}

}  // namespace gantry
