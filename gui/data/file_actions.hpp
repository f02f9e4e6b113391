#pragma once

#include "core/io/dicom/series/dicom_series.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "gui/data/save_targets.hpp"
#include "gui/worker/run_controller.hpp"

#include <QAction>
#include <QMenu>
#include <QObject>
#include <QStringList>

#include <functional>

class QWidget;

namespace gantry {

/// Opens and saves sessions, experiments, scans, volumes and DICOM series. Long operations run in
/// the background; every failure is reported as one line by failed().
class FileActions : public QObject {
  Q_OBJECT
 public:
  FileActions(const Catalog& catalog, ExperimentModel& model, RunController& controller,
              QWidget* window, QString version);

  void fillMenu(QMenu* menu);
  /// Returns the actions that save something, in the order of the menu.
  QList<QAction*> saveActions() const;
  QAction* openAction() { return open_; }
  /// Returns the actions that open a file, and a folder.
  QList<QAction*> openActions() const { return {open_, openFolder_}; }
  QAction* saveAction() { return save_; }
  QAction* saveVolumeAction() { return saveVolume_; }

  /// Opens a scan, volume, DICOM folder or experiment, whichever the path holds.
  void open(const QString& path);
  /// Imports the projections of another program.
  void openProjections(const QString& path);
  void setSelectedRun(int id);
  /// Sets whether questions are put to the user. With false, as in an unattended run, a file that
  /// requires a choice is reported as a failure that names the choice.
  void setAsksUser(bool on);
  bool asksUser() const { return asks_user_; }
  /// Called before another experiment replaces the open one; see UnsavedWork::mayLose.
  using Guard = std::function<bool(const QString& act, std::function<void()> later)>;
  void setGuard(Guard guard) { guard_ = std::move(guard); }
  /// What saves and opens sessions, see SessionFiles; each is called with a path.
  using ByPath = std::function<void(const QString&)>;
  void setSessions(ByPath save, ByPath open) {
    saveSession_ = std::move(save);
    openSession_ = std::move(open);
  }
  /// Puts a file that was opened or saved at the head of the recent ones.
  void remember(const QString& path);
  /// Returns the recent files, the latest first.
  static QStringList recent();

  /// Returns the access to new files that show runs and data: the strictest access of the data of
  /// any run.
  FileAccess access() const;
  /// Sets what returns the kept iterate of a run that the views show; null: the latest estimate.
  using ShownIterate = std::function<const KeptIterate*(int run)>;
  void setShownIterate(ShownIterate shown) { shownIterate_ = std::move(shown); }
  /// These functions show no dialog; tests and the command line use them. A DICOM series can be
  /// de-identified.
  void saveVolume(int run, const QString& path, bool deidentify = false);
  /// Saves the edge field of the run's prior, without a unit.
  void saveEdgeField(int run, const QString& path);
  void saveScan(const QString& path);
  void saveExperiment(const QString& path);
  void saveCurves(const QString& path);
  /// Saves the experiment that repeats what the runs have computed, see
  /// RunController::experimentAsComputed().
  void saveComputed(const QString& path);

  void chooseScan();
  void chooseVolume();

 signals:
  /// Emitted while the user chooses one of several series, with each that is selected, so that it
  /// can be looked at.
  void choosing(const gantry::SourceSpec& source);
  void chosen();  ///< one of them, or none
  /// Emitted when the data of another source begin to be loaded, so that it can be looked at.
  void opening(const gantry::SourceSpec& source);
  /// Names what is being opened, as everyone may read it; empty: nothing.
  void openingChanged(const QString& name);
  /// Emitted when such data are those of the open experiment.
  void opened(const gantry::SourceSpec& source);
  /// Names what could not be done, and why, in one line; `details` is what is too long for it.
  void failed(const QString& what, const QString& message, bool isOpening = false,
              const QString& details = {});
  void done(const QString& message);
  /// Emitted when an experiment has been saved, with what the user should know about it, empty
  /// where there is nothing; and when a file of a folder is opened, with which one.
  void remark(const QString& message);
  void volumeSaved(int run, int iterations);
  void busy(const QString& what);        ///< empty when the work has ended
  void remembered(const QString& path);  ///< a file that was opened or saved
  void cancelled();                      ///< the user named no file for a session
  void openingCancelled();  ///< the user did not say how an uneven series is to be opened

 private:
  void chooseAny();
  /// Returns the formats of scans, projections and volumes.
  static std::vector<const FileFormat*> dataFormats();
  void chooseFolder();
  void chooseSessionTarget();
  /// An estimate of a run that is to be saved, as it was when the user asked for it.
  struct Taken {
    std::shared_ptr<const std::vector<float>> mu;  // null: to be taken when it is written
    int iterations = 0;
    bool is_latest = true;
  };
  void chooseVolumeTarget();
  void chooseTargetOf(int run, const Taken& taken);
  void saveVolume(int run, const QString& path, bool deidentify, const Taken& taken);
  void chooseEdgeFieldTarget();
  bool hasEdgeField(int run) const;
  void enable();
  void writeInBackground(VolumeToWrite out, std::shared_ptr<const std::vector<float>> values,
                         const QString& path, const QString& what,
                         const std::function<void()>& saved);
  void openScan(const QString& path);
  /// Makes a text with a list of angles that of the open projections, if these are imported.
  /// Returns whether the file is such a list.
  bool takeAngles(const QString& path);
  void openVolume(const QString& path);
  void chooseSeries(const QString& path, const std::vector<DicomSeriesInfo>& series);
  void openSlices(const QString& path, const SourceSpec& source);
  static SourceSpec sourceOf(const QString& path, const DicomSeriesInfo& series);
  /// Returns the name of a source that is read from a file, as everyone may read it: that of a
  /// folder of DICOM images may be that of a patient.
  static QString shownName(const SourceSpec& source);
  void openExperiment(const QString& path);
  void adopt(const Experiment& experiment, const QString& experiment_path,
             const QString& opened_path);
  void listRecent();
  QString nameOf(int run, int iterations) const;
  QString ask(const QString& title, const QString& filter, const QString& suggestion);
  void attempt(const QString& what, const std::function<void()>& action, bool isOpening = false);
  /// Like attempt(), for what opens a file.
  void attemptToOpen(const QString& path, const std::function<void()>& action);
  QString folder() const;

  const Catalog& catalog_;
  ExperimentModel& model_;
  RunController& controller_;
  QWidget* window_;
  QString version_;
  int selected_ = -1;
  bool asks_user_ = true;
  Guard guard_;
  ShownIterate shownIterate_ = [](int) { return nullptr; };
  ByPath saveSession_ = [](const QString&) {}, openSession_;
  QAction* open_;
  QAction* openFolder_;
  QAction* allowLarge_;
  QAction* save_;
  QAction* saveAs_;
  QAction* saveExperiment_;
  QAction* saveVolume_;
  QAction* saveEdgeField_;
  QAction* saveScan_;
  QAction* saveCurves_;
  QMenu* recent_ = nullptr;
};

}  // namespace gantry
