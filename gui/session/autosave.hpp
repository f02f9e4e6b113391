#pragma once

#include "gui/main_window.hpp"
#include "gui/session/autosave_folder.hpp"
#include "gui/session/session_collector.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace gantry {

class StartPage;

/// Saves what the window has open in a folder of its own, so that little is lost when the program
/// is killed: at regular intervals if something has changed, when a run or a sweep has ended, and
/// on request. The intervals grow with the time that a save takes. Edits, notes and the choice of a
/// workspace are saved two seconds after they were made, without new results. No save removes the
/// results of an earlier one that the window still has, or is about to get back. The worker copies
/// the estimates between two steps; another thread writes them. A window that closes normally
/// removes its folder, or keeps it for "Continue last session", see keepOnClose(). What killed
/// windows have left is offered for restoring at the next start.
class Autosave : public QObject {
  Q_OBJECT
 public:
  /// Saves after `shortest_s` seconds at the earliest and `longest_s` at the latest, depending on
  /// the time that a save takes. Throws OutputError if the folder below `base` cannot be made.
  Autosave(MainWindow& window, const QString& base, double longest_s, double shortest_s = 10);
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
  /// From now on the window saves everything when it closes, so that the next start can continue,
  /// and asks about unsaved work only if that fails.
  void keepOnClose();
  bool keepsOnClose() const { return keepsOnClose_; }

  /// What an earlier window has left.
  struct Earlier {
    std::size_t index = 0;
    QString name;  ///< "head.json of 03/04/2026 10:22, 2 runs with results"
    bool was_killed = false;
    SessionHead head;
  };
  /// Returns what earlier windows have left, the latest first.
  std::vector<Earlier> earlier() const;
  /// Lets the start page offer what earlier windows have left.
  void offerOn(StartPage& page);
  /// Restores what an earlier window has left, after a question about unsaved work.
  void restore(std::size_t index);

  const QString& path() const { return folder_.path(); }

 signals:
  void saved();     ///< emitted also when writing failed
  void restored();  ///< emitted when the restored runs have their estimates and curves
  void earlierChanged();

 private:
  enum class Reason { regular, edited, closing };
  void followEdits();
  void begin(Reason reason);
  bool isArriving() const;
  bool drops(const SessionBatch& batch) const;
  bool isNothing(const SessionBatch& batch) const;
  std::optional<SessionCollector::Known> known(const SessionKey& key) const;
  bool isSame(const SessionBatch& batch) const;
  void write(const std::shared_ptr<SessionBatch>& batch);
  void written(const std::shared_ptr<SessionBatch>& batch);
  void waitForBatch(int milliseconds);
  void pauseRuns();
  void keepThen(const std::function<void(MainWindow::Kept)>& then);
  void report(MainWindow::Kept kept);
  QString nameOf(const SessionHead& session) const;
  void discard(std::size_t index);
  void adopt(std::size_t index);
  void showFailure(const QString& message);

  MainWindow& window_;
  SessionCollector collector_;
  AutosaveFolder folder_;
  // Folders of earlier windows; without a value once restored or discarded.
  std::vector<std::optional<AutosaveFolder>> left_;
  std::map<SessionKey, QString> kept_;                 // files in folder_
  SessionHead last_;                                   // what folder_ holds
  std::shared_ptr<SessionBatch> batch_;                // the save that is under way, or null
  std::function<void(MainWindow::Kept)> afterSaving_;  // called once
  std::vector<int> paused_;
  QTimer timer_, afterEdits_;
  int longest_ms_, shortest_ms_;  // between two regular saves
  QElapsedTimer duration_;        // of the save that is under way
  Reason next_ = Reason::edited;  // of the save that afterEdits_ begins
  bool keep_ = false, isRestoring_ = false, isAdopting_ = false, keepsOnClose_ = false;
};

}  // namespace gantry
