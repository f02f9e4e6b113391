#include "gui/session/session_collector.hpp"

#include "core/job/experiment_file.hpp"
#include "core/worker/progress_bytes.hpp"
#include "gui/data/file_actions.hpp"
#include "gui/main_window.hpp"
#include "gui/session/window_picture.hpp"
#include "gui/session/window_state.hpp"
#include "gui/stage/slice_board.hpp"
#include "gui/stage/sweep/sweep_board.hpp"

#include <QBuffer>
#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace gantry {

namespace {

/// Limit of all estimates and states of methods. If a run exceeds the limit, the state of its
/// method is left out; if the run still exceeds it, the estimate as well.
constexpr std::size_t most_bytes = std::size_t{2} << 30;
/// Limit of the earlier iterates of all runs.
constexpr std::size_t most_iterate_bytes = std::size_t{256} << 20;

/// Returns those of the kept iterates that fit: the first and every second one, or every fourth,
/// and so on, and in any case the one that is shown.
std::vector<const KeptIterate*> chosen(const IterateList& kept, std::size_t most,
                                       const KeptIterate* shown) {
  std::vector<const KeptIterate*> all;
  for (int step = 1;; step *= 2) {
    all.clear();
    std::size_t bytes = 0;
    for (const KeptIterate& one : kept)
      if (one.iteration == 1 || one.iteration % step == 0 || &one == shown) {
        all.push_back(&one);
        bytes += one.bytes();
      }
    if (bytes <= most || all.size() <= 1 || step > kept.back().iteration) return all;
  }
}

}  // namespace

Checkpoint SessionBatch::Item::checkpoint() const {
  Checkpoint checkpoint{run, backend, {}, history};
  if (progress != nullptr) checkpoint.progress = has_state ? *progress : without_state(*progress);
  if (iterate.progress != nullptr) checkpoint.progress = *iterate.start();
  if (key.role == SessionRole::reference) checkpoint.progress.solver.arrays = {key.reference->mu()};
  return checkpoint;
}

int SessionBatch::placeOf(int id) const {
  const auto found = std::ranges::find(ids, id);
  return found == ids.end() ? -1 : static_cast<int>(found - ids.begin());
}

void SessionBatch::listParts() {
  head.parts.clear();
  for (const Item& item : items) head.parts.push_back(item.part);
}

QImage session_picture(const SessionHead& session) {
  const QJsonObject state =
      QJsonDocument::fromJson(QByteArray::fromStdString(session.window)).object();
  return QImage::fromData(
      QByteArray::fromBase64(state[QStringLiteral("picture")].toString().toLatin1()));
}

std::string session_window_text(MainWindow& window) {
  QJsonObject state = window_state(window);
  QJsonArray unsaved;
  for (const int id : window.unsavedWork().results())
    if (const auto place = window.model().indexOf(id)) unsaved.append(static_cast<int>(*place));
  state[QStringLiteral("unsaved")] = unsaved;
  state[QStringLiteral("unsaved_trials")] =
      QJsonArray::fromStringList(window.unsavedWork().unsavedTrials());
  QByteArray png;
  QBuffer buffer(&png);
  if (picture_of_window(window).save(&buffer, "PNG"))
    state[QStringLiteral("picture")] = QString::fromLatin1(png.toBase64());
  return QJsonDocument(state).toJson(QJsonDocument::Compact).toStdString();
}

/// Returns the key of a run as it is now.
SessionKey SessionCollector::keyOf(int id) const {
  const RunController& controller = window_.controller();
  const RunStatus& status = controller.status(id);
  const ReferenceKey reference = controller.referenceKeyOf(id);
  const auto measured = std::ranges::count_if(status.history, [&](const HistoryEntry& entry) {
    return entry.is_measured && status.isAgainst(reference, entry);
  });
  return {SessionRole::run,
          id,
          status.epoch,
          static_cast<int>(status.history.size()),
          static_cast<int>(measured),
          controller.reference()};
}

void SessionCollector::addRun(SessionBatch& batch, int id,
                              const std::shared_ptr<const RunProgress>& progress,
                              const std::string& backend) const {
  const RunStatus& status = window_.controller().status(id);
  if (progress == nullptr || progress->solver.arrays.empty() || status.history.empty()) return;
  SessionBatch::Item item;
  item.key = keyOf(id);
  item.part = {SessionRole::run, batch.placeOf(id), {}};
  item.run = status.started;
  item.backend = backend;
  item.progress = progress;
  item.history = window_.controller().historyOf(id);
  // A run whose iterations were extended is to go on to the last of them.
  if (status.snapshot != nullptr)
    item.run.iterations = std::max(item.run.iterations, status.snapshot->planned_iterations);
  std::erase_if(batch.items, [&](const SessionBatch::Item& earlier) {
    return earlier.key.role == SessionRole::run && earlier.key.run == id;
  });
  std::size_t bytes = bytes_of(*progress);
  if (batch.bytes + bytes > most_bytes) {
    batch.is_complete = false;
    item.has_state = false;
    bytes = progress->solver.arrays[0].size() * sizeof(float);
  }
  if (batch.bytes + bytes > most_bytes) return;  // not even the estimate fits
  batch.bytes += bytes;
  batch.marks[id] = window_.unsavedWork().markOf(id);
  batch.items.push_back(std::move(item));
}

