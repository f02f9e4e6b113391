// Experiments as files: what is written is read back, what a person writes by hand is understood,
// and whatever is wrong is said in one line with its place and a remedy.
#include "core/base/error.hpp"
#include "core/job/experiment_file.hpp"
#include "core/job/reconstruction_job.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include <limits>

using namespace gantry;

namespace {

/// As a person would write one: only what matters.
constexpr const char* by_hand = R"({
  "format": "gantry-experiment",
  "version": 1,
  "source": {"kind": "phantom", "phantom": "shepp_logan"},
  "geometry": {"beam": "fan", "detector": "flat", "trajectory": "circular",
               "source_to_isocenter_mm": 400, "source_to_detector_mm": 600,
               "detector_columns": 64, "column_pitch_mm": 6,
               "view_angles_deg": {"first": 0, "step": 3, "count": 120}},
  "noise": {"photons_per_ray": 1e4},
  "grid": {"size": [32, 48, 1], "spacing_mm": [8, 5, 1]},
  "runs": [{"solver": {"key": "sart", "params": {"relaxation": 1, "order": "random"}}},
           {"solver": "cgls", "projector": "siddon", "iterations": 12}]
})";

QJsonObject hand_written() { return QJsonDocument::fromJson(by_hand).object(); }

/// Sets "runs.0.solver" and the like; an undefined value removes the field.
QJsonValue with(const QJsonValue& value, const QString& path, const QJsonValue& leaf) {
  if (path.isEmpty()) return leaf;
  const QString key = path.section('.', 0, 0), rest = path.section('.', 1);
  if (value.isArray()) {
    QJsonArray list = value.toArray();
    list[key.toInt()] = with(list[key.toInt()], rest, leaf);
    return list;
  }
  QJsonObject object = value.toObject();
  const QJsonValue changed = with(object[key], rest, leaf);
  if (changed.isUndefined())
    object.remove(key);
  else
    object[key] = changed;
  return object;
}

std::string text_of(const QJsonValue& json) {
  return QJsonDocument(json.toObject()).toJson().toStdString();
}

/// Everything at another value than its default.
Experiment full_experiment() {
  Experiment e;
  e.title = "Ein \"Versuch\" \\ mit λ\nund zwei Zeilen";
  e.source.phantom = "forbild_head";
  e.source.phantom_params = {{"resolution", true}, {"mu_water", 0.1 + 0.2}};
  e.source.mu_water = 0.0195;
  e.geometry = test::fan_spec(7, 33, 1.0 / 3);
  e.geometry->beam = Beam::cone;
  e.geometry->detector = DetectorShape::arc;
  e.geometry->trajectory = Trajectory::helical;
  e.geometry->detector_rows = 5;
  e.geometry->row_pitch_mm = 0.7;
  e.geometry->central_column = 15.123456789012345;
  e.geometry->central_row = 1.75;
  e.geometry->helical_feed_mm_per_turn = -3.3;
  e.noise = {12345.678, 2.5, std::numeric_limits<std::uint64_t>::max()};
  e.simulation = {3, "distance_driven"};
  e.grid = VolumeGrid{31, 17, 5, {0.1, 1.0 / 7, 2}, {-1e-3, 12.5, 1.0 / 3}};
  e.metrics = {MaskKind::roi, true};
  e.metrics.regions.roi = Region::box(-3.3, 1.0 / 3, 7, 9.9);
  e.metrics.regions.background = Region::circle(0.1 + 0.2, -5, 1.0 / 7);
  e.metrics.regions.background->z_low_mm = -2.5;
  e.metrics.regions.background->z_high_mm = 1.0 / 3;
  e.metrics.regions.edge = EdgeSegment{1, 2, 3.5, -4, 1.0 / 3};
  RunSpec run;
  run.name = "mine";
  run.colour = 4;
  run.solver = "os_sart";
  run.solver_params = {{"subsets", std::int64_t{7}},
                       {"relaxation", 1.0},
                       {"order", std::string("natural")},
                       {"nonnegative", false}};
  run.projector = "siddon";
  run.backend = "cpu";
  run.weights = RayWeights::statistical;
  run.iterations = 123;
  run.coarse_levels = 3;
  run.coarse_iterations = 7;
  run.relative_update = 1e-5;
  run.relative_residual = 0.03;
  run.relative_objective = 0.002;
  run.discrepancy = 1.02;
  run.stages = {{run, 5, 0}, {RunSettings{}, 100, 17}};
  run.stages[0].solver_params = {{"relaxation", 0.5}};
  run.stages[1].format = "csr";
  run.goes_past_rules = true;
  RunSpec penalised;
  penalised.solver = "fista";
  penalised.prior = "huber";
  penalised.prior_params = {{"weight", 0.25}, {"edge", 3.5}};
  RunSpec automatic = penalised;
  automatic.prior_params = {{"scale", std::string("automatic")}, {"sharpness", -1.5}};
  e.runs = {run, penalised, automatic, RunSpec{}};
  return e;
}

}  // namespace

