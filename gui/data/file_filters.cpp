#include "gui/data/file_filters.hpp"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStringList>

#include <algorithm>

namespace gantry {

namespace {

QString translated(const char* text) { return QCoreApplication::translate("FileFilters", text); }

/// Returns the patterns of the files of a format: "*.dcm", "DICOMDIR".
QStringList patterns_of(const FileFormat& format) {
  QStringList patterns;
  for (const std::string& extension : format.extensions)
    patterns << QLatin1Char('*') + QString::fromStdString(extension);
  for (const std::string& name : format.whole_names) patterns << QString::fromStdString(name);
  return patterns;
}

QString filter_of(const QString& label, const QStringList& patterns) {
  return QStringLiteral("%1 (%2)").arg(label, patterns.join(QLatin1Char(' ')));
}

QString save_filter_of(const FileFormat& format, const QString& label) {
  if (format.is_folder) return translated("%1, a folder (*)").arg(label);
  return filter_of(label, {QLatin1Char('*') + QString::fromStdString(format.extensions.front())});
}

}  // namespace

QString open_filter(const QString& label, const std::vector<const FileFormat*>& formats,
                    const QString& more) {
  QStringList patterns;
  if (!more.isEmpty()) patterns << more;
  QString any_file = translated("Any file");
  for (const FileFormat* format : formats) {
    patterns << patterns_of(*format);
    if (format->is_folder)  // the files of such a folder may have any name
      any_file +=
          translated(", %1 without an extension").arg(QString::fromStdString(format->label));
  }
  patterns.removeDuplicates();
  return filter_of(label, patterns) + QStringLiteral(";;") +
         filter_of(any_file, {QStringLiteral("*")});
}

QString save_filter(const FileFormat& format) {
  return save_filter_of(format, QString::fromStdString(format.label));
}

QString deidentified_filter(const FileFormat& format) {
  return save_filter_of(format, translated("%1, de-identified (PS3.15 basic profile)")
                                    .arg(QString::fromStdString(format.label)));
}

QString save_filters(const std::vector<const FileFormat*>& formats) {
  QStringList filters;
  for (const FileFormat* format : formats) {
    filters << save_filter(*format);
    if (format->is_of_patients) filters << deidentified_filter(*format);
  }
  return filters.join(QStringLiteral(";;"));
}

bool is_deidentified(const QString& filter, const std::vector<const FileFormat*>& formats) {
  return std::ranges::any_of(formats, [&](const FileFormat* format) {
    return format->is_of_patients && deidentified_filter(*format) == filter;
  });
}

QString with_extension(const QString& path, const std::vector<const FileFormat*>& formats,
                       const QString& filter) {
  if (formats.empty()) return path;
  const FileFormat* chosen = formats.front();
  for (const FileFormat* format : formats)
    if (save_filter(*format) == filter || deidentified_filter(*format) == filter) chosen = format;
  const bool has_one = std::ranges::any_of(formats, [&](const FileFormat* format) {
    return has_extension_of(*format, path.toStdString());
  });
  if (chosen->is_folder || has_one) return path;
  return path + QString::fromStdString(chosen->extensions.front());
}

}  // namespace gantry
