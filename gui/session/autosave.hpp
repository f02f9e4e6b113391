#pragma once

#include "gui/session/autosave_folder.hpp"

#include <QObject>
#include <QString>
#include <QTimer>

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace gantry {

class MainWindow;

/// Saves the experiment, estimates and curves of the window in a folder of its own, so that little
/// is lost when the program is killed: at regular intervals if something has changed, and on
/// request. The worker copies the estimates between two steps; another thread writes them. A window
/// that closes normally removes its folder. Folders of killed windows are offered for restoring at
/// the next start.
class Autosave : public QObject {
  Q_OBJECT
 public:
  /// Saves every `seconds` seconds. Throws OutputError if the folder below `base` cannot be made.
  Autosave(MainWindow& window, const QString& base, double seconds);
  ~Autosave() override;

  /// Asks the user, in one banner, whether to restore or discard what killed windows have saved.
  void offerRestoring();
  /// Starts to save what has changed; returns at once.
  void save();
  /// Pauses all runs and saves. Returns when everything is written, or after at most about three
  /// times `milliseconds`; runs whose estimate the worker has not delivered by then keep their
  /// earlier save. Returns whether everything was saved.
  bool saveNow(int milliseconds);
  /// Keeps the folder when this object is destroyed, for the next start of the program.
  void keep() { keep_ = true; }
  /// Resumes the runs that saveNow() has paused.
  void resumePaused();

  const QString& path() const { return folder_.path(); }

 signals:
  void saved();     ///< emitted also when writing failed
  void restored();  ///< emitted when the restored runs have their estimates and curves

 private:
  /// The last save of a run: its start, its number of iterations, and its file.
  struct Kept {
    int epoch = 0;
    std::size_t iterations = 0;
    QString file;
  };
  /// The content of one save.
  struct Batch;

  bool isWorthKeeping(int id) const;
  bool isKept(int id) const;
  void add(Batch& batch, int id, int place, const std::shared_ptr<const RunProgress>& progress,
           const std::string& backend) const;
  void write(const std::shared_ptr<Batch>& batch);
  void written(const std::shared_ptr<Batch>& batch);
  void waitForBatch(int milliseconds);
  QString nameOf(const AutosaveContent& content) const;
  void discard(std::size_t index);
  void restore(std::size_t index);
  void adopt(std::size_t index, const Experiment& experiment,
             const std::shared_ptr<const std::map<int, Checkpoint>>& runs);
  void showFailure(const QString& message);

  MainWindow& window_;
  AutosaveFolder folder_;
  // Folders of killed windows; without a value once restored or discarded.
  std::vector<std::optional<AutosaveFolder>> left_;
  std::map<int, Kept> kept_;      // by run
  AutosaveContent last_;          // what folder_ holds
  std::shared_ptr<Batch> batch_;  // the save that is under way, or null
  std::vector<int> paused_;
  QTimer timer_;
  bool keep_ = false, isRestoring_ = false;
};

}  // namespace gantry
