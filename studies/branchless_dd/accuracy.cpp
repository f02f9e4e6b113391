// Accuracy of single products: Liu et al. 2017, Figs 12 (projection of ones), 13 and 14
// (backprojection of ones from one view and from all) and 15 (a bar in a parallel beam).
//
// The published variants are compared with their definition on the CPU in float64 (see
// printed_model.hpp), which stands for the paper's CPU-32. The program's own pair evaluates the
// heights of detector rows at the voxel column instead, and is compared with its own version on the
// CPU, whose projection is compared with the published definition in turn.
//
// Where there is no GPU, the images and curves of GPU-BL and GPU-DB are those of the model with the
// way in which they read their tables.
#include "studies/branchless_dd/difference.hpp"
#include "studies/branchless_dd/parts.hpp"
#include "studies/branchless_dd/printed.hpp"
#include "studies/branchless_dd/printed_model.hpp"
#include "studies/branchless_dd/products.hpp"
#include "studies/slice_image.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

namespace gantry::branchless_dd {

namespace {

/// A method and the reference that it is compared with.
struct Check {
  Method method, reference;
  /// Printed for Figs 12 and 14.
  double projection_rmse = printed::none, backprojection_rmse = printed::none;
  /// How the method reads its tables, where this is modelled.
  std::optional<Reading> reading = {};
  /// The published backprojection is no transpose of the projection and computes another quantity
  /// than the program's own pair; only the projections are compared then.
  bool projection_only = false;

  bool applies(Direction direction) const {
    return !projection_only || direction == Direction::projection;
  }
};

/// The published model in float64, which is no projector of the catalogue.
const Method& twin() {
  static const Method method{"eqs 14 to 18 on the CPU", "", "cpu"};
  return method;
}
bool is_twin(const Method& method) { return method.key.empty(); }

/// The program's own pair on the CPU, another model than that of print.
const Method& own_on_cpu() {
  static const Method method{"", "distance_driven", "cpu"};
  return method;
}

/// Returns the comparisons. The two forms on the CPU are compared only where there is no GPU.
std::vector<Check> checks(const BranchlessContext& context) {
  std::vector<Check> all = {{gpu_bl(), twin(), printed::bl_projection_rmse,
                             printed::bl_backprojection_rmse, texture_reading},
                            {gpu_db(), twin(), printed::db_projection_rmse,
                             printed::db_backprojection_rmse, double_reading},
                            {gpu_bs(), twin()},
                            {ours(), own_on_cpu()},
                            {.method = own_on_cpu(), .reference = twin(), .projection_only = true}};
  if (!context.has_gpu()) all.push_back({cpu_branchless(), own_on_cpu()});
  return all;
}

/// Products of ones by method, each computed once.
class Products {
 public:
  using Make = std::function<std::vector<float>(const Method&)>;
  explicit Products(Make make) : make_(std::move(make)) {}
  const std::vector<float>& of(const Method& method) {
    auto& values = made_[method.label()];
    if (values.empty()) values = make_(method);
    return values;
  }

