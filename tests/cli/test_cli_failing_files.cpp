// Each call with which a command changes files fails once, or the disk is full from this call on,
// or the process is killed before it: the files of a result are all old or all new, a failure is
// said in one line, and the next command leaves nothing behind. Eight calls of each command and
// kind of failure are tried, evenly spread; with GANTRY_EVERY_CALL every one is.
#include "tests/cli/failing_files.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/tiny_dicom.hpp"

using namespace gantry::test;

namespace {

const QString simulate =
    "simulate --phantom %1 --geometry s.scan.json --out o.scan.json --truth t.mha";
const QString reconstruct =
    "reconstruct s.scan.json --grid 16,16 --voxel 3 --solver sirt --iterations %1 --out o.mha ";
const QString with_checkpoint = reconstruct + "--checkpoint o.checkpoint --checkpoint-every 1";

const QList<FailingTrial> trials = {
    failing_trial("scan and truth", simulate, "discs", "shepp_logan", {"/o.scan.json$", "/t.mha$"}),
    failing_trial("volume and curves", reconstruct + "--log o.csv", "2", "3",
                  {"/o.mha$", "/o.csv$"}),
    // A checkpoint holds times. What matters is that the run goes on from whatever is there.
    {"checkpoint",
     with_checkpoint.arg(2),
     with_checkpoint.arg(3),
     {},
     with_checkpoint.arg(4) + " --resume o.checkpoint"},
    failing_trial("MetaImage", "convert %1 o.mha", "v.mha", "w.mha", {"/o.mha$"}),
    failing_trial("MetaImage, two files", "convert %1 o.mhd", "v.mha", "w.mha", {"/o.mhd$"}),
    failing_trial("raw", "convert %1 o.raw", "v.mha", "w.mha", {"/o.mhd$"}),
    failing_trial("NRRD", "convert %1 o.nrrd", "v.mha", "w.mha", {"/o.nrrd$"}),
    failing_trial("NIfTI", "convert %1 o.nii.gz", "v.mha", "w.mha", {"/o.nii.gz$"}),
    failing_trial("NumPy", "convert %1 o.npy", "v.mha", "w.mha", {"/o.npy$"}),
    failing_trial("TIFF", "convert %1 o.tif", "v.mha", "w.mha", {"/o.tif$"}),
    failing_trial("run", "run %1 --out o", "e.json", "f.json",
                  {"/o/SIRT-1.mha$", "/o/curves.csv$"}),
    failing_trial("script", "export s.scan.json --to rtk --grid %1,16 --out o", "16", "20",
                  {"/o/s.f32$", "/o/s_rtk.py$", "/o/s_rtk.xml$"}),
    failing_trial("mapping", "mapping s.scan.json --projector siddon --grid %1,16 --out o.gmap",
                  "16", "20", {"/o.gmap$"}),
    failing_trial("study", "study nonzeros --sizes %1 --out o", "64", "128",
                  {"/o/footprints.csv$", "/o/footprints-curves.csv$"}),
    failing_trial("axis", "align %1 --out o.scan.json", "a.scan.json", "b.scan.json",
                  {"/o.scan.json$"}),
#if GANTRY_HAS_DICOM
    failing_trial("DICOM", "convert %1 o", "v.mha", "w.mha", {"/o(/.*)?$"}),
#endif
};

/// A second volume, experiment and scan beside those of every desk.
void add_versions(const Desk& desk) {
  QByteArray volume = desk.get("v.mha");
  volume.replace(volume.size() - 96, 96, QByteArray(Desk::ramp(48)).right(96));
  desk.put("w.mha", volume);
  desk.put("f.json",
           QByteArray(desk.get("e.json")).replace("\"iterations\": 2", "\"iterations\": 3"));
  // Scans of a phantom over a whole turn, from which the axis can be found.
  for (const auto& [name, column] : {std::pair("a", "15.5"), std::pair("b", "16")}) {
    QByteArray geometry = desk.get("s.scan.json");
    geometry.replace("\"detector_columns\": 24", "\"detector_columns\": 32")
        .replace("11.5", column)
        .replace("\"step\": 30, \"count\": 12", "\"step\": 6, \"count\": 60");
    desk.put("turn.scan.json", geometry);
    const Answer made = gantry_cli(
        QString("simulate --phantom shepp_logan --geometry turn.scan.json --out %1.scan.json")
            .arg(name),
        desk.path());
    if (made.code != 0) qFatal("%s", made.text().constData());
  }
}

}  // namespace

class TestCliFailingFiles : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { qputenv("OMP_NUM_THREADS", "1"); }

  void everyResultIsOldOrNew_data() { add_failing_rows(trials); }
  void everyResultIsOldOrNew() {
    QFETCH(int, index);
    QFETCH(QString, how);
    const Desk desk;
    add_versions(desk);
    EXPECT_OLD_OR_NEW(trials[index], desk, how.toLatin1());
  }
};

GANTRY_TEST(TestCliFailingFiles)
#include "test_cli_failing_files.moc"
