// The projection of one image by symmetry, whose eight copies are the columns of the matrix
// product: Nourazar and Goossens 2021, section 4.5, Tables 6 and 7 in print's own form, with the
// energy of the projection. The matrix is an octant of the image, in blocks of 32 rays by 16 pixels
// in pseudo-Morton order. Print multiplies the same eighth by cuSPARSE and by half2 too. These
// formats here have no symmetric form; a matrix of as many nonzeros, an eighth of the views with
// all pixels, stands for theirs, multiplied with a stack of eight slices.
#include "core/base/timing.hpp"
#include "core/matrix/matrix_format.hpp"
#include "core/matrix/tiles/bsr_symmetric.hpp"
#include "core/matrix/tiles/tile_pattern.hpp"
#include "studies/nonzeros.hpp"
#include "studies/tensor_cores/parts.hpp"
#include "studies/tensor_cores/printed.hpp"

#include <algorithm>

namespace gantry::tensor_cores {

namespace {

constexpr int copies = 8;
constexpr std::size_t half_bytes = 2;

/// Returns the scan of one image, and that of eight slices by the views that rotations and mirrors
/// do not give.
struct Scans {
  BenchCase one, eighth;
};
Scans scans_of(int side, double scale) {
  BenchCase one = images_of(side, 1, scale), eighth = images_of(side, copies, scale);
  ScanSpec spec = eighth.geometry->spec();
  spec.view_angles_rad.resize(std::max<std::size_t>(1, spec.view_angles_rad.size() / copies));
  eighth.geometry = std::make_shared<const ScanGeometry>(spec);
  return {std::move(one), std::move(eighth)};
}

/// One of print's three methods.
struct Entry {
  std::string name;
  MatrixMethod method;
  bool by_symmetry;  ///< runs on the scan of one image
  StudyCell ms, nj, gb;
  std::string missing = {};  ///< why the program has no such method here
};

/// Returns the parameters of a symmetric format for print's matrix, which is of halves.
Params octant(const MatrixStudyContext& context, const MatrixMethod& method,
              const std::string& block, const std::string& order) {
  Params params = {{"part", std::string("octant")}, {"block", block}, {"order", order}};
  const auto& specs =
      context.catalog().matrix_formats.at(method.format, method.backend).params_on(method.backend);
  if (std::ranges::find(specs, std::string("weights"), &ParamSpec::key) != specs.end())
    params.set("weights", std::string("half"));
  return params;
}

std::vector<Entry> entries(const MatrixStudyContext& context, const printed::SingleImage& size) {
  const std::string backend = context.fastest_backend();
  const auto with = [&](const std::string& format, Params params) {
    MatrixMethod method = context.on_the_fly(backend, false).front();
    method.format = format;
    method.params = std::move(params);
    return method;
  };
  const std::string block = block_size_param().choices.back();
  const std::string order = "pseudo-morton";
  std::vector<Entry> all;
  for (const MatrixMethod& method : context.stored(backend, false))
    if (is_symmetric(context, method))
      all.push_back({backend == "cpu" ? "the CPU (print: Tensor Cores)" : "Tensor Cores",
                     with(method.format, octant(context, method, block, order)), true,
                     size.tensor_ms, size.tensor_nj, size.gb});
  all.push_back({"cuSPARSE", with("cusparse_spmm", {}), false, size.cusparse_ms, size.cusparse_nj,
                 size.csr_gb});
  all.push_back(
      {"half2",
       with("bsr_half", {{"block", block}, {"order", order}, {"product", std::string("half2")}}),
       false,
       size.half2_ms,
       size.half2_nj,
       {}});
  for (Entry& entry : all)
    if (!is_available(context, entry.method))
      entry.missing = "there is no " + entry.method.format + " on " + backend;
  return all;
}

/// What a projection takes.
struct Cost {
  std::optional<double> ms, gb;
  std::optional<CallEnergy> energy;
  std::string problem;
};

Cost cost_of(const MatrixStudyContext& context, const MatrixMethod& method,
             const BenchCase& setting, const EnergyCounter* counter) {
  Cost cost;
  cost.problem = why_refused([&] {
    const auto projector = context.make(method, setting);
    if (const auto* matrix = dynamic_cast<const StoredMatrix*>(projector.get()))
      cost.gb = 1e-9 * static_cast<double>(matrix->storage().bytes(PartOf::matrix));
    cost.ms = 1e3 * product_seconds(*projector, Direction::projection);
    if (counter == nullptr) return;
    TimedProducts products(*projector);
    cost.energy = energy_per_call(
        *counter, [&] { products(Direction::projection, ViewSubset::all(projector->views())); });
  });
  return cost;
}

/// Returns what Table 7 is of, at the sizes of print on any computer: the symmetric form of the
/// format for an octant, estimated, and CSR in float32 of an eighth of the nonzeros that linear
/// interpolation has, which are those of print (Table 2).
StudyTable matrices(MatrixStudyContext& context) {
  StudyTable table = StudyTable::comparing(
      "table-7",
      "The matrix of one image at print's sizes, blocks and their index, estimated (Table 7)",
      {{"pixels", ""}, {"matrix", ""}}, "GB");
  const auto add = [&](const std::string& pixels, const std::string& matrix, double printed,
                       double here) {
    table.compare({pixels, matrix}, StudyCell::of_fitted_scan(printed), here, like_for_like,
                  Better::smaller);
    context.add_summary_line(
        {"single-image", "matrix at print's size, " + matrix + ", " + pixels, "GB"},
        StudyCell::of_fitted_scan(printed), here, like_for_like, Better::smaller);
  };
  for (const printed::SingleImage& size : context.wanted_sizes(printed::single_images)) {
    const std::string pixels = std::to_string(size.side) + "^2";
    const BenchCase setting = images_of(size.side, 1, 1);
    const auto weights = context.weights_on_cpu(setting);
    for (const Entry& entry : entries(context, size)) {
      if (!entry.by_symmetry) continue;
      const MatrixMethod& method = entry.method;
      context.say("size of " + method.full_name() + ", " + pixels);
      const BlockCount count = estimate_symmetric_blocks(*weights, method.params.text("part"),
                                                         method.params.text("order"))
                                   .count;
      add(pixels, method.full_name(), size.gb,
          1e-9 * count.tile_bytes(block_rays_of(method.params.text("block")), half_bytes,
                                  weights->range_size(), weights->domain_size()));
    }
    add(pixels, "an eighth of CSR in float32, linear interpolation", size.csr_gb,
        1e-9 *
            MatrixStorage::csr_bytes(linear_nonzeros(size.side),
                                     static_cast<double>(weights->range_size())) /
            copies);
  }
  return table;
}

}  // namespace

void single_image(MatrixStudyContext& context, StudyResult& result) {
  const EnergyCounter* counter = energy_counter(context, result);
  StudyTable table = StudyTable::comparing(
      "tables-6-7",
      "W x of one image by symmetry, a parallel beam, in print's blocks and order (Tables 6 and 7)",
      {{"case", ""}, {"method", ""}, {"products", ""}, {"measure", ""}, {"why not", ""}}, "");
  for (const printed::SingleImage& size : context.wanted_sizes(printed::single_images)) {
    const Scans scans = scans_of(size.side, context.scale());
    for (const Entry& entry : entries(context, size)) {
      const BenchCase& setting = entry.by_symmetry ? scans.one : scans.eighth;
      context.say(entry.name + ", " + describe_case(setting));
      const Cost cost = entry.missing.empty() ? cost_of(context, entry.method, setting, counter)
                                              : Cost{{}, {}, {}, entry.missing};
      const std::string name =
          std::to_string(size.side) + "^2 in print, here " + describe_case(scans.one);
      const auto add = [&](const char* measure, const char* unit, const StudyCell& printed,
                           const std::optional<double>& value, const std::string& unlike) {
        const StudyCell here = value                  ? StudyCell(*value)
                               : cost.problem.empty() ? StudyCell("not measured")
                                                      : StudyCell(cost.problem);
        const std::string why = context.scale() != 1 ? another_size(context.scale()) : unlike;
        table.compare({name, entry.name, entry.method.full_name(),
                       std::string(measure) + ", " + unit, cost.problem},
                      printed, here, why, Better::smaller);
        context.add_summary_line({"single-image", entry.name + ", " + measure + ", " + name, unit},
                                 printed, here, why, Better::smaller);
      };
      const std::string product =
          entry.by_symmetry ? like_for_like
                            : "here: an eighth of the views with eight slices; print: an octant";
      add("W x", "ms", entry.ms, cost.ms, product);
      add("energy of W x", printed::energy_unit, entry.nj,
          cost.energy ? std::optional(cost.energy->millijoules) : std::nullopt, product);
      if (entry.gb.number)
        add("matrix", "GB", entry.gb, cost.gb,
            entry.by_symmetry ? like_for_like
                              : "here: an eighth of the views, distance-driven; print: an octant");
      context.show(result, table);
    }
  }
  result.tables.push_back(std::move(table));
  result.tables.push_back(matrices(context));
  result.notes.push_back(
      "Table 7: print's numbers are an eighth of those of Table 5, of CSR with 8 bytes a nonzero "
      "instead of 6; what is said of Table 5 holds for them too.");
  result.notes.push_back(
      "Tables 6 and 7: the octant of an image in blocks of 32 rays by 16 pixels, pseudo-Morton "
      "order, its products by mma where print has WMMA. For cuSPARSE and half2, which have no "
      "symmetric form here, an eighth of the views is multiplied with eight slices: as many "
      "nonzeros and columns, without gathering the copies of the image. Print's half2 has the "
      "blocks of its Tensor Cores.");
}

}  // namespace gantry::tensor_cores