 private:
  Make make_;
  std::map<std::string, std::vector<float>> made_;
};

std::vector<float> ones(std::size_t count) { return std::vector<float>(count, 1.0F); }

/// Returns the product of ones by the published model; of a backprojection, every step-th voxel.
std::vector<double> model_of_ones(const BranchlessContext& context, const Setting& setting,
                                  Direction direction, ViewSubset subset, const Reading& reading,
                                  int step = 1) {
  const ScanGeometry& scan = *setting.geometry;
  if (direction == Direction::projection)
    return project_as_printed(scan, setting.grid, ones(setting.grid.voxels()), subset, reading,
                              context.interrupt());
  return backproject_as_printed(scan, setting.grid, ones(scan.rays()), subset, reading, step,
                                context.interrupt());
}

std::vector<float> product_of_ones(const BranchlessContext& context, const Method& method,
                                   const Setting& setting, Direction direction, ViewSubset subset) {
  if (is_twin(method)) {
    const std::vector<double> values = model_of_ones(context, setting, direction, subset, {});
    return {values.begin(), values.end()};
  }
  const auto projector = context.make(method, setting);
  Backend& backend = projector->backend();
  Array image = Array::filled(backend, projector->domain_size(), 1),
        rays = Array::filled(backend, projector->range_size(), 1);
  if (direction == Direction::projection) {
    projector->forward(image, rays, subset);
    const auto cells = static_cast<std::ptrdiff_t>(projector->cells_per_view());
    const std::vector<float> all = rays.to_host();
    const auto first = all.begin() + subset.first * cells;
    return {first, first + subset.count * cells};
  }
  projector->adjoint(rays, image, subset);
  return image.to_host();
}

/// A figure: one product of ones, and the line of the product that is drawn.
struct Figure {
  std::string name, key;
  Setting setting;
  Direction direction;
  ViewSubset subset;
  std::size_t first, step, count;  ///< of the drawn line
  double half_window;              ///< of the printed differences, of the largest value; or none

  /// Returns the printed RMSE; an empty cell where there is none, as for a single view's
  /// backprojection (Fig. 13).
  StudyCell printed_rmse(const Check& check) const {
    if (direction == Direction::projection) return printed_cell(check.projection_rmse);
    return subset.count > 1 ? printed_cell(check.backprojection_rmse) : StudyCell();
  }
};

/// The unit of the printed RMSE is not stated.
constexpr const char* unit_unstated = "print states no unit; here 1 is a length of 1 mm";

/// Returns the RMSE of the published model with a method's way of reading its tables. Of a
/// backprojection, some 64 x 64 voxel lines stand for all.
StudyCell modelled_rmse(const BranchlessContext& context, const Figure& figure,
                        const Check& check) {
  if (!check.reading) return {};
  const int step = std::max(1, figure.setting.grid.nx / 64);
  const auto of = [&](const Reading& reading) {
    return model_of_ones(context, figure.setting, figure.direction, figure.subset, reading, step);
  };
  return rms_difference(of(*check.reading), of({}));
}

/// Returns the first columns of a line of the table.
std::vector<StudyCell> begun(const BranchlessContext& context, const Figure& figure,
                             const Check& check) {
  return {figure.name, check.method.label(), check.reference.label(),
          modelled_rmse(context, figure, check)};
}

/// Adds the differences, in the unit of the product and relative to its largest value.
void add_row(const BranchlessContext& context, const Figure& figure, const Check& check,
             const std::vector<float>& values, const std::vector<float>& reference,
             StudyTable& table) {
  const double largest = largest_of(reference);
  const double window = figure.half_window * largest;
  const bool shown = figure.half_window != printed::none;
  const Difference d = difference(values, reference, -window, window);
  std::vector<StudyCell> cells = begun(context, figure, check);
  cells.insert(cells.end(), {100 * d.largest / largest, printed_cell(figure.half_window),
                             shown ? StudyCell(100 - d.within) : StudyCell()});
  table.compare(std::move(cells), figure.printed_rmse(check), d.rmse, unit_unstated,
                Better::smaller);
}

/// Returns the grid on whose middle slice a product is drawn: of a projection the detector's cells.
VolumeGrid drawn_grid(const Figure& figure) {
  const ScanGeometry& scan = *figure.setting.geometry;
  return figure.direction == Direction::projection
             ? VolumeGrid::centered(scan.columns(), scan.rows(), 1, {1, 1, 1})
             : figure.setting.grid;
}

/// Adds the product of a method itself: the projections of Fig. 12, whose window in print, 0 to
/// 250, has no unit, and GPU-BL's slices of Figs 13 and 14 (d).
void add_product(const Figure& figure, const Method& method, const std::vector<float>& values,
                 StudyResult& result) {
  const bool forward = figure.direction == Direction::projection;
  if (!forward && !method.printed.starts_with("GPU-BL")) return;
  result.images.push_back(
      slice_image(figure.key + "-product-" + std::to_string(result.images.size()),
                  figure.name + ": " + method.label(), values, drawn_grid(figure),
                  {0, largest_of(values), forward ? "mm" : ""}));
}

/// Returns the difference of two products in units of the largest value, in the window of print or,
/// where it states none, between the largest differences: of a projection all cells, of a
/// backprojection the middle slice.
StudyImage drawn(const Figure& figure, const Check& check, const std::vector<float>& values,
                 const std::vector<float>& reference, std::size_t number) {
  const double largest = largest_of(reference);
  const GreyWindow window =
      about_zero(figure.half_window != printed::none
                     ? figure.half_window
                     : std::max(difference(values, reference, 0, 0).largest / largest, 1e-9));
  return difference_image(figure.key + "-" + std::to_string(number),
                          figure.name + ": " + check.method.label() + " less " +
                              check.reference.label() + ", of the largest value",
                          values, reference, drawn_grid(figure), window, 1 / largest);
}

/// Adds the contours of a backprojection's middle slice, as in Figs 13 and 14 (a) to (c), of whose
/// levels print says nothing.
void add_contours(const Figure& figure, const Method& method, const std::vector<float>& values,
                  const std::vector<float>& reference, StudyResult& result) {
  const auto slice = [&](const std::vector<float>& volume) {
    return slice_image(figure.key + "-contours-" + std::to_string(result.images.size()),
                       figure.name + ": contours of " + method.label(), volume, figure.setting.grid,
                       {});
  };
  result.images.push_back(ten_contours(slice(values), slice(reference)));
}

/// The curves of a figure.
struct Charts {
  StudyChart lines, apart;

