// Wrong calls: exit status 2, one line that names the option and the help that applies.
#include "tests/cli/bad_input.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry::test;

namespace {

const QString reconstruct = "reconstruct s.scan.json --iterations 2 --out target.mha ";
const QString simulate = "simulate --phantom shepp_logan --out new.scan.json ";

BadCase wrong(const char* name, const QString& arguments, QStringList message) {
  return {name, nothing, arguments, 2, std::move(message)};
}

const std::vector<BadCase> general_cases = {
    wrong("no subcommand", "", {"A subcommand is required; see gantry-cli --help"}),
    wrong("unknown subcommand", "reconstrut s.scan.json",
          {"there is no subcommand \"reconstrut\"; see gantry-cli --help"}),
    wrong("unknown option", reconstruct + "--quickly",
          {"--quickly", "see gantry-cli reconstruct --help"}),
    wrong("one argument too many", reconstruct + "more",
          {"more", "see gantry-cli reconstruct --help"}),
    wrong("no target", "reconstruct s.scan.json",
          {"--out is required; see gantry-cli reconstruct --help"}),
    wrong("no input", "reconstruct --out new.mha",
          {"SCAN is required; see gantry-cli reconstruct --help"}),
    wrong("option without value", "reconstruct s.scan.json --out",
          {"--out", "see gantry-cli reconstruct --help"}),
    wrong("no second volume", "compare v.mha", {"there is nothing to measure; give a reference B"}),
    wrong("unknown list", "list planets",
          {"WHAT: \"planets\" is not one of projectors, formats", "see gantry-cli list --help"}),
    wrong("unknown study", "study planets", {"unknown study \"planets\"; "}),
    wrong("noise of a study without any", "study nonzeros --seeds 2",
          {"--seeds: the study nonzeros draws no noise; leave it out"}),
    wrong("part of a study without any", "study symmetry --part times",
          {"--part: the study symmetry has no parts; leave it out"}),
    wrong("size of a study without any", "study symmetry --sizes 64",
          {"--sizes: the study symmetry has no sizes to choose; leave it out"}),
    wrong("all studies without a folder", "study all",
          {"--out: all studies together write a report; name its folder"}),
    wrong("unknown bench", "bench planets",
          {"WHAT: \"planets\" is not one of operators, matrices"}),
    wrong("unknown case", "bench operators --case Z",
          {"--case: unknown case \"Z\"; use one of A, "}),
    wrong("unknown solver of bench", "bench solvers --solver magic",
          {"unknown solver \"magic\"", "use one of sirt"}),
    wrong("unknown projector of bench", "bench operators --projector magic",
          {"unknown projector \"magic\""}),
};

const std::vector<BadCase> reconstruct_cases = {
    wrong("solver", reconstruct + "--solver magic",
          {"unknown solver \"magic\"", "use one of sirt, sart"}),
    wrong("projector", reconstruct + "--projector magic",
          {"unknown projector \"magic\"", "use one of distance_driven, "}),
    wrong("backend", reconstruct + "--backend abacus",
          {"unknown backend \"abacus\"; use one of auto, "}),
    wrong("parameter", reconstruct + "--set solver.speed=2",
          {"solver.speed: unknown parameter; it has relaxation, nonnegative"}),
    wrong("parameter out of range", reconstruct + "--set solver.relaxation=7",
          {"solver.relaxation: value 7 is out of range; use 0.001 to 1.999"}),
    wrong("parameter NaN", reconstruct + "--set solver.relaxation=nan",
          {"solver.relaxation: value nan is out of range"}),
    wrong("parameter in words", reconstruct + "--set solver.relaxation=much",
          {"solver.relaxation: value much is not a number; use 0.001 to"}),
    wrong("flag as number", reconstruct + "--set solver.nonnegative=3",
          {"solver.nonnegative: value 3 is not true or false; use true or false"}),
    wrong("choice", reconstruct + "--solver sart --set solver.order=best",
          {"solver.order: unknown choice \"best\"; use one of natural, golden"}),
    wrong("parameter of nobody", reconstruct + "--set relaxation=1",
          {"--set: \"relaxation=1\" is no setting; write solver.KEY=VALUE"}),
    wrong("parameter without value", reconstruct + "--set solver.relaxation",
          {"--set: \"solver.relaxation\" is no setting"}),
    wrong("format", reconstruct + "--format brick",
          {"unknown matrix format \"brick\"; use one of csr"}),
    wrong("prior", reconstruct + "--solver fista --prior magic",
          {"unknown prior \"magic\"", "use one of tv, "}),
    wrong("prior of a solver that takes none", reconstruct + "--prior tv",
          {"prior: the solver sirt takes no prior",
           "use a solver that takes one: fista, os_fista, homogeneous"}),
    wrong("prior that does not suit", reconstruct + "--solver fista --prior tikhonov",
          {"prior: the solver fista cannot work with the prior tikhonov", "use one of tv, huber"}),
    wrong("setting of no prior", reconstruct + "--set prior.weight=1",
          {"--set: a prior's setting is given, but the solver sirt takes no prior"}),
    wrong("sharpness of no prior", reconstruct + "--prior-sharpness 0",
          {"--prior-sharpness: a sharpness is given, but the solver sirt takes no prior"}),
    wrong("sharpness and weight",
          reconstruct + "--solver fista --prior-sharpness 0 --set prior.weight=1",
          {"--prior-sharpness: the prior's weight is found automatically, and prior.weight is "
           "given too; give one of both"}),
    wrong("sharpness out of range", reconstruct + "--solver fista --prior-sharpness 21",
          {"--prior-sharpness", "21"}),
    wrong("unknown setting of a prior", reconstruct + "--solver fista --set prior.height=1",
          {"prior.height: unknown parameter; it has weight"}),
    wrong("setting of no format", reconstruct + "--set format.weights=float32",
          {"--set: a format's setting is given, but no format; add --format KEY"}),
    wrong("matrix of no weights", reconstruct + "--projector voxel_driven --format csr",
          {"projector: this projector's backprojection is not the transpose of its forward product",
           "use one of"}),
    wrong("grid with a cross", reconstruct + "--grid 16x16",
          {"--grid: \"16x16\" is no grid size; write NX,NY"}),
    wrong("grid of one number", reconstruct + "--grid 16", {"--grid: \"16\" is no grid size"}),
    wrong("grid of nothing", reconstruct + "--grid 0,16", {"--grid: \"0,16\" is no grid size"}),
    wrong("grid of less than nothing", reconstruct + "--grid=-16,16",
          {"--grid: \"-16,16\" is no grid size"}),
    wrong("grid of a number without end", reconstruct + "--grid 99999999999,4",
          {"--grid: ", "is no grid size"}),
    wrong("voxel NaN", reconstruct + "--voxel nan",
          {"--voxel: \"nan\" is not a positive number; see gantry-cli reconstruct --help"}),
    wrong("voxel infinite", reconstruct + "--voxel inf",
          {"--voxel: \"inf\" is not a positive number"}),
    wrong("voxel negative", reconstruct + "--voxel=-1",
          {"--voxel: \"-1\" is not a positive number"}),
    wrong("voxel zero", reconstruct + "--voxel 0", {"--voxel: \"0\" is not a positive number"}),
    wrong("voxel with unit", reconstruct + "--voxel 2mm",
          {"--voxel: \"2mm\" is not a positive number"}),
    wrong("no iterations", "reconstruct s.scan.json --iterations 0 --out target.mha",
          {"--iterations: \"0\" is not a whole number from 1 to 1000000"}),
    wrong("too many iterations",
          "reconstruct s.scan.json --iterations 99999999999 --out target.mha",
          {"--iterations: \"99999999999\" is not"}),
    wrong("half an iteration", "reconstruct s.scan.json --iterations 1.5 --out target.mha",
          {"--iterations: \"1.5\" is not"}),
    wrong("stop at a share above one", reconstruct + "--stop-at-residual 2",
          {"--stop-at-residual: \"2\" is not a number from 0 to 1"}),
    wrong("stop at NaN", reconstruct + "--stop-at-update nan",
          {"--stop-at-update: \"nan\" is not a number from 0 to 1"}),
    wrong("stop below the noise", reconstruct + "--stop-at-noise 0.5 --noise-norm 3",
          {"--stop-at-noise: \"0.5\" is not a number from 1 to 1000"}),
    wrong(
        "stop at unknown noise", reconstruct + "--stop-at-noise 1.02",
        {"--stop-at-noise: the noise of a scan of line integrals is not known; give --noise-norm"}),
    wrong("negative noise", reconstruct + "--stop-at-noise 1.02 --noise-norm=-3",
          {"--noise-norm: \"-3\" is not a positive number"}),
    wrong("water", reconstruct + "--mu-water nan",
          {"--mu-water: \"nan\" is not a positive number"}),
    {"grid beyond all memory",
     nothing,
     reconstruct + "--grid 60000,40000,60000",
     1,
     {" needs ", " are free; use a smaller grid"}},
    {"grid beyond all bounds",
     nothing,
     reconstruct + "--grid 99999,10",
     1,
     {"grid size 99999", "use 1 to 65536"}},
    {"voxels beyond all sense",
     nothing,
     reconstruct + "--voxel 1e300",
     1,
     {"voxel size 1e+300 mm", "use a positive size"}},
    {"absent reference", nothing, reconstruct + "--reference w.mha", 1, {"w.mha: does not exist"}},
};

const std::vector<BadCase> simulate_cases = {
    wrong("nothing", "simulate --out new.scan.json",
          {"simulate: there is nothing to simulate; give either --phantom or --volume"}),
    wrong("two things", simulate + "--volume v.mha",
          {"simulate: there are two things to simulate"}),
    wrong("phantom", "simulate --phantom opera --out new.scan.json",
          {"unknown phantom \"opera\"", "use one of forbild_head, shepp_logan"}),
    wrong("parameter", simulate + "--set phantom.mask=1", {"phantom.mask: unknown parameter; "}),
    wrong("parameter of a volume",
          "simulate --volume v.mha --set phantom.ear=true --out new.scan.json",
          {"--set phantom.ear=true: a volume has no parameters"}),
    wrong("slice of a phantom", simulate + "--slice 3",
          {"simulate: --series, --uneven, --slice and --hu ", "give --volume"}),
    wrong("negative slice", "simulate --volume v.mha --slice=-3 --out new.scan.json",
          {"--slice: \"-3\" is not a whole number from 0"}),
    wrong("negative photons", simulate + "--photons=-1",
          {"--photons: \"-1\" is not a number from 0"}),
    wrong("photons NaN", simulate + "--photons nan", {"--photons: \"nan\" is not a number from 0"}),
    wrong("photons without end", simulate + "--photons 1e300",
          {"1e+300 photons per ray are not possible; use 1 to 1e15"}),
    wrong("electronic noise alone", simulate + "--electronic 5",
          {"--electronic: ", "give --photons"}),
    wrong("negative seed", simulate + "--seed=-1", {"--seed: \"-1\" is not a whole number from 0"}),
    wrong("subrays", simulate + "--subrays 65",
          {"--subrays: \"65\" is not a whole number from 1 to 64"}),
    {"absent geometry", nothing, simulate + "--geometry g.json", 1, {"g.json: does not exist"}},
    {"geometry that is none",
     nothing,
     simulate + "--geometry v.mha",
     1,
     {"v.mha: has no known scan or geometry format; use one of Gantry scan (.scan.json"}},
};

}  // namespace

