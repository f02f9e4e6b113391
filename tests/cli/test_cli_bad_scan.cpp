// Scan files and experiments that cannot be right: one line says what, where and what to do.
#include "tests/cli/bad_input.hpp"
#include "tests/support/test_program.hpp"

#include <limits>

using namespace gantry::test;

namespace {

const QString reconstruct = "reconstruct s.scan.json --iterations 2 --out target.mha";

QByteArray with_value(int at, float value) {
  QByteArray bytes = Desk::ramp(12 * 24);
  std::memcpy(bytes.data() + at * 4, &value, 4);
  return bytes;
}

QByteArray swapped(QByteArray bytes) {
  for (qsizetype i = 0; i < bytes.size(); i += 4)
    std::reverse(bytes.begin() + i, bytes.begin() + i + 4);
  return bytes;
}

/// The data file.
const std::vector<BadCase> data_cases = {
    {"cut short",
     put("s.f32", QByteArray(100, '\0')),
     reconstruct,
     1,
     {"s.f32: holds 100 bytes", "are 1152; the file is cut short"}},
    {"too long",
     put("s.f32", QByteArray(2304, '\0')),
     reconstruct,
     1,
     {"s.f32: holds 2304 bytes", "are 1152; ", "the geometry in s.scan.json is wrong"}},
    {"empty", put("s.f32", ""), reconstruct, 1, {"s.f32: holds 0 bytes"}},
    {"absent",
     [](const Desk& d) { d.remove("s.f32"); },
     reconstruct,
     1,
     {"s.f32: there is no such data file; ", "data.file in s.scan.json"}},
    {"a folder",
     [](const Desk& d) {
       d.remove("s.f32");
       d.make_folder("s.f32");
     },
     reconstruct,
     1,
     {"s.f32: there is no such data file"}},
    {"NaN",
     put("s.f32", with_value(29, std::nanf(""))),
     reconstruct,
     1,
     {"s.f32: 1 value is not finite", "view 1, row 0, column 5"}},
    {"infinite",
     put("s.f32", with_value(0, std::numeric_limits<float>::infinity())),
     reconstruct,
     1,
     {"s.f32: 1 value is not finite", "view 0, row 0, column 0"}},
    {"other byte order",
     put("s.f32", swapped(Desk::ramp(12 * 24))),
     reconstruct,
     1,
     {"s.scan.json: data.byte_order: ", "s.f32", "set it to \"big\""}},
    {"said to be in the other byte order",
     changed("s.scan.json", "\"little\"", "\"big\""),
     reconstruct,
     1,
     {"s.scan.json: data.byte_order: ", "set it to \"little\""}},
    {"said to be of another type",
     changed("s.scan.json", "\"float32\"", "\"float64\""),
     reconstruct,
     1,
     {"s.f32: holds 1152 bytes", "of 8 bytes are 2304", "data.type"}},
    {"of an unknown type",
     changed("s.scan.json", "\"float32\"", "\"float16\""),
     reconstruct,
     1,
     {"s.scan.json: data.type: \"float16\" is not known; use one of float32"}},
    {"of an unknown byte order",
     changed("s.scan.json", "\"little\"", "\"middle\""),
     reconstruct,
     1,
     {"s.scan.json: data.byte_order: \"middle\" is not known; use one of little, big"}},
    {"of an unknown quantity",
     changed("s.scan.json", "\"line_integral\"", "\"mu\""),
     reconstruct,
     1,
     {"s.scan.json: data.quantity: \"mu\" is not known"}},
    {"of another folder, by its absolute name",
     changed("s.scan.json", "\"s.f32\"", "\"/dev/null\""),
     reconstruct,
     1,
     {"s.scan.json: data.file: lies outside the folder of the scan file",
      "GANTRY_ALLOW_OUTSIDE=1"}},
    {"of another folder, by dots",
     changed("s.scan.json", "\"s.f32\"", "\"../s.f32\""),
     reconstruct,
     1,
     {"s.scan.json: data.file: lies outside the folder of the scan file"}},
    {"of another folder, by a link",
     [](const Desk& d) {
       d.remove("s.f32");
       if (!QFile::link("/dev/null", d.path("s.f32"))) qFatal("cannot make a link");
     },
     reconstruct,
     1,
     {"s.scan.json: data.file: lies outside the folder of the scan file"}},
    {"counts of unknown exposure",
     changed("s.scan.json", "\"line_integral\"", "\"counts\""),
     reconstruct,
     1,
     {"s.scan.json: data.photons_per_ray: is missing"}},
};

/// The text.
const std::vector<BadCase> text_cases = {
    {"absent",
     [](const Desk& d) { d.remove("s.scan.json"); },
     reconstruct,
     1,
     {"s.scan.json: does not exist"}},
    {"a folder",
     [](const Desk& d) {
       d.remove("s.scan.json");
       d.make_folder("s.scan.json");
     },
     reconstruct,
     1,
     {"s.scan.json: is a folder, not a file"}},
    {"empty",
     put("s.scan.json", ""),
     reconstruct,
     1,
     {"s.scan.json: is not valid JSON: it is empty"}},
    {"a volume",
     nothing,
     "reconstruct v.mha --out target.mha",
     1,
     {"v.mha: has no known scan or geometry format; use one of Gantry scan"}},
    {"a list", put("s.scan.json", "[]"), reconstruct, 1, {"s.scan.json: is a list, not an object"}},
    {"binary",
     put("s.scan.json", QByteArray("\0\1\2\3\4", 5)),
     reconstruct,
     1,
     {"s.scan.json: is not valid JSON"}},
    {"two commas",
     changed("s.scan.json", "1, \"geometry\"", "1,, \"geometry\""),
     reconstruct,
     1,
     {"s.scan.json: is not valid JSON", "line 1, column 40"}},
    {"cut short",
     put("s.scan.json", "{\"format\": \"gantry-sc"),
     reconstruct,
     1,
     {"s.scan.json: is not valid JSON", "line 1"}},
    {"NaN",
     changed("s.scan.json", "_to_detector_mm\": 300", "_to_detector_mm\": NaN"),
     reconstruct,
     1,
     {"s.scan.json: is not valid JSON", "line 3"}},
    {"a number too large",
     changed("s.scan.json", "_to_detector_mm\": 300", "_to_detector_mm\": 1e999"),
     reconstruct,
     1,
     {"s.scan.json: is not valid JSON", "1e999", "line 3"}},
    {"an experiment", nothing, "reconstruct e.json --out target.mha", 1, {"e.json: "}},
    {"another version",
     changed("s.scan.json", "\"version\": 1", "\"version\": 2"),
     reconstruct,
     1,
     {"s.scan.json: version: 2 is newer"}},
    {"no geometry",
     changed("s.scan.json", "\"geometry\"", "\"gemoetry\""),
     reconstruct,
     1,
     {"s.scan.json: geometry: is missing"}},
    {"no data",
     changed("s.scan.json", "\"data\"", "\"date\""),
     reconstruct,
     1,
     {"s.scan.json: data: is missing"}},
};

/// The geometry.
BadCase geometry_case(const char* name, const char* old_text, const char* new_text,
                      QStringList message) {
  return {name, changed("s.scan.json", old_text, new_text), reconstruct, 1, std::move(message)};
}
const std::vector<BadCase> geometry_cases = {
    geometry_case("no beam", "\"beam\": \"fan\",", "",
                  {"s.scan.json: geometry.beam: is missing; use one of parallel"}),
    geometry_case("no detector", "\"detector\": \"flat\",", "",
                  {"s.scan.json: geometry.detector: is missing"}),
    geometry_case("no source distance", "\"source_to_isocenter_mm\": 200,", "",
                  {"s.scan.json: geometry.source_to_isocenter_mm: is missing"}),
    geometry_case("no columns", "\"detector_columns\": 24,", "",
                  {"geometry.detector_columns: is missing"}),
    geometry_case("no pitch", "\"column_pitch_mm\": 4,", "",
                  {"geometry.column_pitch_mm: is missing"}),
    geometry_case("columns as text", "columns\": 24", "columns\": \"24\"",
                  {"geometry.detector_columns: is a text"}),
    geometry_case("half a column", "columns\": 24", "columns\": 24.5",
                  {"geometry.detector_columns: is 24.5"}),
    geometry_case("no views", "\"count\": 12", "\"count\": 0",
                  {"geometry.view_angles_deg.count: is 0; "}),
    geometry_case("an empty list of views", "{\"first\": 0, \"step\": 30, \"count\": 12}", "[]",
                  {"geometry.view_angles_deg: is empty"}),
    geometry_case("an angle that is none", "{\"first\": 0, \"step\": 30, \"count\": 12}",
                  "[0, null]", {"geometry.view_angles_deg[1]: is not a number"}),
    geometry_case("negative pitch", "\"column_pitch_mm\": 4", "\"column_pitch_mm\": -4",
                  {"geometry.column_pitch_mm: is not positive"}),
    geometry_case("pitch of nothing", "\"column_pitch_mm\": 4", "\"column_pitch_mm\": 0",
                  {"geometry.column_pitch_mm: is not positive"}),
    geometry_case("pitch below all sense", "\"column_pitch_mm\": 4", "\"column_pitch_mm\": 1e-300",
                  {"s.scan.json", "column_pitch_mm is 1e-300"}),
    geometry_case("cells beyond the fan", "\"column_pitch_mm\": 4", "\"column_pitch_mm\": 4000",
                  {"the fan opens 89 degrees"}),
    geometry_case("centre far outside", "11.5", "1e9", {"s.scan.json", "central_column is 1e+09"}),
    geometry_case("detector behind the source", "_to_detector_mm\": 300", "_to_detector_mm\": -300",
                  {"geometry.source_to_detector_mm: is not positive"}),
    geometry_case(
        "detector before the axis", "_to_detector_mm\": 300", "_to_detector_mm\": 150",
        {"s.scan.json", "source_to_detector_mm is not larger than source_to_isocenter_mm"}),
    {"source inside the volume",
     nothing,
     reconstruct + " --grid 100,100 --voxel 10",
     2,
     {"the source, 200 mm from the axis", "reaches 707.1 mm", "use fewer or smaller voxels"}},
    {"source inside the object",
     changed("v.mha", "ElementSpacing = 1 1 1", "ElementSpacing = 150 150 1"),
     "simulate --volume v.mha --geometry s.scan.json --out new.scan.json",
     2,
     {"the source, 200 mm from the axis"}},
};

/// Experiments.
BadCase experiment_case(const char* name, const char* old_text, const char* new_text,
                        QStringList message) {
  return {name, changed("e.json", old_text, new_text), "run e.json --out results", 1,
          std::move(message)};
}
const std::vector<BadCase> experiment_cases = {
    experiment_case("format", "gantry-experiment", "gantry-experience", {"e.json: format: "}),
    experiment_case("a comma too many", "1,\n", "1,,\n", {"e.json: is not valid JSON", "line 1"}),
    experiment_case("no source", "\"source\"", "\"sauce\"", {"e.json: "}),
    experiment_case("kind of source", "\"kind\": \"scan\"", "\"kind\": \"song\"",
                    {"e.json: source.kind: \"song\""}),
    experiment_case("absent scan", "\"path\": \"s.scan.json\"", "\"path\": \"t.scan.json\"",
                    {"t.scan.json: does not exist"}),
    experiment_case("solver", "\"sirt\"", "\"magic\"",
                    {"e.json", "runs[0].solver", "unknown solver \"magic\"", "use one of sirt"}),
    experiment_case("projector", "\"siddon\"", "\"magic\"",
                    {"e.json", "runs[0].projector", "unknown projector \"magic\""}),
    experiment_case(
        "parameter", "\"sirt\"", R"({"key": "sirt", "params": {"speed": 2}})",
        {"e.json", "runs[0].solver", "sirt.speed: unknown parameter; it has relaxation"}),
    experiment_case("parameter out of range", "\"sirt\"",
                    R"({"key": "sirt", "params": {"relaxation": 9}})",
                    {"e.json", "runs[0].solver", "value 9 is out of range; use 0.001 to 1.999"}),
    experiment_case("iterations", "\"iterations\": 2", "\"iterations\": 0",
                    {"e.json: runs[0].iterations: is 0; "}),
    experiment_case("no runs", R"({"solver": "sirt", "projector": "siddon", "iterations": 2})", "",
                    {"e.json: runs: ", "no runs"}),
    experiment_case("a run that is none",
                    R"({"solver": "sirt", "projector": "siddon", "iterations": 2})", "3",
                    {"e.json: runs[0]: is a number"}),
    experiment_case("grid of nothing", "[16, 16, 1]", "[16, 0, 1]", {"e.json: grid.size: holds 0"}),
    experiment_case("grid beyond all memory", "[16, 16, 1]", "[65536, 65536, 65536]",
                    {" needs ", " are free; use a smaller grid"}),
    experiment_case("voxels of nothing", "[3, 3, 3]", "[3, -3, 3]",
                    {"e.json", "grid", "voxel size -3 mm"}),
    experiment_case("photons", "\"photons_per_ray\": 0", "\"photons_per_ray\": -4",
                    {"e.json: noise.photons_per_ray: is -4"}),
    {"a scan",
     nothing,
     "run s.scan.json",
     1,
     {"s.scan.json: format: is not \"gantry-experiment\""}},
};

}  // namespace

