// Products with one image and with a few images in every symmetric format and on the fly, both
// ways: the backprojection is what Nourazar and Goossens 2021, section 4.5, leave to future work.
// Print's own form of the projection is the part single-image.
#include "core/matrix/tiles/tile_symmetry.hpp"
#include "studies/tensor_cores/parts.hpp"
#include "studies/tensor_cores/printed.hpp"

#include <algorithm>

namespace gantry::tensor_cores {

namespace {

/// Returns a circular cone beam, one volume of which gives 16 columns by symmetry.
BenchCase cone(double scale) {
  const BenchCase setting = bench_cases("cone64").front();
  return scale != 1 ? scaled(setting, scale, 8) : setting;
}

/// Returns the methods for few images: on the fly, formats that multiply all slices at once with
/// default parameters, and symmetric formats in all variants.
std::vector<MatrixMethod> methods_of_few(const MatrixStudyContext& context) {
  const std::string backend = context.fastest_backend();
  std::vector<MatrixMethod> all = context.on_the_fly(backend, false);
  const Backend& device = context.backends().resolve(backend);
  for (const MatrixMethod& method : context.stored(backend, true)) {
    const bool of_slices = !context.catalog()
                                .matrix_formats.make(method.format, backend, method.params)
                                ->stacks(device);
    if (is_symmetric(context, method) || (of_slices && method.params.values().empty()))
      all.push_back(method);
  }
  return all;
}

/// Time of both products by one method.
struct Found {
  double both_ms = 0;
  bool known() const { return both_ms > 0; }
};

class Times {
 public:
  Times(MatrixStudyContext& context, StudyResult& result) : context_(context), result_(result) {}

  void add(int side, int slices) {
    const BenchCase setting = images_of(side, slices, context_.scale());
    add(setting,
        describe_case(setting) + ", " + std::to_string(slices) +
            (slices == 1 ? " slice" : " slices"),
        slices);
  }
  void add_cone() {
    const BenchCase setting = cone(context_.scale());
    add(setting,
        describe_case(setting) + " x " + std::to_string(setting.geometry->rows()) +
            " rows, a cone beam",
        1);
  }

  StudyTable table{"symmetry",
                   "W x and W^T y of few images by symmetry",
                   {{"case", ""},
                    {"products", ""},
                    {"stored", "MB"},
                    {"W x", "ms"},
                    {"W^T y", "ms"},
                    {"both", "ms"},
                    {"both, per image", "ms"},
                    {"why not", ""}},
                   {}};

 private:
  void add(const BenchCase& setting, const std::string& name, int slices) {
    Found stored, fly;
    for (const MatrixMethod& method : methods_of_few(context_)) {
      context_.say(name + ", " + method.full_name());
      std::string problem;
      const auto time = context_.time(method, setting, problem);
      if (!time) {
        table.rows.push_back({name, method.full_name(), {}, {}, {}, {}, {}, problem});
        continue;
      }
      const Found found{1e3 * time->both_s()};
      table.rows.push_back({name,
                            method.full_name(),
                            time->storage
                                ? StudyCell(1e-6 * static_cast<double>(time->storage->bytes()))
                                : StudyCell(),
                            1e3 * time->forward_s,
                            1e3 * time->backward_s,
                            found.both_ms,
                            found.both_ms / slices,
                            {}});
      if (!method.stored()) fly = found;
      if (is_symmetric(context_, method) && method.params.values().empty()) stored = found;
    }
    if (slices == 1) add_summary_lines(name, stored, fly);
    if (stored.known() && fly.known())
      result_.notes.push_back(
          name + ": by symmetry " + three_digits(stored.both_ms) + " ms both ways, on the fly " +
          three_digits(fly.both_ms) + ": " +
          (stored.both_ms < fly.both_ms
               ? "storing is " + three_digits(fly.both_ms / stored.both_ms)
               : "storing loses, computing anew is " + three_digits(stored.both_ms / fly.both_ms)) +
          " times faster.");
    context_.show(result_, table);
  }

  void add_summary_lines(const std::string& name, const Found& stored, const Found& fly) {
    for (const auto& [what, found] : {std::pair{"by symmetry", &stored}, {"on the fly", &fly}})
      context_.add_summary_line({"symmetry", std::string("both ways, ") + what + ", " + name, "ms"},
                                {}, found->known() ? StudyCell(found->both_ms) : StudyCell(),
                                like_for_like);
  }

  MatrixStudyContext& context_;
  StudyResult& result_;
};

}  // namespace

bool is_symmetric(const MatrixStudyContext& context, const MatrixMethod& method) {
  if (!method.stored()) return false;
  const auto& params = context.catalog().matrix_formats.at(method.format, method.backend).params;
  return std::ranges::any_of(
      params, [](const ParamSpec& spec) { return spec.key == stored_part_param().key; });
}

void symmetry(MatrixStudyContext& context, StudyResult& result) {
  Times times(context, result);
  for (const printed::SingleImage& printed : context.wanted_sizes(printed::single_images)) {
    times.add(printed.side, 1);
    if (printed.side != printed::single_images.back().side) continue;
    times.add(printed.side, 8);
    times.add(printed.side, 32);
    times.add_cone();
  }
  result.tables.push_back(std::move(times.table));
}

}  // namespace gantry::tensor_cores
