#include "core/worker/kept_iterates.hpp"

#include "core/base/clock.hpp"

#include <exception>
#include <utility>

namespace gantry {

std::size_t bytes_of(const RunProgress& progress) {
  std::size_t bytes = 0;
  for (const auto& array : progress.solver.arrays) bytes += array.size() * sizeof(float);
  return bytes;
}

bool KeptIterates::keep(int iteration, double run_seconds,
                        const std::function<std::shared_ptr<const RunProgress>()>& copy) {
  const bool is_new = list_->empty() || iteration > list_->back().iteration;
  if (!is_new || !is_in_step(iteration)) return false;
  if (spent_s_ + last_s_ > budget_.seconds + budget_.share * run_seconds) return false;
  const auto start = Clock::now();
  std::shared_ptr<const RunProgress> progress;
  try {
    progress = copy();
  } catch (const std::exception&) {
    return false;  // the device was lost, as the next step will tell, or there is no memory
  }
  add(std::move(progress));
  last_s_ = seconds_since(start);
  spent_s_ += last_s_;
  return true;
}

void KeptIterates::add(std::shared_ptr<const RunProgress> progress) {
  IterateList next = *list_;
  next.push_back({progress->iterations, std::move(progress)});
  const auto exceeds = [&] {
    std::size_t bytes = 0;
    for (const KeptIterate& kept : next) bytes += bytes_of(*kept.progress);
    return bytes > budget_.bytes || next.size() > budget_.count;
  };
  while (next.size() > 1 && exceeds()) {
    step_ *= 2;
    std::erase_if(next, [&](const KeptIterate& kept) { return !is_in_step(kept.iteration); });
  }
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
  for (const KeptIterate& kept : *list_) bytes += bytes_of(*kept.progress);
  return bytes;
}

}  // namespace gantry
