// Opening scans, projections, volumes, series and experiments.
#include "core/base/error.hpp"
#include "core/catalog/projector_choice.hpp"
#include "core/io/dicom/series/dicom_series.hpp"
#include "core/io/imports/angle_list.hpp"
#include "core/io/imports/import_scan.hpp"
#include "core/io/scans/scan_file.hpp"
#include "core/io/volumes/file_in_folder.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "core/io/volumes/volume_formats.hpp"
#include "core/job/experiment_file.hpp"
#include "core/job/session_file.hpp"
#include "gui/data/data_set_fields.hpp"
#include "gui/data/file_actions.hpp"
#include "gui/data/import_axis.hpp"
#include "gui/widgets/background.hpp"

#include <QFileInfo>

#include <algorithm>
#include <optional>

namespace gantry {

namespace {

/// Returns the runs that a newly opened scan or volume starts with, for comparison.
std::vector<RunSpec> usual_runs(bool cone, const std::string& projector) {
  RunSpec quick, steady;
  quick.projector = steady.projector = projector;
  quick.solver = cone ? "os_sart" : "sart";
  steady.solver = "sirt";
  quick.iterations = steady.iterations = 30;
  quick.colour = 0;
  steady.colour = 1;
  return {quick, steady};
}

/// Returns an experiment with the measured data of a file, without runs.
Experiment measured_experiment(const QString& path) {
  Experiment experiment;
  experiment.title = QFileInfo(path).completeBaseName().toStdString();
  experiment.source.kind = SourceKind::scan;
  experiment.source.path = QFileInfo(path).absoluteFilePath().toStdString();
  return experiment;
}

/// Returns the slices of a file or of a series, of which a single one is simulated first: such a
/// fan-beam experiment takes seconds.
SourceSpec volume_source(const QString& path, const std::string& uid, int images) {
  SourceSpec source;
  source.kind = SourceKind::volume;
  source.path = QFileInfo(path).absoluteFilePath().toStdString();
  source.series_uid = uid;
  source.slice = std::max(0, images / 2);
  return source;
}

/// Why a file is of no format that can be opened.
struct Refusal {
  QString why, known;  // known: the formats, many lines of them
};

/// Returns nothing for a file of one of these formats; what else can be opened has been recognised
/// already.
std::optional<Refusal> refusal_of(const std::string& path,
                                  const std::vector<const FileFormat*>& formats) {
  if (volume_formats().recognise(path).format != nullptr) return std::nullopt;
  static const FileFormat session{"session", "Gantry session", {".gantry"}},
      experiment{"experiment", "Gantry experiment", {".json"}};
  // The images of a format can be slices or projections.
  std::vector<const FileFormat*> all = {&session, &experiment};
  for (const FileFormat* format : formats)
    if (std::ranges::find(all, format->label, &FileFormat::label) == all.end())
      all.push_back(format);
  try {
    refuse_unknown_format(path, "format of a scan, a volume, a session or an experiment", all);
  } catch (const InputError& error) {
    QString why = QString::fromUtf8(error.what());
    const QString known = QString::fromStdString(described(all)),
                  advice = QStringLiteral("use one of ") + known;
    if (!why.contains(advice)) return Refusal{why, {}};
    return Refusal{why.replace(advice, FileActions::tr("Details names the formats")), known};
  }
}

}  // namespace

QString FileActions::shownName(const SourceSpec& source) {
  const QFileInfo file(QString::fromStdString(source.path));
  return source.kind == SourceKind::volume && file.isDir() ? tr("DICOM series") : file.fileName();
}

SourceSpec FileActions::sourceOf(const QString& path, const DicomSeriesInfo& series) {
  return volume_source(path, series.series_uid, series.images);
}

void FileActions::open(const QString& path) {
  if (openSession_ && is_session(path.toStdString())) return openSession_(path);
  attemptToOpen(path, [&] {
    if (const std::string file = file_in_folder(path.toStdString()); !file.empty()) {
      emit remark(QString::fromStdString(opened_in_folder(file)));
      return open(QString::fromStdString(file));
    }
    switch (identify_file(path.toStdString())) {
      case FileKind::scan:
        return openScan(path);
      case FileKind::experiment:
        return openExperiment(path);
      case FileKind::volume:
        if (const auto refusal = refusal_of(path.toStdString(), dataFormats())) {
          if (takeAngles(path)) return;
          return emit failed(tr("Open %1").arg(QFileInfo(path).fileName()), refusal->why, true,
                             refusal->known);
        }
        return openVolume(path);
      case FileKind::projections:
        return openProjections(path);
    }
  });
}

bool FileActions::takeAngles(const QString& path) {
  const SourceSpec& source = model_.experiment().source;
  if (source.kind != SourceKind::scan || !is_importable(source.path)) return false;
  const std::string file = QFileInfo(path).absoluteFilePath().toStdString();
  try {
    read_angle_lines(file);
  } catch (const UnclearAnglesError&) {  // the import says which columns may be it
  } catch (const AngleColumnsError&) {
  } catch (const InputError&) {
    return false;
  }
  const QString name = QFileInfo(path).fileName();
  const auto now = controller_.data();
  const FoundScan found{.columns = now != nullptr ? now->measured_geometry().columns() : 0};
  model_.edit(tr("Angles from %1").arg(name), [&](Experiment& e) {
    change_import(e, found, [&file](ImportSettings& settings) {
      settings.angles = file;
      settings.angle_column.clear();
      settings.arc_deg.reset();
    });
  });
  emit remark(tr("The angles of the open projections are now those of %1").arg(name));
  return true;
}

void FileActions::attemptToOpen(const QString& path, const std::function<void()>& action) {
  attempt(tr("Open %1").arg(QFileInfo(path).fileName()), action, true);
}

void FileActions::openScan(const QString& path) {
  // Throws before anything is loaded.
  const ScanGeometry geometry(read_geometry(path.toStdString()), path.toStdString());
  adopt(measured_experiment(path), {}, path);
}

void FileActions::openProjections(const QString& path) {
  Experiment experiment = measured_experiment(path);
  experiment.source.import_settings.assumes_half_turn = true;  // the form says so, and corrects it
  name_data_set(this, experiment.source,
                [this, experiment, path](const SourceSpec& source, const QString& said) mutable {
                  experiment.source = source;
                  if (!said.isEmpty()) emit remark(said);
                  adopt(experiment, {}, path);
                });
}

void FileActions::openVolume(const QString& path) {
  if (!may_hold_series(path.toStdString()))
    return openSlices(path, volume_source(path, {}, stored_slices(path.toStdString())));
  emit busy(tr("Looking for DICOM series…"));
  using List = std::vector<DicomSeriesInfo>;
  in_background<List>(
      this, [file = path.toStdString()] { return list_dicom_series(file); },
      [this, path](const List& series) {
        emit busy({});
        chooseSeries(path, series);
      },
      [this, path](const QString& message) {
        emit busy({});
        emit failed(tr("Open %1").arg(QFileInfo(path).fileName()), message, true);
      });
}

void FileActions::openSlices(const QString& path, const SourceSpec& source) {
  Experiment experiment;
  const QFileInfo file(path);
  experiment.title =  // the name of a DICOM folder may be that of a patient
      (file.isDir() ? tr("DICOM series") : file.completeBaseName()).toStdString();
  experiment.source = source;
  experiment.noise.photons_per_ray = 1e5;
  experiment.runs = usual_runs(false, RunSpec{}.projector);
  adopt(experiment, {}, path);
}

void FileActions::openExperiment(const QString& path) {
  adopt(read_experiment(path.toStdString(), catalog_), path, path);
}

/// The open experiment stays until the data of the new one have been prepared. Without the path of
/// an experiment, it has been made for a file of data; measured data get runs that suit them.
void FileActions::adopt(const Experiment& experiment, const QString& experiment_path,
                        const QString& opened_path) {
  const auto go = [this, experiment, experiment_path, opened_path] {
    emit openingChanged(experiment_path.isEmpty() ? shownName(experiment.source)
                                                  : QFileInfo(experiment_path).fileName());
    if (experiment_path.isEmpty()) emit opening(experiment.source);
    controller_.prepareOther(experiment, [this, experiment_path, opened_path](Experiment adopted) {
      if (adopted.runs.empty() && experiment_path.isEmpty()) {
        const ScanGeometry& scan = *controller_.data()->geometry;
        adopted.runs =
            usual_runs(scan.beam() == Beam::cone,
                       suitable_projector(catalog_, host_key, scan, RunSpec{}.projector));
      }
      model_.reset(adopted, experiment_path);
      remember(opened_path);
      if (experiment_path.isEmpty()) emit opened(adopted.source);
    });
  };
  if (!guard_ || guard_(tr("Open %1").arg(QFileInfo(opened_path).fileName()), go)) go();
}

}  // namespace gantry
