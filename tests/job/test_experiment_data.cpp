// Data of an experiment: simulated from phantoms and volumes, or read; the same each time.
#include "core/base/error.hpp"
#include "core/operator/slice_stack.hpp"
#include "tests/job/data_fixture.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <functional>
#include <numeric>

using namespace gantry;
using namespace gantry::test;

namespace {

double sum_of(std::span<const float> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// The integral of the attenuation over the plane, from an image and from one parallel view.
double mass_of(const Reference& truth) {
  return sum_of(truth.mu()) * truth.grid.spacing_mm.x * truth.grid.spacing_mm.y;
}
double mass_of(const ExperimentData& data, int view) {
  const std::size_t cells = data.geometry->cells();
  return sum_of(std::span(data.line_integrals)
                    .subspan(static_cast<std::size_t>(view) * cells, cells)) *
         data.geometry->spec().column_pitch_mm;
}

bool has_note(const ExperimentData& data, const std::string& part) {
  return std::ranges::any_of(
      data.notes, [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

}  // namespace

class TestExperimentData : public QObject, private DataFixture {
  Q_OBJECT

 private slots:
  /// The integral over a parallel view is that over the plane, whatever the angle.
  void phantomAndTruthAreTheSameThing() {
    const auto data = prepare(phantom_experiment());
    QVERIFY(data->reference != nullptr);
    QVERIFY(data->reference->grid == data->grid);
    // The table's ten ellipses in a square of 200 mm: pi a b mu, added up.
    const double mass = 3.14159265358979 * 100 * 100 * 0.15764762 * default_mu_water;
    EXPECT_NEAR(mass_of(*data->reference) / mass, 1, 2e-3);
    for (int view = 0; view < 6; ++view) EXPECT_NEAR(mass_of(*data, view) / mass, 1, 2e-3);
    EXPECT_NEAR(data->reference->range, *std::ranges::max_element(data->reference->mu()), 1e-9);
    QCOMPARE(data->noise_norm, 0.0);
    QCOMPARE(data->reference->label, std::string("truth"));
    QVERIFY(data->description.find("Shepp-Logan") != std::string::npos);
  }

  void whatIsLeftOutIsFitted() {
    Experiment e = phantom_experiment();
    e.geometry.reset();
    e.grid.reset();
    e.simulation.subrays = 1;
    const auto data = prepare(e);
    const Vec3 corner = data->grid.upper_corner_mm();  // the head reaches 92 mm
    QVERIFY(data->geometry->field_of_view_radius_mm() > 92);
    QVERIFY(corner.x >= 92 && corner.x < 100 && corner.y == corner.x);
    QVERIFY(data->notes.empty());
  }

  /// Half of the head's ellipse is 69 x 92 mm.
  void aDetectorThatCutsTheLongerSideIsSaid() {
    Experiment e = phantom_experiment();
    e.geometry = parallel_spec(6, 80, 2);
    QVERIFY(has_note(*prepare(e), "radius of 80 mm, the object reaches 92 mm"));
    choose_phantom(e, "shepp_logan", workshop_.catalog);  // it has the same size
    QVERIFY(!e.geometry);
  }

  void missingViewsAreSaid() {
    Experiment e = phantom_experiment();
    QVERIFY(!has_note(*prepare(e), "the views cover"));
    e.geometry->view_angles_rad = angles_from_degrees(0, 10, 6);
    QVERIFY(has_note(*prepare(e), "the views cover 60 degrees"));
  }

  void theStepsAreReported() {
    std::vector<std::string> steps;
    prepare_data(phantom_experiment(), workshop_.catalog, workshop_.cpu(), nullptr,
                 [&](double, const std::string& step) { steps.push_back(step); });
    QVERIFY(std::ranges::count(steps, "Computing exact line integrals") == 1);
  }

  void theMaskIsTheCircle() {
    Experiment e = phantom_experiment();
    e.geometry = fan_spec(6, 30, 4);
    const auto data = prepare(e);
    QVERIFY(!data->reference->mask.voxels.made());  // nobody has measured anything
    const double radius_mm = data->geometry->field_of_view_radius_mm();
    const double area =
        static_cast<double>(std::ranges::count(data->reference->mask.voxels.voxels(), 1)) * 3.4 *
        3.4;
    EXPECT_NEAR(area / (3.14159265358979 * radius_mm * radius_mm), 1, 0.05);
    QVERIFY(data->mask_label().starts_with("circle of radius "));
    QVERIFY(has_note(*data, "does not see all of the object"));
    const auto reference = data->reference;
    QVERIFY(are_same(reference.get(), reference.get()) && are_same(nullptr, nullptr));
    QVERIFY(!are_same(reference.get(), nullptr) && !are_same(nullptr, reference.get()));
    const ScanGeometry narrow(parallel_spec(6, 10, 0.1));  // its circle has a radius of 0.5 mm
    QVERIFY(metric_mask(reference->mask.spec, narrow, data->grid).label.starts_with("circle"));
    e.metrics.mask = MaskKind::all;
    QVERIFY(prepare(e)->reference->mask.voxels.voxels().empty());
    QCOMPARE(prepare(e)->mask_label(), std::string("all voxels"));
  }

  void theMaskCanBeARegion() {
    Experiment e = phantom_experiment();
    e.metrics.mask = MaskKind::roi;
    EXPECT_THROWS(UsageError, prepare(e), "metrics.roi: the mask is the region of interest");
    e.metrics.regions.roi = Region::box(-20, -10, 20, 30);
    const auto data = prepare(e);
    QVERIFY(std::ranges::equal(data->reference->mask.voxels.voxels(),
                               region_mask(data->grid, *e.metrics.regions.roi)));
    QVERIFY(data->mask_label().starts_with("region of interest, box of 40 x 40 mm"));
    e.metrics.regions.roi = Region::circle(1e4, 0, 3);
    EXPECT_THROWS(UsageError, prepare(e), "holds no voxel of the grid; move or enlarge it");
  }

  void noiseIsReproducible() {
    Experiment e = phantom_experiment();
    const auto exact = prepare(e);
    e.noise = {2e4, 0, 7};
    const auto noisy = prepare(e), again = prepare(e);
    QVERIFY(noisy->line_integrals == again->line_integrals);
    QVERIFY(noisy->reference->mu() == exact->reference->mu());
    // The variance of -ln(I / I0) is 1 / I in the mean, I = I0 exp(-p).
    double expected = 0, square = 0;
    for (std::size_t i = 0; i < exact->line_integrals.size(); ++i) {
      const double p = exact->line_integrals[i], change = noisy->line_integrals[i] - p;
      expected += std::exp(p) / 2e4;
      square += change * change;
    }
    EXPECT_NEAR(square / expected, 1, 0.2);  // of 720 rays: three times the deviation
    EXPECT_NEAR(noisy->noise_norm, std::sqrt(square), 1e-9 * noisy->noise_norm);
    e.noise.seed = 8;
    QVERIFY(prepare(e)->line_integrals != noisy->line_integrals);
  }

  void starvedRaysAreSaid() {
    Experiment e = phantom_experiment();
    e.noise.photons_per_ray = 2;
    QVERIFY(has_note(*prepare(e), "less than one photon"));
    e.noise.photons_per_ray = 0.5;
    EXPECT_THROWS(UsageError, prepare(e), "photons_per_ray");
  }

  void aSliceOfAVolumeIsScanned() {
    const Experiment e = volume_experiment();
    const auto data = prepare(e);
    QCOMPARE(data->source_slices, 2);
    QVERIFY(data->grid == VolumeGrid::centered(40, 30, 1, {2, 3, 4}));
    EXPECT_NEAR(mass_of(*data->reference), 22 * 2 * 14 * 3 * 0.03, 1e-3);
    EXPECT_NEAR(data->reference->range, 0.03, 1e-8);
    for (int view = 0; view < 5; ++view)
      EXPECT_NEAR(mass_of(*data, view) / mass_of(*data->reference), 1, 0.02);
    // Along y, a ray through the block crosses 14 voxels of 3 mm.
    Experiment along = e;
    along.geometry->view_angles_rad = {0};
    EXPECT_NEAR(prepare(along)->line_integrals[34], 14 * 3 * 0.03, 1e-5);
    QVERIFY(data->volume != nullptr);
    QCOMPARE(data->volume->grid.nz, 1);
  }

  /// The block's voxels are up to hypot(23, 25.5) mm from the axis, and 2 x 3 mm wide.
  void aVolumeHasAScanThatFits() {
    Experiment e = volume_experiment();
    e.geometry.reset();
    const double radius_mm = std::hypot(23, 25.5) + 3;
    QVERIFY(prepare(e)->geometry->spec() == default_scan(radius_mm, 0, 64));
  }

  /// The views are projected in parts; the last part is smaller than the others.
  void everyViewOfAVolumeIsProjected() {
    Experiment e = volume_experiment();
    e.geometry = parallel_spec(101, 70, 2);
    const auto data = prepare(e);
    for (const int view : {0, 50, 99, 100})
      EXPECT_NEAR(mass_of(*data, view), 22 * 14 * 6 * 0.03, 0.01);
  }

  void aVolumeOnAnotherGridIsResampled() {
    Experiment e = volume_experiment();
    e.grid = VolumeGrid::centered(80, 90, 1, {1, 1, 1});
    const auto data = prepare(e);
    QVERIFY(data->reference->grid == *e.grid);
    EXPECT_NEAR(mass_of(*data->reference), 22 * 2 * 14 * 3 * 0.03, 0.3);
  }

  /// Whoever reconstructs with the projector that simulated, on the voxels that were projected.
  void theInverseCrimeIsSaid() {
    Experiment e = volume_experiment();
    e.simulation = {1, "siddon"};
    const auto crime = [&](const ExperimentData& data, const std::string& projector) {
      std::string found;
      for (const std::string& note :
           notes_for(data, {run_spec("cgls", 5, projector)}, workshop_.catalog))
        if (note.starts_with("inverse crime: ")) found = note;
      return found;
    };
    const auto same = prepare(e);
    QVERIFY(crime(*same, "distance_driven").empty());
    QVERIFY(crime(*same, "siddon").find("as CGLS uses") != std::string::npos);
    QVERIFY(crime(*same, "siddon").find("rays across a cell") == std::string::npos);
    e.simulation.subrays = 4;
    QVERIFY(crime(*prepare(e), "siddon").find("though with 4 rays across a cell") !=
            std::string::npos);
    e.simulation.projector = "distance_driven";
    QVERIFY(!crime(*prepare(e), "distance_driven").empty());
    QVERIFY(crime(*prepare(e), "siddon").empty());
    // a smaller grid of the same voxels shares them; voxels of another size or place do not
    const VolumeGrid own = same->grid;
    VolumeGrid grid = VolumeGrid::centered(own.nx - 4, own.ny - 2, 1, own.spacing_mm);
    e.grid = grid;
    QVERIFY(!crime(*prepare(e), "distance_driven").empty());
    grid.origin_mm.x += own.spacing_mm.x / 2;
    e.grid = grid;
    QVERIFY(crime(*prepare(e), "distance_driven").empty());
    e.grid = VolumeGrid::centered(own.nx, own.ny, 1, 1.01 * own.spacing_mm);
    QVERIFY(crime(*prepare(e), "distance_driven").empty());
    // closed forms and measured data are of no projector
    QVERIFY(crime(*prepare(phantom_experiment()), "siddon").empty());
    QVERIFY(crime(*prepare(scan_experiment()), "siddon").empty());
  }

  /// Also where the data went into a file in between.
  void theInverseCrimeIsSaidOfAFile() {
    Experiment e = volume_experiment();
    e.simulation = {2, "joseph"};
    const auto made = prepare(e);
    write_scan(path("made.scan.json"), *made->geometry, made->line_integrals, "", {},
               made->simulation);
    const auto notes = [&](const std::string& projector, const VolumeGrid& grid) {
      Experiment read;
      read.source.kind = SourceKind::scan;
      read.source.path = path("made.scan.json");
      read.grid = grid;
      auto all = notes_for(*prepare(read), {run_spec("cgls", 5, projector)}, workshop_.catalog);
      std::erase_if(all, [](const auto& note) { return !note.starts_with("inverse crime: "); });
      return all;
    };
    const auto said = notes("joseph", made->grid);
    QCOMPARE(said.size(), std::size_t{1});
    QVERIFY(said[0].find("with 2 rays across a cell") != std::string::npos);
    QVERIFY(notes("siddon", made->grid).empty());
    const VolumeGrid& g = made->grid;
    QVERIFY(notes("joseph", VolumeGrid::centered(g.nx, g.ny, 1, 1.1 * g.spacing_mm)).empty());
    // Closed forms say so, and nothing more.
    const auto exact = prepare(phantom_experiment());
    QVERIFY(exact->simulation && exact->simulation->projector.empty());
  }

  /// The mean over a cell of as many rays as asked for, each with the projector on the volume's own
  /// voxels: by hand, from a scan with cells as fine as the rays.
  void aVolumeIsSeenByTheRaysAcrossACell() {
    Experiment e = volume_experiment();
    e.simulation.subrays = 3;
    const auto coarse = prepare(e);
    Experiment fine = e;
    fine.simulation.subrays = 1;
    fine.geometry->detector_columns *= 3;
    fine.geometry->column_pitch_mm /= 3;
    fine.geometry->central_column = (fine.geometry->detector_columns - 1) / 2.0;
    const auto rays = prepare(fine);
    double most = 0;
    for (std::size_t i = 0; i < coarse->line_integrals.size(); ++i) {
      const std::span<const float> three = std::span(rays->line_integrals).subspan(3 * i, 3);
      EXPECT_NEAR(coarse->line_integrals[i], sum_of(three) / 3, 1e-6);
      most = std::max(most, static_cast<double>(std::abs(coarse->line_integrals[i] - three[1])));
    }
    QVERIFY(most > 0.01);  // more than one ray, indeed
  }

  /// A fan or a cone fitted to it, of a size that is computed in seconds.
  void aPhantomHasAScanThatFits() {
    for (const char* key : {"discs", "shepp_logan_ks"}) {
      const auto phantom = workshop_.catalog.phantoms.make(key, "cpu", {});
      Experiment e;
      e.source.phantom = key;
      e.simulation.subrays = 1;
      const auto data = prepare(e);
      QVERIFY(data->notes.empty());
      QCOMPARE(data->geometry->beam(), phantom->is_section() ? Beam::fan : Beam::cone);
      QVERIFY(data->geometry->rays() < 6'000'000);
      const Vec3 corner = data->grid.upper_corner_mm(), half = phantom->half_extent_mm();
      QVERIFY(corner.x >= half.x && corner.y >= half.y && corner.z >= half.z);
    }
  }

  void aChosenPhantomIsSeenWhole() {
    const Experiment ready = ready_experiment();
    Experiment e = ready;
    e.source.phantom_params = {{"ear", false}};
    choose_phantom(e, "bar_pattern", workshop_.catalog);
    QCOMPARE(e.source.phantom, std::string("bar_pattern"));
    QVERIFY(e.source.phantom_params == Params{});
    QVERIFY(e.geometry == ready.geometry && e.grid == ready.grid);  // 128 mm hold 100
    choose_phantom(e, "forbild_thorax", workshop_.catalog);
    QVERIFY(!e.geometry && !e.grid);
    e = ready;
    choose_phantom(e, "shepp_logan_ks", workshop_.catalog);  // small enough, but not a section
    QVERIFY(!e.geometry && !e.grid);
    e.geometry = default_scan(128, 260, 64);
    choose_phantom(e, "forbild_head_3d", workshop_.catalog);
    QVERIFY(e.geometry.has_value());
    choose_phantom(e, "discs", workshop_.catalog);  // not to be seen by a cone
    QVERIFY(!e.geometry);
    EXPECT_THROWS(UsageError, choose_phantom(e, "melon", workshop_.catalog), "unknown phantom");
  }

  void aVolumeOffTheAxisIsMoved() {
    VolumeToWrite volume;
    volume.grid = VolumeGrid::centered(10, 10, 1, {2, 2, 2});
    volume.grid.origin_mm = volume.grid.origin_mm + Vec3{50, -20, 3};
    const std::vector<float> mu(volume.grid.voxels(), 0.02F);
    volume.mu = mu;
    write_volume(path("off.mha"), volume);
    Experiment e = volume_experiment();
    e.source.path = path("off.mha");
    e.source.slice = -1;
    const auto data = prepare(e);
    QVERIFY(has_note(*data, "moved by -50, 20, -3 mm"));
    QVERIFY(norm(data->grid.center_mm()) < 1e-9);
    EXPECT_NEAR(mass_of(*data, 2), 20 * 20 * 0.02, 0.1);
    volume.grid.origin_mm = volume.grid.origin_mm + Vec3{0, 0, -3};
    write_volume(path("level.mha"), volume);
    e.source.path = path("level.mha");
    QVERIFY(has_note(*prepare(e), "moved by -50, 20, 0 mm"));  // not by "-0"
  }

  /// A slice's rays are those of the experiment of that slice alone.
  void sliceBySliceEachSliceHasItsFan() {
    Experiment e = volume_experiment();
    e.geometry.reset();
    e.source.slice = -1;
    e.source.slice_by_slice = true;
    const auto all = prepare(e);
    QVERIFY(all->geometry->beam() == Beam::fan);
    QVERIFY(is_stack(*all->geometry, all->grid));
    QCOMPARE(all->geometry->rows(), 2);
    e.geometry = all->geometry->spec();
    e.geometry->detector_rows = 1;
    e.geometry->central_row = 0;
    const auto columns = static_cast<std::size_t>(all->geometry->columns());
    for (const int slice : {0, 1}) {
      e.source.slice = slice;
      const auto one = prepare(e);
      double sum = 0;
      for (std::size_t view = 0; view < static_cast<std::size_t>(all->geometry->views()); ++view)
        for (std::size_t column = 0; column < columns; ++column) {
          const float value = one->line_integrals[view * columns + column];
          EXPECT_NEAR(
              all->line_integrals[(2 * view + static_cast<std::size_t>(slice)) * columns + column],
              value, 1e-5);  // of float32 sums
          sum += value;
        }
      QVERIFY(sum > 100);
    }
  }

  void valuesThatAreNoAttenuationAreQuestioned() {
    VolumeToWrite volume;
    volume.grid = VolumeGrid::centered(10, 10, 1, {2, 2, 2});
    std::vector<float> values(volume.grid.voxels(), 40);
    values[44] = -1000;
    volume.mu = values;
    write_volume(path("hu.mha"), volume);
    Experiment e = volume_experiment();
    e.source.path = path("hu.mha");
    e.source.slice = -1;
    QVERIFY(has_note(*prepare(e), "values of -1000 1/mm are no attenuation"));
    e.source.values_are_hu = true;
    QVERIFY(!has_note(*prepare(e), "attenuation"));
    QVERIFY(!has_note(*prepare(volume_experiment()), "attenuation"));
  }

  void whatAVolumeCannotGiveIsSaid() {
    Experiment e = volume_experiment();
    e.source.slice = 2;
    EXPECT_THROWS(UsageError, prepare(e), "there is no slice 2; use 0 to 1");
    e.source.slice = 0;
    e.geometry->detector_columns = 30000;
    e.geometry->column_pitch_mm = 0.005;
    e.geometry->view_angles_rad.resize(1);
    EXPECT_THROWS(UsageError, prepare(e), "simulation.subrays: ");
    EXPECT_THROWS(UsageError, prepare(e), "use 2 at most");
  }

  void aScanIsTakenAsItIs() {
    Experiment e = scan_experiment();
    e.noise.photons_per_ray = 1e3;  // of simulated data only
    const auto data = prepare(e);
    QVERIFY(data->line_integrals == random_values(120, 3));
    QVERIFY(data->geometry->spec() == fan_spec(6, 20, 4));
    QVERIFY(data->reference == nullptr && data->noise_norm == 0);
    QCOMPARE(data->description, std::string("a scan"));
    QCOMPARE(data->grid.nx, 20);
    QVERIFY(data->grid.upper_corner_mm().x >= data->geometry->field_of_view_radius_mm() - 1e-9);
  }

  void aScansGeometryCanBeCorrected() {
    Experiment e = scan_experiment();
    e.geometry = fan_spec(6, 20, 4);
    e.geometry->central_column = 9;
    QCOMPARE(prepare(e)->geometry->spec().central_column, 9.0);
    e.geometry = fan_spec(6, 10, 4);
    e.geometry->detector_rows = 2;  // as many rays, but not the same
    EXPECT_THROWS(InputError, prepare(e), "remove \"geometry\" from the experiment");
  }

  void missingFilesAreSaid() {
    Experiment e = scan_experiment();
    e.source.path = path("none.scan.json");
    EXPECT_THROWS(InputError, prepare(e), "none.scan.json");
    e = volume_experiment();
    e.source.path = path("none.mha");
    EXPECT_THROWS(InputError, prepare(e), "none.mha");
    e = phantom_experiment();
    e.source.phantom = "none";
    EXPECT_THROWS(UsageError, prepare(e), "unknown phantom \"none\"");
  }

  void onlyWhatMakesDataMakesThemAnew() {
    Experiment e = phantom_experiment();
    const auto changed = [&](const std::function<void(Experiment&)>& change) {
      Experiment other = e;
      change(other);
      return !same_data(e, other);
    };
    QVERIFY(changed([](Experiment& x) { x.source.mu_water = 0.03; }));
    QVERIFY(changed([](Experiment& x) { x.geometry->central_column += 1; }));
    QVERIFY(changed([](Experiment& x) { x.geometry.reset(); }));
    QVERIFY(changed([](Experiment& x) { x.noise.seed = 2; }));
    QVERIFY(changed([](Experiment& x) { x.simulation.subrays = 1; }));
    QVERIFY(changed([](Experiment& x) { x.grid->nx = 65; }));
    QVERIFY(!changed([](Experiment& x) { x.metrics.mask = MaskKind::all; }));
    QVERIFY(!changed([](Experiment& x) { x.metrics.exact_residual = true; }));
    QVERIFY(!changed([](Experiment& x) { x.metrics.regions.roi = Region::circle(0, 0, 9); }));
    e.metrics.mask = MaskKind::roi;
    QVERIFY(!changed([](Experiment& x) { x.metrics.regions.roi = Region::circle(0, 0, 9); }));
    QVERIFY(
        !changed([](Experiment& x) { x.metrics.regions.background = Region::circle(0, 0, 9); }));
    QVERIFY(!changed([](Experiment& x) { x.runs.push_back({}); }));
    QVERIFY(!changed([](Experiment& x) { x.title = "another"; }));
  }
};

GANTRY_TEST(TestExperimentData)
#include "test_experiment_data.moc"
