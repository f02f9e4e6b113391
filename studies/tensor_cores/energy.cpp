// Energy of both products per image, mJ: Nourazar and Goossens 2021, Table 4, whose energies are of
// iterations and printed in nJ. For the largest selected size.
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
  StudyTable table = StudyTable::comparing_misprints(
      "energy", "Energy of W x and W^T y together, per image (Table 4: an iteration)",
      {{"case", ""}, {"products", ""}, {"device", "W"}, {"why not", ""}}, "nJ", "mJ");
  for (const MatrixMethod& method : methods(context)) {
    context.say("energy, " + name + ", " + method.full_name());
    std::string problem;
    const auto found =
        counter != nullptr ? energy_of(context, method, setting, *counter, problem) : std::nullopt;
    const StudyCell in_print = printed_values(method, printed).energy,
                    here = found ? StudyCell(found->millijoules / setting.grid.nz) : StudyCell();
    constexpr const char* unlike = "print: an iteration";
    table.compare(
        {name, method.full_name(), found ? StudyCell(found->watts) : StudyCell(), problem},
        in_print, here, unlike, Better::smaller);
    if (in_print.number)
      context.add_summary_line({"energy", method.full_name() + ", " + name, "mJ"}, in_print, here,
                               unlike, Better::smaller);
    context.show(result, table);
  }
  result.tables.push_back(std::move(table));
}

}  // namespace gantry::tensor_cores
