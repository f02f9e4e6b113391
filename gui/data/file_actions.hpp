#pragma once

#include "core/io/dicom/series/dicom_series.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "gui/worker/run_controller.hpp"

#include <QAction>
#include <QMenu>
#include <QObject>
#include <QStringList>

#include <functional>
#include <optional>

class QWidget;

namespace gantry {

/// "run1-sart.mha", of letters and digits that any file system takes.
QString volume_file_name(int index, const QString& label);

/// Opening and saving: experiments, scans, volumes, DICOM series. Long work happens in the
/// background; every failure is one line in failed().
class FileActions : public QObject {
  Q_OBJECT
 public:
  FileActions(const Catalog& catalog, ExperimentModel& model, RunController& controller,
              QWidget* window, QString version);

  void fillMenu(QMenu* menu);
  QAction* openAction() { return open_; }
  QAction* saveAction() { return save_; }

  /// Opens whatever the path holds.
  void open(const QString& path);
  void setSelectedRun(int id) { selected_ = id; }
  /// Off where nobody is there to answer: a choice that a file leaves open is then a failure that
  /// names it.
  void setAsksBack(bool on);
  bool asksBack() const { return asks_back_; }
  /// Asked before another experiment takes the place of the one that is open; see
  /// UnsavedWork::mayLose.
  using Guard = std::function<bool(const QString& act, std::function<void()> later)>;
  void setGuard(Guard guard) { guard_ = std::move(guard); }

  /// Who may read new files with what the runs and the data show: the fewest whom one of them
  /// allows.
  FileAccess access() const;
  /// Without a dialog, as tests and the command line use them.
  void saveVolume(int run, const QString& path);
  void saveScan(const QString& path);
  void saveExperiment(const QString& path);
  void saveCurves(const QString& path);
  /// The experiment that repeats what runs have computed: RunController::experimentAsComputed().
  void saveComputed(const QString& path);

  void chooseScan();
  void chooseVolume();
  /// Asks how a series is to be opened that is refused as uneven; none: not at all.
  std::optional<UnevenSlices> chooseUneven(const UnevenSeries& series);

 signals:
  void failed(const QString& what, const QString& message);
  void done(const QString& message);
  /// What the user should know of the experiment that has been saved; empty: nothing.
  void remark(const QString& message);
  void volumeSaved(int run, int iterations);
  void busy(const QString& what);  ///< empty: no longer

 private:
  void chooseAny();
  void chooseFolder();
  void chooseVolumeTarget();
  void openScan(const QString& path);
  void openVolume(const QString& path);
  void chooseSeries(const QString& path, const std::vector<DicomSeriesInfo>& series);
  void openSeries(const QString& path, const std::string& uid, int images);
  void openExperiment(const QString& path);
  void adopt(const Experiment& experiment, const QString& experiment_path,
             const QString& opened_path);
  void remember(const QString& path);
  void listRecent();
  QString ask(const QString& title, const QString& filter, const QString& suggestion);
  void attempt(const QString& what, const std::function<void()>& action);
  QString folder() const;

  const Catalog& catalog_;
  ExperimentModel& model_;
  RunController& controller_;
  QWidget* window_;
  QString version_;
  int selected_ = -1;
  bool asks_back_ = true;
  Guard guard_;
  QAction* open_;
  QAction* openFolder_;
  QAction* save_;
  QAction* saveAs_;
  QAction* saveVolume_;
  QAction* saveScan_;
  QAction* saveCurves_;
  QMenu* recent_ = nullptr;
};

}  // namespace gantry
