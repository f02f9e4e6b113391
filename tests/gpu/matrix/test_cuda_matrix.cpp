// Stored matrices on a CUDA device: their rows, columns and products against the single weights of
// the CPU's projectors, added up on the host in float64.
#include "core/base/error.hpp"
#include "gpu/matrix/rows/device_rows.hpp"
#include "tests/gpu/host_matrix.hpp"
#include "tests/gpu/odd_sizes.hpp"
#include "tests/gpu/stored_twins.hpp"
#include "tests/gpu/symmetric_scans.hpp"
#include "tests/support/interrupt_at_check.hpp"
#include "tests/support/test_program.hpp"

#include <limits>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Symmetric ones, and any single slices.
std::vector<ScanCase> matrix_cases() {
  std::vector<ScanCase> cases = symmetric_cases();
  for (const auto& list : {scan_cases(), odd_sizes()})
    for (const ScanCase& c : list)
      if (is_planar(*c.geometry, c.grid)) cases.push_back(c);
  return cases;
}

std::vector<ViewSubset> subsets_of(int views) {
  return {ViewSubset::all(views),
          {views - 1, 1, 1},
          {views / 2, 1, 1},
          ViewSubset::interleaved(0, 2, views),
          ViewSubset::interleaved(views > 2 ? 2 : 0, 3, views)};
}

/// Whether a scan has rays along an axis that run exactly between two pixels, as in the middle of
/// an even number of pixels. The upper pixel gets the weight of such a ray, and the lower pixel
/// that of its mirror image.
bool has_rays_between_mirrored_pixels(const ScanCase& c) {
  const double middle = c.geometry->spec().central_column;
  if (c.grid.nx % 2 != 0 || middle != std::floor(middle)) return false;
  for (int v = 0; v < c.geometry->views(); ++v)
    if (std::abs(std::sin(2 * c.geometry->angle_rad(v))) < 1e-9) return true;
  return false;
}

/// SCSR's parameters do not all go together; where they hardly touch each other, one with each will
/// do.
bool is_worth_trying(const Params& params) {
  const auto is = [&](const char* key, const char* value) {
    return params.contains(key) && params.text(key) == value;
  };
  const auto other_than = [&](const char* key, const char* value) {
    return params.contains(key) && params.text(key) != value;
  };
  const bool dense = other_than("blocking", "none"), fused = is("residual", "fused"),
             permuted = other_than("permutation", "none");
  if (dense && is("weights", "compact")) return false;  // they have no such weights
  return !((permuted && !dense) || ((permuted || fused) && other_than("transpose", "gather")));
}

/// Every parameter set worth trying of a format.
std::vector<Params> variants(const std::vector<ParamSpec>& specs) {
  std::vector<Params> all{Params{}};
  for (const ParamSpec& spec : specs) {
    std::vector<ParamValue> values;
    for (const std::string& choice : spec.choices) values.emplace_back(choice);
    if (values.empty() || spec.key == "block") continue;  // a block changes no number
    std::vector<Params> more;
    for (const Params& params : all)
      for (const ParamValue& value : values) {
        more.push_back(params);
        more.back().set(spec.key, value);
        if (!is_worth_trying(more.back())) more.pop_back();
      }
    all = more;
  }
  return all;
}

std::string name_of(const std::string& key, const Params& params) {
  std::string name = key;
  for (const auto& [parameter, value] : params.values())
    name += ", " + parameter + " " + format_param(value);
  return name;
}

}  // namespace

class TestCudaMatrix : public QObject {
  Q_OBJECT

  StoredTwins twins_;
  std::vector<ScanCase> cases_ = matrix_cases(), symmetric_ = symmetric_cases();

  const std::vector<std::string> keys_{"area_integral", "siddon", "distance_driven", "joseph"};

  std::unique_ptr<StoredMatrix> stored(const std::string& key, const ScanCase& c,
                                       const std::string& format, const Params& params) {
    return twins_.stored_on_device(format, params, c, key);
  }

