// The corrections of an experiment: in its file, and in the data that are made from it.
#include "core/base/error.hpp"
#include "core/catalog/apply_corrections.hpp"
#include "core/geometry/detector_move.hpp"
#include "core/job/experiment_file.hpp"
#include "core/worker/sweep/sweep.hpp"
#include "tests/job/data_fixture.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>

using namespace gantry;
using namespace gantry::test;

namespace {

/// A host with a kilobyte left.
class FullBackend final : public CpuBackend {
 public:
  std::size_t free_bytes() const override { return 1000; }
};

}  // namespace

class TestCorrectedData : public QObject, DataFixture {
  Q_OBJECT

  /// An experiment of a scan with this list of corrections, in which ' stands for ".
  Experiment parsed(const std::string& list) {
    const std::string text =
        "{'format': 'gantry-experiment', 'version': 1, 'source': {'kind': 'scan', 'path': "
        "'a.scan.json'}, 'corrections': " +
        list + ", 'runs': []}";
    const std::string quoted = QString::fromStdString(text).replace('\'', '"').toStdString();
    return parse_experiment(quoted, "e.json", "/", workshop_.catalog);
  }

 private slots:
  void theFileHoldsThem() {
    const Experiment e =
        parsed("['bad_cells', {'key': 'rings', 'params': {'snr': 4, 'small_window': 31}}]");
    QCOMPARE(e.corrections.size(), 2U);
    QCOMPARE(e.corrections[0].key, std::string("bad_cells"));
    QVERIFY(e.corrections[0].params.values().empty());
    QCOMPARE(e.corrections[1].params.real("snr"), 4.0);
    QCOMPARE(e.corrections[1].params.integer("small_window"), 31);
    const std::string text = format_experiment(e, "/");
    QVERIFY(parse_experiment(text, "e.json", "/", workshop_.catalog) == e);
    Experiment none = e;
    none.corrections.clear();
    QVERIFY(format_experiment(none, "/").find("corrections") == std::string::npos);
  }

  /// A step that is switched off stays in the file with its parameters and does nothing.
  void aStepCanBeOff() {
    const Experiment e = parsed(
        "['bad_cells', {'key': 'rings', 'params': {'snr': 4}, 'off': true}, "
        "{'key': 'drift', 'off': true}, {'key': 'scale', 'off': false}]");
    QCOMPARE(e.corrections.size(), 4U);
    QVERIFY(e.corrections[1].off && e.corrections[2].off);
    QVERIFY(!e.corrections[0].off && !e.corrections[3].off);
    QCOMPARE(e.corrections[1].params.real("snr"), 4.0);
    const std::string text = format_experiment(e, "/");
    QVERIFY(parse_experiment(text, "e.json", "/", workshop_.catalog) == e);
    Experiment without = e;
    without.corrections = {e.corrections[0], e.corrections[3]};
    QVERIFY(same_data(e, without));
    Experiment on = e;
    on.corrections[1].off = false;
    QVERIFY(!same_data(e, on));
    EXPECT_THROWS(InputError, parsed("[{'key': 'rings', 'off': 'yes'}]"), "corrections[0].off");
  }

  void errorsNameTheField() {
    EXPECT_THROWS(InputError, parsed("['rings', 'polish']"), "e.json, corrections[1]");
    EXPECT_THROWS(InputError, parsed("['polish']"), "unknown correction \"polish\"");
    EXPECT_THROWS(InputError, parsed("[{'key': 'rings', 'params': {'snr': 0}}]"), "rings.snr");
    EXPECT_THROWS(InputError, parsed("[{'key': 'rings', 'width': 3}]"), "corrections[0].width");
    EXPECT_THROWS(InputError, parsed("[{'params': {}}]"), "name a correction");
    EXPECT_THROWS(InputError, parsed("[7]"), "corrections[0]");
    EXPECT_THROWS(InputError, parsed("'rings'"), "is not a list");
  }

