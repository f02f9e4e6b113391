// The published distance-driven model of the study on Liu et al. 2017 against its definition, and
// how it reads tables against what a texture unit does.
#include "studies/branchless_dd/printed_model.hpp"
#include "tests/support/dd_reference.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/products.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;
using namespace gantry::branchless_dd;

namespace {

/// Ordinary scans and special ones. Where one row measures a single slice, the definition ignores
/// heights; the model does not.
std::vector<ScanCase> cases() {
  std::vector<ScanCase> all = scan_cases();
  std::erase_if(all, is_flat_problem);
  return all;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  return largest / size;
}

/// Returns the sum in the corner [0, u] x [0, z] of a pixel of 1, as a reading of its table: a
/// parallel beam with one cell over that corner.
double corner(double u, double z, const Reading& reading) {
  ScanSpec spec;
  spec.beam = Beam::parallel;
  spec.detector_columns = spec.detector_rows = 1;
  spec.column_pitch_mm = u;
  spec.row_pitch_mm = z;
  spec.central_column = 0.5 / u - 0.5;  // the cell's lower sides on those of the pixel
  spec.central_row = 0.5 / z - 0.5;
  spec.view_angles_rad = {0};
  const std::vector<float> pixel = {1};
  return u * z *
         project_as_printed(ScanGeometry(spec), VolumeGrid::centered(1, 1, 1, {1, 1, 1}), pixel,
                            ViewSubset::all(1), reading)[0];
}

}  // namespace

class TestPrintedModel : public QObject {
  Q_OBJECT

 private slots:
  void projectionIsTheDefinition() {
    for (const ScanCase& c : cases()) {
      const ScanGeometry& g = *c.geometry;
      const std::vector<float> x = random_values(c.grid.voxels(), 5);
      const ViewSubset views{g.views() > 1 ? 1 : 0, 2, (g.views() + 1) / 3 + (g.views() == 1)};
      std::vector<double> expected;
      for (int n = 0; n < views.count; ++n)
        for (int row = 0; row < g.rows(); ++row)
          for (int column = 0; column < g.columns(); ++column)
            expected.push_back(ray_sum(c, x, views.view(n), column, row, Magnified::at_cell));
      const auto values = project_as_printed(g, c.grid, x, views);
      QCOMPARE(values.size(), expected.size());
      QVERIFY2(largest_difference(values, expected) < 1e-9, c.name.c_str());
    }
  }

  void backprojectionIsTheDefinition() {
    for (const ScanCase& c : cases()) {
      const std::vector<float> y = random_values(c.geometry->rays(), 6);
      const ViewSubset views{0, 2, (c.geometry->views() + 1) / 2};
      for (const int step : {1, 3}) {
        std::vector<double> expected;
        for (int iz = 0; iz < c.grid.nz; ++iz)
          for (int iy = 0; iy < c.grid.ny; iy += step)
            for (int ix = 0; ix < c.grid.nx; ix += step) {
              double sum = 0;
              for (int n = 0; n < views.count; ++n)
                sum += shadow_mean(c, y, views.view(n), ix, iy, iz);
              expected.push_back(sum);
            }
        const auto values = backproject_as_printed(*c.geometry, c.grid, y, views, {}, step);
        QCOMPARE(values.size(), expected.size());
        QVERIFY2(largest_difference(values, expected) < 1e-8, c.name.c_str());
      }
    }
  }

  /// Places between 0 and 1 in both directions: the fractions in steps of 1/256, and so the weight
  /// of the entry across, the only one that is not 0.
  void textureUnitsRoundFractionsAndWeights() {
    const auto eight = [](double t) { return std::floor(256 * t + 0.5) / 256; };
    int apart = 0;
    for (const auto& [u, z] : std::vector<std::pair<double, double>>{
             {0.3, 0.7}, {0.123, 0.456}, {0.999, 0.501}, {0.0625, 0.09}, {0.5, 0.25}}) {
      EXPECT_NEAR(corner(u, z, {}), u * z, 1e-12);
      EXPECT_NEAR(corner(u, z, {.fraction_bits = 8}), eight(u) * eight(z), 1e-12);
      EXPECT_NEAR(corner(u, z, texture_reading), eight(eight(u) * eight(z)), 1e-7);
      apart += eight(eight(u) * eight(z)) != eight(u) * eight(z) ? 1 : 0;
    }
    QVERIFY(apart >= 3);
    EXPECT_NEAR(corner(0.3, 0.7, double_reading), 0.21, 1e-7);
    QVERIFY(corner(0.3, 0.7, double_reading) != corner(0.3, 0.7, {}));
  }
};

GANTRY_TEST(TestPrintedModel)
#include "test_printed_model.moc"
