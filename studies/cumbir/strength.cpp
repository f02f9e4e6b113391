// The least error that a method reaches with each weight of its prior, on the Shepp-Logan scan:
// where the weights of the other parts come from.
#include "studies/cumbir/methods.hpp"
#include "studies/cumbir/parts.hpp"

#include <array>

namespace gantry::cumbir {

namespace {
constexpr std::array factors = {0.1, 0.3, 1.0, 3.0, 10.0};
constexpr double longest_s = 20;
}  // namespace

void strength(CumbirContext& context, StudyResult& result) {
  StudyTable table{"strength",
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
    if (method.prior.empty()) continue;
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

}  // namespace gantry::cumbir
