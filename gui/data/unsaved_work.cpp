#include "gui/data/unsaved_work.hpp"

#include "gui/data/file_actions.hpp"

#include <QDir>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace gantry {

namespace {

/// Returns a folder that does not exist yet: "head-results" beside head.json, else "head-results-2"
/// and so on.
QString new_folder_beside(const QString& experiment) {
  const QFileInfo file(experiment);
  const QString first = file.dir().filePath(file.completeBaseName() + QStringLiteral("-results"));
  QString folder = first;
  for (int n = 2; QFileInfo::exists(folder); ++n) folder = first + QStringLiteral("-%1").arg(n);
  return folder;
}

}  // namespace

UnsavedWork::UnsavedWork(const Catalog& catalog, ExperimentModel& model, RunController& controller,
                         FileActions& files, QWidget* window)
    : QObject(window),
      catalog_(catalog),
      model_(model),
      controller_(controller),
      files_(files),
      window_(window) {
  connect(&files_, &FileActions::volumeSaved, this, &UnsavedWork::volumeSaved);
  connect(&files_, &FileActions::failed, this, &UnsavedWork::giveUp);
  connect(&files_, &FileActions::cancelled, this, &UnsavedWork::giveUp);
  // What waited for a save was about the experiment that was open then.
  connect(&model_, &ExperimentModel::aboutToBeReplaced, this, &UnsavedWork::giveUp);
  // The boards show trials until the other data are there.
  connect(&model_, &ExperimentModel::aboutToBeReplaced, this,
          [this] { replacedTrials_ = trialMarks(); });
}

void UnsavedWork::markRunsAutomatic() { declareAutomatic(true); }

void UnsavedWork::markStartsAutomatic() { declareAutomatic(false); }

void UnsavedWork::declareAutomatic(bool withResults) {
  automaticRuns_.clear();
  // Epoch 1 is the first start of a run; the start may still wait for the data.
  for (const int id : model_.runIds()) {
    const int iterations = withResults ? model_.run(id)->iterations : 0;
    automaticRuns_[id] = {1, static_cast<std::size_t>(iterations)};
  }
  emit changed();
}

UnsavedWork::TrialMarks UnsavedWork::trialMarks() const {
  TrialMarks marks;
  for (const Trial& trial : trials_) marks[trial.key] = trial.progress();
  return marks;
}

QStringList UnsavedWork::unsavedTrials() const {
  QStringList keys;
  for (const Trial& trial : trials_) {
    const Mark mark = trial.progress();
    const auto replaced = replacedTrials_.find(trial.key);
    if (replaced != replacedTrials_.end() && replaced->second.epoch == mark.epoch) continue;
    const auto saved = savedTrials_.find(trial.key);
    const bool is_saved = saved != savedTrials_.end() && saved->second == mark;
    if ((mark.iterations > 0 && !is_saved) || trial.isActive()) keys << trial.key;
  }
  return keys;
}

void UnsavedWork::markTrialsSaved(const TrialMarks& trials) {
  for (const auto& [key, mark] : trials) savedTrials_[key] = mark;
  emit changed();
}

const UnsavedWork::Trial& UnsavedWork::trial(const QString& key) const {
  return *std::ranges::find(trials_, key, &Trial::key);
}

/// Names the unsaved trials: those that have results, or those that have none yet.
QString UnsavedWork::namesOfTrials(bool withResults) const {
  QStringList names;
  for (const QString& key : unsavedTrials())
    if ((trial(key).progress().iterations > 0) == withResults) names << trial(key).name();
  return names.join(QStringLiteral("; "));
}

bool UnsavedWork::any() const {
  return edits() || !results().empty() || !inFirstIteration().empty() || !unsavedTrials().empty();
}

void UnsavedWork::markSaved(const std::map<int, Mark>& runs) {
  for (const auto& [id, mark] : runs) saved_[id] = mark;
  emit changed();
}

void UnsavedWork::addDrawn(const QString& loss, std::function<bool()> isModified) {
  drawn_.push_back({loss, std::move(isModified)});
}

QStringList UnsavedWork::lossOfDrawn() const {
  QStringList losses;
  for (const Drawn& one : drawn_)
    if (one.isModified()) losses << one.loss;
  return losses;
}

bool UnsavedWork::edits() const { return model_.isModified() || !lossOfDrawn().isEmpty(); }

