#include "core/backend/backend_list.hpp"

#include "core/base/error.hpp"

namespace gantry {

void BackendList::add(std::string key, std::unique_ptr<Backend> backend, std::string name) {
  if (name.empty()) name = backend->name();
  entries_.push_back({.key = std::move(key),
                      .name = std::move(name),
                      .backend = std::move(backend),
                      .unavailable_because = {}});
}

void BackendList::add_unavailable(std::string key, std::string name, std::string because) {
  entries_.push_back({.key = std::move(key),
                      .name = std::move(name),
                      .backend = nullptr,
                      .unavailable_because = std::move(because)});
}

void BackendList::add_energy(const std::string& key, std::unique_ptr<const EnergyCounter> counter,
                             std::string because) {
  for (Entry& entry : entries_) {
    if (entry.key != key) continue;
    entry.energy = std::move(counter);
    entry.no_energy_because = std::move(because);
  }
}

const EnergyCounter* BackendList::energy(const std::string& key, std::string& because) const {
  const Entry& entry = find(key);
  because = entry.no_energy_because;
  return entry.energy.get();
}

std::vector<const BackendList::Entry*> BackendList::devices() const {
  std::vector<const Entry*> found;
  for (const Entry& entry : entries_)
    if (entry.backend != nullptr && entry.backend->kind() != BackendKind::cpu)
      found.push_back(&entry);
  return found;
}

const BackendList::Entry& BackendList::find(const std::string& key) const {
  std::string keys = "auto";
  for (const Entry& entry : entries_) {
    const bool serves = entry.backend != nullptr && !(key == "auto" && entry.backend->lost());
    if (serves && (key == "auto" || key == entry.key)) return entry;
    if (key == entry.key)
      throw UsageError(entry.name + " is not available: " + entry.unavailable_because, "backend",
                       "use auto or cpu");
    keys += ", " + entry.key;
  }
  throw UsageError("unknown backend \"" + key + "\"", "backend", "use one of " + keys);
}

Backend& BackendList::resolve(const std::string& key) const { return *find(key).backend; }

const std::string& BackendList::resolved_key(const std::string& key) const { return find(key).key; }

}  // namespace gantry
