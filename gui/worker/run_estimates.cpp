#include "gui/worker/run_estimates.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace gantry {

namespace {

constexpr std::size_t mostKept = 64;  // enough for undo and redo of recent edits

}  // namespace

RunEstimates::RunEstimates(const Catalog& catalog, const BackendList& backends, QObject* parent)
    : QObject(parent), catalog_(catalog), backends_(backends) {}

const RunEstimates::Answer* RunEstimates::of(const RunSpec& run,
                                             const std::shared_ptr<const ExperimentData>& data,
                                             bool exact_residual) {
  Question question{run, data, exact_residual};
  question.run.name.clear();
  question.run.colour = {};
  std::erase_if(known_, [&](const Known& known) { return known.question.data != data; });
  auto found = std::ranges::find(known_, question, &Known::question);
  if (found == known_.end()) {
    known_.push_front({std::move(question), {}});
    found = known_.begin();
    if (known_.size() > mostKept) known_.pop_back();
  }
  if (found->isOutdated) {
    found->isAsked = true;
    askSoon();
  }
  return found->answer ? &*found->answer : nullptr;
}

void RunEstimates::setOutdated() {
  for (Known& known : known_) {
    known.isOutdated = true;
    known.isAsked = false;
  }
}

/// Requests of one event are answered together. Requests that are made while estimates are computed
/// wait: changed() makes all users request again.
void RunEstimates::askSoon() {
  if (isBusy()) return;
  isStarting_ = true;
  QMetaObject::invokeMethod(this, &RunEstimates::start, Qt::QueuedConnection);
}

void RunEstimates::start() {
  isStarting_ = false;
  std::vector<Question> questions;
  for (Known& known : known_)
    if (std::exchange(known.isAsked, false)) {
      known.isOutdated = false;
      questions.push_back(known.question);
    }
  using Answers = std::vector<std::pair<Question, Answer>>;
  job_.start<Answers>(
      [this, questions](const Interrupt&) {
        Answers answers;
        for (const Question& question : questions) {
          Answer answer;
          try {
            answer.memory =
                estimate_memory(question.run, *question.data->geometry, question.data->grid,
                                catalog_, backends_, question.exact_residual, &nonzeros_);
          } catch (const std::exception& error) {
            answer.problem = QString::fromUtf8(error.what());
          }
          answers.emplace_back(question, std::move(answer));
        }
        return answers;
      },
      [this](const Answers& answers) {
        for (const auto& [question, answer] : answers) {
          const auto found = std::ranges::find(known_, question, &Known::question);
          if (found != known_.end()) found->answer = answer;
        }
        emit changed();
      },
      [this](const QString&) { emit changed(); });
}

}  // namespace gantry
