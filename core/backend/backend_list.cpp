#include "core/backend/backend_list.hpp"

#include "core/base/error.hpp"

#include <mutex>
#include <utility>

namespace gantry {

std::shared_ptr<LazyBackend> BackendList::push(std::string key,
                                               std::shared_ptr<LazyBackend> backend) {
  if (limit_bytes_) backend->limit_memory(*limit_bytes_);
  entries_.push_back({std::move(key), backend->name(), backend});
  return backend;
}

void BackendList::add(std::string key, std::unique_ptr<Backend> backend, std::string name) {
  if (name.empty()) name = backend->name();
  push(std::move(key), std::make_shared<LazyBackend>(std::move(backend), std::move(name)));
}

std::shared_ptr<LazyBackend> BackendList::add_lazily(std::string key, BackendKind kind,
                                                     std::string name, LazyBackend::Make make,
                                                     int multiprocessors) {
  auto backend =
      push(std::move(key), std::make_shared<LazyBackend>(kind, std::move(name), std::move(make)));
  entries_.back().multiprocessors = multiprocessors;
  return backend;
}

void BackendList::add_unavailable(std::string key, std::string name, std::string because) {
  push(std::move(key), std::make_shared<LazyBackend>(std::move(name), std::move(because)));
}

/// An energy counter that is made by the first call of energy().
struct BackendList::Energy {
  MakeEnergyCounter make;
  std::once_flag once;
  std::unique_ptr<const EnergyCounter> counter;
  std::string because;
};

void BackendList::add_energy(const std::string& key, MakeEnergyCounter make) {
  for (Entry& entry : entries_) {
    if (entry.key != key) continue;
    entry.energy = std::make_shared<Energy>();
    entry.energy->make = std::move(make);
    return;
  }
}

const EnergyCounter* BackendList::energy(const std::string& key, std::string& because) const {
  const Entry& entry = find(key);
  if (entry.energy == nullptr) {
    because = "no counter of this backend is known";
    return nullptr;
  }
  Energy& energy = *entry.energy;
  std::call_once(energy.once, [&] {
    try {
      energy.counter = energy.make();
    } catch (const Error& error) {
      energy.because = error.what();
    }
  });
  because = energy.because;
  return energy.counter.get();
}

std::vector<const BackendList::Entry*> BackendList::devices() const {
  std::vector<const Entry*> found;
  for (const Entry& entry : entries_)
    if (entry.available() && entry.kind() != BackendKind::cpu) found.push_back(&entry);
  return found;
}

void BackendList::limit_memory(std::size_t bytes) {
  limit_bytes_ = bytes;
  for (const Entry& entry : entries_) entry.backend->limit_memory(bytes);
}

const BackendList::Entry& BackendList::find(const std::string& key) const {
  std::string keys = "auto";
  for (const Entry& entry : entries_) {
    const bool serves = entry.available() && !(key == "auto" && entry.backend->lost());
    if (serves && (key == "auto" || key == entry.key)) return entry;
    if (key == entry.key) entry.backend->require();  // throws with the reason
    keys += ", " + entry.key;
  }
  throw UsageError("unknown backend \"" + key + "\"", "backend", "use one of " + keys);
}

Backend& BackendList::resolve(const std::string& key) const { return find(key).backend->require(); }

const std::string& BackendList::resolved_key(const std::string& key) const { return find(key).key; }

}  // namespace gantry
