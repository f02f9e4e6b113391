// What the variants of the kernel gain (section 7.4): each alone against the plain kernel, which
// reads poses from a table, holds voxels in float32, adds in float32 and reads the data directly.
// Print gives gains of convergence: of fast functions, of double units on top of these, and of the
// texture. Here an epoch is timed, and every variant is on its own.
#include "studies/cumbir/methods.hpp"
#include "studies/cumbir/parts.hpp"

#include <array>
#include <map>

namespace gantry::cumbir {

namespace {

constexpr double longest_s = 20;
constexpr int epochs = 5;

struct Variant {
  const char *key, *name;
  const char* over;    ///< the name of the variant over which it gains; empty: over none
  double printed;      ///< gain, %; 0: not printed
  const char* unlike;  ///< in what print's gain is another
};
constexpr std::array<Variant, 6> all_variants = {
    {{"plain", "plain", "", 0, ""},
     {"half_image", "voxels in float16", "plain", 0, ""},
     {"exact_functions", "sines and cosines in the kernel", "plain", 0, ""},
     {"fast_functions", "the same by special function units", "sines and cosines in the kernel",
      printed::fast_functions, "print: of convergence"},
     {"doubles", "a third of the additions in float64", "plain", printed::double_units,
      "print: of convergence, further, on top of special function units"},
     {"texture", "data through a texture", "plain", printed::texture, "print: of convergence"}}};

}  // namespace

void variants(CumbirContext& context, StudyResult& result) {
  StudyTable table = StudyTable::comparing(
      "variants",
      "Variants of the kernel, SGD_Thd on the Shepp-Logan scan: gain of an epoch (section 7.4)",
      {{"variant", ""}, {"over", ""}, {"epoch", "s"}, {"least error", "1/mm"}, {"problem", ""}},
      "%");
  if (!context.has_gpu()) {
    result.notes.emplace_back("Variants of the kernel need a CUDA device.");
    return;
  }
  const Scanned& scanned = context.shepp_logan();
  const NoisyData data = context.noisy(scanned, 1);
  std::map<std::string, double> epoch_of;  // by name, of those that ran
  for (const Variant& variant : all_variants) {
    Method method = sgd(variant.name);
    method.params.set("variant", std::string(variant.key));
    method.iterations = epochs;
    const Run run = run_method(context, scanned, data, method, longest_s);
    const StudyCell printed = variant.printed > 0 ? StudyCell(variant.printed) : StudyCell();
    if (run.seconds.empty()) {
      table.compare({variant.name, variant.over, {}, {}, run.problem}, printed, {}, variant.unlike,
                    Better::larger);
      continue;
    }
    const double epoch =
        (run.seconds.back() - run.setup_s) / static_cast<double>(run.seconds.size());
    epoch_of[variant.name] = epoch;
    const auto base = epoch_of.find(variant.over);
    const StudyCell gain =
        base != epoch_of.end() ? StudyCell(100 * (base->second / epoch - 1)) : StudyCell();
    table.compare({variant.name, variant.over, epoch, run.best(), {}}, printed, gain,
                  variant.unlike, Better::larger);
    if (variant.printed > 0)
      context.summary.compare(
          {std::string("gain of an epoch by ") + variant.name + ", %", "section 7.4"}, printed,
          gain, variant.unlike, Better::larger);
  }
  result.tables.push_back(std::move(table));
}

}  // namespace gantry::cumbir
