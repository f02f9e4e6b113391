// The scanner and times of single products: Liu et al. 2017, Tables I to III. The printed times
// include transfers between host and device; the paper does not say whether its GUPS (eq. 29: 512^3
// x 360 / 1024^3 / time) do.
#include "core/backend/cpu_backend.hpp"
#include "core/base/params.hpp"
#include "core/base/timing.hpp"
#include "core/geometry/presets.hpp"
#include "studies/branchless_dd/parts.hpp"
#include "studies/branchless_dd/printed.hpp"
#include "studies/branchless_dd/products.hpp"

#include <limits>
#include <optional>

namespace gantry::branchless_dd {

namespace {

/// Times of a product, s; nothing where not timed.
struct Taken {
  std::optional<double> device, whole;  ///< without and with transfers
};

StudyCell over(const std::optional<double>& part, const std::optional<double>& of) {
  if (!part || !of) return {};
  return *of / *part;
}

Taken take(const BranchlessContext& context, const Method& method, const Setting& setting,
           Direction direction) {
  if (!context.has(method)) return {};
  context.say(method.label() + ", " + name_of(direction) + ", " + setting.name);
  Taken taken;
  taken.whole = if_it_fits([&] {
    const auto projector = context.make(method, setting);
    taken.device = product_seconds(*projector, direction);
    return seconds_with_transfers(*projector, direction);
  });
  return taken;
}

Taken take_on_cpu(const BranchlessContext& context, const Setting& setting, Direction direction,
                  int threads, int most_views) {
  if (threads > cpu_threads()) return {};
  context.say("CPU, " + std::to_string(threads) + " threads, " + name_of(direction) + ", " +
              setting.name);
  const double seconds = cpu_seconds(context, setting, direction, threads, most_views);
  return {seconds, seconds};
}

const printed::Row* printed_row(const std::string& method) {
  for (const printed::Row& row : printed::table_2)
    if (row.method == method) return &row;
  return nullptr;
}

/// Adds one line of Table II with the times here; where there are none, `missing` says why.
void add_row(BranchlessContext& context, StudyTable& table, const std::string& method,
             const std::string& here, const std::array<Taken, 2>& taken,
             const std::array<Taken, 2>& one_thread, const std::string& missing) {
  const printed::Row* printed = printed_row(method);
  std::vector<StudyCell> cells = {method.empty() ? "-" : method, here};
  for (std::size_t d = 0; d < 2; ++d) {
    double seconds = printed::none;
    PrintedNumber faster = printed::none;
    if (printed != nullptr) {
      seconds = d == 0 ? printed->projection : printed->backprojection;
      faster = d == 0 ? printed->projection_faster : PrintedNumber(printed->backprojection_faster);
    }
    const auto or_missing = [&](const std::optional<double>& value) {
      return value ? StudyCell(*value) : StudyCell(missing);
    };
    const StudyCell gain = over(taken[d].whole, one_thread[d].whole),
                    whole = or_missing(taken[d].whole);
    cells.insert(cells.end(), {printed_cell(seconds), whole, taken[d].device,
                               printed_cell(faster.as_printed), gain});
    const std::string what = method + ", " + name_of(directions[d]);
    context.add_line("Table II", what, "s", printed_cell(seconds), whole);
    if (faster.as_printed > 1)  // print's CPU-1 is the baseline
      context.add_line("Table II", what + ", over one thread", "x", faster,
                       gain.number ? gain : StudyCell(missing));
  }
  table.rows.push_back(std::move(cells));
}

const std::vector<Method>& on_gpu() {
  static const std::vector<Method> methods = {gpu_bl(), gpu_bs(), gpu_db(), gpu_bz(), ours()};
  return methods;
}

/// Adds Table I. What stands here is the preset, whose numbers of cells the study may scale.
void table_1(StudyResult& result) {
  const ScanPreset& preset = scan_preset("ge_ct750");
  const ScanSpec& scan = preset.scan;
  const double middle = 0.5 * (scan.detector_columns - 1);
  StudyTable table{"table-1",
                   "The scanner, before numbers of cells are scaled (Table I)",
                   {{"parameter", ""}, {"in", ""}, {"printed", ""}, {"here", ""}},
                   {}};
  const auto add = [&](const char* what, const char* unit, const StudyCell& printed,
                       const StudyCell& here) {
    table.rows.push_back({what, unit, printed, here});
  };
  const auto by = [](double a, double b) { return format_param(a) + " x " + format_param(b); };
  add("source to isocentre", "mm", 541.0, scan.source_to_isocenter_mm);
  add("source to detector", "mm", 949.0, scan.source_to_detector_mm);
  add("width of a cell", "mm", "1.0239", format_param(scan.column_pitch_mm));
  add("height of a cell", "mm", "1.0963", format_param(scan.row_pitch_mm));
  add("columns of cells", "", 888.0, 1.0 * scan.detector_columns);
  add("rows of cells", "", 64.0, 1.0 * scan.detector_rows);
  add("field of view", "mm", "500 x 500",
      by(preset.grid.nx * preset.grid.spacing_mm.x, preset.grid.ny * preset.grid.spacing_mm.y));
  add("offset of the detector", "mm", -1.28, (middle - scan.central_column) * scan.column_pitch_mm);
  result.tables.push_back(std::move(table));
}

void table_2(BranchlessContext& context, StudyResult& result) {
  const Setting setting = context.scanner();
  StudyTable table{"table-2",
                   "Time of a product, " + std::to_string(setting.geometry->views()) +
                       " views of " + std::to_string(setting.geometry->columns()) + " x " +
                       std::to_string(setting.geometry->rows()) + " cells, " +
                       size_text(setting.grid) + " voxels (Table II)",
                   {{"method", ""}, {"here", ""}},
                   {}};
  for (const char* name : {"projection", "backprojection"}) {
    const std::string product = name;
    table.columns.insert(table.columns.end(), {{product + " printed", "s"},
                                               {product + " here", "s"},
                                               {product + " here without transfers", "s"},
                                               {product + " printed", "x CPU-1"},
                                               {product + " here", "x one thread"}});
  }
  const int all = cpu_threads();
  constexpr int some_views = 64, all_views = std::numeric_limits<int>::max();
  std::array<Taken, 2> one;
  const auto add_cpu = [&](const char* method, int threads, int most_views) {
    std::array<Taken, 2> taken;
    for (std::size_t d = 0; d < 2; ++d)
      taken[d] = take_on_cpu(context, setting, directions[d], threads, most_views);
    if (threads == 1) one = taken;
    add_row(context, table, method,
            "CPU, " + std::to_string(threads) + (threads == 1 ? " thread" : " threads"), taken, one,
            "the CPU has " + std::to_string(all));
  };
  add_cpu("CPU-1", 1, some_views);
  add_cpu("CPU-8", 8, some_views);
  add_cpu("CPU-32", all, all_views);
  for (const Method& method : on_gpu()) {
    std::array<Taken, 2> taken;
    for (std::size_t d = 0; d < 2; ++d)
      if (is_timed(method, directions[d])) taken[d] = take(context, method, setting, directions[d]);
    add_row(context, table, method.printed, method.key, taken, one,
            context.has(method) ? "" : needs_cuda);
  }
  result.tables.push_back(std::move(table));
  for (const printed::Row& row : printed::table_2)
    if (row.projection_faster.meant)
      result.notes.push_back(
          misprint_note(std::string("Table II, projection by ") + row.method + " over CPU-1",
                        row.projection_faster));
}

void table_3(BranchlessContext& context, StudyResult& result) {
  Setting setting = bench_cases("D").front();  // 512^3 voxels, 360 views of 512 x 512 cells
  if (context.scale() != 1) setting = scaled(setting, context.scale());
  StudyTable table{"table-3",
                   "2^30 voxel updates a second, without transfers: " + size_text(setting.grid) +
                       " voxels, " + std::to_string(setting.geometry->views()) +
                       " views of a flat panel (Table III: of the scanner of Table I, with other "
                       "numbers of cells, voxels and views)",
                   {{"method", ""},
                    {"here", ""},
                    {"product", ""},
                    {"printed", "GUPS"},
                    {"here", "GUPS"},
                    {"here with transfers", "GUPS"},
                    {"here, times the paper", ""}},
                   {}};
  const auto gups = [&](const std::optional<double>& seconds) {
    return seconds ? StudyCell(giga_updates_per_second(static_cast<double>(setting.grid.voxels()),
                                                       setting.geometry->views(), *seconds))
                   : StudyCell();
  };
  const auto add = [&](const Method& method, Direction direction, const Taken& taken) {
    double seen = printed::none;
    for (const printed::Gups& row : printed::table_3)
      if (row.method == method.printed)
        seen = direction == Direction::projection ? row.projection : row.backprojection;
    const StudyCell here = context.of(method, gups(taken.device));
    StudyCell faster;
    if (here.number && seen > 0) faster = *here.number / seen;
    context.add_line("Table III", method.printed + ", " + name_of(direction), "GUPS",
                     printed_cell(seen), here,
                     "print: the arc of Table I, with other numbers of cells");
    table.rows.push_back(
        {method.printed.empty() ? "-" : method.printed,
         method.on_host() ? std::to_string(cpu_threads()) + " threads" : method.key,
         name_of(direction), printed_cell(seen), here, gups(taken.whole), faster});
  };
  for (const Direction direction : directions)
    add(on_cpu(), direction, take_on_cpu(context, setting, direction, cpu_threads(), 64));
  for (const Method& method : on_gpu())
    for (const Direction direction : directions)
      if (is_timed(method, direction))
        add(method, direction, take(context, method, setting, direction));
  result.tables.push_back(std::move(table));
}

}  // namespace

void times(BranchlessContext& context, StudyResult& result) {
  table_1(result);
  table_2(context, result);
  table_3(context, result);
}

}  // namespace gantry::branchless_dd
