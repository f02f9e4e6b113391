#pragma once

#include "gui/worker/run_controller.hpp"

#include <QObject>
#include <QString>

#include <functional>
#include <map>
#include <set>
#include <vector>

namespace gantry {

class FileActions;

/// What to do about unsaved work that is about to be lost.
enum class LossAnswer { save, discard, cancel };

/// What would be lost if the window closed or took another experiment: edits of the experiment, and
/// results of runs that somebody started, be they only begun. Those that the program started by
/// itself can be had again at any time. Whatever loses them asks here.
class UnsavedWork : public QObject {
  Q_OBJECT
 public:
  UnsavedWork(const Catalog& catalog, ExperimentModel& model, RunController& controller,
              FileActions& files, QWidget* window);

  /// The present runs, as they have just been started, are the program's own, up to the iterations
  /// that they have been given.
  void excuseRuns();

  bool any() const { return edits() || !results().empty() || !begun().empty(); }
  bool edits() const;
  std::vector<int> results() const;
  /// Runs that have been started and are still in their first iteration.
  std::vector<int> begun() const;
  /// Asked with the act that loses something and with what is lost; a message box unless set.
  /// Nobody is asked where FileActions does not ask back.
  using Question = std::function<LossAnswer(const QString& act, const QString& lost)>;
  void setQuestion(Question ask) { ask_ = std::move(ask); }

  /// For what takes the whole experiment away. True: go on now. False: not now; `later` is called
  /// once everything has been saved, and never where that fails or nothing is to be lost.
  bool mayLose(const QString& act, std::function<void()> later);
  /// For what mayLose() has let begin and what ends only now: asks again where something has been
  /// edited or computed since then that would be lost as well.
  bool mayStillLose(std::function<void()> later);
  /// As mayLose(), for what takes the results of one run away.
  bool mayLoseRun(int id, const QString& act, std::function<void()> later);
  /// For what takes away something that cannot be saved otherwise: it may be discarded, or not.
  bool mayDiscard(const QString& act, const QString& lost);

 signals:
  void changed();  ///< by a save, or since results are the program's own

 private:
  /// How far a run was: its start and its iterations.
  struct Mark {
    int epoch = 0;
    std::size_t iterations = 0;
    friend bool operator==(const Mark&, const Mark&) = default;
  };
  /// What may be lost without another question.
  struct Agreed {
    QString act;
    Experiment experiment;
    std::map<int, Mark> runs;
    std::set<int> active;  // went on then, and so have more iterations by now
  };
  Mark markOf(int id) const;
  bool isExcused(const Mark& mark, int id) const;
  Agreed asItIs(const QString& act) const;
  bool isAgreed(int id) const;
  bool mayLose(const QString& act, const QStringList& lost, const std::vector<int>& results,
               std::function<void()> later);
  QString namesOf(const std::vector<int>& runs) const;
  QString describe(const std::vector<int>& results) const;
  LossAnswer showQuestion(const QString& act, const QString& lost, bool canSave);
  /// Saves the experiment where it has changed or has no file, and each of these results into a new
  /// folder beside it; ends with a call of later_ or given up, then FileActions::failed said why.
  void save(const std::vector<int>& results);
  void finish();
  void volumeSaved(int id, int iterations);
  void giveUp();

  const Catalog& catalog_;
  ExperimentModel& model_;
  RunController& controller_;
  FileActions& files_;
  QWidget* window_;
  Question ask_;
  std::function<void()> later_;  // once everything has been saved
  Agreed agreed_;                // by the latest answer that let the whole experiment go
  std::map<int, Mark> saved_;
  std::map<int, Mark> excused_;  // by run: its start, and the last iteration of the program's own
  std::set<int> pending_;        // results under way to their files
};

}  // namespace gantry
