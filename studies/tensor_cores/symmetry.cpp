// Products with a single image by symmetry, whose symmetric copies are the columns of the matrix
// product, and with a few images: Nourazar and Goossens 2021, section 4.5, Tables 6 and 7. The
// backprojection, which the paper leaves to future work, is measured as well.
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

BenchCase images_of(int side, int slices, double scale) {
  BenchCase setting = bench_cases(slices == 1 ? "T1" : "T" + std::to_string(slices)).front();
  const double pixel_mm = setting.grid.nx * setting.grid.spacing_mm.x / side;
  setting.grid = VolumeGrid::centered(side, side, slices, {pixel_mm, pixel_mm, 1});
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

/// Times of both products by one method, and the memory of the matrix, GB (0 on the fly).
struct Found {
  double forward_ms = 0, both_ms = 0, gb = 0;
  bool known() const { return both_ms > 0; }
};

class Times {
 public:
  Times(MatrixStudyContext& context, StudyResult& result) : context_(context), result_(result) {}

  void add(int side, int slices, const printed::SingleImage* printed_values) {
    const BenchCase setting = images_of(side, slices, context_.scale());
    add(setting,
        describe_case(setting) + ", " + std::to_string(slices) +
            (slices == 1 ? " slice" : " slices"),
        slices, printed_values);
  }
  void add_cone() {
    const BenchCase setting = cone(context_.scale());
    add(setting,
        describe_case(setting) + " x " + std::to_string(setting.geometry->rows()) +
            " rows, a cone beam",
        1, nullptr);
  }

  StudyTable table{"tables-6-7",
                   "W x and W^T y of few images by symmetry (Tables 6 and 7)",
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
  void add(const BenchCase& setting, const std::string& name, int slices,
           const printed::SingleImage* printed_values) {
    Found stored, fly;
    for (const MatrixMethod& method : methods_of_few(context_)) {
      context_.say(name + ", " + method.full_name());
      std::string problem;
      const auto time = context_.time(method, setting, problem);
      if (!time) {
        table.rows.push_back({name, method.full_name(), {}, {}, {}, {}, {}, problem});
        continue;
      }
      const Found found{1e3 * time->forward_s, 1e3 * time->both_s(),
                        time->storage ? 1e-9 * static_cast<double>(time->storage->bytes()) : 0};
      table.rows.push_back({name,
                            method.full_name(),
                            time->storage ? StudyCell(1e3 * found.gb) : StudyCell(),
                            found.forward_ms,
                            1e3 * time->backward_s,
                            found.both_ms,
                            found.both_ms / slices,
                            {}});
      if (!method.stored()) fly = found;
      if (is_symmetric(context_, method) && method.params.values().empty()) stored = found;
    }
    if (printed_values != nullptr) add_summary_line(name, *printed_values, stored, fly);
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

  void add_summary_line(const std::string& name, const printed::SingleImage& printed_values,
                        const Found& stored, const Found& fly) {
    const auto add_one = [&](const std::string& what, const char* unit, const StudyCell& printed,
                             double here) {
      context_.add_summary_line(
          {"symmetry", what + ", " + name, unit}, printed, here > 0 ? StudyCell(here) : StudyCell(),
          "print: blocks of 32 x 16, in pseudo-Morton order", Better::smaller);
    };
    add_one("W x, Tensor Cores", "ms", printed_values.tensor_ms, stored.forward_ms);
    add_one("both ways, Tensor Cores", "ms", {}, stored.both_ms);
    add_one("both ways, on the fly", "ms", {}, fly.both_ms);
    add_one("stored", "GB", printed_values.gb, stored.gb);
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
    times.add(printed.side, 1, &printed);
    if (printed.side != printed::single_images.back().side) continue;
    times.add(printed.side, 8, nullptr);
    times.add(printed.side, 32, nullptr);
    times.add_cone();
  }
  StudyTable printed_values{
      "table-6",
      "W x of one image, as printed; of other blocks than here (Tables 6 and 7)",
      {{"pixels", ""},
       {"Tensor Cores", "ms"},
       {"half2", "ms"},
       {"cuSPARSE", "ms"},
       {"stored", "GB"}},
      {}};
  for (const printed::SingleImage& printed : context.wanted_sizes(printed::single_images))
    printed_values.rows.push_back({std::to_string(printed.side) + "^2", printed.tensor_ms,
                                   printed.half2_ms, printed.cusparse_ms, printed.gb});
  result.tables.push_back(std::move(times.table));
  result.tables.push_back(std::move(printed_values));
}

}  // namespace gantry::tensor_cores