/// Names the file of a checkpoint that lies in one already.
void SessionCollector::takeKnown(SessionBatch::Item& item, const Lookup& known) {
  const auto file = known ? known(item.key) : std::nullopt;
  if (!file) return;
  item.part.file = file->file.toStdString();
  item.is_new = false;
}

void SessionCollector::addIterates(SessionBatch& batch, int id, const Lookup& known,
                                   Extent extent) const {
  const RunStatus& status = window_.controller().status(id);
  if (status.iterates == nullptr || status.iterates->empty()) return;
  const std::size_t most = most_iterate_bytes / window_.model().runIds().size();
  for (const KeptIterate* kept :
       chosen(*status.iterates, most, window_.playhead().iterateOf(status))) {
    const SessionKey key{SessionRole::iterate, id, status.epoch, kept->iteration};
    SessionBatch::Item item;
    item.key = key;
    item.part = {SessionRole::iterate, batch.placeOf(id), {}};
    item.run = as_of_iteration(status.started, kept->iteration);
    item.iterate = *kept;
    takeKnown(item, known);
    if (item.is_new && extent == Extent::known) continue;
    batch.items.push_back(std::move(item));
  }
}

/// What a sweep has computed, each result as far as the limit allows. Of a result that was too
/// large to be kept for going on there is the estimate.
void SessionCollector::addTrials(SessionBatch& batch, const Lookup& known, Extent extent) const {
  const SweepBoard& sweep = window_.sweep();
  const auto& points = sweep.points();
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].image.empty()) continue;
    SessionBatch::Item item;
    item.key = {SessionRole::trial, sweep.sweptRun(), sweep.ticket(), static_cast<int>(i)};
    item.part = {SessionRole::trial, static_cast<int>(i), {}};
    takeKnown(item, known);
    if (!item.is_new) {
      batch.items.push_back(std::move(item));
      continue;
    }
    if (extent == Extent::known) continue;
    item.run = points[i].run;
    item.backend = points[i].run.backend;
    item.history = points[i].history;
    item.progress = points[i].progress;
    if (item.progress == nullptr) {
      auto estimate = std::make_shared<RunProgress>();
      estimate->iterations = points[i].last().report.iteration;
      estimate->solver.arrays = {points[i].image};
      item.progress = std::move(estimate);
    }
    if (batch.bytes + bytes_of(*item.progress) > most_bytes) {
      batch.is_complete = false;
      continue;
    }
    batch.bytes += bytes_of(*item.progress);
    batch.items.push_back(std::move(item));
  }
}

void SessionCollector::addReference(SessionBatch& batch, const Lookup& known) const {
  RunController& controller = window_.controller();
  if (!controller.referenceIsPinned()) return;
  const int id = controller.pinnedRun();
  const SessionKey key{SessionRole::reference, id, 0, 0, 0, controller.reference()};
  SessionBatch::Item item;
  item.key = key;
  item.part = {SessionRole::reference, batch.placeOf(id), {}};
  batch.head.reference_label = controller.reference()->label;
  takeKnown(item, known);
  batch.items.push_back(std::move(item));
}

/// Starts a batch with what needs no worker.
std::shared_ptr<SessionBatch> SessionCollector::begin() const {
  const ExperimentModel& model = window_.model();
  auto batch = std::make_shared<SessionBatch>();
  batch->experiment = model.experiment();
  batch->ids = model.runIds();
  batch->trials = window_.unsavedWork().trialMarks();
  batch->head.saved = QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs).toStdString();
  batch->head.path = model.path().toStdString();
  batch->head.is_modified = window_.unsavedWork().edits();
  batch->measured = window_.board().measurements().toJson();
  batch->head.window = session_window_text(window_);
  batch->access = stricter(access_for(model.experiment().source), window_.files().access());
  return batch;
}

std::shared_ptr<SessionBatch> SessionCollector::collect(const Lookup& known, const Done& done,
                                                        Extent extent) {
  RunController& controller = window_.controller();
  const auto batch = begin();
  addReference(*batch, known);
  addTrials(*batch, known, extent);
  std::vector<int> wanted;
  for (const int id : window_.model().runIds()) {
    const RunStatus& status = controller.status(id);
    if (!status.hasResults()) continue;
    if (status.data->grid.voxels() * sizeof(float) > most_bytes) {
      batch->is_complete = false;
      continue;
    }
    const auto file = known ? known(keyOf(id)) : std::nullopt;
    if (file) {
      SessionBatch::Item item;
      item.key = file->key;
      item.part = {SessionRole::run, batch->placeOf(id), file->file.toStdString()};
      item.is_new = false;
      batch->items.push_back(std::move(item));
      batch->marks[id] = window_.unsavedWork().markOf(id);
    }
    if (extent == Extent::known || (file && file->key == keyOf(id)))
      addIterates(*batch, id, known, extent);
    else
      wanted.push_back(id);
  }
  batch->missing = static_cast<int>(wanted.size());
  for (const int id : wanted)
    controller.requestProgress(
        id, [this, batch, id, known, done](const std::shared_ptr<const RunProgress>& progress,
                                           const std::string& backend) {
          if (batch->missing <= 0) return;  // it was written without the run, or given up
          addRun(*batch, id, progress, backend);
          addIterates(*batch, id, known);
          if (--batch->missing == 0) done(batch);
        });
  if (wanted.empty()) done(batch);
  return batch;
}

}  // namespace gantry