  explicit Charts(const Figure& figure)
      : lines{figure.key, figure.name + ": middle line", "cell or voxel", "value", false, false,
              {}},
        apart{figure.key + "-differences",
              figure.name + ": differences, of the largest value",
              "cell or voxel",
              "difference",
              false,
              false,
              {}} {}
};

/// Adds the images and curves of a check: its product, the difference and, of backprojections by
/// print's methods, the contours. With the first ones comes the reference.
void draw(const Figure& figure, const Check& check, const std::vector<float>& values,
          const std::vector<float>& reference, Charts& charts, StudyResult& result) {
  const bool first = charts.lines.curves.empty();
  if (first) add_product(figure, check.reference, reference, result);
  if (!check.method.printed.empty()) add_product(figure, check.method, values, result);
  result.images.push_back(drawn(figure, check, values, reference, charts.lines.curves.size()));
  if (figure.direction == Direction::backprojection && is_twin(check.reference)) {
    if (first) add_contours(figure, check.reference, reference, reference, result);
    add_contours(figure, check.method, values, reference, result);
  }
  charts.lines.curves.push_back(
      line_of(check.method.label(), values, figure.first, figure.step, figure.count));
  charts.apart.curves.push_back(difference_line(check.method.label(), values, reference,
                                                largest_of(reference), figure.first, figure.step,
                                                figure.count));
}

/// Draws what a method gives by the model of its readings, of a backprojection the middle slice.
void draw_modelled(const BranchlessContext& context, Figure figure, Check check, Charts& charts,
                   StudyResult& result) {
  if (figure.direction == Direction::backprojection) {
    VolumeGrid& grid = figure.setting.grid;
    const int slice = grid.nz / 2;
    figure.first -= grid.index(0, 0, slice);
    grid.origin_mm = grid.voxel_center_mm(0, 0, slice);
    grid.nz = 1;
  }
  const auto product = [&](const Reading& reading) {
    const std::vector<double> values =
        model_of_ones(context, figure.setting, figure.direction, figure.subset, reading);
    return std::vector<float>(values.begin(), values.end());
  };
  const std::vector<float> values = product(*check.reading), reference = product({});
  check.method.printed += ", modelled on the CPU";
  draw(figure, check, values, reference, charts, result);
}

void add_figure(const BranchlessContext& context, const Figure& figure, StudyTable& table,
                StudyResult& result) {
  Charts charts(figure);
  Products products([&](const Method& method) {
    return product_of_ones(context, method, figure.setting, figure.direction, figure.subset);
  });
  for (const Check& check : checks(context)) {
    if (!check.applies(figure.direction)) continue;
    if (!context.has(check.method)) {
      if (const StudyCell printed = figure.printed_rmse(check); printed.number) {
        std::vector<StudyCell> cells = begun(context, figure, check);
        cells.insert(cells.end(), {{}, printed_cell(figure.half_window), {}});
        table.compare(std::move(cells), printed, needs_cuda, unit_unstated);
      }
      if (check.reading) draw_modelled(context, figure, check, charts, result);
      continue;
    }
    context.say(figure.name + ", " + check.method.label());
    const std::vector<float>&values = products.of(check.method),
          &reference = products.of(check.reference);
    add_row(context, figure, check, values, reference, table);
    draw(figure, check, values, reference, charts, result);
  }
  result.charts.push_back(std::move(charts.lines));
  result.charts.push_back(std::move(charts.apart));
}

/// Returns the scanner with the views at 0 and 45 degrees only.
Setting two_views(const BranchlessContext& context) {
  Setting setting = context.scanner();
  ScanSpec spec = setting.geometry->spec();
  spec.view_angles_rad = {0, radians(45)};
  setting.geometry = std::make_shared<const ScanGeometry>(spec);
  return setting;
}

std::vector<Figure> figures(const BranchlessContext& context) {
  const Setting few = two_views(context), turn = context.scanner();
  const auto columns = static_cast<std::size_t>(few.geometry->columns()),
             row = static_cast<std::size_t>(few.geometry->rows() / 2) * columns;
  const VolumeGrid& grid = few.grid;
  const std::size_t voxel = grid.index(0, grid.ny / 2, grid.nz / 2);
  const auto nx = static_cast<std::size_t>(grid.nx);
  return {{"Fig. 12, 0 degrees",
           "ones-at-0",
           few,
           Direction::projection,
           {0, 1, 1},
           row,
           1,
           columns,
           printed::fig_12_half_window},
          {"Fig. 12, 45 degrees",
           "ones-at-45",
           few,
           Direction::projection,
           {1, 1, 1},
           row,
           1,
           columns,
           printed::fig_12_half_window},
          {"Fig. 13, one view",
           "ones-back-one-view",
           few,
           Direction::backprojection,
           {0, 1, 1},
           voxel,
           1,
           nx,
           printed::none},
          {"Fig. 14, " + std::to_string(turn.geometry->views()) + " views", "ones-back-all-views",
           turn, Direction::backprojection, ViewSubset::all(turn.geometry->views()), voxel, 1, nx,
           printed::fig_14_half_window}};
}

/// The curves of Fig. 15.
struct BarCharts {
  StudyChart profiles{"bar-profiles-measured",
                      "A bar of 25 pixels: projections (Fig. 15)",
                      "cell",
                      "line integral, mm",
                      false,
                      false,
                      {}};
  StudyChart errors{"bar-measured",
                    "A bar of 25 pixels: differences, of the largest value (Fig. 15)",
                    "cell",
                    "%",
                    false,
                    false,
                    {}};

