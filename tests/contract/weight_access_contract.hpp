// The contract of single rows and columns of every projector of the catalogue on a backend, on
// every scan of tests/support/scans.hpp.
#pragma once

#include "core/catalog/catalog.hpp"
#include "core/operator/column_access.hpp"
#include "core/operator/row_access.hpp"
#include "core/operator/row_norms.hpp"
#include "core/solvers/row_action/ray_order.hpp"
#include "tests/contract/projector_bench.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace gantry::test {

class WeightAccessContract : public ProjectorBench {
  Q_OBJECT

 public:
  explicit WeightAccessContract(ContractBench bench) : ProjectorBench(std::move(bench)) {}

 private:
  /// Returns the numbers of all super-voxels, the last first.
  static std::vector<std::uint32_t> numbers(const VolumeGrid& grid,
                                            const std::array<int, 3>& side) {
    std::vector<std::uint32_t> order(SuperVoxels::count(grid, side));
    std::iota(order.rbegin(), order.rend(), 0U);
    return order;
  }
  /// The number of rays that weigh each voxel: of the weights that are rounding errors of zero, any
  /// number may count.
  void expect_counts(const Projector& A, const std::vector<float>& counts) {
    double counted = 0, all = 0, certain = 0;
    for (const float count : counts) counted += count;
    RowWeights row;
    for (int v = 0; v < A.views(); ++v) {
      const auto view = A.row_source()->view_rows(v);
      for (int cell = 0; cell < static_cast<int>(A.cells_per_view()); ++cell) {
        view->weights(cell % A.geometry().columns(), cell / A.geometry().columns(), row);
        all += static_cast<double>(row.size());
        for (const double weight : row.weight) certain += weight > 1e-3 ? 1 : 0;  // mm
      }
    }
    QVERIFY2(counted >= 0.999 * certain && counted <= 1.01 * all,
             qPrintable(QString("%1, %2 to %3").arg(counted).arg(certain).arg(all)));
  }

 private slots:
  void initTestCase() {
    if (!bench_.absent.empty()) QSKIP(bench_.absent.c_str());
    cases_.insert(cases_.end(), free_.begin(), free_.end());
    // A fault by which projectors lose the access would otherwise only remove rows.
    const auto all = catalog_.projectors.on(on_);
    for (bool ProjectorTraits::*has : {&ProjectorTraits::has_rows, &ProjectorTraits::has_columns})
      QVERIFY(std::ranges::count_if(
                  all, [&](const auto* entry) { return entry->traits_on(on_).*has; }) >= 3);
  }

  /// Every weight of a row is found by projecting its voxel, and no other.
  void columnsAreThoseOfTheRows_data() { rows(&ProjectorTraits::has_single_weights); }
  void columnsAreThoseOfTheRows() {
    const auto A = projector();
    const VolumeGrid& grid = A->grid();
    const ScanGeometry& geometry = A->geometry();
    RowWeights row_weights;
    CellWeights cell_weights;
    std::size_t weights = 0;
    for (int v = 0; v < A->views(); ++v) {
      const auto view = A->row_source()->view_rows(v);
      std::map<std::pair<std::size_t, std::size_t>, double> rest;  // of the rows, by cell and voxel
      double largest = 0;
      for (int row = 0; row < geometry.rows(); ++row)
        for (int column = 0; column < geometry.columns(); ++column) {
          view->weights(column, row, row_weights);
          for (std::size_t k = 0; k < row_weights.size(); ++k) {
            rest[{cell_index(geometry, column, row), row_weights.voxel[k]}] = row_weights.weight[k];
            largest = std::max(largest, row_weights.weight[k]);
          }
        }
      weights += rest.size();
      const double tolerance = 1e-9 * largest;
      for (int iz = 0; iz < grid.nz; ++iz)
        for (int iy = 0; iy < grid.ny; ++iy)
          for (int ix = 0; ix < grid.nx; ++ix) {
            view->voxel_weights(ix, iy, iz, cell_weights);
            for (std::size_t k = 0; k < cell_weights.size(); ++k) {
              QVERIFY(cell_weights.weight[k] > 0 && cell_weights.cell[k] < geometry.cells());
              const auto found = rest.find({cell_weights.cell[k], grid.index(ix, iy, iz)});
              const double of_row = found == rest.end() ? 0 : found->second;
              EXPECT_NEAR(cell_weights.weight[k], of_row, tolerance);
              if (found != rest.end()) rest.erase(found);
            }
          }
      for (const auto& [place, weight] : rest) QVERIFY2(weight <= tolerance, "a weight is missing");
    }
    QFETCH(int, scan);
    QCOMPARE(weights == 0, sees_nothing(cases_[static_cast<std::size_t>(scan)]));
  }

