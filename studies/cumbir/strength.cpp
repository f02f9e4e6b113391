// The least error that a method reaches with each weight of its prior, on the Shepp-Logan scan:
// where the weights of the other parts come from.
#include "studies/cumbir/methods.hpp"
#include "studies/cumbir/parts.hpp"

#include <functional>
#include <span>

namespace gantry::cumbir {

namespace {
constexpr double longest_s = 20;

void vary_weights(CumbirContext& context, StudyResult& result, const std::string& key,
                  std::span<const double> factors,
                  const std::function<bool(const Method& method)>& is_wanted) {
  StudyTable table{key,
                   "Least RMSE with multiples of the priors' weights, Shepp-Logan",
                   {{"method", ""}, {"prior", ""}, {"weight", ""}},
                   {}};
  for (const double factor : factors) {
    char name[32];
    std::snprintf(name, sizeof name, "weight x %g", factor);
    table.columns.push_back({name, "1/mm"});
  }
  const Scanned& scanned = context.shepp_logan();
  const NoisyData data = context.noisy(scanned, 1);
  for (Method method : all_methods()) {
    if (method.prior.empty() || !is_wanted(method)) continue;
    const double weight = method.prior_params.real("weight");
    std::vector<StudyCell> row = {method.name, method.prior, weight};
    for (const double factor : factors) {
      method.prior_params.set("weight", factor * weight);
      const Run run = run_method(context, scanned, data, method, longest_s);
      row.push_back(run.rmse.empty() ? StudyCell(run.problem) : StudyCell(run.best()));
    }
    table.rows.push_back(std::move(row));
    context.show(result, table);
  }
  result.tables.push_back(std::move(table));
}

}  // namespace

void strength(CumbirContext& context, StudyResult& result) {
  constexpr double factors[] = {0.1, 0.3, 1, 3, 10};
  vary_weights(context, result, "strength", factors, [](const Method&) { return true; });
}

void strength_of_sgd(CumbirContext& context, StudyResult& result) {
  constexpr double factors[] = {0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100};
  vary_weights(context, result, "strength-of-sgd", factors,
               [](const Method& method) { return method.solver == "sgd"; });
}

}  // namespace gantry::cumbir
