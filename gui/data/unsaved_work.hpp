#pragma once

#include "gui/worker/run_controller.hpp"

#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace gantry {

class FileActions;

/// The user's answer to the question about unsaved work.
enum class LossAnswer { save, discard, cancel };

/// How a question calls the answers that go on with the action, without and with saving.
struct LossWords {
  QString discard = {}, save = {};  ///< empty: the usual words for losing work
};

/// Knows the work that would be lost if the window closed or opened another experiment: edits of
/// the experiment, results of runs that the user started, also of runs still in their first
/// iteration, and results of trials. Results of runs that the program started by itself do not
/// count, because the program can compute them again. Every action that loses work asks this class
/// first.
class UnsavedWork : public QObject {
  Q_OBJECT
 public:
  UnsavedWork(const Catalog& catalog, ExperimentModel& model, RunController& controller,
              FileActions& files, QWidget* window);

  /// Declares the present runs, which must just have been started, as started by the program: their
  /// results up to the number of iterations set now are not unsaved work.
  void markRunsAutomatic();
  /// Declares that the program began the present runs, which must just have been started, for the
  /// user: their results are unsaved work, but a run in its first iteration is not.
  void markStartsAutomatic();
  /// The progress of a run: the number of its start, and of its iterations.
  struct Mark {
    int epoch = 0;
    std::size_t iterations = 0;
    friend bool operator==(const Mark&, const Mark&) = default;
  };
  /// Returns the progress of a run as it is now.
  Mark markOf(int id) const;
  /// Declares the results of runs up to that progress as saved.
  void markSaved(const std::map<int, Mark>& runs);
  /// Adds something beside the experiment that the user makes and only a session holds, with the
  /// sentence that tells of its loss. changed() must be emitted when it changes.
  void addDrawn(const QString& loss, std::function<bool()> isModified);
  /// Results that belong to no run: a sweep, or a race of methods.
  struct Trial {
    QString key;
    std::function<QString()> name;   ///< "the sweep of Weight"
    std::function<Mark()> progress;  ///< the number of its start, and of its results
    std::function<bool()> isActive;
    std::function<bool()> isKeptForUndo;  ///< when other data replace its data
    std::function<double()> seconds;      ///< how long its results took
  };
  void addTrial(Trial trial) { trials_.push_back(std::move(trial)); }
  using TrialMarks = std::map<QString, Mark>;
  /// Returns how far all trials are now.
  TrialMarks trialMarks() const;
  /// Returns the keys of those that have unsaved results, or are being computed.
  QStringList unsavedTrials() const;
  /// Declares the results of trials up to that progress as saved.
  void markTrialsSaved(const TrialMarks& trials);
  /// Must be called when a session has been saved, after markSaved() and markTrialsSaved().
  void sessionSaved();

  bool any() const;
  /// Returns whether the user has changed the experiment, or something that addDrawn() names.
  bool edits() const;
  /// Returns whether the program made everything that is open, so that it can make it again.
  bool isProgramsOwn() const;
  std::vector<int> results() const;
  /// Returns the runs that have been started and are still in their first iteration.
  std::vector<int> inFirstIteration() const;
  /// The question to the user: called with the name of the action that loses work, and with the
  /// work. Without setQuestion a message box asks. No question is put where FileActions::asksUser()
  /// is false; the work is then lost.
  using Question = std::function<LossAnswer(const QString& act, const QString& lost)>;
  void setQuestion(Question ask) { ask_ = std::move(ask); }