  /// Sums over the columns of the lattices, together, are the products.
  void columnsGiveTheProducts_data() { rows(&ProjectorTraits::has_columns); }
  void columnsGiveTheProducts() {
    const auto A = projector();
    const auto columns = make_columns(*A);
    const VolumeGrid& grid = A->grid();
    QVERIFY(columns->grid() == grid);
    const Array x = image(*A, 21), y = rays(*A, 22), ones = Array::filled(backend_, x.size(), 1);
    Array Ax(backend_, y.size()), Aty(backend_, x.size()), squares(backend_, x.size());
    A->forward(x, Ax);
    A->adjoint(y, Aty);
    const float untouched = -7;
    Array sums = Array::filled(backend_, y.size(), 0),
          out = Array::filled(backend_, x.size(), untouched);
    const auto colours = voxel_colours(grid, 3);
    for (std::size_t n = 0; n < colours.size(); ++n) {
      columns->add(x, 2, colours[n], sums);
      columns->sums(y, colours[n], out);
      columns->squares(&y, colours[n], squares);
      if (n + 2 != colours.size()) continue;
      // The voxels of the last lattice are still as they were.
      const std::vector<float> values = out.to_host();
      QCOMPARE(static_cast<std::size_t>(std::ranges::count(values, untouched)),
               colours.back().voxels(grid));
    }
    backend_.axpby(0, Ax, 2, Ax);
    const double tolerance = 1e-5 + A->rounding();  // of the columns and of the products
    QVERIFY(distance(sums, Ax) <= tolerance * length(Ax));
    QVERIFY(distance(out, Aty) <= tolerance * length(Aty));
    // sum_j (sum_i y_i a_ij^2) from the rows.
    double expected = 0;
    RowWeights weights;
    const std::vector<float> y_values = y.to_host();
    for (int v = 0; v < A->views(); ++v) {
      const auto view = A->row_source()->view_rows(v);
      for (int row = 0; row < A->geometry().rows(); ++row)
        for (int column = 0; column < A->geometry().columns(); ++column) {
          view->weights(column, row, weights);
          const std::size_t i = static_cast<std::size_t>(v) * A->cells_per_view() +
                                cell_index(A->geometry(), column, row);
          for (const double w : weights.weight) expected += y_values[i] * w * w;
        }
    }
    EXPECT_NEAR(backend_.dot(squares, ones), expected, 1e-5 * std::abs(expected) + 1e-9);
  }

  /// A lattice of a single voxel is changed as by update() and add(), whatever the super-voxels.
  void aVoxelOfASuperVoxelStepsAsAlone_data() { rows(&ProjectorTraits::has_columns); }
  void aVoxelOfASuperVoxelStepsAsAlone() {
    const auto A = projector();
    const auto columns = make_columns(*A);
    const VolumeGrid& grid = A->grid();
    Array x = image(*A, 41), r = rays(*A, 42), change = Array::filled(backend_, x.size(), 0);
    const Array w = rays(*A, 43), curvature = image(*A, 44), slope = image(*A, 45),
                bend = image(*A, 46);
    const std::array<int, 3> side = {4, 3, 2};
    const std::vector<std::uint32_t> order = numbers(grid, side);
    Array x_of_parts = x.clone(), r_of_parts = r.clone();
    const auto step = [&](const Array& residual) {
      return CoordinateStep{.residual = residual,
                            .weights = &w,
                            .curvature = curvature,
                            .slope = &slope,
                            .bend = &bend,
                            .lambda = 0.5F,
                            .relaxation = 0.1F,
                            .low = 0.2F};
    };
    for (const double at : {0.0, 0.3, 0.55, 0.99}) {
      const VoxelLattice voxel{{static_cast<int>(at * grid.nx), static_cast<int>(at * grid.ny),
                                static_cast<int>(at * grid.nz)},
                               {grid.nx, grid.ny, grid.nz}};
      QCOMPARE(voxel.voxels(grid), std::size_t{1});
      const double square = columns->update(step(r), voxel, x, change);
      columns->add(change, -1, voxel, r);
      const double of_parts = columns->descend(step(r_of_parts), voxel, {side, order, 2, false},
                                               x_of_parts, r_of_parts);
      EXPECT_NEAR(of_parts, square, 1e-4 * square + 1e-12);
    }
    QVERIFY(distance(x_of_parts, x) <= 1e-5 * length(x));
    QVERIFY(distance(r_of_parts, r) <= 1e-5 * length(r));
  }