  void compare_products(const Projector& A, const HostMatrix& W, const std::string& name,
                        bool back_is_right) {
    const auto x = random_values(A.domain_size(), 1), y = random_values(A.range_size(), 2);
    for (const ViewSubset& subset : subsets_of(A.views())) {
      const auto rays = forward_of(A, x, subset), image = adjoint_of(A, y, subset);
      expect_close(rays, W.forward(x, subset), A.rounding(), name + ", forward");
      if (back_is_right) expect_close(image, W.adjoint(y, subset), A.rounding(), name + ", back");
      if (QTest::currentTestFailed()) return;
      if (!A.repeatable()) continue;
      QVERIFY2(forward_of(A, x, subset) == rays, (name + " differs from call to call").c_str());
      QVERIFY2(adjoint_of(A, y, subset) == image, (name + " differs from call to call").c_str());
    }
  }

 private slots:
  void initTestCase() {
    if (!twins_.bench.absent.empty()) QSKIP(twins_.bench.absent.c_str());
  }

  void buildsTheRowsOfTheCpu_data() { add_scan_rows(cases_); }
  void buildsTheRowsOfTheCpu() {
    QFETCH(int, scan);
    const ScanCase& c = cases_[static_cast<std::size_t>(scan)];
    const auto& cuda = cuda_backend(twins_.device());
    for (const std::string& key : keys_) {
      const auto A = twins_.on_device(key, c);
      const HostMatrix W(*A);
      const DeviceRows rows(cuda, *A, every_view(*A));
      const DeviceCsr matrix = rows.rows(), columns = rows.columns(),
                      back = transposed(cuda, columns);
      QCOMPARE(matrix.nonzeros(), columns.nonzeros());
      const auto start = matrix.start.download();
      const auto index = matrix.index.download();
      const auto weight = matrix.weight.download();
      // Turned back, rows ascend, as the host's do.
      QVERIFY(back.start.download() == start);
      std::vector<double> dense(A->domain_size());
      const double unit = norm(c.grid.spacing_mm);
      for (std::size_t row = 0; row + 1 < start.size(); ++row) {
        std::ranges::fill(dense, 0.0);
        for (auto p = static_cast<std::size_t>(start[row]);
             p < static_cast<std::size_t>(start[row + 1]); ++p) {
          QVERIFY(weight[p] > 0);
          dense[static_cast<std::size_t>(index[p])] += weight[p];
        }
        const ViewCsr& view = W.views[row / W.cells];
        for (auto k = view.row_start[row % W.cells]; k < view.row_start[row % W.cells + 1]; ++k)
          dense[view.column[k]] -= view.weight[k];
        const auto [least, most] = std::ranges::minmax(dense);
        EXPECT_NEAR(std::max(-least, most), 0.0, 1e-6 * unit);
      }
      const auto turned_index = back.index.download();
      const auto turned_weight = back.weight.download();
      for (std::size_t row = 0; row + 1 < start.size(); ++row) {
        std::vector<std::pair<int, float>> one, other;
        for (auto p = static_cast<std::size_t>(start[row]);
             p < static_cast<std::size_t>(start[row + 1]); ++p) {
          one.emplace_back(index[p], weight[p]);
          other.emplace_back(turned_index[p], turned_weight[p]);
        }
        std::ranges::sort(one);
        QVERIFY2(one == other, "rows and columns have other nonzeros");
      }
    }
  }

  void multipliesAsTheCpusWeights_data() { add_scan_rows(cases_); }
  void multipliesAsTheCpusWeights() {
    QFETCH(int, scan);
    const ScanCase& c = cases_[static_cast<std::size_t>(scan)];
    for (const std::string& key : keys_) {
      const HostMatrix W(*twins_.on_device(key, c));
      for (const auto* entry : twins_.bench.catalog.matrix_formats.on("cuda")) {
        const bool by_symmetry = entry->key == "scsr" || entry->key == "bsr_half_symmetric";
        if (key == "siddon" && by_symmetry && has_rays_between_mirrored_pixels(c)) continue;
        const std::vector<Params> every = variants(entry->params);
        for (const Params& params : every) {
          // Rows from the host are slow; how they are laid out has been seen with the others.
          if (key == "joseph" && &params != &every.front()) break;
          std::unique_ptr<Projector> A;
          try {
            A = stored(key, c, entry->key, params);
          } catch (const UsageError& error) {
            // No symmetry; or a view on a diagonal, which an octant alone minds.
            const bool octant = params.contains("part") && params.text("part") == "octant";
            QVERIFY2(octant || static_cast<std::size_t>(scan) >= symmetric_.size(), error.what());
            continue;
          }
          const bool unsafe = params.values().count("transpose") != 0 &&
                              params.values().at("transpose") == ParamValue(std::string("unsafe"));
          compare_products(*A, W, key + ", " + name_of(entry->key, params), !unsafe);
          if (QTest::currentTestFailed()) return;
        }
      }
    }
  }

