#pragma once

#include "core/job/session_file.hpp"
#include "core/worker/kept_iterates.hpp"
#include "gui/data/unsaved_work.hpp"

#include <QImage>
#include <QJsonObject>
#include <QObject>
#include <QString>

#include <compare>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace gantry {

class MainWindow;

/// What a checkpoint of a session holds; two checkpoints of the same key hold the same.
struct SessionKey {
  SessionRole role = SessionRole::run;
  int run = 0, epoch = 0;
  int iterations = 0;  ///< completed ones
  int measured = 0;    ///< those with metrics against the reference
  std::shared_ptr<const Reference> reference = {};

  friend auto operator<=>(const SessionKey&, const SessionKey&) = default;
};

/// Everything that one save writes.
struct SessionBatch {
  struct Item {
    SessionKey key;
    SessionPart part;
    RunSpec run;
    std::string backend;
    std::shared_ptr<const RunProgress> progress;  ///< of a run
    bool has_state = true;                        ///< false: only the estimate of it is written
    KeptIterate iterate;                          ///< of an iterate
    std::vector<HistoryEntry> history;

    bool is_new = true;  ///< false: it lies in its file already; only key and part are set
    /// Copies the arrays. May be called from any thread.
    Checkpoint checkpoint() const;
  };

  SessionHead head;  ///< without its parts, which are those of `items`
  std::vector<Item> items;
  Experiment experiment;
  std::vector<int> ids;  ///< of the runs of `experiment`, which the window may change meanwhile
  std::map<int, UnsavedWork::Mark> marks;  ///< how far the runs are that it holds
  UnsavedWork::TrialMarks trials;          ///< how far sweep and race are
  QJsonObject measured;                    ///< Measurements::toJson()
  FileAccess access = FileAccess::usual;
  bool is_complete = true;  ///< false: a run was left out, or cannot go on, to limit the size
  std::size_t bytes = 0;    ///< of all new checkpoints
  int missing = 0;          ///< number of runs that the worker has not delivered yet

  /// Returns the index of a run in `experiment`, or -1.
  int placeOf(int id) const;
  /// Puts the parts of all items into the head.
  void listParts();
};

/// Collects what the window has open: the worker hands over the state of runs between two steps.
/// Lives on the GUI thread.
class SessionCollector {
 public:
  explicit SessionCollector(MainWindow& window) : window_(window) {}

  /// A checkpoint that an earlier save wrote to a file of its own. One of an earlier state of a run
  /// is listed until the worker has delivered the run.
  struct Known {
    SessionKey key;
    QString file;
  };
  using Lookup = std::function<std::optional<Known>(const SessionKey&)>;
  /// Which checkpoints of runs and iterates are collected: all, or those alone that `known` finds.
  enum class Extent { all, known };
  /// Starts to collect. `known` finds checkpoints that need not be written again, or is empty.
  /// `done` is called when the worker has delivered all runs; at once, where none is missing.
  using Done = std::function<void(const std::shared_ptr<SessionBatch>&)>;
  std::shared_ptr<SessionBatch> collect(const Lookup& known, const Done& done,
                                        Extent extent = Extent::all);

 private:
  SessionKey keyOf(int id) const;
  std::shared_ptr<SessionBatch> begin() const;
  void addRun(SessionBatch& batch, int id, const std::shared_ptr<const RunProgress>& progress,
              const std::string& backend) const;
  static void takeKnown(SessionBatch::Item& item, const Lookup& known);
  void addIterates(SessionBatch& batch, int id, const Lookup& known,
                   Extent extent = Extent::all) const;
  void addTrials(SessionBatch& batch, const Lookup& known, Extent extent) const;
  void addReference(SessionBatch& batch, const Lookup& known) const;

  MainWindow& window_;
};

/// Returns the small picture that a session carries; null without one.
QImage session_picture(const SessionHead& session);

/// Returns the state of the window as a session keeps it: window_state(), which results nobody has
/// saved, and a small picture.
std::string session_window_text(MainWindow& window);

}  // namespace gantry
