#include "studies/study_context.hpp"

#include "core/base/joined.hpp"

#include <numeric>

namespace gantry {

namespace {

/// Leaves out those of `selected` that are not among `known`. Returns one of these if it has to be
/// refused: always, or for several studies only where nothing remains.
template <class Value>
std::optional<Value> keep_known(std::vector<Value>& selected, const std::vector<Value>& known,
                                bool for_several) {
  const auto is_known = [&](const Value& value) {
    return std::ranges::find(known, value) != known.end();
  };
  const auto unknown = std::ranges::find_if_not(selected, is_known);
  if (unknown == selected.end()) return {};
  if (!for_several || std::ranges::none_of(selected, is_known)) return *unknown;
  std::erase_if(selected, [&](const Value& value) { return !is_known(value); });
  return {};
}

}  // namespace

std::vector<std::string> device_names(const BackendList& backends) {
  std::vector<std::string> names;
  for (const auto& entry : backends.entries())
    if (entry.available()) names.push_back(entry.name);
  return names;
}

bool has_gpu(const BackendList& backends) {
  return std::ranges::any_of(backends.entries(), [](const auto& entry) {
    return entry.key == "cuda" && entry.available() && !entry.backend->lost();
  });
}

std::vector<int> known_sizes(const StudyOptions& options, const std::string& study,
                             const std::vector<int>& sides) {
  std::vector<int> selected = options.sizes;
  if (const auto unknown = keep_known(selected, sides, options.for_several))
    throw UsageError(study + " has no size " + std::to_string(*unknown), "--sizes",
                     "use some of " + joined(sides, [](int side) { return std::to_string(side); }));
  return selected;
}

StudyContext::StudyContext(const StudyOptions& options, std::string study, double scale_without_gpu)
    : options_(options), study_(std::move(study)) {
  if (options.catalog == nullptr || options.backends == nullptr)
    throw UsageError("the study needs the program's algorithms and devices", study_);
  gpu_ = gantry::has_gpu(*options.backends);
  scale_ = options.scale > 0 ? options.scale : gpu_ ? 1 : scale_without_gpu;
}

int StudyContext::iterations(int wanted) const {
  return options_.iterations > 0 ? std::min(options_.iterations, wanted) : wanted;
}

bool StudyContext::wants(const std::string& part) const {
  return options_.parts.empty() || std::ranges::find(options_.parts, part) != options_.parts.end();
}

void StudyContext::require_known_parts(const std::vector<std::string>& keys) {
  if (const auto unknown = keep_known(options_.parts, keys, options_.for_several))
    throw UsageError(study_ + " has no part \"" + *unknown + "\"", "--part",
                     "use some of " + joined(keys));
}

std::vector<int> StudyContext::seeds(int usual) const {
  if (!options_.seeds.empty()) return options_.seeds;
  std::vector<int> all(static_cast<std::size_t>(usual));
  std::iota(all.begin(), all.end(), 1);
  return all;
}

bool StudyContext::wants_size(int side) const {
  return options_.sizes.empty() || std::ranges::find(options_.sizes, side) != options_.sizes.end();
}

void StudyContext::require_known_sizes(const std::vector<int>& sides) {
  options_.sizes = known_sizes(options_, study_, sides);
}

std::string StudyContext::devices() const {
  std::string all;
  for (const std::string& name : device_names()) all += (all.empty() ? "" : "; ") + name;
  return all;
}

void StudyContext::check_interrupt() const {
  if (options_.interrupt != nullptr) options_.interrupt->check();
}

void StudyContext::show(const StudyResult& result, const StudyTable& growing) const {
  if (!options_.so_far) return;
  StudyResult so_far = {result.scale,  result.devices, result.notes,
                        result.tables, result.charts,  {}};
  so_far.tables.push_back(growing);
  options_.so_far(so_far);
}

void StudyContext::say(const std::string& what) const {
  check_interrupt();
  if (options_.progress) options_.progress(done_, what);
}

std::string another_size(double scale) {
  if (scale == 1) return like_for_like;
  return "another size: " + format_param(scale) + " of print's";
}

std::string another_size(int side, int printed) {
  if (side == printed) return like_for_like;
  return "another size: " + std::to_string(side) + "^2, print " + std::to_string(printed) + "^2";
}

std::string why_refused(const std::function<void()>& work) {
  try {
    work();
  } catch (const UsageError& error) {
    return error.what();
  } catch (const OutOfMemory& error) {
    return error.what();
  }
  return {};
}

}  // namespace gantry
