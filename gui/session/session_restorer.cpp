#include "gui/session/session_restorer.hpp"

#include "gui/data/unsaved_work.hpp"
#include "gui/main_window.hpp"
#include "gui/session/window_state.hpp"
#include "gui/stage/sweep/sweep_board.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTimer>

#include <algorithm>
#include <map>
#include <utility>

namespace gantry {

namespace {

QJsonObject state_of(const Session& session) {
  return QJsonDocument::fromJson(QByteArray::fromStdString(session.head.window)).object();
}

int id_at(MainWindow& window, int place) {
  const auto& ids = window.model().runIds();
  return place >= 0 && place < static_cast<int>(ids.size()) ? ids[static_cast<std::size_t>(place)]
                                                            : -1;
}

/// Takes the earlier iterates of each run, by place, in ascending order.
std::map<int, IterateList> take_iterates(Session& session) {
  std::map<int, IterateList> all;
  for (std::size_t i = 0; i < session.parts.size(); ++i) {
    if (session.parts[i].role != SessionRole::iterate) continue;
    RunProgress& progress = session.checkpoints[i].progress;
    if (progress.solver.arrays.empty()) continue;
    all[session.parts[i].place].push_back(
        {progress.iterations, std::make_shared<const RunProgress>(std::move(progress))});
  }
  for (auto& [place, list] : all) std::ranges::sort(list, {}, &KeptIterate::iteration);
  return all;
}

/// Restores the reference first, so that the runs are measured against it from the start. The
/// arrays of a session can be gigabytes: they are moved, not copied.
void restore_runs(MainWindow& window, Session& session) {
  auto iterates = take_iterates(session);
  for (std::size_t i = 0; i < session.parts.size(); ++i)
    if (session.parts[i].role == SessionRole::reference &&
        !session.checkpoints[i].progress.solver.arrays.empty())
      window.controller().restoreReference(
          std::move(session.checkpoints[i].progress.solver.arrays.front()),
          session.head.reference_label, id_at(window, session.parts[i].place));
  for (std::size_t i = 0; i < session.parts.size(); ++i) {
    const int place = session.parts[i].place, id = id_at(window, place);
    if (session.parts[i].role != SessionRole::run || id < 0) continue;
    Checkpoint& checkpoint = session.checkpoints[i];
    const auto kept = iterates.find(place);
    window.controller().restore(id, checkpoint.run, std::move(checkpoint.history),
                                std::make_shared<RunProgress>(std::move(checkpoint.progress)),
                                kept == iterates.end()
                                    ? nullptr
                                    : std::make_shared<const IterateList>(std::move(kept->second)));
  }
}

/// Restores the page of sweeps, with what it had computed.
void restore_sweep(MainWindow& window, Session& session) {
  std::map<int, Checkpoint> results;
  for (std::size_t i = 0; i < session.parts.size(); ++i)
    if (session.parts[i].role == SessionRole::trial)
      results.emplace(session.parts[i].place, std::move(session.checkpoints[i]));
  window.sweep().restore(state_of(session)[QStringLiteral("sweep")].toObject(), std::move(results));
}

/// Marks the results that were saved elsewhere when the session was written, or all of them.
void mark_saved(MainWindow& window, const Session& session, bool all) {
  const QJsonArray unsaved = state_of(session)[QStringLiteral("unsaved")].toArray();
  std::map<int, UnsavedWork::Mark> saved;
  for (const SessionPart& part : session.parts) {
    const int id = id_at(window, part.place);
    if (part.role == SessionRole::run && id >= 0 && (all || !unsaved.contains(part.place)))
      saved[id] = window.unsavedWork().markOf(id);
  }
  window.unsavedWork().markSaved(saved);
}

/// Marks the results of trials like mark_saved() those of runs; after they were restored.
void mark_trials_saved(MainWindow& window, const Session& session, bool all) {
  const QJsonArray unsaved = state_of(session)[QStringLiteral("unsaved_trials")].toArray();
  auto saved = window.unsavedWork().trialMarks();
  if (!all) std::erase_if(saved, [&](const auto& one) { return unsaved.contains(one.first); });
  window.unsavedWork().markTrialsSaved(saved);
}

}  // namespace

void restore_session(MainWindow& window, const SessionToRestore& what) {
  window.controller().prepareOther(what.session->experiment,
                                   [what, &window](const Experiment& opened) {
                                     const SessionHead& head = what.session->head;
                                     window.model().reset(opened, what.path);
                                     if (!what.is_a_file && (head.is_modified || !head.is_closed))
                                       window.model().markUnsaved();
                                     if (what.adopted) what.adopted();
                                     // The runs are restored after all slots of the signals about
                                     // the new data have run.
                                     QTimer::singleShot(0, &window, [what, &window] {
                                       restore_runs(window, *what.session);
                                       mark_saved(window, *what.session, what.is_a_file);
                                       restore_window_state(window, state_of(*what.session));
                                       restore_sweep(window, *what.session);
                                       mark_trials_saved(window, *what.session, what.is_a_file);
                                       if (what.restored) what.restored();
                                     });
                                   });
}

}  // namespace gantry
