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

/// Keeps what the window is at (experiment, estimates, curves) in a folder of its own, so that
/// nothing is lost when the program is killed: every so many seconds where something has changed,
/// and when it is told to. Estimates are copied by the worker between two steps and written by
/// another thread. A window that closes in order leaves nothing; what another one left is offered.
class Autosave : public QObject {
  Q_OBJECT
 public:
  /// Throws OutputError where the folder below `base` cannot be made.
  Autosave(MainWindow& window, const QString& base, double seconds);
  ~Autosave() override;

  /// Asks, in one banner, what to do with what killed windows left.
  void offerWhatWasLeft();
  /// Saves what has changed; returns at once.
  void save();
  /// Pauses all runs and saves; returns when all is written, or after about so long with what there
  /// was by then. True when nothing is missing.
  bool saveNow(int milliseconds);
  /// What is saved outlives this window: it is about to be ended by somebody else.
  void keep() { keep_ = true; }
  /// The runs that saveNow() has paused go on.
  void resumePaused();

  const QString& path() const { return folder_.path(); }

 signals:
  void saved();     ///< or given up
  void restored();  ///< the runs have their estimates and curves

 private:
  /// A run as it was saved: its start, its iterations, and where.
  struct Kept {
    int epoch = 0;
    std::size_t iterations = 0;
    QString file;
  };
  /// What is to be written together.
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
  void tell(const QString& message);

  MainWindow& window_;
  AutosaveFolder folder_;
  std::vector<std::optional<AutosaveFolder>> left_;  // by killed windows; none: taken or discarded
  std::map<int, Kept> kept_;                         // by run
  AutosaveContent last_;                             // what folder_ holds
  std::shared_ptr<Batch> batch_;                     // under way
  std::vector<int> paused_;
  QTimer timer_;
  bool keep_ = false, isRestoring_ = false;
};

}  // namespace gantry