  /// In their order: 3 (2 p)^2 is not 2 (3 p^2).
  void theyAreAppliedInTheirOrder() {
    Experiment e = scan_experiment();
    const auto plain = prepare(e);
    e.corrections = {{"scale", {{"factor", 2.0}}}, {"beam_hardening", {{"a1", 0.0}, {"a2", 3.0}}}};
    QVERIFY(!same_data(e, scan_experiment()));
    const auto corrected = prepare(e);
    for (std::size_t i = 0; i < plain->line_integrals.size(); ++i) {
      const double p = plain->line_integrals[i];
      EXPECT_NEAR(corrected->line_integrals[i], 12 * p * p, 1e-5);
    }
    QCOMPARE(corrected->description, std::string("a scan, corrected: scale, beam_hardening"));
    const auto& notes = corrected->notes;
    QVERIFY(std::ranges::any_of(notes, [](const std::string& note) {
      return note == "Scale: all line integrals were multiplied by 2";
    }));
    e.corrections[0].off = true;
    const auto without = prepare(e);
    for (std::size_t i = 0; i < plain->line_integrals.size(); ++i) {
      const double p = plain->line_integrals[i];
      EXPECT_NEAR(without->line_integrals[i], 3 * p * p, 1e-5);
    }
    QCOMPARE(without->description, std::string("a scan, corrected: beam_hardening"));
    QVERIFY(std::ranges::any_of(
        notes, [](const std::string& note) { return note.starts_with("Beam hardening: "); }));
  }