class TestExperimentFile : public QObject {
  Q_OBJECT
  Catalog catalog_;
  QTemporaryDir folder_;

  std::string path(const QString& name) const { return folder_.filePath(name).toStdString(); }
  Experiment parse(const std::string& text) const {
    return parse_experiment(text, "e.json", folder_.path().toStdString(), catalog_);
  }
  Experiment there_and_back(const Experiment& e) const {
    write_experiment(path("e.json"), e);
    return read_experiment(path("e.json"), catalog_);
  }

 private slots:
  void initTestCase() {
    add_core(catalog_);
    QVERIFY(folder_.isValid());
  }

  /// Stages that cannot have followed each other are refused, by their place in the file.
  void stagesOutOfOrderAreRefused() {
    const auto with = [](const std::string& stages) {
      return R"({"format": "gantry-experiment", "version": 1, "source": {"kind": "phantom"},
                 "runs": [{"solver": "sirt", "iterations": 20, "stages": )" +
             stages + "}]}";
    };
    QCOMPARE(parse(with(R"([{"solver": "sart", "until_iteration": 5}])")).runs[0].stages.size(),
             std::size_t{1});
    const std::vector<std::pair<std::string, std::string>> cases = {
        {R"([{"solver": "sart"}])", "until_iteration"},
        {R"([{"until_iteration": 0}])", "list the stages in the order"},
        {R"([{"until_iteration": 8}, {"until_iteration": 8}])", "stages[1].until_iteration"},
        {R"([{"until_iteration": 8}, {"until_iteration": 7, "steps": 3}])", "stages[1]"},
        {R"([{"until_iteration": 20}])", "more iterations than its stages"},
        {R"([{"until_iteration": 3, "iterations": 9}])", "iterations"},
        {R"([{"until_iteration": 3, "solver": "no_such"}])", "no_such"},
        {R"({"until_iteration": 3})", "is not a list"}};
    for (const auto& [stages, expected] : cases)
      EXPECT_THROWS(InputError, parse(with(stages)), expected);
  }

  void everyFieldReturns() {
    const Experiment e = full_experiment(), back = there_and_back(e);
    QCOMPARE(back.title, e.title);
    QVERIFY(back.source == e.source);
    QVERIFY(back.geometry == e.geometry);
    QVERIFY(back.noise == e.noise);
    QVERIFY(back.simulation == e.simulation);
    QVERIFY(back.grid == e.grid);
    QVERIFY(back.metrics == e.metrics);
    QVERIFY(back.runs == e.runs);
    QVERIFY(back == e);
    Experiment least = e;  // the smallest number that is not left out
    least.runs.front().coarse_levels = 1;
    QVERIFY(there_and_back(least) == least);
  }

  void sourcesReturn() {
    Experiment e;
    e.source.kind = SourceKind::volume;
    e.source.path = path("dicom/head");
    e.source.series_uid = "1.2.3";
    e.source.slice = 12;
    e.source.slice_by_slice = true;
    e.source.values_are_hu = true;
    e.source.mu_water = 0.02;
    for (const UnevenSlices uneven :
         {UnevenSlices::refuse, UnevenSlices::resample, UnevenSlices::largest_part}) {
      e.source.uneven = uneven;
      QVERIFY(there_and_back(e) == e);
    }
    e.source = {};
    e.source.kind = SourceKind::scan;
    e.source.path = "/elsewhere/a.scan.json";
    e.source.rebin_to_fans = true;
    QVERIFY(there_and_back(e) == e);
    QVERIFY(there_and_back(Experiment{}) == Experiment{});
    QVERIFY(there_and_back(ready_experiment()) == ready_experiment());
    QCOMPARE(ready_experiment().noise.photons_per_ray, 1e6);
  }

  /// The text is stable: written, read and written again it is the same.
  void writingIsStable() {
    const std::string text = format_experiment(full_experiment(), "/");
    QCOMPARE(format_experiment(parse(text), "/"), text);
  }

  void whatIsWrittenByHandIsUnderstood() {
    const Experiment e = parse(by_hand);
    QVERIFY(e.source.kind == SourceKind::phantom);
    QCOMPARE(e.source.phantom, std::string("shepp_logan"));
    QCOMPARE(e.source.mu_water, default_mu_water);
    QCOMPARE(e.geometry->view_angles_rad.size(), std::size_t{120});
    EXPECT_NEAR(e.geometry->view_angles_rad[30], 3.14159265358979 / 2, 1e-14);
    QCOMPARE(e.geometry->central_column, 31.5);
    QCOMPARE(e.noise.photons_per_ray, 1e4);
    QCOMPARE(e.noise.seed, std::uint64_t{1});
    QVERIFY(*e.grid == VolumeGrid::centered(32, 48, 1, {8, 5, 1}));
    QVERIFY(e.metrics == MetricsSpec{});
    QVERIFY(e.simulation == SimulationSpec{});
    QCOMPARE(e.runs.size(), std::size_t{2});
    QCOMPARE(e.runs[0].solver, std::string("sart"));
    QCOMPARE(e.runs[0].solver_params.real("relaxation"), 1.0);
    QCOMPARE(e.runs[0].solver_params.text("order"), std::string("random"));
    QCOMPARE(e.runs[0].projector, std::string("distance_driven"));
    QCOMPARE(e.runs[0].backend, std::string("auto"));
    QCOMPARE(e.runs[0].iterations, 50);
    QCOMPARE(e.runs[1].solver, std::string("cgls"));
    QVERIFY(e.runs[1].solver_params == Params{});
    QCOMPARE(e.runs[1].projector, std::string("siddon"));
    QCOMPARE(e.runs[1].iterations, 12);
  }

  /// Files of the time when a prior was a part of its method.
  void formerSettingsBecomeThoseOfAPrior() {
    QJsonObject json = hand_written();
    json["runs"] = QJsonDocument::fromJson(R"([
      {"solver": {"key": "fista_tv", "params": {"weight": 0.02, "scale": "absolute",
                                                "inner": 7}}},
      {"solver": {"key": "wls_pcg", "params": {"strength": 0.5, "edge": 20}}},
      {"solver": "wls_pcg"}])")
                       .array();
    const Experiment e = parse(text_of(json));
    QCOMPARE(e.runs[0].solver, std::string("fista"));
    QCOMPARE(e.runs[0].solver_params.integer("inner"), std::int64_t{7});
    QVERIFY(!e.runs[0].solver_params.contains("weight"));
    QCOMPARE(e.runs[0].prior, std::string("tv"));
    QCOMPARE(e.runs[0].prior_params.real("weight"), 0.02);
    QCOMPARE(e.runs[0].prior_params.text("scale"), std::string("absolute"));
    QCOMPARE(e.runs[1].prior, std::string("qggmrf"));
    QCOMPARE(e.runs[1].prior_params.real("weight"), 0.5);
    QCOMPARE(e.runs[1].prior_params.real("edge"), 20.0);
    QVERIFY(e.runs[2].prior.empty());
    QVERIFY(there_and_back(e) == e);
  }

