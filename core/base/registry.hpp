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

  /// The entry of this key that runs on `backend`. Throws UsageError naming what there is.
  const Entry& at(const std::string& key, const std::string& backend = "cpu") const {
    for (const Entry& entry : entries_)
      if (entry.key == key && (entry.backend == "any" || entry.backend == backend)) return entry;
    throw UsageError("unknown " + kind_ + " \"" + key + "\" on backend " + backend, {},
                     "use one of " + keys());
  }

  /// Checks `params` against the entry's specs, fills in the rest and makes the product.
  std::unique_ptr<Product> make(const std::string& key, const std::string& backend, Args... args,
                                const Params& params) const {
    const Entry& entry = at(key, backend);
    return entry.make(args..., resolve_params(params, entry.params, entry.key));
  }

  std::string keys() const {
    std::string all;
    for (const Entry& entry : entries_) all += (all.empty() ? "" : ", ") + entry.key;
    return all;
  }

 private:
  std::string kind_;
  std::vector<Entry> entries_;
};

}  // namespace gantry