bool UnsavedWork::isProgramsOwn() const {
  return !any() && model_.path().isEmpty() && !model_.runIds().empty() &&
         std::ranges::all_of(model_.runIds(),
                             [this](int id) { return automaticRuns_.contains(id); });
}

UnsavedWork::Mark UnsavedWork::markOf(int id) const {
  const RunStatus& status = controller_.status(id);
  return {status.epoch, status.history.size()};
}

bool UnsavedWork::isAutomatic(const Mark& mark, int id) const {
  const auto automatic = automaticRuns_.find(id);
  return automatic != automaticRuns_.end() && automatic->second.epoch == mark.epoch &&
         mark.iterations <= automatic->second.iterations;
}

std::vector<int> UnsavedWork::results() const {
  std::vector<int> ids;
  for (const int id : model_.runIds()) {
    const Mark mark = markOf(id);
    if (!controller_.status(id).hasResults()) continue;
    const auto known = saved_.find(id);
    const bool is_saved = known != saved_.end() && known->second == mark;
    if (!is_saved && !isAutomatic(mark, id)) ids.push_back(id);
  }
  return ids;
}

std::vector<int> UnsavedWork::inFirstIteration() const {
  std::vector<int> ids;
  for (const int id : model_.runIds()) {
    const RunStatus& status = controller_.status(id);
    const bool is_under_way = status.wasStarted() && status.state != RunState::failed;
    if (is_under_way && status.history.empty() && !isAutomatic(markOf(id), id)) ids.push_back(id);
  }
  return ids;
}

QString UnsavedWork::namesOf(const std::vector<int>& runs) const {
  QStringList names;
  for (const int id : runs) names << QString::fromStdString(controller_.label(id));
  return names.join(QStringLiteral("; "));
}

QString UnsavedWork::describe(const std::vector<int>& results, const QString& trials) const {
  QStringList names{namesOf(results), trials};
  names.removeAll(QString());
  return tr("These results are not saved: %1.").arg(names.join(QStringLiteral("; ")));
}

bool UnsavedWork::mayLose(const QString& act, std::function<void()> later) {
  QStringList lost;
  if (model_.isModified()) lost << tr("The experiment has changes that are not saved.");
  lost << lossOfDrawn();
  const std::vector<int> ids = results();
  const QString trials = namesOfTrials(true), begun = namesOfTrials(false);
  if (!ids.empty() || !trials.isEmpty()) lost << describe(ids, trials);
  const std::vector<int> first = inFirstIteration();
  if (!first.empty())
    lost << tr("These runs are in their first iteration: %1.").arg(namesOf(first));
  if (!begun.isEmpty()) lost << tr("Without a result yet: %1.").arg(begun);
  if (!lost.isEmpty()) lost << tr("Discarded results cannot be restored.");
  const AcceptedLoss asked = presentWork(act);
  // While the files are written, the user may edit and runs may compute more.
  const auto agreed_later = [this, asked, later = std::move(later)] {
    acceptedLoss_ = asked;
    if (mayStillLose(later)) later();
  };
  const bool may = mayLose(act, lost, ids, agreed_later);
  if (may) {
    acceptedLoss_ = asked;
    // Where there was nothing to lose nothing is given up: a save under way may still end, of an
    // earlier state than the present one.
    acceptedLoss_.is_discarded = !lost.isEmpty();
  }
  return may;
}

UnsavedWork::AcceptedLoss UnsavedWork::presentWork(const QString& act) const {
  AcceptedLoss now{act, model_.experiment(), {}, trialMarks(), {}};
  for (const int id : model_.runIds()) {
    now.runs[id] = markOf(id);
    if (controller_.status(id).isActive()) now.active.insert(id);
  }
  return now;
}

bool UnsavedWork::isAccepted(int id) const {
  const auto known = acceptedLoss_.runs.find(id);
  if (known == acceptedLoss_.runs.end()) return false;
  const Mark mark = markOf(id);
  const bool goes_on = acceptedLoss_.active.contains(id) && known->second.epoch == mark.epoch;
  if (acceptedLoss_.is_discarded || mark.iterations == 0) return known->second == mark || goes_on;
  const auto saved = saved_.find(id);
  return goes_on && saved != saved_.end() && saved->second.epoch == mark.epoch;
}

bool UnsavedWork::isAcceptedTrial(const QString& key) const {
  const auto known = acceptedLoss_.trials.find(key);
  if (known == acceptedLoss_.trials.end()) return false;
  const Mark mark = trial(key).progress();
  if (known->second.epoch != mark.epoch) return false;
  const auto saved = savedTrials_.find(key);
  return acceptedLoss_.is_discarded ||
         (saved != savedTrials_.end() && saved->second.epoch == mark.epoch);
}

