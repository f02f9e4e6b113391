#include "gui/data/file_actions.hpp"

#include "core/base/error.hpp"
#include "core/io/files/memory_allowance.hpp"
#include "core/io/scans/projection_formats.hpp"
#include "core/io/scans/scan_file.hpp"
#include "core/io/volumes/volume_formats.hpp"
#include "core/job/curves_csv.hpp"
#include "core/job/experiment_file.hpp"
#include "core/job/run_derivation.hpp"
#include "core/job/run_prior.hpp"
#include "core/job/session_file.hpp"
#include "core/job/unit_note.hpp"
#include "gui/data/file_filters.hpp"
#include "gui/data/series_chooser.hpp"
#include "gui/views/key_list.hpp"
#include "gui/widgets/background.hpp"
#include "gui/widgets/count_text.hpp"
#include "gui/widgets/figure.hpp"
#include "gui/widgets/length_units.hpp"

#include <QDir>
#include <QFileInfo>
#include <QPointer>
#include <QSettings>
#include <QStandardPaths>

#include <algorithm>

namespace gantry {

namespace {

constexpr int recentCount = 10;

QString volumeHelp() {
  return FileActions::tr("The selected run's estimate: %1")
      .arg(QString::fromStdString(described(volume_formats().writable())));
}

QString with_ending(QString path, const QString& ending) {
  if (QFileInfo(path).suffix().isEmpty()) path += ending;
  return path;
}

}  // namespace

FileActions::FileActions(const Catalog& catalog, ExperimentModel& model, RunController& controller,
                         QWidget* window, QString version)
    : QObject(window),
      catalog_(catalog),
      model_(model),
      controller_(controller),
      window_(window),
      version_(std::move(version)) {
  connect(&controller_, &RunController::preparingChanged, this, [this] {
    if (!controller_.isPreparing()) emit openingChanged({});
  });
  const auto add = [this](const QString& text, const QKeySequence& key, const QString& tip,
                          auto slot) {
    auto* action = new QAction(text, this);
    action->setShortcut(key);
    action->setToolTip(tip);
    connect(action, &QAction::triggered, this, slot);
    return action;
  };
  open_ = add(tr("Open…"), keys_of("file.open").value(0),
              tr("A scan, projections of another program, a volume, a session or an experiment"),
              &FileActions::chooseAny);
  openFolder_ =
      add(tr("Open folder…"), keys_of("file.open_folder").value(0),
          tr("A folder with projections or with a DICOM CT series"), &FileActions::chooseFolder);
  save_ =
      add(tr("Save session"), keys_of("file.save").value(0),
          tr("Everything that is open as one file: experiment, results, curves, notes and views"),
          [this] {
            if (is_session_name(model_.path())) return saveSession_(model_.path());
            chooseSessionTarget();
          });
  saveAs_ = add(tr("Save session as…"), keys_of("file.save_as").value(0), save_->toolTip(),
                &FileActions::chooseSessionTarget);
  saveExperiment_ =
      add(tr("Save experiment…"), {},
          tr("Source, geometry, noise and runs, without results; gantry-cli run computes them"),
          [this] {
            const QString path = ask(tr("Save experiment"), tr("Gantry experiment (*.json)"),
                                     QStringLiteral("experiment.json"));
            if (!path.isEmpty()) saveExperiment(with_ending(path, QStringLiteral(".json")));
          });
  saveVolume_ = add(tr("Save volume…"), keys_of("file.save_volume").value(0), volumeHelp(),
                    &FileActions::chooseVolumeTarget);
  saveEdgeField_ = add(tr("Save edge field…"), {},
                       tr("Where the prior of the selected run sees edges: values from 0 to 1"),
                       &FileActions::chooseEdgeFieldTarget);
  saveScan_ = add(tr("Save scan…"), {}, tr("Geometry and line integrals, as a scan file"), [this] {
    const auto formats = projection_formats().writable();
    const QString path = ask(tr("Save scan"), save_filters(formats),
                             with_extension(QStringLiteral("scan"), formats));
    if (!path.isEmpty()) saveScan(with_extension(path, formats));
  });
  saveCurves_ = add(tr("Export curves…"), keys_of("file.save_curves").value(0),
                    tr("Metrics and residuals of all runs as CSV"), [this] {
                      const QString path =
                          ask(tr("Export curves"), tr("Comma-separated values (*.csv)"),
                              QStringLiteral("curves.csv"));
                      if (!path.isEmpty()) saveCurves(with_ending(path, QStringLiteral(".csv")));
                    });
  allowLarge_ = new QAction(tr("Allow large files"), this);
  allowLarge_->setObjectName(QStringLiteral("allowLargeFiles"));
  allowLarge_->setCheckable(true);
  allowLarge_->setChecked(large_files_confirmed());
  allowLarge_->setToolTip(
      tr("Damaged files may claim far too much memory; such files are refused (limit: 20 times "
         "their size + 256 MB). Ticked: reads them anyway, until Gantry is closed"));
  connect(allowLarge_, &QAction::toggled, this, [](bool on) { confirm_large_files(on); });
  set_way_to_confirm_large_files(tr("tick File > Allow large files").toStdString());
  setAsksUser(true);
  connect(&controller_, &RunController::stateChanged, this, &FileActions::enable);
  connect(&controller_, &RunController::updatesEmitted, this, &FileActions::enable);
  connect(&controller_, &RunController::dataChanged, this, &FileActions::enable);
  enable();
  connect(&controller_, &RunController::volumeFailed, this, [this](const QString& message) {
    emit busy({});
    emit failed(tr("Save volume"), message);
  });
}

void FileActions::setAsksUser(bool on) {
  asks_user_ = on;
  controller_.setUnevenQuestion(
      on ? [this](const UnevenSeries& series) {
             // A question ends with its window, too.
             const QPointer<FileActions> self(this);
             const auto way = choose_uneven(window_, series);
             if (!way && self) emit self->openingCancelled();
             return way;
           }
         : RunController::UnevenQuestion());
  RunController::DamageQuestion ask_about_damage;
  if (on)
    ask_about_damage = [this](const DamagedFiles& files) {
      const QPointer<FileActions> self(this);
      const bool leaves_out = choose_to_leave_out(window_, files);
      if (!leaves_out && self) emit self->openingCancelled();
      return leaves_out;
    };
  controller_.setDamageQuestion(ask_about_damage);
}

void FileActions::fillMenu(QMenu* menu) {
  menu->addAction(open_);
  menu->addAction(openFolder_);
  recent_ = menu->addMenu(tr("Open recent"));
  menu->addAction(allowLarge_);
  menu->addSeparator();
  menu->addAction(save_);
  menu->addAction(saveAs_);
  menu->addAction(saveExperiment_);
  menu->addSeparator();
  menu->addAction(saveVolume_);
  menu->addAction(saveEdgeField_);
  menu->addAction(saveScan_);
  menu->addAction(saveCurves_);
  connect(menu, &QMenu::aboutToShow, this, &FileActions::listRecent);
}

QList<QAction*> FileActions::saveActions() const {
  return {saveVolume_, saveEdgeField_, saveScan_, saveCurves_, save_, saveExperiment_};
}

void FileActions::setSelectedRun(int id) {
  selected_ = id;
  enable();
}

void FileActions::enable() {
  const bool started = controller_.status(selected_).wasStarted();
  saveVolume_->setEnabled(started);
  saveVolume_->setToolTip(started ? volumeHelp() : tr("Select a run that has been started"));
  saveEdgeField_->setEnabled(hasEdgeField(selected_));
  saveScan_->setEnabled(controller_.data() != nullptr);
  const bool curves = std::ranges::any_of(
      model_.runIds(), [this](int id) { return !controller_.status(id).history.empty(); });
  saveCurves_->setEnabled(curves);
  saveCurves_->setToolTip(curves ? tr("Metrics and residuals of all runs as CSV")
                                 : tr("No run has completed an iteration yet"));
}

// ---- Saving

void FileActions::chooseSessionTarget() {
  const QString name = model_.path().isEmpty() ? QString::fromStdString(model_.experiment().title)
                                               : QFileInfo(model_.path()).completeBaseName();
  const QString path =
      ask(tr("Save session"), tr("Gantry session (*.gantry)"), session_file_name(name));
  if (path.isEmpty()) return emit cancelled();
  saveSession_(with_ending(path, QStringLiteral(".gantry")));
}

/// Returns "SART, 14 iterations".
QString FileActions::nameOf(int run, int iterations) const {
  return tr("%1, %2").arg(QString::fromStdString(controller_.label(run)),
                          iterations_text(iterations));
}

/// The estimate is taken before the dialog opens: a run that goes on meanwhile makes further ones,
/// and the file is to hold the one that the dialog names.
void FileActions::chooseVolumeTarget() {
  const int run = selected_;
  const KeptIterate* shown = shownIterate_(run);
  const auto& history = controller_.status(run).history;
  if (shown != nullptr && !history.empty() && shown->iteration != history.back().report.iteration) {
    const Taken kept{shown->image(), shown->iteration, false};
    const auto wanted = choose_iterate(window_, nameOf(run, kept.iterations), shown->is_exact());
    if (!wanted) return;
    if (*wanted == WantedIterate::shown) return chooseTargetOf(run, kept);
  }
  emit busy(tr("Taking the estimate…"));
  controller_.requestVolume(
      run, [this, run](std::shared_ptr<const std::vector<float>> mu, int iterations) {
        // The dialog has an event loop, in which messages of this batch must not be handled.
        QMetaObject::invokeMethod(
            this,
            [this, run, taken = Taken{std::move(mu), iterations}] {
              emit busy({});
              chooseTargetOf(run, taken);
            },
            Qt::QueuedConnection);
      });
}

void FileActions::chooseTargetOf(int run, const Taken& taken) {
  const auto formats = volume_formats().writable();
  const QString which = taken.is_latest ? tr("the latest") : tr("the one shown");
  QString chosen;
  const QString path = ask_where_to_save(
      window_,
      tr("Save volume of %1 (%2), in %3 (DICOM: HU)")
          .arg(nameOf(run, taken.iterations), which,
               mu_unit(controller_.data()->lengths_are_known)),
      save_filters(formats),
      QFileInfo(volume_file_name(static_cast<int>(model_.indexOf(run).value_or(0)),
                                 QString::fromStdString(controller_.computed(run).solver)))
          .completeBaseName(),
      &chosen);
  if (path.isEmpty()) return;
  saveVolume(run, with_extension(path, formats, chosen), is_deidentified(chosen, formats), taken);
}

void FileActions::writeInBackground(VolumeToWrite out,
                                    std::shared_ptr<const std::vector<float>> values,
                                    const QString& path, const QString& what,
                                    const std::function<void()>& saved) {
  in_background<bool>(
      this,
      [out = std::move(out), values = std::move(values), file = path.toStdString()]() mutable {
        out.mu = *values;
        write_volume(file, out);
        return true;
      },
      [this, path, what, saved](bool) {
        emit busy({});
        emit done(tr("Saved %1: %2").arg(path, what));
        saved();
      },
      [this, path](const QString& message) {
        emit busy({});
        emit failed(tr("Save %1").arg(QFileInfo(path).fileName()), message);
      });
}

void FileActions::saveVolume(int run, const QString& path, bool deidentify) {
  saveVolume(run, path, deidentify, {});
}

void FileActions::saveVolume(int run, const QString& path, bool deidentify, const Taken& taken) {
  const RunStatus& status = controller_.status(run);
  if (!status.wasStarted())
    return emit failed(tr("Save volume"), tr("the run has no estimate yet; start it first"));
  bool is_writable = false;  // known before the run is asked for its estimate
  attempt(tr("Save volume"), [&] {
    if (deidentify) require_deidentifiable(path.toStdString());
    require_writable_volume(path.toStdString());
    require_known_lengths(path.toStdString(), status.data->lengths_are_known);
    is_writable = true;
  });
  if (!is_writable) return;
  emit busy(tr("Saving…"));
  const auto write = [this, run, data = status.data, spec = status.started, path, deidentify,
                      is_latest = taken.is_latest](std::shared_ptr<const std::vector<float>> mu,
                                                   int iterations) {
    VolumeToWrite out = image_of(*data, version_.toStdString());
    out.deidentify = deidentify;
    if (data == controller_.data()) out.mu_water = controller_.muWater();
    out.series_description = "Gantry " + run_label(as_of_iteration(spec, iterations), catalog_);
    out.derivation_code = derivation_code(as_of_iteration(spec, iterations), catalog_);
    out.derivation = run_description(spec, catalog_, iterations) + "; data: " + data->description;
    const QString own = mu_unit(data->lengths_are_known);
    const QString unit = writes_hu(path.toStdString(), out)
                             ? tr("HU by water at %1 %2").arg(out.mu_water).arg(own)
                             : own;
    writeInBackground(std::move(out), std::move(mu), path,
                      tr("%1, in %2").arg(nameOf(run, iterations), unit) +
                          (deidentify ? tr(", de-identified") : QString()) +
                          (data->lengths_are_known
                               ? QString()
                               : tr("; %1").arg(QString::fromStdString(unknown_lengths_note()))),
                      [this, run, iterations, is_latest] {
                        if (is_latest) emit volumeSaved(run, iterations);
                      });
  };
  if (taken.mu != nullptr) return write(taken.mu, taken.iterations);
  controller_.requestVolume(run, write);
}

/// Whether the prior of a run that has been started holds an edge field.
bool FileActions::hasEdgeField(int run) const {
  const RunStatus& status = controller_.status(run);
  if (!status.wasStarted()) return false;
  const std::string prior = prior_of(status.started, catalog_);
  return !prior.empty() && catalog_.priors.at(prior).traits.has_edges;
}

void FileActions::chooseEdgeFieldTarget() {
  auto formats = volume_formats().writable();
  std::erase_if(formats, [](const FileFormat* format) {
    return writes_hu("edges" + (format->is_folder ? std::string() : format->extensions.front()),
                     {});
  });
  QString chosen;
  const QString path = ask_where_to_save(window_, tr("Save edge field"), save_filters(formats),
                                         QStringLiteral("edges"), &chosen);
  if (!path.isEmpty()) saveEdgeField(selected_, with_extension(path, formats, chosen));
}

void FileActions::saveEdgeField(int run, const QString& path) {
  if (!hasEdgeField(run))
    return emit failed(tr("Save edge field"),
                       tr("the run has none; choose a prior that has one, and start the run"));
  VolumeToWrite out = image_of(*controller_.status(run).data, version_.toStdString());
  out.has_unit = false;
  if (writes_hu(path.toStdString(), out))
    return emit failed(tr("Save edge field"), tr("%1: this format stores HU, and an edge field has "
                                                 "no unit; give the name of a .mha, .mhd or .raw "
                                                 "file")
                                                  .arg(path));
  emit busy(tr("Saving…"));
  controller_.requestVolume(
      run,
      [this, out, path](std::shared_ptr<const std::vector<float>> edges, int) {
        writeInBackground(out, std::move(edges), path, tr("edge field, without a unit"), [] {});
      },
      RunImage::edge_field);
}

void FileActions::saveScan(const QString& path) {
  const auto data = controller_.data();
  if (data == nullptr) return emit failed(tr("Save scan"), tr("there are no data yet"));
  attempt(tr("Save %1").arg(QFileInfo(path).fileName()), [&] {
    write_scan(path.toStdString(), {.geometry = *data->geometry,
                                    .line_integrals = data->line_integrals,
                                    .description = data->description,
                                    .simulation = data->simulation,
                                    .access = data->access,
                                    .mu_water = controller_.muWater(),
                                    .lengths_are_known = data->lengths_are_known,
                                    .lacks_flat = data->lacks_flat,
                                    .hides_cut_rows = data->hides_cut_rows});
    emit done(tr("Saved %1").arg(path));
  });
}

void FileActions::saveExperiment(const QString& path) {
  attempt(tr("Save %1").arg(QFileInfo(path).fileName()), [&] {
    write_experiment(path.toStdString(), controller_.experimentToSave());
    model_.markSaved(path);
    remember(path);
    emit done(tr("Saved %1").arg(path));
    QStringList changed;
    for (const int id : controller_.runsOfOtherSettings())
      changed << QString::fromStdString(controller_.label(id));
    emit remark(changed.isEmpty()
                    ? QString()
                    : tr("%1 contains the changed settings of the forms; the results shown of "
                         "these runs were made with other settings: %2")
                          .arg(QFileInfo(path).fileName(), changed.join(QStringLiteral("; "))));
  });
}

void FileActions::saveComputed(const QString& path) {
  attempt(tr("Save %1").arg(QFileInfo(path).fileName()),
          [&] { write_experiment(path.toStdString(), controller_.experimentAsComputed()); });
}

void FileActions::saveCurves(const QString& path) {
  attempt(tr("Export %1").arg(QFileInfo(path).fileName()), [&] {
    std::vector<CurveSet> curves;
    for (const int id : model_.runIds()) {
      const RunStatus& status = controller_.status(id);
      if (status.history.empty()) continue;
      curves.push_back(
          {controller_.label(id),
           run_description(status.started, catalog_, status.history.back().report.iteration),
           controller_.historyOf(id)});
    }
    std::vector<std::string> comments;
    if (const auto data = controller_.data()) comments = {data->description};
    if (const auto reference = controller_.reference())
      comments.push_back("metrics: against " + reference->label + ", " + reference->mask.label);
    save_text(QString::fromStdString(curves_csv(curves, comments)), path, access());
    emit done(tr("Saved %1").arg(path));
  });
}

FileAccess FileActions::access() const {
  FileAccess all = FileAccess::usual;
  if (const auto data = controller_.data()) all = stricter(all, data->access);
  for (const int id : model_.runIds())
    if (const auto data = controller_.status(id).data) all = stricter(all, data->access);
  return all;
}

QString FileActions::ask(const QString& title, const QString& filter, const QString& suggestion) {
  return ask_where_to_save(window_, title, filter, suggestion);
}

void FileActions::attempt(const QString& what, const std::function<void()>& action,
                          bool isOpening) {
  try {
    action();
  } catch (const std::exception& error) {
    emit failed(what, QString::fromUtf8(error.what()), isOpening);
  }
}

// ---- Recent files

QStringList FileActions::recent() {
  return QSettings().value(QStringLiteral("recent")).toStringList();
}

QString FileActions::folder() const {
  const QStringList recent = FileActions::recent();
  return recent.isEmpty() ? QDir::homePath() : QFileInfo(recent.front()).absolutePath();
}

void FileActions::remember(const QString& path) {
  QSettings settings;
  QStringList recent = settings.value(QStringLiteral("recent")).toStringList();
  const QString absolute = QFileInfo(path).absoluteFilePath();
  recent.removeAll(absolute);
  recent.prepend(absolute);
  settings.setValue(QStringLiteral("recent"), QStringList(recent.mid(0, recentCount)));
  emit remembered(absolute);
}

void FileActions::listRecent() {
  recent_->clear();
  for (const QString& path : recent()) {
    QAction* action = recent_->addAction(QDir::toNativeSeparators(path));
    action->setEnabled(QFileInfo::exists(path));
    connect(action, &QAction::triggered, this, [this, path] { open(path); });
  }
  if (recent_->isEmpty()) recent_->addAction(tr("Nothing opened yet"))->setEnabled(false);
}

}  // namespace gantry
