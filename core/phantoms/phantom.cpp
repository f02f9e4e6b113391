// Voxelisation and exact scans of any phantom: means over regular sub-samples, with the lines of
// voxels or detector rows in parallel.
#include "core/phantoms/phantom.hpp"

#include "core/base/error.hpp"
#include "core/base/for_lines.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace gantry {

namespace {

/// Returns the centre of part `i` of `count` equal parts of a cell or voxel, relative to its
/// middle, in cells.
double offset_in_cell(int i, int count) { return (i + 0.5) / count - 0.5; }

void require_subsamples(int count, const char* name) {
  constexpr int largest = 64;
  if (count < 1 || count > largest)
    throw UsageError(std::to_string(count) + " parts of a cell are not possible", name,
                     "use 1 to 64");
}

/// Copies the first `length` values to the `copies` blocks that follow them.
void repeat_first(float* values, std::size_t length, std::size_t copies) {
  for (std::size_t i = 1; i <= copies; ++i) std::copy_n(values, length, values + i * length);
}

void voxelise_row(const Phantom& phantom, const VolumeGrid& grid, int subsamples, int iy, int iz,
                  float* row) {
  const int deep = phantom.is_section() ? 1 : subsamples;
  std::vector<double> sums(static_cast<std::size_t>(grid.nx));
  for (int k = 0; k < deep; ++k)
    for (int j = 0; j < subsamples; ++j)
      phantom.add_row(
          grid.voxel_center_mm(0, iy + offset_in_cell(j, subsamples), iz + offset_in_cell(k, deep)),
          grid.spacing_mm.x, subsamples, sums);
  const double lines = static_cast<double>(deep) * subsamples;
  for (std::size_t ix = 0; ix < sums.size(); ++ix) row[ix] = static_cast<float>(sums[ix] / lines);
}

void project_row(const Phantom& phantom, const ScanGeometry& geometry, int subrays, int view,
                 int row, float* out) {
  const ViewRays rays(geometry, view);
  const int high = phantom.is_section() ? 1 : subrays;
  for (int column = 0; column < geometry.columns(); ++column) {
    double sum = 0;
    for (int j = 0; j < high; ++j)
      for (int i = 0; i < subrays; ++i)
        sum += phantom.line_integral(
            rays.ray(column + offset_in_cell(i, subrays), row + offset_in_cell(j, high)));
    out[column] = static_cast<float>(sum / (static_cast<double>(high) * subrays));
  }
}

void require_source_outside(const Phantom& phantom, const ScanGeometry& geometry) {
  if (geometry.beam() == Beam::parallel) return;
  for (int view = 0; view < geometry.views(); ++view)
    if (phantom.mu_at(geometry.view(view).source_mm) != 0)
      throw UsageError("the source of view " + std::to_string(view) + " stands inside the phantom",
                       "source_to_isocenter_mm", "move it out or make the phantom smaller");
}

}  // namespace

void Phantom::add_row(Vec3 first_mm, double step_mm, int subsamples, std::span<double> sums) const {
  for (std::size_t ix = 0; ix < sums.size(); ++ix) {
    double sum = 0;
    for (int i = 0; i < subsamples; ++i) {
      const double cells = static_cast<double>(ix) + offset_in_cell(i, subsamples);
      sum += mu_at(first_mm + Vec3{cells * step_mm, 0, 0});
    }
    sums[ix] += sum / subsamples;
  }
}

void voxelise(const Phantom& phantom, const VolumeGrid& grid, int subsamples, std::span<float> mu,
              const Interrupt* interrupt) {
  grid.validate("phantom grid");
  require_subsamples(subsamples, "subsamples");
  if (mu.size() != grid.voxels()) throw ShapeError("a phantom image does not have its grid's size");
  const bool alike = phantom.is_section();  // all slices are equal
  const auto slices = alike ? 1 : static_cast<std::ptrdiff_t>(grid.nz);
  for_lines(slices * grid.ny, interrupt, [&](std::ptrdiff_t line) {
    voxelise_row(phantom, grid, subsamples, static_cast<int>(line % grid.ny),
                 static_cast<int>(line / grid.ny), mu.data() + line * grid.nx);
  });
  const std::size_t slice = static_cast<std::size_t>(grid.nx) * static_cast<std::size_t>(grid.ny);
  if (alike) repeat_first(mu.data(), slice, static_cast<std::size_t>(grid.nz) - 1);
}

void project_exactly(const Phantom& phantom, const ScanGeometry& geometry, int subrays,
                     std::span<float> line_integrals, const Interrupt* interrupt) {
  require_subsamples(subrays, "subrays");
  if (line_integrals.size() != geometry.rays())
    throw ShapeError("line integrals of a phantom do not have their scan's size");
  const bool alike = phantom.is_section();
  const bool leaning = geometry.beam() == Beam::cone || !geometry.rotates();
  if (alike && leaning && geometry.rows() > 1)
    throw UsageError("a phantom that is a 2D section cannot be seen by " +
                         std::string(geometry.rotates() ? "a cone beam of " : "free poses with ") +
                         std::to_string(geometry.rows()) + " rows",
                     "phantom", "use a 3D phantom, a fan beam, or one row");
  require_source_outside(phantom, geometry);
  const std::ptrdiff_t columns = geometry.columns();
  const std::ptrdiff_t rows = alike ? 1 : geometry.rows();
  for_lines(rows * geometry.views(), interrupt, [&](std::ptrdiff_t line) {
    const std::ptrdiff_t view = line / rows, row = line % rows;
    float* out = line_integrals.data() + (view * geometry.rows() + row) * columns;
    project_row(phantom, geometry, subrays, static_cast<int>(view), static_cast<int>(row), out);
    if (alike)
      repeat_first(out, static_cast<std::size_t>(columns),
                   static_cast<std::size_t>(geometry.rows()) - 1);
  });
}

}  // namespace gantry