  /// Columns are added after the corrections, which see what was measured; the grid stays. An
  /// experiment may state the geometry of the measured cells or that of the data.
  void columnsAreAddedAfterThem() {
    Experiment e = scan_experiment();
    e.corrections = {{"drift", {{"left", 2}, {"right", 2}}}};
    const auto narrow = prepare(e);
    e.source.import_settings.padding = {7, PadValues::zero};
    const auto wide = prepare(e);
    const std::size_t rows = narrow->line_integrals.size() / 20;
    QCOMPARE(wide->line_integrals.size(), rows * 34);
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t column = 0; column < 34; ++column)
        QCOMPARE(wide->line_integrals[row * 34 + column],
                 column < 7 || column > 26 ? 0 : narrow->line_integrals[row * 20 + column - 7]);
    QCOMPARE(wide->geometry->spec().central_column, narrow->geometry->spec().central_column + 7);
    QVERIFY(wide->grid == narrow->grid);
    QCOMPARE(wide->description, narrow->description + ", padded by 7 columns at each end");
    QVERIFY(std::ranges::any_of(wide->notes, [](const std::string& note) {
      return note.starts_with("7 columns were added at each end of the detector, showing 0");
    }));
    for (const auto& data : {narrow, wide}) {
      e.geometry = data->geometry->spec();
      e.geometry->central_column += 0.5;
      QCOMPARE(prepare(e)->geometry->spec().central_column,
               wide->geometry->spec().central_column + 0.5);
    }
    const std::string text = format_experiment(e, "/");
    QVERIFY(parse_experiment(text, "e.json", "/", workshop_.catalog) == e);
  }

  /// Whether rows are cut off, the measured columns tell, not those that are added.
  void rowsThatAreCutOffAreNotedBeforeTheyArePadded() {
    const ScanGeometry geometry(fan_spec(6, 40, 4));
    write_scan(path("cut.scan.json"), geometry, std::vector<float>(geometry.rays(), 1), "a scan");
    Experiment e = scan_experiment();
    e.source.path = path("cut.scan.json");
    for (const PadValues values : {PadValues::fade, PadValues::edge, PadValues::zero}) {
      e.source.import_settings.padding = {9, values};
      QVERIFY(std::ranges::any_of(prepare(e)->notes, [](const std::string& note) {
        return note.starts_with("detector rows do not end in air");
      }));
    }
  }

  /// Each value of a correction, or of what is unknown of the scan, has data of its own.
  void aSweepVariesThem() {
    Experiment e = scan_experiment();
    e.corrections = {{"scale", {{"factor", 2.0}}}, {"scale", {{"factor", 3.0}}}};
    RunSpec run;
    run.solver = "sirt";
    run.iterations = 1;
    e.runs = {run};
    const auto data = prepare(e);
    const auto params = sweep_params(e, 0, data.get(), workshop_.catalog);
    const auto by_id = [&](const std::string& id) {
      return std::ranges::find(params, id, &SweepParam::id);
    };
    const auto second = by_id("correction:1:factor");
    QVERIFY(by_id("correction:0:factor") != params.end() && second != params.end());
    QCOMPARE(second->present, 3.0);
    const Interrupt interrupt;
    std::vector<SweepPoint> points;
    sweep(e, 0, *second, {1.5, 6}, 1, data,
          {MetricsSpec{}, workshop_.catalog, workshop_.backends, interrupt},
          [&](SweepPoint one) { points.push_back(std::move(one)); });
    for (std::size_t k = 0; k < 2; ++k) {
      QVERIFY2(points[k].problem.empty(), points[k].problem.c_str());
      for (std::size_t i = 0; i < data->line_integrals.size(); ++i)
        EXPECT_NEAR(points[k].data->line_integrals[i], data->line_integrals[i] * (k == 0 ? 0.5 : 2),
                    1e-6);
    }
    QVERIFY(by_id("scan:central_column") != params.end());
  }

  /// A detector of several rows may be tilted, the source may stand elsewhere.
  void aSweepVariesWhatIsUnknownOfTheScan() {
    ScanSpec cone = default_scan(16, 12, 8);
    auto data = std::make_shared<ExperimentData>();
    data->geometry = std::make_shared<const ScanGeometry>(cone);
    Experiment e = scan_experiment();
    RunSpec run;
    run.solver = "sirt";
    e.runs = {run};
    const auto params = sweep_params(e, 0, data.get(), workshop_.catalog);
    const auto by_id = [&](const std::string& id) {
      return std::ranges::find(params, id, &SweepParam::id);
    };
    const auto tilt = by_id("scan:detector_tilt_deg"),
               source = by_id("scan:source_to_isocenter_mm");
    QVERIFY(tilt != params.end() && source != params.end());
    QVERIFY(*with_value(e, 0, *tilt, 0).geometry == cone);
    QVERIFY(*with_value(e, 0, *tilt, 2).geometry ==
            with_moved_detector(cone, {.roll_rad = radians(2)}));
    cone.source_to_isocenter_mm -= 10;
    QVERIFY(*with_value(e, 0, *source, cone.source_to_isocenter_mm).geometry == cone);
  }

  void simulatedDataAreNotCorrected() {
    for (Experiment e : {phantom_experiment(), volume_experiment()}) {
      e.corrections = {{"scale", {}}};
      EXPECT_THROWS(UsageError, prepare(e), "corrections are for measured scans");
    }
  }

  void whatAStepCannotDoIsSaid() {
    Experiment e = scan_experiment();  // of 6 views
    e.corrections = {{"rings", {}}};
    EXPECT_THROWS(InputError, prepare(e), "rings");
    e.corrections.assign(12, {"scale", {{"factor", 1e6}}});
    EXPECT_THROWS(InputError, prepare(e), "corrections, scale");
    e.corrections = {{"polish", {}}};
    EXPECT_THROWS(UsageError, prepare(e), "unknown correction");
  }

  /// A step whose memory is not there is refused before it takes any.
  void memoryIsAskedFor() {
    const FullBackend small;
    const ScanGeometry scan(fan_spec(20, 30, 4));
    std::vector<float> values(scan.rays(), 1.0F);
    std::vector<std::string> notes;
    EXPECT_THROWS(
        OutOfMemory,
        apply_corrections({{"rings", {}}}, workshop_.catalog, scan, values, small, notes, true),
        "the correction rings");
    QVERIFY(notes.empty());
  }
};

GANTRY_TEST(TestCorrectedData)
#include "test_corrected_data.moc"
