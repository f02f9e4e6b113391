#pragma once

#include "core/base/error.hpp"
#include "core/base/params.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace gantry {

/// Who looks for an algorithm: everybody, or only somebody who repeats a published comparison.
enum class Audience { everybody, studies };

/// What there is to say of an algorithm, whatever it runs on.
struct AlgorithmInfo {
  std::string key;              ///< "sirt"
  std::string label;            ///< "SIRT"
  std::string formula = {};     ///< what it computes, one short text
  std::string references = {};  ///< "Gilbert 1972"; may be empty
  std::vector<ParamSpec> params = {};
  /// Combo boxes and lists leave out what is kept for studies until they are asked for all.
  Audience audience = Audience::everybody;

  bool is_for_studies() const { return audience == Audience::studies; }
  /// Formula and references in one line, for tool tips and lists.
  std::string help() const {
    return references.empty() ? formula : formula + " " + references + ".";
  }
};

/// The traits of products that have none.
struct NoTraits {
  friend bool operator==(const NoTraits&, const NoTraits&) = default;
};
template <class Product>
struct TraitsOf {
  using Type = NoTraits;
};
template <class Product>
requires requires { typename Product::Traits; }
struct TraitsOf<Product> {
  using Type = typename Product::Traits;
};

/// A list of algorithms of one kind. An entry is described once and has a maker for each backend
/// that it runs on. Combo boxes, forms, the command line, contract tests and benchmarks iterate it.
template <class Product, class... Args>
class Registry {
 public:
  using Make =
      std::function<std::unique_ptr<Product>(Args..., const Params&)>;  ///< takes resolved Params
  using Traits = typename TraitsOf<Product>::Type;
  struct Maker {
    std::string backend;  ///< "cpu", "cuda", or "any"
    Make make;
    std::vector<ParamSpec> more_params;  ///< what can be set on this backend alone
    Traits traits;                       ///< of what is made on this backend
  };
  struct Entry : AlgorithmInfo {
    Traits traits;              ///< what is known of the algorithm before one is made
    std::vector<Maker> makers;  ///< one per backend, in the order in which they were added

    bool runs_on(const std::string& backend) const { return maker(backend) != nullptr; }
    /// Null where the algorithm does not run on `backend`.
    const Maker* maker(const std::string& backend) const {
      const auto found = std::ranges::find_if(
          makers, [&](const Maker& one) { return one.backend == "any" || one.backend == backend; });
      return found == makers.end() ? nullptr : &*found;
    }
    /// "cpu, cuda"
    std::string backends() const {
      std::string all;
      for (const Maker& one : makers) all += (all.empty() ? "" : ", ") + one.backend;
      return all;
    }
    /// What can be set on `backend`, which the algorithm runs on.
    std::vector<ParamSpec> params_on(const std::string& backend) const {
      std::vector<ParamSpec> all = this->params;
      const std::vector<ParamSpec>& more = maker(backend)->more_params;
      all.insert(all.end(), more.begin(), more.end());
      return all;
    }
    /// What is known of the algorithm on `backend`, which it runs on.
    const Traits& traits_on(const std::string& backend) const { return maker(backend)->traits; }
    /// On `backend`, which the algorithm runs on. Checks `settings`, fills in the rest and makes
    /// the product. Throws UsageError as resolve_params() does.
    std::unique_ptr<Product> make(const std::string& backend, Args... args,
                                  const Params& settings) const {
      return maker(backend)->make(args..., resolve_params(settings, params_on(backend), this->key));
    }
  };

  explicit Registry(std::string kind) : kind_(std::move(kind)) {}

  /// An algorithm that is not in the list yet. Throws std::logic_error for a key that is.
  void add(AlgorithmInfo info, const std::string& backend, Make make, Traits traits = {}) {
    if (find(info.key) != nullptr)
      throw std::logic_error(kind_ + " " + info.key + " is in the list already");
    entries_.push_back({std::move(info), traits, {{backend, std::move(make), {}, traits}}});
  }
  /// The algorithm of this key on another backend, with other traits there where these are given.
  /// Throws std::logic_error where there is no such key, or where the algorithm runs on that
  /// backend already.
  void add_on(const std::string& backend, const std::string& key, Make make,
              std::vector<ParamSpec> more_params = {}, std::optional<Traits> traits = {}) {
    const auto entry = std::ranges::find(entries_, key, &Entry::key);
    if (entry == entries_.end() || entry->runs_on(backend))
      throw std::logic_error(kind_ + " " + key + " cannot be added on " + backend);
    entry->makers.push_back({backend, std::move(make), std::move(more_params),
                             traits ? std::move(*traits) : entry->traits});
  }

  /// The algorithm of this key on another backend as on the first one, which it runs on.
  void also_on(const std::string& backend, const std::string& key, const std::string& as_on) {
    const Make make = at(key, as_on).maker(as_on)->make;
    add_on(backend, key, make);
  }

  const std::vector<Entry>& entries() const { return entries_; }
  const std::string& kind() const { return kind_; }

  /// The entries that run on `backend`.
  std::vector<const Entry*> on(const std::string& backend) const {
    std::vector<const Entry*> chosen;
    for (const Entry& entry : entries_)
      if (entry.runs_on(backend)) chosen.push_back(&entry);
    return chosen;
  }
  bool has(const std::string& key, const std::string& backend) const {
    const Entry* entry = find(key);
    return entry != nullptr && entry->runs_on(backend);
  }

  /// The entry of this key. Throws UsageError naming what there is.
  const Entry& at(const std::string& key) const {
    if (const Entry* entry = find(key)) return *entry;
    throw UsageError("unknown " + kind_ + " \"" + key + "\"", {}, "use one of " + keys());
  }
  /// The entry of this key, which runs on `backend`. Throws UsageError naming what there is.
  const Entry& at(const std::string& key, const std::string& backend) const {
    const Entry& entry = at(key);
    if (entry.runs_on(backend)) return entry;
    const std::string others = join(on(backend));
    throw UsageError("the " + kind_ + " " + key + " does not run on backend " + backend, {},
                     "use backend " + entry.backends() +
                         (others.empty() ? std::string() : ", or one of " + others));
  }

  /// As Entry::make(). Throws UsageError as at() does, too.
  std::unique_ptr<Product> make(const std::string& key, const std::string& backend, Args... args,
                                const Params& params) const {
    return at(key, backend).make(backend, args..., params);
  }

  std::string keys() const {
    std::vector<const Entry*> all;
    for (const Entry& entry : entries_) all.push_back(&entry);
    return join(all);
  }

 private:
  const Entry* find(const std::string& key) const {
    const auto found = std::ranges::find(entries_, key, &Entry::key);
    return found == entries_.end() ? nullptr : &*found;
  }
  static std::string join(const std::vector<const Entry*>& chosen) {
    std::string all;
    for (const Entry* entry : chosen) all += (all.empty() ? "" : ", ") + entry->key;
    return all;
  }

  std::string kind_;
  std::vector<Entry> entries_;
};

}  // namespace gantry