bool UnsavedWork::mayStillLose(std::function<void()> later) {
  // What was to be saved and is not, because an earlier save ended instead, is not given up.
  const bool is_edited =
      edits() && !(acceptedLoss_.is_discarded && model_.experiment() == acceptedLoss_.experiment);
  const auto agreed = [this](int id) { return isAccepted(id); };
  const auto agreed_trial = [this](const QString& key) { return isAcceptedTrial(key); };
  if (!is_edited && std::ranges::all_of(results(), agreed) &&
      std::ranges::all_of(unsavedTrials(), agreed_trial) &&
      std::ranges::all_of(inFirstIteration(), agreed))
    return true;
  return mayLose(acceptedLoss_.act, std::move(later));
}

bool UnsavedWork::mayLoseRun(int id, const QString& act, std::function<void()> later) {
  const std::vector<int> unsaved = results();
  if (std::ranges::find(unsaved, id) == unsaved.end()) return true;
  return mayLose(act,
                 {describe({id}), tr("They are too large to be kept for undo: discarded, they "
                                     "cannot be restored.")},
                 {id}, std::move(later));
}

bool UnsavedWork::mayLose(const QString& act, const QStringList& lost,
                          const std::vector<int>& results, std::function<void()> later,
                          const LossWords& words) {
  if (lost.isEmpty() || !files_.asksUser()) return true;
  const LossAnswer answer = ask(act, lost.join(QLatin1Char('\n')), true, words);
  if (answer != LossAnswer::save) return answer == LossAnswer::discard;
  later_ = std::move(later);
  save(results);
  return false;
}

LossAnswer UnsavedWork::ask(const QString& act, const QString& lost, bool canSave,
                            const LossWords& words) {
  return ask_ ? ask_(act, lost) : showQuestion(act, lost, canSave, words);
}

bool UnsavedWork::mayDiscard(const QString& act, const QString& lost) {
  return !files_.asksUser() || ask(act, lost, false, {}) == LossAnswer::discard;
}

QString UnsavedWork::trialsAtStake() const {
  QStringList names{namesOfTrials(true), namesOfTrials(false)};
  names.removeAll(QString());
  return names.join(QStringLiteral("; "));
}

/// Returns whether other data take something from the user with a trial.
bool UnsavedWork::isWorthAsking(const QString& key) const {
  const Trial& one = trial(key);
  return one.isActive() || !one.isKeptForUndo() || one.seconds() >= longSeconds_;
}

/// The question is queued, because one action may start several runs, each of which needs the data.
bool UnsavedWork::mayLoseTrials(std::function<void()> later) {
  const QStringList unsaved = unsavedTrials();
  const bool asks = std::ranges::any_of(unsaved, [this](auto& key) { return isWorthAsking(key); });
  if (areTrialsGivenUp_ || !asks || !files_.asksUser()) return true;
  waiting_.push_back(std::move(later));
  if (waiting_.size() == 1)
    QMetaObject::invokeMethod(this, &UnsavedWork::askAboutTrials, Qt::QueuedConnection);
  return false;
}

void UnsavedWork::askAboutTrials() {
  const auto go = [this, all = std::exchange(waiting_, {})] {
    areTrialsGivenUp_ = true;
    for (const auto& later : all) later();
    areTrialsGivenUp_ = false;
  };
  const QString lost =
      tr("Data or scan have changed. The change is kept, also the value of a sweep that was taken "
         "over. What was computed with the earlier data ends, is not saved and no longer shown: "
         "%1.")
          .arg(trialsAtStake());
  // Nothing that the user chose is dropped: the change goes on, and only the trials end.
  const LossWords goes_on{tr("Go on without saving"), tr("Save and go on")};
  if (mayLose(tr("Use the changed data"), {lost, whatUndoDoes()}, {}, go, goes_on)) go();
}

/// Says whether undo brings back the trials that other data end.
QString UnsavedWork::whatUndoDoes() const {
  for (const QString& key : unsavedTrials())
    if (!trial(key).isKeptForUndo()) return tr("It is too large to be kept for undo.");
  return tr("What has been computed comes back by undo or redo.");
}

