// Outputs that would take the place of an input or of each other: refused before anything is done.
#include "tests/cli/bad_input.hpp"
#include "tests/support/test_program.hpp"

#include <unistd.h>

using namespace gantry::test;

namespace {

const QString reconstruct = "reconstruct s.scan.json --iterations 2 ";
const QString simulate = "simulate --phantom shepp_logan --geometry s.scan.json ";

BadCase shared(const char* name, const QString& arguments, QStringList message,
               std::function<void(const Desk&)> spoil = nothing) {
  return {name, std::move(spoil), arguments, 2, std::move(message)};
}

void link_volume(const Desk& desk) {
  if (link(desk.path("v.mha").toLocal8Bit(), desk.path("hard.mha").toLocal8Bit()) != 0 ||
      symlink("v.mha", desk.path("soft.mha").toLocal8Bit()) != 0)
    qFatal("cannot make links");
}

/// An experiment on a volume that has the name of one of its results.
void take_truth_as_source(const Desk& desk) {
  desk.put("truth.mha", desk.get("v.mha"));
  desk.change("e.json", R"("kind": "scan", "path": "s.scan.json")",
              R"("kind": "volume", "path": "truth.mha")");
}

/// Headers whose slices lie in sl0.raw and sl1.raw, listed and by a pattern.
void spread_slices(const Desk& desk) {
  const QByteArray zeros(2 * 2 * 4, '\0');
  desk.put("sl0.raw", zeros);
  desk.put("sl1.raw", zeros);
  const QByteArray meta =
      "ObjectType = Image\nNDims = 3\nDimSize = 2 2 2\nElementSpacing = 1 1 1\n"
      "TransformMatrix = 1 0 0 0 1 0 0 0 1\n"
      "ElementType = MET_FLOAT\nElementDataFile = ";
  desk.put("list.mhd", meta + "LIST\nsl0.raw\nsl1.raw\n");
  desk.put("pattern.mhd", meta + "sl%d.raw 0 1 1\n");
  const QByteArray nrrd =
      "NRRD0004\ntype: float\ndimension: 3\nsizes: 2 2 2\nendian: little\nencoding: raw\n"
      "data file: ";
  desk.put("list.nhdr", nrrd + "LIST\nsl0.raw\nsl1.raw\n");
  desk.put("pattern.nhdr", nrrd + "sl%d.raw 0 1 1\n");
}

/// A folder of two TIFF slices.
void put_tiff_slices(const Desk& desk) {
  if (gantry_cli("convert v.mha slice.tif", desk.path()).code != 0) qFatal("cannot write TIFF");
  desk.make_folder("tf");
  for (const char* name : {"tf/s_0.tif", "tf/s_1.tif"}) desk.put(name, desk.get("slice.tif"));
  desk.remove("slice.tif");
}

void name_run(const Desk& desk, const QByteArray& name) {
  desk.change("e.json", R"("solver": "sirt")", R"("name": ")" + name + R"(", "solver": "sirt")");
}

const std::vector<BadCase> cases = {
    shared("log onto the scan", reconstruct + "--out a.mha --log s.scan.json",
           {"--log s.scan.json: is where SCAN is (s.scan.json); choose another name"}),
    shared("log onto its data", reconstruct + "--out a.mha --log s.f32",
           {"--log s.f32: is where the data of SCAN is (s.f32)"}),
    shared("log onto the volume", reconstruct + "--out a.mha --log a.mha",
           {"--out a.mha: is where --log is (a.mha)"}),
    shared("log onto the volume's data", reconstruct + "--out a.mhd --log ./a.raw",
           {"--out a.raw: is where --log is (./a.raw)"}),
    shared("checkpoint onto the volume", reconstruct + "--out a.mha --checkpoint a.mha",
           {"--out a.mha: is where --checkpoint is (a.mha)"}),
    shared("log in the series", reconstruct + "--out d --log d/curves.csv",
           {"--out d: is where --log is (d/curves.csv)"}),
    shared("volume onto the reference", reconstruct + "--reference v.mhd --out v.raw",
           {"--out v.mhd: is where --reference is (v.mhd)"}),
    shared("truth onto the volume", "simulate --volume v.mha --out a.scan.json --truth v.mha",
           {"--truth v.mha: is where --volume is (v.mha)"}),
    shared("scan onto the geometry", simulate + "--out s.scan.json",
           {"--out s.scan.json: is where --geometry is"}),
    shared("data onto those of the geometry", simulate + "--out s.json",
           {"the data of --out s.f32: is where the data of --geometry is"}),
    shared("rebinned onto itself", "rebin s.scan.json --out s.scan.json",
           {"--out s.scan.json: is where SCAN is"}),
    shared("aligned onto itself", "align s.scan.json --out s.scan.json",
           {"--out s.scan.json: is where SCAN is"}),
    shared("converted onto itself", "convert v.mha ./x/../v.mha --hu",
           {"OUT ./x/../v.mha: is where IN is (v.mha)"}, [](const Desk& d) { d.make_folder("x"); }),
    shared("a pair onto itself", "convert v.raw v.mhd", {"OUT v.raw: is where IN is (v.raw)"}),
    shared("a hard link", "convert v.mha hard.mha", {"OUT hard.mha: is where IN is"}, link_volume),
    shared("a symbolic link", "convert soft.mha v.mha", {"OUT v.mha: is where IN is"}, link_volume),
    shared("a folder onto what is in it", "convert x/v.mha x", {"OUT x: is where IN is (x/v.mha)"},
           [](const Desk& d) {
             d.make_folder("x");
             d.put("x/v.mha", d.get("v.mha"));
           }),
    shared("a slice of a list", "convert list.mhd sl1.raw",
           {"OUT sl1.raw: is where the data of IN is (sl1.raw)"}, spread_slices),
    shared("a slice of a pattern", "convert pattern.mhd sl1.mhd",
           {"OUT sl1.raw: is where the data of IN is (sl1.raw)"}, spread_slices),
    shared("a slice of an NRRD list", "convert list.nhdr sl1.raw",
           {"OUT sl1.raw: is where the data of IN is (sl1.raw)"}, spread_slices),
    shared("a slice of an NRRD pattern", "convert pattern.nhdr sl1.raw",
           {"OUT sl1.raw: is where the data of IN is (sl1.raw)"}, spread_slices),
    shared("a slice of a folder", "convert tf tf/s_1.tif",
           {"OUT tf/s_1.tif: is where the data of IN is (tf/s_1.tif)"}, put_tiff_slices),
    shared("truth onto a slice", "simulate --volume list.mhd --out a.scan.json --truth sl1.raw",
           {"--truth sl1.raw: is where the data of --volume is (sl1.raw)"}, spread_slices),
    shared("results onto their source", "run e.json --out .",
           {"--out: ./truth.mha: is where the source of the experiment is"}, take_truth_as_source),
    {"a run with a long name",
     [](const Desk& d) { name_run(d, QByteArray(300, 'n')); },
     "run e.json --out results",
     1,
     {"nnn.mha: cannot be created (File name too long); choose a shorter name"}},
    {"a result that is a folder",
     [](const Desk& d) {
       name_run(d, "mine");
       d.make_folder("results/mine.mha");
     },
     "run e.json --out results",
     1,
     {"results/mine.mha: is not a regular file"}},
};  // namespace

}  // namespace

