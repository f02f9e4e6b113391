// The part of FileActions that asks the user what to open.
#include "core/io/imports/import_scan.hpp"
#include "core/io/scans/projection_formats.hpp"
#include "core/io/volumes/volume_formats.hpp"
#include "gui/data/file_actions.hpp"
#include "gui/data/file_filters.hpp"
#include "gui/data/series_chooser.hpp"

#include <QFileDialog>
#include <QFileInfo>

#include <algorithm>
#include <iterator>

namespace gantry {

/// Returns the formats of measured data.
static std::vector<const FileFormat*> scan_formats() {
  std::vector<const FileFormat*> formats = projection_formats().readable();
  std::ranges::copy(import_formats().readable(), std::back_inserter(formats));
  return formats;
}

std::vector<const FileFormat*> FileActions::dataFormats() {
  std::vector<const FileFormat*> formats = volume_formats().readable();
  std::ranges::copy(scan_formats(), std::back_inserter(formats));
  return formats;
}

void FileActions::chooseAny() {
  const QString path = QFileDialog::getOpenFileName(
      window_, tr("Open"), folder(),
      open_filter(tr("All that Gantry reads"), dataFormats(), QStringLiteral("*.gantry *.json")));
  if (!path.isEmpty()) open(path);
}

void FileActions::chooseFolder() {
  const QString path =
      QFileDialog::getExistingDirectory(window_, tr("Open a folder of images"), folder());
  if (!path.isEmpty()) open(path);
}

void FileActions::chooseScan() {
  const QString path = QFileDialog::getOpenFileName(window_, tr("Open scan"), folder(),
                                                    open_filter(tr("Scans"), scan_formats()));
  if (!path.isEmpty())
    attemptToOpen(
        path, [&] { is_importable(path.toStdString()) ? openProjections(path) : openScan(path); });
}

void FileActions::chooseVolume() {
  const QString path =
      QFileDialog::getOpenFileName(window_, tr("Open volume"), folder(),
                                   open_filter(tr("Volumes"), volume_formats().readable()));
  if (!path.isEmpty()) attemptToOpen(path, [&] { openVolume(path); });
}

void FileActions::chooseSeries(const QString& path, const std::vector<DicomSeriesInfo>& series) {
  std::size_t index = 0;
  if (series.size() > 1 && !asks_user_) {
    QStringList lines;
    for (const DicomSeriesInfo& one : series) lines << series_line(one);
    return emit failed(tr("Open %1").arg(QFileInfo(path).fileName()),
                       tr("%1: holds several series (%2); open a folder with one of them")
                           .arg(path, lines.join(QStringLiteral("; "))),
                       true);
  }
  if (series.size() > 1) {
    emit openingChanged(shownName(sourceOf(path, series.front())));
    const auto choice = choose_series(window_, series, [&](std::size_t selected) {
      emit choosing(sourceOf(path, series[selected]));
    });
    emit chosen();
    emit openingChanged({});
    if (!choice) return;
    index = *choice;
  }
  openSlices(path, sourceOf(path, series[index]));
}

}  // namespace gantry
