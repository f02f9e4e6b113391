// Reconstructions of phantoms by OS-SART with 10 subsets and 40 iterations: Liu et al. 2017, Figs
// 16 (modified Shepp-Logan) and 17 (FORBILD head) and Table V (an iteration of the latter). 2200
// views, 512 x 512 x 64 voxels. The paper does not state the height of the phantoms; here they are
// compressed along z to the height of the volume. Data are exact line integrals, the mean of 2 x 2
// rays per cell (print: 4 x 4).
#include "core/backend/cpu_backend.hpp"
#include "studies/branchless_dd/difference.hpp"
#include "studies/branchless_dd/flattened.hpp"
#include "studies/branchless_dd/parts.hpp"
#include "studies/branchless_dd/printed.hpp"
#include "studies/branchless_dd/products.hpp"
#include "studies/branchless_dd/reconstruction.hpp"
#include "studies/slice_image.hpp"

#include <algorithm>

namespace gantry::branchless_dd {

namespace {

constexpr int views = 2200, subsets = 10, iterations = 40;
/// On a computer with a GPU the CPU reconstructs at this scale: it would take hours at full scale.
constexpr double scale_of_cpu = 1.0 / 4;

struct Object {
  std::string name, figure, key;
  std::shared_ptr<const Phantom> phantom;
  double methods_window;  ///< half the printed window of GPU-BL minus CPU-32
  GreyWindow window;      ///< of the images, as printed
};
constexpr double truth_window = 0.02;  ///< half the window of errors

/// Returns a phantom whose heights up to +-half_height_mm are compressed to the volume's height.
std::shared_ptr<const Phantom> pressed(const BranchlessContext& context, const std::string& key,
                                       const Params& params, double half_height_mm,
                                       const VolumeGrid& grid) {
  auto phantom = context.catalog().phantoms.make(key, "cpu", params);
  return std::make_shared<Flattened>(std::move(phantom),
                                     half_height_mm / (0.5 * grid.nz * grid.spacing_mm.z));
}

std::vector<Object> objects(const BranchlessContext& context, const VolumeGrid& grid) {
  constexpr double side_mm = 480, head_mm = 125;
  return {{"modified Shepp-Logan",
           "Fig. 16",
           "shepp-logan",
           pressed(context, "shepp_logan_ts", {{"size_mm", side_mm}, {"mu_scale", 1.0}},
                   0.5 * side_mm, grid),
           0.001,
           {0, 1}},
          {"FORBILD head",
           "Fig. 17",
           "forbild-head",
           pressed(context, "forbild_head_3d", {{"mu_water", 1.0}, {"ear", false}}, head_mm, grid),
           0.005,
           {1, 1.2}}};
}

Scanned scan(const BranchlessContext& context, const Phantom& phantom, const Setting& setting) {
  constexpr int subrays = 2, subsamples = 2;
  Scanned out{setting,
              std::vector<float>(setting.geometry->rays()),
              {},
              std::vector<float>(setting.grid.voxels())};
  project_exactly(phantom, *setting.geometry, subrays, out.data, context.interrupt());
  voxelise(phantom, setting.grid, subsamples, out.truth, context.interrupt());
  return out;
}

Recipe os_sart(const BranchlessContext& context) {
  return {"os_sart", {{"subsets", std::int64_t{subsets}}}, context.iterations(iterations)};
}

class Table {
 public:
  /// `made` is the number of iterations.
  explicit Table(int made)
      : table_{"phantoms",
               "OS-SART, 10 subsets, " + std::to_string(made) +
                   " iterations: differences in the windows of Figs 16 and 17",
               {{"phantom", ""},
                {"voxels", ""},
                {"image of", ""},
                {"less", ""},
                {"window of print", "+-"},
                {"within it", "% of voxels"},
                {"within it, middle half of the slices", "% of voxels"},
                {"largest, middle half", ""},
                {"RMSE", ""},
                {"time of an iteration", "s"}},
               {}} {}
  void add(const Object& object, const VolumeGrid& grid, const std::string& image,
           const std::string& reference, double window, const Reconstructed& of,
           const std::vector<float>& less) {
    std::vector<StudyCell> row = {object.name, size_text(grid), image, reference, window};
    if (of.image.empty() || less.empty()) {
      row.insert(row.end(), {of.problem, {}, {}, {}, {}});
    } else {
      const Difference all = difference(of.image, less, -window, window),
                       middle = difference(middle_slices(of.image, grid), middle_slices(less, grid),
                                           -window, window);
      row.insert(row.end(), {all.within, middle.within, middle.largest, all.rmse, of.seconds});
    }
    table_.rows.push_back(std::move(row));
  }
  const StudyTable& so_far() const { return table_; }
  StudyTable take() { return std::move(table_); }

