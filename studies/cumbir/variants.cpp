// What the variants of the kernel gain (section 7.4): each alone against the plain kernel, which
// reads poses from a table, holds voxels in float32, adds in float32 and reads the data directly.
// Print gives gains of the convergence time of all half precision, fast functions and double units
// together, and of some alone.
#include "studies/cumbir/methods.hpp"
#include "studies/cumbir/parts.hpp"

#include <array>

namespace gantry::cumbir {

namespace {

constexpr double longest_s = 20;
constexpr int epochs = 5;

struct Variant {
  const char *key, *name;
  double printed;  ///< gain, %; 0: not printed alone
  const char* expected;
};
constexpr std::array<Variant, 6> all_variants = {
    {{"plain", "plain", 0, ""},
     {"half_image", "voxels in float16", 0,
      "halves the bytes of a voxel, not the number of atomics; changes below 1/2048 vanish"},
     {"exact_functions", "sines and cosines in the kernel", 0, "a loss: the plain kernel has none"},
     {"fast_functions", "the same by special function units", printed::fast_functions,
      "faster than the line before; error of a pose about 1e-6"},
     {"doubles", "a third of the additions in float64", printed::double_units,
      "a loss: conversions cost more than the units that they free"},
     {"texture", "data through a texture", printed::texture,
      "none: one reading a ray, beside hundreds of voxels"}}};

}  // namespace

void variants(CumbirContext& context, StudyResult& result) {
  StudyTable table{"variants",
                   "Variants of the kernel, SGD_Thd on the Shepp-Logan scan (section 7.4)",
                   {{"variant", ""},
                    {"epoch", "s"},
                    {"gain, printed", "%"},
                    {"here", "%"},
                    {"least error", "1/mm"},
                    {"expected", ""}},
                   {}};
  if (!context.has_gpu()) {
    result.notes.emplace_back("Variants of the kernel need a CUDA device.");
    return;
  }
  const Scanned& scanned = context.shepp_logan();
  const NoisyData data = context.noisy(scanned, 1);
  std::optional<double> plain, exact;
  for (const Variant& variant : all_variants) {
    Method method = sgd(variant.name);
    method.params.set("variant", std::string(variant.key));
    method.iterations = epochs;
    const Run run = run_method(context, scanned, data, method, longest_s);
    if (run.seconds.empty()) {
      table.rows.push_back({variant.name, run.problem, {}, {}, {}, variant.expected});
      continue;
    }
    const double epoch =
        (run.seconds.back() - run.setup_s) / static_cast<double>(run.seconds.size());
    if (!plain) plain = epoch;
    if (std::string(variant.key) == "exact_functions") exact = epoch;
    // Print's gain of fast functions is over exact ones in the kernel.
    const double base = std::string(variant.key) == "fast_functions" && exact ? *exact : *plain;
    const StudyCell printed = variant.printed > 0 ? StudyCell(variant.printed) : StudyCell();
    table.rows.push_back(
        {variant.name, epoch, printed, 100 * (base / epoch - 1), run.best(), variant.expected});
    if (variant.printed > 0)
      context.summary.compare({std::string("gain of ") + variant.name + ", %", "section 7.4"},
                              variant.printed, 100 * (base / epoch - 1));
  }
  result.tables.push_back(std::move(table));
}

}  // namespace gantry::cumbir
