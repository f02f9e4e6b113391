// A product each way, per image: Nourazar and Goossens 2021, Table 4.
#include "core/studies/tensor_cores/parts.hpp"

#include <algorithm>
#include <span>

namespace gantry::tensor_cores {

void times(MatrixWorkshop& workshop, StudyResult& result) {
  StudyTable table{"table-4",
                   "W x and W^T y of all slices, per image (Table 4: an iteration)",
                   {{"case", ""},
                    {"products", ""},
                    {"stored", "MB"},
                    {"build", "ms"},
                    {"W x", "ms"},
                    {"W^T y", "ms"},
                    {"printed", "ms"},
                    {"both, per image", "ms"},
                    {"why not", ""}},
                   {}};
  for (const printed::Size& printed : workshop.wanted_sizes(printed::sizes)) {
    const BenchCase setting = setting_of(printed.side, workshop.scale());
    const std::string name =
        describe_case(setting) + ", " + std::to_string(setting.grid.nz) + " slices";
    double stored = 0, fly = 0;
    std::vector<std::pair<std::string, std::pair<double, double>>> rivals;  // in print and here
    std::string best;
    for (const MatrixMethod& method : methods(workshop)) {
      workshop.say(name + ", " + method.full_name());
      std::string problem;
      const auto time = workshop.time(method, setting, problem);
      if (!time) {
        table.rows.push_back(
            {name, method.full_name(), {}, {}, {}, {}, in_print(method, printed).ms, {}, problem});
        continue;
      }
      const double each_ms = 1e3 * time->both_s() / setting.grid.nz;
      table.rows.push_back({name,
                            method.full_name(),
                            time->storage
                                ? StudyCell(1e-6 * static_cast<double>(time->storage->bytes()))
                                : StudyCell(),
                            time->storage ? StudyCell(1e3 * time->storage->build_s) : StudyCell(),
                            1e3 * time->forward_s,
                            1e3 * time->backward_s,
                            in_print(method, printed).ms,
                            each_ms,
                            {}});
      if (const auto in_paper = in_print(method, printed).ms.number;
          in_paper && method.stored() && method.params.values().empty())
        rivals.push_back({method.full_name(), {*in_paper, each_ms}});
      double& fastest = method.stored() ? stored : fly;
      if (fastest > 0 && fastest <= each_ms) continue;
      fastest = each_ms;
      if (method.stored()) best = method.full_name();
    }
    const auto add = [&](const char* what, double in_print, double here) {
      workshop.sum_up({"times", what + (", " + name), "ms"}, in_print,
                      here > 0 ? StudyCell(here) : StudyCell(), workshop.scale());
    };
    add("fastest stored",
        std::ranges::min(std::span(printed.ms).first(printed::block_rays.size())), stored);
    for (const auto& [what, rival] : rivals) add(what.c_str(), rival.first, rival.second);
    add("on the fly", printed.others.on_the_fly, fly);
    if (stored > 0 && fly > 0)
      result.notes.push_back(name + ": " + best + " " + three_digits(stored) +
                             " ms per image, on the fly " + three_digits(fly) + ": " +
                             (stored < fly ? "storing is " + three_digits(fly / stored)
                                           : "computing anew is " + three_digits(stored / fly)) +
                             " times faster.");
    workshop.show(result, table);
  }
  result.tables.push_back(std::move(table));
}

}  // namespace gantry::tensor_cores