/// Names the trials that end when undo leads back to former data: those that are being computed,
/// and those that do not come back.
QString UnsavedWork::endedByUndo() const {
  QStringList names;
  for (const Trial& trial : trials_)
    if (trial.isActive() || (trial.progress().iterations > 0 && !trial.isKeptForUndo()))
      names << trial.name();
  return names.join(QStringLiteral("; "));
}

/// The question is queued, because undo is under way.
bool UnsavedWork::mayEndTrials(std::function<void()> later) {
  if (areTrialsGivenUp_ || !files_.asksUser() || endedByUndo().isEmpty()) return true;
  if (!std::exchange(isAskingAboutEnding_, true))
    QMetaObject::invokeMethod(
        this,
        [this, before = model_.undoStack().index(), later = std::move(later)] {
          askAboutEnding(before, later);
        },
        Qt::QueuedConnection);
  return false;
}

void UnsavedWork::askAboutEnding(int indexBefore, const std::function<void()>& later) {
  isAskingAboutEnding_ = false;
  const QString ending = endedByUndo();
  const QString lost =
      tr("This step leads back to earlier data. What is computed with the present ones ends with "
         "them: %1.")
          .arg(ending);
  if (!ending.isEmpty() && ask(tr("Earlier data"), lost + QLatin1Char('\n') + whatUndoDoes(), false,
                               {.discard = tr("Go on")}) != LossAnswer::discard)
    return model_.undoStack().setIndex(indexBefore);
  areTrialsGivenUp_ = true;
  later();
  areTrialsGivenUp_ = false;
}

LossAnswer UnsavedWork::showQuestion(const QString& act, const QString& lost, bool canSave,
                                     const LossWords& words) {
  QMessageBox box(QMessageBox::Question, act, lost, QMessageBox::Discard | QMessageBox::Cancel,
                  window_);
  box.setDefaultButton(QMessageBox::Cancel);
  if (canSave) {
    box.setInformativeText(
        savesSession()
            ? tr("Save writes everything as a session.")
            : tr("Save writes the experiment, and the results into a new folder beside it."));
    QPushButton* save = box.addButton(QMessageBox::Save);
    if (!words.save.isEmpty()) save->setText(words.save);
    box.setDefaultButton(save);
  }
  if (!words.discard.isEmpty()) box.button(QMessageBox::Discard)->setText(words.discard);
  const int button = box.exec();
  return button == QMessageBox::Save      ? LossAnswer::save
         : button == QMessageBox::Discard ? LossAnswer::discard
                                          : LossAnswer::cancel;
}

/// With the experiment in a file of its own, results go into a folder beside it; else, and where
/// there are results of trials or something drawn, everything is saved as a session.
bool UnsavedWork::savesSession() const {
  return model_.path().isEmpty() || is_session_name(model_.path()) || !unsavedTrials().isEmpty() ||
         !lossOfDrawn().isEmpty();
}

void UnsavedWork::save(const std::vector<int>& results) {
  if (savesSession()) return saveSession();
  if (edits()) files_.saveExperiment(model_.path());
  if (edits()) return giveUp();  // saving failed
  if (results.empty()) return finish();
  const QString folder = new_folder_beside(model_.path());
  if (!QDir().mkpath(folder)) {
    emit files_.failed(tr("Save results"), tr("%1: the folder cannot be made").arg(folder));
    return;
  }
  files_.saveCurves(QDir(folder).filePath(QStringLiteral("curves.csv")));
  files_.saveComputed(QDir(folder).filePath(QStringLiteral("experiment.json")));
  pending_ = {results.begin(), results.end()};
  int index = 0;
  for (const int id : results)
    files_.saveVolume(id, QDir(folder).filePath(volume_file_name(
                              index++, QString::fromStdString(model_.run(id)->solver))));
}

void UnsavedWork::saveSession() {
  isSavingSession_ = true;
  files_.saveAction()->trigger();
}

void UnsavedWork::sessionSaved() {
  if (std::exchange(isSavingSession_, false)) finish();
}

void UnsavedWork::volumeSaved(int id, int iterations) {
  saved_[id] = {controller_.status(id).epoch, static_cast<std::size_t>(iterations)};
  emit changed();
  if (pending_.erase(id) > 0 && pending_.empty()) finish();
}

void UnsavedWork::finish() {
  if (const auto later = std::exchange(later_, {})) later();
}

void UnsavedWork::giveUp() {
  isSavingSession_ = false;
  pending_.clear();
  waiting_.clear();
  later_ = {};
}

}  // namespace gantry
