// Raw volumes, which are pairs with a MetaImage header.
#include "core/base/error.hpp"
#include "core/io/volumes/raw_volume.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

using namespace gantry;

class TestRawVolume : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }
  void put(const char* name, const QByteArray& bytes) const {
    QFile file(folder_.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
  }

 private slots:
  void theyNeedTheirHeader() {
    const VolumeGrid grid = VolumeGrid::centered(2, 2, 2, {1, 1, 1});
    const std::vector<float> mu = {1, 2, 3, 4, 5, 6, 7, 8};
    write_raw_volume(path("v.raw"), grid, mu);
    QCOMPARE(QDir(folder_.path()).entryList(QDir::Files | QDir::Hidden),
             (QStringList{"v.mhd", "v.raw"}));
    QCOMPARE(QFileInfo(folder_.filePath("v.raw")).size(), qint64{32});
    const LoadedVolume back = read_raw_volume(path("v.raw"));
    QVERIFY(back.grid == grid && back.mu == mu);
    EXPECT_THROWS(InputError, read_raw_volume(path("absent.raw")), "there is no such file");
    put("w.raw", QByteArray(32, '\0'));
    EXPECT_THROWS(
        InputError, read_raw_volume(path("w.raw")),
        "w.raw: a raw file does not say its size and type; put a MetaImage header beside it");
    put("w.mhd",
        "ObjectType = Image\nNDims = 3\nDimSize = 2 2 2\nElementType = MET_FLOAT\n"
        "ElementDataFile = v.raw\n");
    EXPECT_THROWS(InputError, read_raw_volume(path("w.raw")), "describes another file");
    EXPECT_THROWS(UsageError, write_raw_volume(path("v.bin"), grid, mu), "name it NAME.raw");
  }

  void upperCaseNamesAreFound() {
    const VolumeGrid grid = VolumeGrid::centered(2, 2, 2, {1, 1, 1});
    const std::vector<float> mu = {1, 2, 3, 4, 5, 6, 7, 8};
    write_raw_volume(path("U.RAW"), grid, mu);
    QVERIFY(QFile::exists(folder_.filePath("U.RAW")) && QFile::exists(folder_.filePath("U.mhd")));
    QCOMPARE(read_raw_volume(path("U.RAW")).mu, mu);
    QVERIFY(QFile::rename(folder_.filePath("U.mhd"), folder_.filePath("U.MHD")));
    QCOMPARE(read_raw_volume(path("U.RAW")).mu, mu);
  }
};

GANTRY_TEST(TestRawVolume)
#include "test_raw_volume.moc"