  /// The steps of larger super-voxels lower the residual, which stays b - A x, and leave out zeros
  /// without slope.
  void superVoxelsKeepTheResidual_data() { rows(&ProjectorTraits::has_columns); }
  void superVoxelsKeepTheResidual() {
    const auto A = projector();
    const auto columns = make_columns(*A);
    const Array start = image(*A, 51), wanted = image(*A, 52);
    std::vector<float> values = start.to_host();
    const std::size_t zero = values.size() / 2;
    values[zero] = 0;
    Array x = Array::from(backend_, values), b(backend_, A->range_size()),
          r(backend_, A->range_size()), curvature(backend_, x.size());
    A->forward(wanted, b);
    A->forward(x, r);
    const double before = backend_.residual(b, r, nullptr);
    std::vector<float> slopes(values.size(), 1e-9F);
    slopes[zero] = 0;
    const Array slope = Array::from(backend_, slopes), bend = Array::filled(backend_, x.size(), 0);
    const std::array<int, 3> side = {4, 3, 2};
    const std::vector<std::uint32_t> order = numbers(A->grid(), side);
    double square = 0;
    for (const VoxelLattice& colour : voxel_colours(A->grid(), 2)) {
      columns->squares(nullptr, colour, curvature);
      square += columns->descend({.residual = r,
                                  .curvature = curvature,
                                  .slope = &slope,
                                  .bend = &bend,
                                  .lambda = 1,
                                  .relaxation = 0.1F},
                                 colour, {side, order, 2, true}, x, r);
    }
    QCOMPARE(x.to_host()[zero], 0.0F);
    EXPECT_NEAR(square, std::pow(distance(x, Array::from(backend_, values)), 2), 1e-4 * square);
    Array recomputed(backend_, A->range_size());
    A->forward(x, recomputed);
    const double after = backend_.residual(b, recomputed, nullptr);
    QVERIFY(distance(recomputed, r) <= 1e-5 * length(b));
    QFETCH(int, scan);
    if (sees_nothing(cases_[static_cast<std::size_t>(scan)]) || values.size() == 1)
      QCOMPARE(square, 0.0);
    else
      QVERIFY(after < before);
  }

