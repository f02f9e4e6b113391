#include "core/worker/kept_iterates.hpp"

#include "core/base/clock.hpp"
#include "core/worker/progress_bytes.hpp"

#include <exception>
#include <utility>

namespace gantry {

namespace {

KeptIterate rounded(const RunProgress& progress) {
  auto rest = std::make_shared<RunProgress>(progress);
  rest->solver = {};
  return {progress.iterations, std::move(rest),
          std::make_shared<const RoundedImage>(progress.solver.arrays.front())};
}

}  // namespace

std::shared_ptr<const std::vector<float>> KeptIterate::image() const {
  if (is_exact()) return {progress, &progress->solver.arrays.front()};
  return std::make_shared<const std::vector<float>>(rounded->values());
}

std::shared_ptr<const RunProgress> KeptIterate::start() const {
  if (is_exact()) return progress;
  auto start = std::make_shared<RunProgress>(*progress);
  start->solver = {{rounded->values()}, {}};
  start->has_begun = false;
  start->part = {};
  return start;
}

std::size_t KeptIterate::bytes() const {
  return bytes_of(*progress) + (is_exact() ? 0 : rounded->bytes());
}

bool KeptIterates::keep(int iteration, double run_seconds,
                        const std::function<std::shared_ptr<const RunProgress>()>& copy) {
  const bool is_new = list_->empty() || iteration > list_->back().iteration;
  if (!is_new || !is_in_step(iteration)) return false;
  bool is_thinned = false;
  if (spent_s_ + last_s_ > budget_.seconds + budget_.share * run_seconds) {
    const double affordable_s = budget_.share * run_seconds / iteration;  // for each iteration
    if (!(affordable_s > 0)) return false;
    is_thinned = thin_for_time(affordable_s);
    if (!is_in_step(iteration)) return is_thinned;
  }
  const auto start = Clock::now();
  try {
    auto progress = copy();
    add(rounds_ ? rounded(*progress) : KeptIterate{progress->iterations, std::move(progress)});
  } catch (const std::exception&) {
    return is_thinned;  // the device was lost, as the next step will tell, or there is no memory
  }
  last_s_ = seconds_since(start);
  spent_s_ += last_s_;
  ++copies_;
  return true;
}

/// Widens the step until copies take no more than that on average. A single slow one leaves no
/// hole.
bool KeptIterates::thin_for_time(double affordable_s) {
  const auto costs_too_much = [&] { return spent_s_ > copies_ * affordable_s * step_; };
  if (!costs_too_much()) return false;
  IterateList next = *list_;
  while (costs_too_much()) widen_step(next);
  list_ = std::make_shared<const IterateList>(std::move(next));
  return true;
}

void KeptIterates::widen_step(IterateList& list) {
  step_ *= 2;
  std::erase_if(list, [&](const KeptIterate& kept) { return !is_in_step(kept.iteration); });
}

void KeptIterates::add(KeptIterate iterate) {
  IterateList next = *list_;
  next.push_back(std::move(iterate));
  const auto exceeds = [&] {
    std::size_t bytes = 0;
    for (const KeptIterate& kept : next) bytes += kept.bytes();
    return bytes > budget_.bytes || next.size() > budget_.count;
  };
  while (next.size() > 1 && exceeds()) widen_step(next);
  if (exceeds()) next.clear();
  list_ = std::make_shared<const IterateList>(std::move(next));
}

void KeptIterates::begin_with(const IterateList& earlier, int last_iteration) {
  IterateList next;
  for (const KeptIterate& kept : earlier)
    if (kept.iteration <= last_iteration) next.push_back(kept);
  list_ = std::make_shared<const IterateList>(std::move(next));
}

std::size_t KeptIterates::bytes() const {
  std::size_t bytes = 0;
  for (const KeptIterate& kept : *list_) bytes += kept.bytes();
  return bytes;
}

}  // namespace gantry