  void namesThatAreNoTextAreRefused() {
    Experiment e;
    e.source.kind = SourceKind::scan;
    e.source.path = "/data/\xff.scan.json";
    write_experiment(path("kept.json"), Experiment{});
    EXPECT_THROWS(OutputError, write_experiment(path("kept.json"), e), "not valid UTF-8");
    QVERIFY(read_experiment(path("kept.json"), catalog_) == Experiment{});
  }

  void whatIsWrongIsSaid_data() {
    QTest::addColumn<QString>("field");
    QTest::addColumn<QJsonValue>("value");
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("remedy");
    const QJsonValue none(QJsonValue::Undefined);
    const auto row = [](const char* name, const char* field, const QJsonValue& value,
                        const char* place, const char* what, const char* remedy) {
      QTest::newRow(name) << field << value << place << what << remedy;
    };
    row("another format", "format", "gantry-scan", "format", "is not \"gantry-experiment\"",
        "open a file that Gantry saved");
    row("no format", "format", none, "format", "is missing", "a Gantry experiment begins with it");
    row("a newer version", "version", 2, "version", "is not 1", "open it with the version");
    row("no version", "version", none, "version", "is missing", "give a whole number");
    row("version as text", "version", "1", "version", "is a text, not a number", "give a whole");
    row("no source", "source", none, "source", "is missing", "say where the data come from");
    row("source as text", "source", "phantom", "source", "is a text, not an object", "put it in {");
    row("unknown source", "source.kind", "disk", "source.kind", "\"disk\" is not known",
        "use one of phantom, volume, scan");
    row("no kind", "source.kind", none, "source.kind", "is missing", "use one of phantom");
    row("no path", "source.kind", "scan", "source.path", "is missing", "name the file");
    row("unknown phantom", "source.phantom", "cat", "source.phantom", "unknown phantom \"cat\"",
        "use one of forbild_head, shepp_logan");
    row("unknown phantom parameter", "source.phantom",
        QJsonObject{{"key", "shepp_logan"}, {"params", QJsonObject{{"tail", 1}}}}, "source.phantom",
        "shepp_logan.tail: unknown parameter", "it has size_mm");
    row("HU as number", "source.values_are_hu", 1, "source.values_are_hu", "is not true or false",
        "write true or false");
    row("mu of water", "source.mu_water", -0.02, "source.mu_water", "is -0.02", "use 1e-06 to 100");
    row("uneven in another word", "source.uneven", "bend", "source.uneven", "\"bend\" is not known",
        "resample");
    row("negative slice", "source.slice", -2, "source.slice", "is -2", "from -1 to");
    row("unknown source field", "source.phantm", "shepp_logan", "source.phantm", "is not a known",
        "correct or remove it");
    row("zero views", "geometry.view_angles_deg.count", 0, "geometry.view_angles_deg.count", "is 0",
        "give a whole number from 1");
    row("no views", "geometry.view_angles_deg", QJsonArray{}, "geometry.view_angles_deg",
        "is empty", "give a list of angles");
    row("negative pitch", "geometry.column_pitch_mm", -6, "geometry.column_pitch_mm",
        "is not positive", "give a length in mm");
    row("pitch as text", "geometry.column_pitch_mm", "6 mm", "geometry.column_pitch_mm",
        "is a text, not a number", "give a number");
    row("no columns", "geometry.detector_columns", none, "geometry.detector_columns", "is missing",
        "give a whole number from 1 to 65536");
    row("unknown geometry field", "geometry.pitch_mm", 6, "geometry.pitch_mm", "is not a known",
        "correct or remove it");
    row("fields at odds", "geometry.source_to_isocenter_mm", 700, "e.json",
        "is not larger than source_to_isocenter_mm", "exchange the two");
    row("negative photons", "noise.photons_per_ray", -1, "noise.photons_per_ray", "is -1",
        "use 0 to");
    row("half a photon", "noise.photons_per_ray", 0.5, "noise.photons_per_ray", "is 0.5",
        "or 1 to");
    row("negative sigma", "noise.electronic_sigma", -1, "noise.electronic_sigma", "is -1", "use 0");
    row("broken seed", "noise.seed", 1.5, "noise.seed", "is not a whole number", "such as 1");
    row("negative seed", "noise.seed", -1, "noise.seed", "is not a whole number", "such as 1");
    row("unknown noise field", "noise.photons", 1e5, "noise.photons", "is not a known", "remove");
    row("no subrays", "simulation", QJsonObject{{"subrays", 0}}, "simulation.subrays", "is 0",
        "from 1 to 64");
    row("unknown simulation field", "simulation", QJsonObject{{"rays", 4}}, "simulation.rays",
        "is not a known", "remove");
    row("grid of two numbers", "grid.size", QJsonArray{32, 32}, "grid.size",
        "is not a list of three numbers", "write [x, y, z]");
    row("grid of texts", "grid.spacing_mm", QJsonArray{"1", "1", "1"}, "grid.spacing_mm",
        "is not a list of three numbers", "write [x, y, z]");
    row("empty grid", "grid.size", QJsonArray{32, 0, 1}, "grid.size", "holds 0",
        "whole numbers from 1 to 65536");
    row("half a voxel", "grid.size", QJsonArray{32, 1.5, 1}, "grid.size", "holds 1.5",
        "whole numbers from 1 to 65536");
    row("flat voxels", "grid.spacing_mm", QJsonArray{1, 1, 0}, "grid", "voxel size 0",
        "use a positive size");
    row("no spacing", "grid.spacing_mm", none, "grid.spacing_mm", "is missing", "three numbers");
    row("unknown grid field", "grid.origin", 1, "grid.origin", "is not a known", "remove");
    row("unknown mask", "metrics", QJsonObject{{"mask", "square"}}, "metrics.mask",
        "\"square\" is not known", "use one of all, circle, roi");
    const QJsonObject circle{
        {"shape", "circle"}, {"center_mm", QJsonArray{1, 2}}, {"radius_mm", 3}};
    const auto region = [&](const char* name, const char* key, const QJsonValue& value) {
      QJsonObject changed = circle;
      if (value.isUndefined())
        changed.remove(key);
      else
        changed[key] = value;
      return QJsonObject{{name, changed}};
    };
    row("mask without a region", "metrics", QJsonObject{{"mask", "roi"}}, "metrics.mask",
        "there is none", "give metrics.roi");
    row("region of no shape", "metrics", region("roi", "shape", none), "metrics.roi.shape",
        "is missing", "use one of circle, box");
    row("region without a radius", "metrics", region("roi", "radius_mm", none),
        "metrics.roi.radius_mm", "is missing", "give a number");
    row("empty region", "metrics", region("background", "radius_mm", 0), "metrics.background",
        "a radius of 0 mm holds nothing", "use a positive size");
    row("circle with a size", "metrics", region("roi", "size_mm", QJsonArray{1, 1}),
        "metrics.roi.size_mm", "is not a field of a circle", "give radius_mm");
    row("centre of a text", "metrics", region("roi", "center_mm", QJsonArray{"left", 1}),
        "metrics.roi.center_mm", "is not a list of two numbers", "write [x, y]");
    row("centre of three", "metrics", region("roi", "center_mm", QJsonArray{1, 1, 1}),
        "metrics.roi.center_mm", "is not a list of two numbers", "write [x, y]");
    row("region upside down", "metrics", region("roi", "z_mm", QJsonArray{5, 1}), "metrics.roi",
        "z goes from 5 to 1 mm", "lower end first");
    row("unknown field of a region", "metrics", region("roi", "centre", 1), "metrics.roi.centre",
        "is not a known", "remove");
    row("edge of a point", "metrics",
        QJsonObject{
            {"edge", QJsonObject{{"from_mm", QJsonArray{1, 1}}, {"to_mm", QJsonArray{1, 1}}}}},
        "metrics.edge", "begins where it ends", "other");
    row("unknown metrics field", "metrics", QJsonObject{{"ssim", true}}, "metrics.ssim",
        "is not a known", "remove");
    row("unknown weights", "runs.1.weights", "heavy", "runs[1].weights", "\"heavy\" is not known",
        "use one of none, statistical");
    row("runs as object", "runs", QJsonObject{}, "runs", "is not a list", "write [ {...}, ... ]");
    row("run as text", "runs.0", "sart", "runs[0]", "is a text, not an object", "put it in { }");
    row("unknown solver", "runs.1.solver", "magic", "runs[1].solver", "unknown solver \"magic\"",
        "use one of sirt, sart");
    row("solver without key", "runs.0.solver.key", none, "runs[0].solver.key", "is missing",
        "name a solver");
    row("solver as number", "runs.1.solver", 3, "runs[1].solver", "is a number, not an object",
        "put it in { }");
    row("unknown field of a solver", "runs.0.solver.relaxation", 1, "runs[0].solver.relaxation",
        "is not a known field", "remove");
    row("unknown parameter", "runs.0.solver.params.lambda", 1, "runs[0].solver",
        "sart.lambda: unknown parameter", "it has relaxation");
    row("parameter out of range", "runs.0.solver.params.relaxation", 2, "runs[0].solver",
        "sart.relaxation: value 2 is out of range", "use 0.001 to 1.999");
    row("parameter of another type", "runs.0.solver.params.order", 7, "runs[0].solver",
        "sart.order: value 7 is not a word", "use one of natural, golden, random");
    row("unknown choice", "runs.0.solver.params.order", "best", "runs[0].solver",
        "sart.order: unknown choice \"best\"", "use one of natural, golden, random");
    row("parameter as list", "runs.0.solver.params.order", QJsonArray{1},
        "runs[0].solver.params.order", "is not a number, a word, true or false", "correct it");
    row("parameters as list", "runs.0.solver.params", QJsonArray{1}, "runs[0].solver.params",
        "is not an object", "write {\"key\": value");
    row("unknown projector", "runs.1.projector", "magic", "runs[1].projector",
        "unknown projector \"magic\"", "use one of distance_driven, ");
    row("no iterations", "runs.0.iterations", 0, "runs[0].iterations", "is 0", "from 1 to");
    row("half an iteration", "runs.0.iterations", 2.5, "runs[0].iterations", "is 2.5", "from 1 to");
    row("coarse levels", "runs.0.coarse_levels", 6, "runs[0].coarse_levels", "is 6", "from 0 to 5");
    row("coarse iterations", "runs.0.coarse_iterations", 0, "runs[0].coarse_iterations", "is 0",
        "from 1 to");
    row("stop rule", "runs.0.stop_at_relative_update", 2, "runs[0].stop_at_relative_update", "is 2",
        "use 0 to 1");
    row("residual rule", "runs.0.stop_at_relative_residual", -0.1,
        "runs[0].stop_at_relative_residual", "is -0.1", "use 0 to 1");
    row("objective rule", "runs.0.stop_at_relative_objective", 1.5,
        "runs[0].stop_at_relative_objective", "is 1.5", "use 0 to 1");
    row("residual rule in words", "runs.0.stop_at_relative_residual", "low",
        "runs[0].stop_at_relative_residual", "is a text, not a number", "give a number");
    row("noise rule", "runs.0.stop_at_discrepancy", 0.5, "runs[0].stop_at_discrepancy", "is 0.5",
        "use 0 for never, or 1 to 1000 times the noise");
    row("noise rule beyond all sense", "runs.0.stop_at_discrepancy", 1e9,
        "runs[0].stop_at_discrepancy", "is 1e+09", "use 0 to 1000");
    row("misspelt field", "runs.0.itterations", 5, "runs[0].itterations", "is not a known field",
        "correct or remove it");
    row("unknown section", "run", QJsonArray{}, "run", "is not a known field", "correct or remove");
  }
  void whatIsWrongIsSaid() {
    QFETCH(QString, field);
    QFETCH(QJsonValue, value);
    QFETCH(QString, place);
    QFETCH(QString, what);
    QFETCH(QString, remedy);
    const std::string text = text_of(with(hand_written(), field, value));
    for (const QString& part : {QStringLiteral("e.json"), place, what, remedy})
      EXPECT_THROWS(InputError, parse(text), part.toStdString());
  }