  /// Corrections by rays that weigh no voxel in common, with a pull, against the rows.
  void rowsCorrectAsTheirFormula_data() { rows(&ProjectorTraits::has_rows); }
  void rowsCorrectAsTheirFormula() {
    const auto A = projector();
    const auto access = make_rows(*A);
    const Array start = image(*A, 31), b = rays(*A, 32), w = rays(*A, 33);
    Array pull = image(*A, 34);
    // Rounding decides whether a ray weighs a voxel that it touches, and the pull acts in full
    // there.
    backend_.axpby(0, pull, 1e-4F, pull);
    Array counts(backend_, start.size());
    access->count_rays(counts);
    expect_counts(*A, counts.to_host());
    const auto classes = classes_without_common_voxels(*A, *access);
    const std::size_t first = classes.first_ray[0], last = classes.first_ray[1];
    const auto list = access->list(classes.rays);
    QCOMPARE(list->size(), A->range_size());
    const double smallest = negligible_squared_norm * access->mean_squared_norm();
    for (const bool normalised : {true, false}) {
      Array x = start.clone();
      const double step = normalised ? 0.7 : 0.01;
      const double square = access->correct({b, &w, &pull, normalised, step, smallest, 0.05F},
                                            *list, first, last - first, x);
      std::vector<float> expected = start.to_host();
      const std::vector<float> b_values = b.to_host(), w_values = w.to_host(), p = pull.to_host();
      RowWeights row;
      double expected_square = 0;
      for (std::size_t k = first; k < last; ++k) {
        const std::size_t ray = classes.rays[k], cell = ray % A->cells_per_view();
        const int columns = A->geometry().columns();
        A->row_source()
            ->view_rows(static_cast<int>(ray / A->cells_per_view()))
            ->weights(static_cast<int>(cell) % columns, static_cast<int>(cell) / columns, row);
        double sum = 0, norm = 0;
        for (std::size_t n = 0; n < row.size(); ++n) {
          sum += row.weight[n] * expected[row.voxel[n]];
          norm += row.weight[n] * row.weight[n];
        }
        const double deviation = b_values[ray] - sum;
        expected_square += deviation * deviation;
        if (!(norm > smallest)) continue;
        const double factor = (normalised ? step / norm : step) * w_values[ray] * deviation;
        for (std::size_t n = 0; n < row.size(); ++n) {
          const std::size_t j = row.voxel[n];
          expected[j] =
              std::max(static_cast<float>(expected[j] + factor * row.weight[n] - p[j]), 0.05F);
        }
      }
      EXPECT_NEAR(square, expected_square, 1e-4 * expected_square + 1e-9);
      const std::vector<float> got = x.to_host();
      double worst = 0, size = 0;
      for (std::size_t j = 0; j < got.size(); ++j) {
        worst += (got[j] - expected[j]) * (got[j] - expected[j]);
        size += expected[j] * expected[j];
      }
      QVERIFY2(std::sqrt(worst) <= 2e-3 * std::sqrt(size),
               qPrintable(QString::number(std::sqrt(worst / size))));
    }
  }

  /// A step of coordinate descent is that of its formula, and changes no other voxel.
  void coordinateStepIsItsFormula_data() { rows(&ProjectorTraits::has_columns); }
  void coordinateStepIsItsFormula() {
    const auto A = projector();
    const auto columns = make_columns(*A);
    const Array r = rays(*A, 23), w = rays(*A, 24), curvature = image(*A, 25),
                slope = image(*A, 26), bend = image(*A, 27), start = image(*A, 28);
    for (const VoxelLattice& lattice : voxel_colours(A->grid(), 2)) {
      Array x = start.clone(), change = Array::filled(backend_, x.size(), 0), sums = change.clone(),
            weighted = w.clone();
      const double square =
          columns->update({r, &w, curvature, &slope, &bend, 0.3F, 0.8F, 0.1F}, lattice, x, change);
      backend_.multiply(r, weighted);
      columns->sums(weighted, lattice, sums);
      const auto s = sums.to_host(), c = curvature.to_host(), g = slope.to_host(),
                 h = bend.to_host(), before = start.to_host(), after = x.to_host(),
                 d = change.to_host();
      double expected_square = 0;
      for (std::size_t j = 0; j < after.size(); ++j) {
        if (d[j] == 0) {
          QCOMPARE(after[j], before[j]);
          continue;
        }
        const double step = 0.8 * (s[j] - 0.3 * g[j]) / (c[j] + 0.3 * h[j]);
        const double expected = std::max(before[j] + step, 0.1);
        EXPECT_NEAR(after[j], expected, 1e-4 * std::max(1.0, std::abs(step)));
        EXPECT_NEAR(d[j], after[j] - before[j], 1e-6 * std::max(1.0F, std::abs(after[j])));
        expected_square += static_cast<double>(d[j]) * d[j];
      }
      EXPECT_NEAR(square, expected_square, 1e-5 * expected_square + 1e-12);
      QVERIFY(square > 0);
    }
  }
};

}  // namespace gantry::test