  /// r = C (b - W x) and W^T r in one launch, against one after the other.
  void fusedIsSplit() {
    for (const ScanCase& c : symmetric_)
      for (const Params& kind : {Params{}, Params{{"weights", std::string("compact")}},
                                 Params{{"blocking", std::string("global")}},
                                 Params{{"blocking", std::string("view")}}}) {
        const auto with = [&](const char* residual) {
          Params params = kind;
          params.set("residual", std::string(residual));
          return stored("distance_driven", c, "scsr", params);
        };
        const auto split = with("split"), fused = with("fused");
        Backend& device = twins_.device();
        const Array x = Array::from(device, random_values(split->domain_size(), 61)),
                    b = Array::from(device, random_values(split->range_size(), 62, 100, 200)),
                    weight = Array::from(device, random_values(split->range_size(), 63, 0.5F, 1));
        for (const Array* row_weight : {&weight, static_cast<const Array*>(nullptr)}) {
          Array r(device, split->range_size()), image(device, split->domain_size()),
              r_fused = Array::filled(device, split->range_size(), std::nanf("")),
              image_fused = Array::filled(device, split->domain_size(), std::nanf(""));
          const double square = split->residual_adjoint(x, b, row_weight, r, image, split->all()),
                       fused_square = fused->residual_adjoint(x, b, row_weight, r_fused,
                                                              image_fused, fused->all());
          EXPECT_NEAR(fused_square, square, 4 * split->rounding() * square);
          expect_close(r_fused.to_host(), r.to_host(), 4 * split->rounding(), c.name + ", r");
          expect_close(image_fused.to_host(), image.to_host(), 4 * split->rounding(), c.name);
        }
      }
  }

  void takesAnyRangeOfValues() {
    const ScanCase& c = symmetric_.front();
    const Params compact{{"weights", std::string("compact")}};
    const auto A = stored("area_integral", c, "scsr", compact);
    const HostMatrix W(*A);
    for (const float size : {1e-30F, 1e-6F, 1e6F, 1e28F}) {
      const auto x = random_values(A->domain_size(), 3, -size, size),
                 y = random_values(A->range_size(), 4, -size, size);
      expect_close(forward_of(*A, x, A->all()), W.forward(x, A->all()), 1e-3, "forward");
      expect_close(adjoint_of(*A, y, A->all()), W.adjoint(y, A->all()), 1e-3, "back");
    }
    const std::vector<float> nothing(A->domain_size(), 0);
    expect_close(forward_of(*A, nothing, A->all()), W.forward(nothing, A->all()), 0, "of nothing");
  }

  void readsNoOtherViews() {
    const ScanCase& c = symmetric_.front();
    for (const char* weights : {"float32", "compact"}) {
      const auto A = stored("siddon", c, "scsr", Params{{"weights", std::string(weights)}});
      const HostMatrix W(*A);
      const auto subset = ViewSubset::interleaved(1, 2, A->views());
      auto y = random_values(A->range_size(), 5);
      for (int v = 0; v < A->views(); v += 2)
        for (std::size_t i = 0; i < A->cells_per_view(); ++i)
          y[static_cast<std::size_t>(v) * A->cells_per_view() + i] =
              std::numeric_limits<float>::infinity();
      expect_close(adjoint_of(*A, y, subset), W.adjoint(y, subset), A->rounding(), weights);
    }
  }