class TestCliFileRoles : public QObject {
  Q_OBJECT

 private slots:
  void refused_data() { add_rows(cases); }
  void refused() { RUN_BAD_CASE(cases); }

  void aSliceOfASeriesIsKept() {
    if (!GANTRY_HAS_DICOM) QSKIP("built without DICOM");
    const Desk desk;
    EXPECT_DONE(gantry_cli("convert v.mha d --hu", desk.path()));
    const QStringList slices = QDir(desk.path("d")).entryList(QDir::Files);
    QVERIFY(!slices.isEmpty());
    const QString slice = "d/" + slices.first();
    const QByteArray before = desk.get(slice);
    EXPECT_REFUSED(
        gantry_cli(reconstruct + "--out a.mha --reference d --log " + slice, desk.path()), 2,
        QStringList("is where the data of --reference is"));
    QCOMPARE(desk.get(slice), before);
  }

  /// Files apart are not held up.
  void othersAreWritten() {
    const Desk desk;
    EXPECT_DONE(gantry_cli(reconstruct + "--out a.mhd --log a.csv", desk.path()));
    EXPECT_DONE(gantry_cli("convert a.mhd b.raw", desk.path()));
    QCOMPARE(desk.get("b.raw"), desk.get("a.raw"));
    EXPECT_DONE(gantry_cli("convert a.raw b.raw", desk.path()));
    EXPECT_DONE(gantry_cli("run e.json --out .", desk.path()));
  }

  void dataOutsideAreAllowedByAnOption() {
    const Desk desk;
    desk.make_folder("x");
    desk.put("x/s.scan.json", desk.get("s.scan.json").replace("s.f32", "../s.f32"));
    EXPECT_REFUSED(gantry_cli("info x/s.scan.json", desk.path()), 1,
                   QStringList({"data.file: lies outside the folder", "GANTRY_ALLOW_OUTSIDE=1"}));
    EXPECT_DONE(gantry_cli("info x/s.scan.json --allow-outside", desk.path()));
    EXPECT_DONE(gantry_cli("--allow-outside info x/s.scan.json", desk.path()));
  }
};

GANTRY_TEST(TestCliFileRoles)
#include "test_cli_file_roles.moc"
