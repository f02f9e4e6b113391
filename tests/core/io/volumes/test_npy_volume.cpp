// Arrays of NumPy as volumes: their order, what they do not state, and numpy's own reading of what
// is written.
#include "core/base/error.hpp"
#include "tests/core/io/imports/numpy_bytes.hpp"
#include "tests/core/io/volumes/counted_voxels.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/python.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

class TestNpyVolume : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> folder_;

  std::string put(const QString& name, const QByteArray& bytes) const {
    write_file(folder_->filePath(name), bytes);
    return folder_->filePath(name).toStdString();
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void bothOrders() {
    const QByteArray voxels = CountedVoxels::bytes();
    QByteArray fortran;  // z is the fastest
    for (int ix = 0; ix < 4; ++ix)
      for (int iy = 0; iy < 3; ++iy)
        for (int iz = 0; iz < 2; ++iz)
          fortran += static_cast<char>(CountedVoxels::value(ix, iy, iz));
    const QByteArray in_c = npy("|u1", "(2, 3, 4)", voxels);
    for (const std::string& path :
         {put("c.npy", in_c), put("f.npy", npy("|u1", "(2, 3, 4)", fortran, true)),
          put("z.npz", zip({{"v.npy", in_c}, {"x.npy", npy("|u1", "(2,)", "ab")}}, true))}) {
      const LoadedVolume volume = load_volume(path);
      QVERIFY2(CountedVoxels::are_in(volume), path.c_str());
      QCOMPARE(volume.grid, VolumeGrid::centered(4, 3, 2, {1, 1, 1}));
      QVERIFY(mentions(volume, "taken as 1 mm, centred on the axis"));
    }
    const LoadedVolume flat = load_volume(put("flat.npy", npy("|u1", "(6, 4)", voxels)));
    QCOMPARE(flat.grid, VolumeGrid::centered(4, 6, 1, {1, 1, 1}));
    QVERIFY(!mentions(flat, "left out"));
    const LoadedVolume longer = load_volume(put("l.npy", npy("|u1", "(6, 4)", voxels + "xyz")));
    QVERIFY(mentions(longer, "3 bytes behind the numbers were left out"));
  }

  void otherArraysAreRefused() {
    EXPECT_THROWS(InputError, load_volume(put("a.npy", npy("|u1", "(4,)", "abcd"))),
                  "holds 0 arrays of two or three dimensions");
    const QByteArray array = npy("|u1", "(2, 2)", "abcd");
    EXPECT_THROWS(InputError,
                  load_volume(put("b.npz", zip({{"a.npy", array}, {"b.npy", array}}, false))),
                  "holds 2 arrays of two or three dimensions: a of 2 x 2, b of 2 x 2");
    EXPECT_THROWS(InputError,
                  load_volume(put("c.npy", npy("|u1", "(2, 70000)", QByteArray(140000, 'a')))),
                  "1 to 65536 voxels");
  }

  /// Values in another order than the grid's are there twice while they are put in order.
  void bothCopiesAreCounted() {
    const auto claiming = [&](bool is_fortran) {
      return put("claims.npz",
                 zip({{"v.npy", npy("|u1", "(400, 400, 250)", {}, is_fortran)}}, true));
    };
    EXPECT_THROWS(InputError, load_volume(claiming(false)), "ends after 0 numbers");
    EXPECT_THROWS(InputError, load_volume(claiming(true)), "of memory");
  }

  void cutFilesAreRefused() {
    const QByteArray array = npy("|u1", "(2, 3, 4)", CountedVoxels::bytes());
    for (const auto& [name, whole] : std::vector<std::pair<QString, QByteArray>>{
             {"cut.npy", array}, {"cut.npz", zip({{"v.npy", array}}, true)}}) {
      const std::string wrong = wrong_after_cuts(*folder_, name, whole);
      QVERIFY2(wrong.empty(), wrong.c_str());
    }
  }

  void numpyReadsWhatIsWritten() {
    const QString python = python_with("numpy");
    if (python.isEmpty()) QSKIP("no Python with numpy");
    const LoadedVolume volume =
        load_volume(put("c.npy", npy("|u1", "(2, 3, 4)", CountedVoxels::bytes())));
    VolumeToWrite out;
    out.grid = volume.grid;
    out.mu = volume.mu;
    write_volume(folder_->filePath("own.npy").toStdString(), out);
    QProcess process;
    process.start(python, {"-c",
                           "import sys, numpy as np; a = np.load(sys.argv[1]); z, y, x = "
                           "np.mgrid[0:2, 0:3, 0:4]; print(a.dtype, a.shape, (a == x + 10 * y + "
                           "100 * z).all())",
                           folder_->filePath("own.npy")});
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.readAllStandardOutput().trimmed(), QByteArray("float32 (2, 3, 4) True"));
  }
};

GANTRY_TEST(TestNpyVolume)
#include "test_npy_volume.moc"