  void whatIsNotJsonIsSaid_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("part");
    const auto changed = [](const char* from, const char* to) {
      return QByteArray(by_hand).replace(from, to);
    };
    QTest::newRow("empty") << QByteArray() << "e.json: is";
    QTest::newRow("cut short") << QByteArray(by_hand).left(400) << "line 9";
    QTest::newRow("a list") << QByteArray("[1]") << "is a list, not an object";
    QTest::newRow("NaN") << changed("1e4", "NaN") << "line 9";
    QTest::newRow("infinite") << changed("1e4", "1e999") << "1e999";
    QTest::newRow("null pitch") << changed("\"column_pitch_mm\": 6", "\"column_pitch_mm\": null")
                                << "geometry.column_pitch_mm: is null, not a number";
    QTest::newRow("infinite angle")
        << changed("\"step\": 3", "\"step\": null") << "geometry.view_angles_deg.step: is null";
    QTest::newRow("not UTF-8") << changed("shepp_logan", "shepp\xfflogan") << "not valid JSON";
    QTest::newRow("number beyond 64 bits")
        << changed("\"relaxation\": 1", "\"seed\": 18446744073709551615") << "use 0 to 1e+09";
  }
  void whatIsNotJsonIsSaid() {
    QFETCH(QByteArray, text);
    QFETCH(QString, part);
    EXPECT_THROWS(InputError, parse(text.toStdString()), part.toStdString());
    EXPECT_THROWS(InputError, parse(text.toStdString()), "e.json");
  }

  /// The studies that come with the program: each can be read, says what it is and has runs.
  void studiesAreExperiments() {
    const QDir folder(QStringLiteral(GANTRY_SOURCE_DIR "/resources/studies"));
    const QStringList names = folder.entryList({"*.json"});
    QVERIFY(names.size() >= 3);
    for (const QString& name : names) {
      const Experiment e = read_experiment(folder.filePath(name).toStdString(), catalog_);
      QVERIFY2(!e.title.empty() && e.runs.size() >= 2, qPrintable(name));
      // Runs of one solver are told apart by their labels.
      for (std::size_t i = 1; i < e.runs.size(); ++i)
        QVERIFY(run_label(e.runs[i], catalog_) != run_label(e.runs[i - 1], catalog_));
    }
  }

  void aMissingFileIsSaid() {
    EXPECT_THROWS(InputError, read_experiment(path("none.json"), catalog_), "none.json");
    EXPECT_THROWS(InputError, read_experiment(folder_.path().toStdString(), catalog_), "folder");
  }
};

GANTRY_TEST(TestExperimentFile)
#include "test_experiment_file.moc"