  void add_profile(const std::string& name, const std::vector<float>& line) {
    if (std::ranges::find(profiles.curves, name, &StudyCurve::name) == profiles.curves.end())
      profiles.curves.push_back(line_of(name, line, 0, 1, line.size()));
  }
  /// `at` is the angle as the end of a name.
  void add(const Check& check, const std::string& at, const std::vector<float>& values,
           const std::vector<float>& reference) {
    add_profile(check.reference.label() + at, reference);
    add_profile(check.method.label() + at, values);
    errors.curves.push_back(difference_line(check.method.label() + at, values, reference,
                                            0.01 * largest_of(reference), 0, 1, values.size()));
  }
};

void bar(const BranchlessContext& context, StudyResult& result) {
  context.say("Fig. 15");
  const std::vector<double> angles = {0, 30, 45, 179.5};
  const Setting setting = bar_setting(angles);
  StudyTable table = StudyTable::comparing(
      "bar-measured",
      "A bar of 25 x 1 pixels, parallel beam: largest difference, of the largest value (Fig. 15)",
      {{"view", "degrees"}, {"method", ""}, {"against", ""}}, "%");
  BarCharts charts;
  for (std::size_t v = 0; v < angles.size(); ++v) {
    const std::string at = ", " + format_param(angles[v]) + " degrees";
    const ViewSubset view{static_cast<int>(v), 1, 1};
    for (Check check : checks(context)) {
      const bool is_bl = check.method.printed == "GPU-BL";
      const StudyCell seen = is_bl ? printed::bar_error(angles[v]) : StudyCell();
      if (!context.has(check.method)) {
        if (is_bl)
          table.compare({angles[v], check.method.label(), check.reference.label()}, seen,
                        needs_cuda, like_for_like, Better::smaller);
        if (!check.reading) continue;
        check.method.printed += ", modelled on the CPU";
        const auto of = [&](const Reading& reading) {
          const std::vector<double> values =
              model_of_ones(context, setting, Direction::projection, view, reading);
          return std::vector<float>(values.begin(), values.end());
        };
        charts.add(check, at, of(*check.reading), of({}));
        continue;
      }
      const auto of = [&](const Method& method) {
        return product_of_ones(context, method, setting, Direction::projection, view);
      };
      const std::vector<float> values = of(check.method), reference = of(check.reference);
      const double largest = largest_of(reference);
      table.compare({angles[v], check.method.label(), check.reference.label()}, seen,
                    100 * difference(values, reference, 0, 0).largest / largest, like_for_like,
                    Better::smaller);
      charts.add(check, at, values, reference);
    }
  }
  result.tables.push_back(std::move(table));
  result.charts.push_back(std::move(charts.profiles));
  result.charts.push_back(std::move(charts.errors));
}

}  // namespace

void accuracy(BranchlessContext& context, StudyResult& result) {
  StudyTable table = StudyTable::comparing(
      "ones-measured", "Products of ones: differences of methods (Figs 12 to 14)",
      {{"figure", ""},
       {"method", ""},
       {"against", ""},
       {"RMSE of its reading, modelled", ""},
       {"largest difference", "% of largest value"},
       {"window of print", "+-, of largest value"},
       {"beyond it", "% of values"}},
      "RMSE");
  for (const Figure& figure : figures(context)) add_figure(context, figure, table, result);
  result.tables.push_back(std::move(table));
  result.notes.push_back(
      "Figs 12 to 14: print's RMSE have no unit, here the volume is of ones and lengths are in mm. "
      "Print has 5.24e-2 and 6.92e-4 for the backprojection of 984 views, none for a single view; "
      "the second is printed as of \"GPU-DB projection\", and the backprojection is meant: the "
      "sentence is about Fig. 14, and the projection has its own 3.50e-4. Print compares with "
      "CPU-32, whose accuracy it calls identical to GPU-BS's; here eqs 14 to 18 in float64 take "
      "its "
      "place. What is modelled is these equations with tables read as a texture unit reads them: "
      "fractions and weights of eight bits. The study dd-accuracy compares other readings, units "
      "and norms with print's RMSE. In Figs 13 and 14, print's backprojections (GPU-BL, GPU-DB and "
      "eqs 14 to 18), which are no transposes of their projections, compute another quantity than "
      "distance_driven and distance_driven_branchless, so that only curves of the same kind may be "
      "compared; values are without a unit. The window of Fig. 12 in print, 0 to 250, has no unit "
      "either; the pictures here go from 0 to the largest length, mm. Fig. 15: the number of the "
      "bar's detector cells, 25 here, is "
      "not in print.");
  bar(context, result);
}

}  // namespace gantry::branchless_dd
