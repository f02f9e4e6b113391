#pragma once

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
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

/// The users for whom an algorithm is listed: all, or only those who repeat a published comparison.
enum class Audience { everybody, studies };

/// Description of an algorithm, the same on all backends.
struct AlgorithmInfo {
  std::string key;              ///< "sirt"
  std::string label;            ///< "SIRT"
  std::string formula = {};     ///< formula of what the algorithm computes, one short text
  std::string references = {};  ///< "Gilbert 1972"; may be empty
  std::vector<ParamSpec> params = {};
  /// What a solver does, for the card of a run: "corrects view after view". It begins with a verb,
  /// has at most 44 characters and no formula. Empty for algorithms that are no solvers.
  std::string idea = {};
  /// Combo boxes and lists show algorithms for studies only if all algorithms are requested.
  Audience audience = Audience::everybody;

  bool is_for_studies() const { return audience == Audience::studies; }
  /// Returns formula and references on one line, for tool tips and lists.
  std::string help() const {
    if (references.empty()) return formula;
    return formula + " " + references + (references.ends_with('.') ? "" : ".");
  }
};

/// TraitsOf<Product>::Type is Product::Traits, or NoTraits for classes without that type.
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

/// A list of algorithms that make objects of one class (`Product`). Each entry has one description,
/// and one maker for each backend that the algorithm runs on. Combo boxes, forms, the command line,
/// contract tests and benchmarks iterate the list.
template <class Product, class... Args>
class Registry {
 public:
  using Make =
      std::function<std::unique_ptr<Product>(Args..., const Params&)>;  ///< the Params are resolved
  using Traits = typename TraitsOf<Product>::Type;
  struct Maker {
    std::string backend;  ///< "cpu", "cuda", or "any"
    Make make;
    std::vector<ParamSpec> more_params;  ///< parameters that exist on this backend alone
    Traits traits;                       ///< traits of the objects made on this backend
  };
  struct Entry : AlgorithmInfo {
    Traits traits;              ///< traits on the first backend, known before an object is made
    std::vector<Maker> makers;  ///< one per backend, in the order in which they were added

    bool runs_on(const std::string& backend) const { return maker(backend) != nullptr; }
    /// Returns the maker for `backend`; null if the algorithm does not run there.
    const Maker* maker(const std::string& backend) const {
      const auto found = std::ranges::find_if(
          makers, [&](const Maker& one) { return one.backend == "any" || one.backend == backend; });
      return found == makers.end() ? nullptr : &*found;
    }
    /// Returns the names of the backends, "cpu, cuda".
    std::string backends() const { return joined(makers, &Maker::backend); }
    /// Returns the parameters on `backend`. The algorithm must run there.
    std::vector<ParamSpec> params_on(const std::string& backend) const {
      std::vector<ParamSpec> all = this->params;
      const std::vector<ParamSpec>& more = maker(backend)->more_params;
      all.insert(all.end(), more.begin(), more.end());
      return all;
    }
    /// Returns the traits on `backend`. The algorithm must run there.
    const Traits& traits_on(const std::string& backend) const { return maker(backend)->traits; }
    /// Makes an object on `backend`, where the algorithm must run, from checked and completed
    /// `settings`. Throws UsageError as resolve_params() does.
    std::unique_ptr<Product> make(const std::string& backend, Args... args,
                                  const Params& settings) const {
      return maker(backend)->make(args..., resolve_params(settings, params_on(backend), this->key));
    }
  };

  explicit Registry(std::string kind) : kind_(std::move(kind)) {}

  /// Adds an algorithm. Throws std::logic_error if its key is in the list already.
  void add(AlgorithmInfo info, const std::string& backend, Make make, Traits traits = {}) {
    if (find(info.key) != nullptr)
      throw std::logic_error(kind_ + " " + info.key + " is in the list already");
    entries_.push_back({std::move(info), traits, {{backend, std::move(make), {}, traits}}});
  }
  /// Adds a maker on another backend to the algorithm of this key, by default with the traits of
  /// the first backend. Throws std::logic_error if the key is unknown or the algorithm runs on that
  /// backend already.
  void add_on(const std::string& backend, const std::string& key, Make make,
              std::vector<ParamSpec> more_params = {}, std::optional<Traits> traits = {}) {
    const auto entry = std::ranges::find(entries_, key, &Entry::key);
    if (entry == entries_.end() || entry->runs_on(backend))
      throw std::logic_error(kind_ + " " + key + " cannot be added on " + backend);
    entry->makers.push_back({backend, std::move(make), std::move(more_params),
                             traits ? std::move(*traits) : entry->traits});
  }

  /// Makes the algorithm of this key run on `backend` with the maker of the backend `as_on`. Throws
  /// UsageError if there is no such maker, and std::logic_error as add_on() does.
  void also_on(const std::string& backend, const std::string& key, const std::string& as_on) {
    const Maker maker = *at(key, as_on).maker(as_on);
    add_on(backend, key, maker.make, maker.more_params, maker.traits);
  }

  const std::vector<Entry>& entries() const { return entries_; }
  const std::string& kind() const { return kind_; }

  /// Returns the entries that run on `backend`.
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

  /// Returns the entry of this key. Throws UsageError, with all keys, if there is none.
  const Entry& at(const std::string& key) const {
    if (const Entry* entry = find(key)) return *entry;
    throw UsageError("unknown " + kind_ + " \"" + key + "\"", {},
                     entries_.empty() ? "there is none yet" : "use one of " + keys());
  }
  /// Returns the entry of this key, which must run on `backend`. Throws UsageError with the keys
  /// and backends that would do.
  const Entry& at(const std::string& key, const std::string& backend) const {
    const Entry& entry = at(key);
    if (entry.runs_on(backend)) return entry;
    const std::string others = joined(on(backend), &Entry::key);
    throw UsageError("the " + kind_ + " " + key + " does not run on backend " + backend, {},
                     "use backend " + entry.backends() +
                         (others.empty() ? std::string() : ", or one of " + others));
  }

  /// Makes an object like Entry::make(). Throws UsageError also as at() does.
  std::unique_ptr<Product> make(const std::string& key, const std::string& backend, Args... args,
                                const Params& params) const {
    return at(key, backend).make(backend, args..., params);
  }

  std::string keys() const { return joined(entries_, &Entry::key); }
  /// Returns the keys of the entries that satisfy a condition, "tv, huber".
  template <class Condition>
  std::string keys_that(const Condition& condition) const {
    std::vector<std::string> keys;
    for (const Entry& entry : entries_)
      if (condition(entry)) keys.push_back(entry.key);
    return joined(keys);
  }

 private:
  const Entry* find(const std::string& key) const {
    const auto found = std::ranges::find(entries_, key, &Entry::key);
    return found == entries_.end() ? nullptr : &*found;
  }

  std::string kind_;
  std::vector<Entry> entries_;
};

}  // namespace gantry