 private:
  StudyTable table_;
};

/// Adds the middle row and column of the middle slice, as drawn in Fig. 16 (e) and (f).
void add_profiles(StudyChart& across, StudyChart& down, const std::string& name,
                  const std::vector<float>& image, const VolumeGrid& grid) {
  if (image.empty()) return;
  const int z = grid.nz / 2;
  const auto nx = static_cast<std::size_t>(grid.nx), ny = static_cast<std::size_t>(grid.ny);
  across.curves.push_back(line_of(name, image, grid.index(0, grid.ny / 2, z), 1, nx));
  down.curves.push_back(line_of(name, image, grid.index(grid.nx / 2, 0, z), nx, ny));
}

struct Run {
  Method method;
  Reconstructed result;
};

const Run* find(const std::vector<Run>& runs, const Method& method) {
  const auto found = std::ranges::find_if(runs, [&](const Run& run) {
    return run.method.key == method.key && run.method.backend == method.backend;
  });
  return found == runs.end() ? nullptr : &*found;
}

/// Reconstructs by each method and compares the images: with the truth; the program's pair on GPU
/// and CPU; GPU-BL with GPU-BS, which has the same footprints without tables; GPU-BL with the CPU;
/// and without a GPU the two pairs of the CPU.
void compare(const BranchlessContext& context, const Object& object, const Setting& setting,
             const std::vector<Method>& methods, Table& table, StudyResult& result) {
  context.say(object.figure + ": scanning the " + object.name + ", " + size_text(setting.grid));
  const Scanned scanned = scan(context, *object.phantom, setting);
  std::vector<Run> runs;
  for (const Method& method : methods) {
    context.say(object.figure + ": " + object.name + ", " + method.label() + ", " +
                size_text(setting.grid));
    runs.push_back({method, reconstruct(context, method, scanned, os_sart(context))});
  }
  StudyChart across{object.key + "-across-" + std::to_string(setting.grid.nx),
                    object.name + ", middle row (" + object.figure + ")",
                    "voxel",
                    "value",
                    false,
                    false,
                    {}},
      down{object.key + "-down-" + std::to_string(setting.grid.nx),
           object.name + ", middle column (" + object.figure + ")",
           "voxel",
           "value",
           false,
           false,
           {}};
  add_profiles(across, down, "truth", scanned.truth, setting.grid);
  const std::string about =
      ", " + object.name + ", " + size_text(setting.grid) + " (" + object.figure + ")";
  auto key = [&, count = 0]() mutable {
    return object.key + "-" + std::to_string(setting.grid.nx) + "-" + std::to_string(count++);
  };
  // Figs 16 and 17 show three planes of each image.
  const auto add = [&](const std::string& name, const std::vector<float>& image,
                       const std::vector<float>* less, const GreyWindow& window) {
    for (const Plane plane : {Plane::transverse, Plane::sagittal, Plane::coronal}) {
      const std::string title = name + about + ", " + name_of(plane);
      result.images.push_back(
          less == nullptr
              ? slice_image(key(), title, image, setting.grid, window, 1, plane)
              : difference_image(key(), title, image, *less, setting.grid, window, 1, plane));
    }
  };
  add("truth", scanned.truth, nullptr, object.window);
  for (const Run& run : runs) {
    if (!run.result.image.empty()) {
      add(run.method.label(), run.result.image, nullptr, object.window);
      add(run.method.label() + " less truth", run.result.image, &scanned.truth,
          about_zero(truth_window));
    }
    table.add(object, setting.grid, run.method.label(), "truth", truth_window, run.result,
              scanned.truth);
    add_profiles(across, down, run.method.label(), run.result.image, setting.grid);
  }
  for (const auto& [of, less] :
       {std::pair{ours(), on_cpu()}, std::pair{gpu_bl(), gpu_bs()}, std::pair{gpu_bl(), on_cpu()},
        std::pair{gpu_bl(), ours()}, std::pair{cpu_branchless(), on_cpu()}}) {
    const Run *a = find(runs, of), *b = find(runs, less);
    if (a == nullptr || b == nullptr) continue;
    table.add(object, setting.grid, of.label(), less.label(), object.methods_window, a->result,
              b->result.image);
    if (!a->result.image.empty() && !b->result.image.empty())
      add(of.label() + " less " + less.label(), a->result.image, &b->result.image,
          about_zero(object.methods_window));
  }
  if (!context.has(gpu_bl()))
    table.add(object, setting.grid, gpu_bl().label(), on_cpu().label(), object.methods_window,
              {{}, 0, needs_cuda}, {});
  result.charts.push_back(std::move(across));
  result.charts.push_back(std::move(down));
  context.show(result, table.so_far());
}

/// Times of one product over all subsets, s; nothing where not timed.
struct PartTimes {
  std::optional<double> whole, kernel;
};

PartTimes iteration_of(const BranchlessContext& context, const Method& method,
                       const Setting& setting, Direction direction) {
  if (!context.has(method)) return {};
  context.say("Table V: " + method.label() + ", " + name_of(direction));
  if (method.on_host()) return {cpu_seconds(context, setting, direction, cpu_threads(), 64), {}};
  PartTimes out;
  out.whole = if_it_fits([&] {
    const auto projector = context.make(method, setting);
    const double device = subset_seconds(*projector, direction, subsets);
    double sums = 0;
    if (method.printed == "GPU-BL") {  // a projection computes its tables again for each subset
      const double all = product_seconds(*projector, direction);
      sums = sums_seconds(context, method, setting, direction, all) *
             (direction == Direction::projection ? subsets : 1);
    }
    out.kernel = device - sums;
    return seconds_with_transfers(*projector, direction, subsets);
  });
  return out;
}

void table_5(BranchlessContext& context, StudyResult& result) {
  const Setting setting = context.scanner(views);
  StudyTable table{"table-5",
                   "Products of one iteration, " + std::to_string(setting.geometry->views()) +
                       " views in 10 subsets (Table V); kernel: without transfers and tables",
                   {{"method", ""}, {"here", ""}},
                   {}};
  for (const Direction direction : directions)
    for (const char* part : {"", " kernel"})
      for (const char* whose : {" printed", " here"})
        table.columns.push_back({name_of(direction) + part + whose, "s"});
  const auto add = [&](const Method& method, const printed::Iteration& printed) {
    std::vector<StudyCell> row = {method.printed.empty() ? "-" : method.printed,
                                  method.key + ", " + method.backend};
    for (const Direction direction : directions) {
      const bool forward = direction == Direction::projection;
      const PartTimes here = iteration_of(context, method, setting, direction);
      const StudyCell whole = printed_cell(forward ? printed.projection : printed.backprojection),
                      kernel = printed_cell(forward ? printed.projection_kernel
                                                    : printed.backprojection_kernel);
      const StudyCell whole_here = context.of(method, here.whole),
                      kernel_here =
                          kernel.number ? context.of(method, here.kernel) : StudyCell(here.kernel);
      row.insert(row.end(), {whole, whole_here, kernel, kernel_here});
      const std::string what = method.printed + ", " + name_of(direction);
      context.add_line("Table V", what, "s", whole, whole_here);
      context.add_line("Table V", what + ", kernel", "s", kernel, kernel_here);
    }
    table.rows.push_back(std::move(row));
    context.show(result, table);
  };
  add(on_cpu(), printed::table_5[0]);
  add(gpu_bl(), printed::table_5[1]);
  add(gpu_bs(), printed::table_5[2]);
  add(ours(), {"", printed::none, printed::none, printed::none, printed::none});
  result.tables.push_back(std::move(table));
}

}  // namespace

void phantoms(BranchlessContext& context, StudyResult& result) {
  table_5(context, result);
  Table table(context.iterations(iterations));
  const Setting whole = context.scanner(views);
  const Setting small = context.has_gpu() ? scaled(whole, scale_of_cpu) : whole;
  for (const Object& object : objects(context, whole.grid)) {
    // GPU-BL takes half a minute at this size and runs only for the head, the object of Table V.
    const std::vector<Method> at_full_size =
        object.key == "forbild-head" ? std::vector{ours(), gpu_bl()} : std::vector{ours()};
    if (context.has_gpu())
      compare(context, object, whole, context.available(at_full_size), table, result);
    compare(context, object, small,
            context.has_gpu() ? context.available({on_cpu(), ours(), gpu_bl(), gpu_bs(), gpu_db()})
                              : std::vector{on_cpu(), cpu_branchless()},
            table, result);
  }
  result.tables.push_back(table.take());
  result.notes.push_back(
      "Figs 16 and 17: the phantoms are pressed along z to fill the 40 mm of the volume; data are "
      "exact line integrals, 2 x 2 rays a cell (print: 4 x 4); the FORBILD head is without the "
      "ear. "
      "The scanner's cone misses the top and bottom slices in part: the middle half of the slices "
      "is told apart. " +
      (context.has_gpu()
           ? "Images of GPU and CPU are compared at " + size_text(small.grid) + " voxels."
           : std::string("GPU-BL needs a CUDA device: in its place stands the branchless pair of "
                         "the CPU, in float32 without texture units.")));
}

}  // namespace gantry::branchless_dd
