#pragma once

#include "core/base/error.hpp"
#include "core/base/params.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gantry {

/// A list of algorithms of one kind, each a value: key, backend, label, parameters and how to make
/// it. Combo boxes, forms, the command line, contract tests and benchmarks iterate it.
template <class Product, class... Args>
class Registry {
 public:
  struct Entry {
    std::string key;      ///< "sirt"
    std::string backend;  ///< "cpu", "cuda", or "any"
    std::string label;    ///< "SIRT"
    std::string help;     ///< formula and reference, one short text
    std::vector<ParamSpec> params;
    std::function<std::unique_ptr<Product>(Args..., const Params&)>
        make;  ///< takes resolved Params
  };

  explicit Registry(std::string kind) : kind_(std::move(kind)) {}

  void add(Entry entry) { entries_.push_back(std::move(entry)); }
  const std::vector<Entry>& entries() const { return entries_; }
  const std::string& kind() const { return kind_; }

  /// The first entry of each key: what there is to choose from, whatever it runs on. Entries of one
  /// key on several backends have the same label and parameters.
  std::vector<const Entry*> distinct() const {
    return select([this](const Entry& entry) { return &entry == find(entry.key); });
  }
  /// The entries that run on `backend`.
  std::vector<const Entry*> on(const std::string& backend) const {
    return select([&](const Entry& entry) { return runs_on(entry, backend); });
  }
  /// "cpu, cuda": what the entries of this key run on.
  std::string backends_of(const std::string& key) const {
    return join(select([&](const Entry& entry) { return entry.key == key; }), &Entry::backend);
  }
  bool has(const std::string& key, const std::string& backend) const {
    return find(key, backend) != nullptr;
  }

  /// The entry of this key, of the first backend that has it. Throws UsageError naming what there
  /// is.
  const Entry& at(const std::string& key) const {
    if (const Entry* entry = find(key)) return *entry;
    throw UsageError("unknown " + kind_ + " \"" + key + "\"", {}, "use one of " + keys());
  }
  /// The entry of this key that runs on `backend`. Throws UsageError naming what there is.
  const Entry& at(const std::string& key, const std::string& backend) const {
    if (const Entry* entry = find(key, backend)) return *entry;
    at(key);
    const std::string others = join(on(backend), &Entry::key);
    throw UsageError("the " + kind_ + " " + key + " does not run on backend " + backend, {},
                     "use backend " + backends_of(key) +
                         (others.empty() ? std::string() : ", or one of " + others));
  }

  /// Checks `params` against the entry's specs, fills in the rest and makes the product.
  std::unique_ptr<Product> make(const std::string& key, const std::string& backend, Args... args,
                                const Params& params) const {
    const Entry& entry = at(key, backend);
    return entry.make(args..., resolve_params(params, entry.params, entry.key));
  }

  std::string keys() const { return join(distinct(), &Entry::key); }

 private:
  static bool runs_on(const Entry& entry, const std::string& backend) {
    return entry.backend == "any" || entry.backend == backend;
  }
  const Entry* find(const std::string& key) const {
    for (const Entry& entry : entries_)
      if (entry.key == key) return &entry;
    return nullptr;
  }
  const Entry* find(const std::string& key, const std::string& backend) const {
    for (const Entry& entry : entries_)
      if (entry.key == key && runs_on(entry, backend)) return &entry;
    return nullptr;
  }
  template <class Wanted>
  std::vector<const Entry*> select(const Wanted& wanted) const {
    std::vector<const Entry*> chosen;
    for (const Entry& entry : entries_)
      if (wanted(entry)) chosen.push_back(&entry);
    return chosen;
  }
  static std::string join(const std::vector<const Entry*>& chosen, std::string Entry::*what) {
    std::string all;
    for (const Entry* entry : chosen) all += (all.empty() ? "" : ", ") + entry->*what;
    return all;
  }

  std::string kind_;
  std::vector<Entry> entries_;
};

}  // namespace gantry
