#include "core/job/scans/scan_cache.hpp"

#include "core/backend/host_memory.hpp"

#include <algorithm>
#include <utility>

namespace gantry {

bool ScanCache::Entry::is_for(const std::optional<ScanSpec>& of,
                              const std::vector<CorrectionSpec>& all) const {
  if (corrections.empty()) return true;  // reading does not depend on the experiment's geometry
  return corrections.size() <= all.size() && geometry == of &&
         std::equal(corrections.begin(), corrections.end(), all.begin());
}

std::size_t ScanCache::bytes_of_all() const {
  std::size_t sum = 0;
  for (const Entry& entry : entries_) sum += entry.bytes();
  return sum;
}

std::size_t ScanCache::bytes() const {
  const std::scoped_lock lock(mutex_);
  return bytes_of_all();
}

KeptScan ScanCache::find(const ScanOrigin& origin, const std::optional<ScanSpec>& geometry,
                         const std::vector<CorrectionSpec>& corrections) {
  const std::scoped_lock lock(mutex_);
  if (!(origin == origin_)) return {};
  auto best = entries_.end();
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry)
    if (entry->is_for(geometry, corrections) &&
        (best == entries_.end() || entry->corrections.size() > best->corrections.size()))
      best = entry;
  if (best == entries_.end()) return {};
  entries_.splice(entries_.end(), entries_, best);
  return best->kept;
}

void ScanCache::keep(const ScanOrigin& origin, const std::optional<ScanSpec>& geometry,
                     const std::vector<CorrectionSpec>& corrections, KeptScan kept) {
  const auto done = corrections.begin() + static_cast<std::ptrdiff_t>(kept.scan->steps);
  Entry entry{geometry, {corrections.begin(), done}, std::move(kept)};
  const std::size_t bytes = entry.bytes();
  if (origin.files.empty() || bytes > most_bytes_) return;
  const std::scoped_lock lock(mutex_);
  if (!(origin == origin_)) entries_.clear();
  origin_ = origin;
  std::erase_if(entries_, [&](const Entry& other) {
    return other.corrections == entry.corrections && other.is_for(geometry, corrections);
  });
  // After the last correction, the scan is what runs use. What was before it is worth more: the
  // next values of the correction are tried from there.
  const bool is_last = !corrections.empty() && done == corrections.end();
  if (is_last && bytes_of_all() + bytes > most_bytes_) return;
  while (bytes_of_all() + bytes > most_bytes_) entries_.pop_front();
  entries_.push_back(std::move(entry));
}

ScanCache& shared_scan_cache() {
  constexpr std::size_t part_of_memory = 8;
  static ScanCache cache(std::max(ScanCache::usual_bytes, free_host_bytes() / part_of_memory));
  return cache;
}

}  // namespace gantry
