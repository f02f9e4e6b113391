// Energy of both products per image, mJ, in every format and variant, for the largest selected
// size. The energies of iterations, which Nourazar and Goossens 2021 print in Table 4, are in the
// part iterations.
#include "studies/tensor_cores/parts.hpp"

namespace gantry::tensor_cores {

namespace {

std::optional<CallEnergy> energy_of(const MatrixStudyContext& context, const MatrixMethod& method,
                                    const BenchCase& setting, const EnergyCounter& counter,
                                    std::string& problem) {
  std::optional<CallEnergy> found;
  problem = why_refused([&] {
    const auto projector = context.make(method, setting);
    TimedProducts products(*projector);
    found = energy_per_call(counter, [&] {
      for (const Direction direction : directions)
        products.queue(direction, ViewSubset::all(projector->views()));
      products.wait();
    });
  });
  return found;
}

}  // namespace

void energy(MatrixStudyContext& context, StudyResult& result) {
  const EnergyCounter* counter = energy_counter(context, result);
  const printed::Size printed = context.wanted_sizes(printed::sizes).back();
  const BenchCase setting = setting_of(printed.side, context.scale());
  const std::string name = describe(setting);
  StudyTable table{
      "energy",
      "Energy of W x and W^T y together, per image",
      {{"case", ""}, {"products", ""}, {"device", "W"}, {"energy", "mJ"}, {"why not", ""}},
      {}};
  for (const MatrixMethod& method : methods(context)) {
    context.say("energy, " + name + ", " + method.full_name());
    std::string problem;
    const auto found =
        counter != nullptr ? energy_of(context, method, setting, *counter, problem) : std::nullopt;
    table.rows.push_back({name, method.full_name(), found ? StudyCell(found->watts) : StudyCell(),
                          found ? StudyCell(found->millijoules / setting.grid.nz) : StudyCell(),
                          problem});
    context.show(result, table);
  }
  result.tables.push_back(std::move(table));
}

}  // namespace gantry::tensor_cores
