// What the variants of the kernel gain (section 7.4): each alone against the plain kernel, which
// reads poses from a table, holds voxels in float32, adds in float32 and reads the data directly.
// Print gives gains of convergence: of fast functions, of double units on top of these, and of the
// texture, with about 43 % of all mixed precision together, which no kernel here has. Here an epoch
// is timed, and every variant is on its own.
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

/// What became of a variant.
struct Outcome {
  StudyCell epoch, error, gain;
  std::string problem = {};
};

void add_row(CumbirContext& context, const Variant& variant, const Outcome& outcome,
             StudyTable& table) {
  const StudyCell printed = variant.printed > 0 ? StudyCell(variant.printed) : StudyCell();
  table.compare({variant.name, variant.over, outcome.epoch, outcome.error, outcome.problem},
                printed, outcome.gain, variant.unlike, Better::larger);
  if (variant.printed > 0)
    context.summary.compare(
        {std::string("gain of an epoch by ") + variant.name + ", %", "section 7.4"}, printed,
        outcome.gain, variant.unlike, Better::larger);
}

/// Adds what print gives of all mixed precision together.
void add_together(CumbirContext& context, StudyTable& table) {
  const Variant together{"together", "float16, special function units and float64 units together",
                         "plain", printed::mixed_precision, "print: of convergence"};
  const char* why = "no kernel here has them together";
  add_row(context, together, {{}, {}, why, why}, table);
}

Outcome run_variant(const CumbirContext& context, const Variant& variant, const Scanned& scanned,
                    const NoisyData& data, std::map<std::string, double>& epoch_of) {
  Method method = sgd(variant.name);
  method.params.set("variant", std::string(variant.key));
  method.iterations = epochs;
  const Run run = run_method(context, scanned, data, method, longest_s);
  if (run.seconds.empty()) return {{}, {}, {}, run.problem};
  const double epoch = (run.seconds.back() - run.setup_s) / static_cast<double>(run.seconds.size());
  epoch_of[variant.name] = epoch;
  const auto base = epoch_of.find(variant.over);
  return {epoch, run.best(),
          base != epoch_of.end() ? StudyCell(100 * (base->second / epoch - 1)) : StudyCell()};
}

}  // namespace

void variants(CumbirContext& context, StudyResult& result) {
  StudyTable table = StudyTable::comparing(
      "variants",
      "Variants of the kernel, SGD_Thd on the Shepp-Logan scan: gain of an epoch (section 7.4)",
      {{"variant", ""}, {"over", ""}, {"epoch", "s"}, {"least error", "1/mm"}, {"problem", ""}},
      "%");
  std::map<std::string, double> epoch_of;  // by name, of those that ran
  if (context.has_gpu()) {
    const Scanned& scanned = context.shepp_logan();
    const NoisyData data = context.noisy(scanned, 1);
    for (const Variant& variant : all_variants)
      add_row(context, variant, run_variant(context, variant, scanned, data, epoch_of), table);
  } else {
    for (const Variant& variant : all_variants)
      add_row(context, variant, {{}, {}, needs_cuda, needs_cuda}, table);
  }
  add_together(context, table);
  result.tables.push_back(std::move(table));
}

}  // namespace gantry::cumbir