class TestCliBadUsage : public QObject {
  Q_OBJECT

 private slots:
  void general_data() { add_rows(general_cases); }
  void general() { RUN_BAD_CASE(general_cases); }
  void reconstructing_data() { add_rows(reconstruct_cases); }
  void reconstructing() { RUN_BAD_CASE(reconstruct_cases); }
  void simulating_data() { add_rows(simulate_cases); }
  void simulating() { RUN_BAD_CASE(simulate_cases); }

  void emptyNamesAreRefused() {
    const Desk desk;
    for (const QStringList& arguments : {QStringList{"convert", "", "new.mha"},
                                         {"convert", "v.mha", ""},
                                         {"reconstruct", "s.scan.json", "--out", ""},
                                         {"info", ""},
                                         {"run", ""}})
      EXPECT_REFUSED(gantry_cli(arguments, desk.path()), 2,
                     QStringList({": no name is given; see gantry-cli " + arguments[0]}));
  }

  /// Spaces and letters beyond ASCII are ordinary in names.
  void unusualNamesAreNoTrouble() {
    const Desk desk;
    desk.make_folder(QString::fromUtf8("Prüfung Nr. 1"));
    const QString target = QString::fromUtf8("Prüfung Nr. 1/größe; rm -rf.mha");
    EXPECT_DONE(gantry_cli({"convert", "v.mha", target}, desk.path()));
    QCOMPARE(read_plain(desk.path(target)).nx, 4);
  }
};

GANTRY_TEST(TestCliBadUsage)
#include "test_cli_bad_usage.moc"