class TestCliBadScan : public QObject {
  Q_OBJECT

 private slots:
  /// The desk's own files are good, or the rest would prove nothing.
  void goodFilesAreTaken() {
    const Desk desk;
    EXPECT_DONE(gantry_cli("reconstruct s.scan.json --iterations 2 --out new.mha", desk.path()));
    EXPECT_DONE(gantry_cli("run e.json --out results", desk.path()));
    QVERIFY(QFile::exists(desk.path("new.mha")) && QFile::exists(desk.path("results/curves.csv")));
  }

  void badData_data() { add_rows(data_cases); }
  void badData() { RUN_BAD_CASE(data_cases); }
  void badText_data() { add_rows(text_cases); }
  void badText() { RUN_BAD_CASE(text_cases); }
  void badGeometry_data() { add_rows(geometry_cases); }
  void badGeometry() { RUN_BAD_CASE(geometry_cases); }
  void badExperiment_data() { add_rows(experiment_cases); }
  void badExperiment() { RUN_BAD_CASE(experiment_cases); }

  /// The name of a run cannot end a line or move a terminal's cursor.
  void namesOfRunsArePrintedOnOneLine() {
    const Desk desk;
    desk.change("e.json", "\"iterations\": 2",
                "\"iterations\": 2, \"name\": \"a\\nb\\tc\\u009b2Jd\"");
    for (const char* arguments : {"run e.json", "info e.json"}) {
      const Answer answer = gantry_cli(QString(arguments), desk.path());
      QVERIFY2(answer.code == 0, answer.text().constData());
      QVERIFY2(answer.output.contains("a b c\\x9b2Jd"), answer.text().constData());
      QVERIFY2(!answer.output.contains(QChar(0x9b)), answer.text().constData());
    }
  }

  /// Odd, but possible: the user is told.
  void aDetectorBesideTheAxisIsNoted() {
    const Desk desk;
    desk.change("s.scan.json", "11.5", "30");
    const Answer answer = gantry_cli(QString("info s.scan.json"), desk.path());
    QCOMPARE(answer.code, 0);
    QCOMPARE(answer.error_lines().size(), 1);
    QVERIFY2(answer.errors.startsWith("note: the detector does not see the axis of rotation"),
             answer.text().constData());
  }
};

GANTRY_TEST(TestCliBadScan)
#include "test_cli_bad_scan.moc"