  /// Slices that share their weights, by the matrix of one of them; views of a few, and all.
  void multipliesAStackSliceBySlice() {
    ScanSpec spec = turning(24, 0.5, 61, 2.2);
    spec.detector_rows = 5;
    spec.central_row = 2;
    spec.row_pitch_mm = 1.3;
    const ScanCase c{"stack", share(spec), VolumeGrid::centered(53, 53, 5, {1.3, 1.3, 1.3})};
    for (const std::string& key : {std::string("area_integral"), std::string("joseph")}) {
      const HostMatrix W(*twins_.on_device(key, c));
      for (const auto* entry : twins_.bench.catalog.matrix_formats.on("cuda")) {
        const auto A = stored(key, c, entry->key, {});
        compare_products(*A, W, key + ", " + entry->key, true);
        const MatrixStorage& storage = A->storage();
        QVERIFY2(entry->key.starts_with("bsr") || 2 * storage.stored < storage.nonzeros,
                 entry->key.c_str());
      }
      // Each slice has its own range of values.
      const auto A = stored(key, c, "scsr", {{"weights", std::string("compact")}});
      compare_products(*A, W, key + ", scsr compact", true);
      auto x = random_values(A->domain_size(), 1);
      const float size[5] = {1, 1e-3F, 1e-6F, 1e-9F, 1e-12F};
      slices_of_images(*A).scale(x, size);
      const auto found = forward_of(*A, x, A->all()), expected = W.forward(x, A->all());
      const SliceRuns of_rays = slices_of_rays(*A);
      for (std::size_t slice = 0; slice < 5; ++slice)
        expect_close(of_rays.of(slice, found), of_rays.of(slice, expected), A->rounding(),
                     key + ", a slice among larger ones");
    }
  }

  /// A build that is interrupted at any of its checks has returned the memory that it took of the
  /// device.
  void anInterruptedBuildReturnsItsMemory() {
    const auto& cuda = cuda_backend(twins_.device());
    const ScanCase& c = symmetric_.front();
    for (const auto* entry : twins_.bench.catalog.matrix_formats.on("cuda")) {
      const auto A = stored("joseph", c, entry->key, {});
      InterruptAtCheck check;
      A->set_interrupt(&check);
      const std::size_t before = cuda.used_bytes();
      int interruptions = 0;
      for (int place = 1; !A->built(); ++place) {
        check.set(place);
        try {
          A->build();
        } catch (const Interrupted&) {
          ++interruptions;
          QCOMPARE(cuda.used_bytes(), before);
        }
      }
      QVERIFY(interruptions > 0 && cuda.used_bytes() > before);
    }
  }

  void refusesWhatHasNoSymmetry() {
    ScanSpec spec = turning(7, 0.3, 61, 2.2);
    const ScanCase c{"seven views", share(spec), VolumeGrid::centered(50, 50, 1, {1, 1, 1})};
    EXPECT_THROWS(UsageError, stored("area_integral", c, "scsr", {}), "no symmetry");
    EXPECT_THROWS(UsageError, stored("joseph", odd_sizes()[9], "scsr", {}), "no symmetry");
  }

  /// The near-parallel scan of Yu et al. (2019), 720 views x 1024 rays: nonzeros of all views and
  /// of the stored ones.
  void countsTheNonzeros() {
    ScanSpec spec = turning(720, 0.5, 1024, 1);
    const int pixels = 512;
    spec.detector = DetectorShape::arc;
    spec.source_to_isocenter_mm = 11.47 * pixels;
    spec.source_to_detector_mm = 12.47 * pixels;
    spec.column_pitch_mm = 2 * std::asin(0.5 / 11.47) / 1024 * spec.source_to_detector_mm;
    const ScanCase c{"near", share(spec), VolumeGrid::centered(pixels, pixels, 1, {1, 1, 1})};
    const auto A = stored("area_integral", c, "scsr", {});
    const auto& storage = A->storage();
    EXPECT_NEAR(static_cast<double>(storage.stored), 78607323.0, 1e-4 * 78607323.0);
    QCOMPARE(storage.nonzeros, 8 * storage.stored);
  }
};

GANTRY_TEST(TestCudaMatrix)
#include "test_cuda_matrix.moc"