  /// Must be called before an action that replaces the whole experiment. Returns true if the action
  /// may continue now. Otherwise the user cancelled or chose to save; `later` is called once
  /// everything has been saved, and never if saving fails.
  bool mayLose(const QString& act, std::function<void()> later);
  /// Must be called when an action that mayLose() permitted is about to take effect. Asks again if
  /// other work, made since then, would be lost as well.
  bool mayStillLose(std::function<void()> later);
  /// Like mayLose(), for an action that deletes the results of one run.
  bool mayLoseRun(int id, const QString& act, std::function<void()> later);
  /// Must be called before other data are prepared for the open experiment: the results of trials
  /// end with their data. Returns true if no unsaved ones are lost; those that have ended, were
  /// computed in less than a minute and come back by undo are not. Otherwise the user is asked,
  /// once for all that one action starts, and may save first; then `later` is called.
  bool mayLoseTrials(std::function<void()> later);
  /// Sets from which time on results of trials are asked about although undo brings them back.
  void setLongSeconds(double seconds) { longSeconds_ = seconds; }
  /// Must be called before undo makes former data the present ones. Returns true if no trial is
  /// under way, and all come back with their data. Otherwise the user is asked; then `later` is
  /// called, or the step of undo is taken back.
  bool mayEndTrials(std::function<void()> later);
  /// Names the trials that would be lost by other data; empty: none.
  QString trialsAtStake() const;
  /// Must be called before an action that deletes something that cannot be saved. Returns whether
  /// the user agrees.
  bool mayDiscard(const QString& act, const QString& lost);

 signals:
  void changed();  ///< by a save, by markRunsAutomatic(), or what addDrawn() names

 private:
  /// The work that the user has agreed to lose, or wants to have saved first.
  struct AcceptedLoss {
    QString act;
    Experiment experiment;
    std::map<int, Mark> runs;
    TrialMarks trials;     // further results of the same start are included
    std::set<int> active;  // runs that were computing then: later iterations of theirs are included
    bool is_discarded = false;  // else it was to be saved, and only what has been saved is no loss
  };
  bool isAutomatic(const Mark& mark, int id) const;
  AcceptedLoss presentWork(const QString& act) const;
  bool isAccepted(int id) const;
  bool isAcceptedTrial(const QString& key) const;
  QStringList lossOfDrawn() const;
  bool savesSession() const;
  LossAnswer ask(const QString& act, const QString& lost, bool canSave, const LossWords& words);
  bool mayLose(const QString& act, const QStringList& lost, const std::vector<int>& results,
               std::function<void()> later, const LossWords& words = {});
  QString namesOf(const std::vector<int>& runs) const;
  QString whatUndoDoes() const;
  QString endedByUndo() const;
  void askAboutEnding(int indexBefore, const std::function<void()>& later);
  QString describe(const std::vector<int>& results, const QString& trials = {}) const;
  const Trial& trial(const QString& key) const;
  bool isWorthAsking(const QString& key) const;
  void askAboutTrials();
  QString namesOfTrials(bool withResults) const;
  void declareAutomatic(bool withResults);
  LossAnswer showQuestion(const QString& act, const QString& lost, bool canSave,
                          const LossWords& words);
  /// Saves the experiment and these results, then calls later_, or giveUp() after
  /// FileActions::failed().
  void save(const std::vector<int>& results);
  void saveSession();
  void finish();
  void volumeSaved(int id, int iterations);
  void giveUp();

  const Catalog& catalog_;
  ExperimentModel& model_;
  RunController& controller_;
  FileActions& files_;
  QWidget* window_;
  Question ask_;
  std::function<void()> later_;  // called once everything has been saved
  AcceptedLoss acceptedLoss_;    // by the latest answer that permitted to lose the whole experiment
  std::map<int, Mark> saved_;
  struct Drawn {
    QString loss;
    std::function<bool()> isModified;
  };
  std::vector<Drawn> drawn_;
  std::vector<Trial> trials_;
  TrialMarks savedTrials_;
  TrialMarks replacedTrials_;                   // of an experiment that is no longer open
  std::vector<std::function<void()>> waiting_;  // for the answer about trials
  bool areTrialsGivenUp_ = false;               // by what is being called now
  bool isAskingAboutEnding_ = false;
  double longSeconds_ = 60;
  // The start of each run, and the last iteration that the program started by itself.
  std::map<int, Mark> automaticRuns_;
  std::set<int> pending_;         // runs whose volumes are being saved
  bool isSavingSession_ = false;  // for later_
};

}  // namespace gantry
