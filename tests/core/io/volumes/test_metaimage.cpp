#include "core/base/error.hpp"
#include "core/io/volumes/metaimage.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "tests/core/io/volumes/counted_voxels.hpp"
#include "tests/support/data.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/python.hpp"
#include "tests/support/test_program.hpp"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <vector>

using namespace gantry;
using gantry::test::data_path;

namespace {

using Lines = QMap<QString, QString>;

/// A header of a 4 x 3 x 2 image of uint8; fields can be replaced or (with "-") left out.
QByteArray header(Lines changes = {}) {
  const QVector<std::pair<QString, QString>> standard = {
      {"ObjectType", "Image"},          {"NDims", "3"},
      {"BinaryData", "True"},           {"BinaryDataByteOrderMSB", "False"},
      {"CompressedData", "False"},      {"Offset", "-1.5 2.25 10"},
      {"ElementSpacing", "0.5 0.75 2"}, {"DimSize", "4 3 2"},
      {"ElementType", "MET_UCHAR"}};
  QByteArray text;
  for (const auto& [key, value] : standard) {
    const QString chosen = changes.contains(key) ? changes.take(key) : value;
    if (chosen != "-") text += (key + " = " + chosen + "\n").toUtf8();
  }
  const QString file =
      changes.contains("ElementDataFile") ? changes.take("ElementDataFile") : "LOCAL";
  for (const auto& [key, value] : changes.asKeyValueRange())
    text += (key + " = " + value + "\n").toUtf8();
  return text + (file == "-" ? QByteArray() : ("ElementDataFile = " + file + "\n").toUtf8());
}

/// 24 bytes: x + 10 y + 100 z.
QByteArray voxels() {
  QByteArray bytes;
  for (int i = 0; i < 24; ++i)
    bytes += static_cast<char>(i % 4 + 10 * (i / 4 % 3) + 100 * (i / 12));
  return bytes;
}

class Folder {
 public:
  std::string path(const QString& name) const { return folder_.filePath(name).toStdString(); }
  std::string put(const QString& name, const QByteArray& bytes) const {
    QFile file(folder_.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) qFatal("no space");
    return path(name);
  }
  QStringList names() const {
    return QDir(folder_.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
  }
  QString root() const { return folder_.path(); }

 private:
  QTemporaryDir folder_;
};

/// The value of the written files' formula at a point of the world, wherever axes run.
double formula(const LoadedVolume& volume, int ix, int iy, int iz) {
  const Vec3 p = volume.grid.voxel_center_mm(ix, iy, iz);
  return std::round((p.x + 1.5) / 0.5) + 10 * std::round((p.y - 2.25) / 0.75) +
         100 * std::round((p.z - 10) / 2);
}

bool has_formula(const LoadedVolume& volume, double shift = 0) {
  const VolumeGrid& g = volume.grid;
  if (volume.mu.size() != g.voxels()) return false;
  for (int iz = 0; iz < g.nz; ++iz)
    for (int iy = 0; iy < g.ny; ++iy)
      for (int ix = 0; ix < g.nx; ++ix)
        if (static_cast<double>(volume.mu[g.index(ix, iy, iz)]) !=
            formula(volume, ix, iy, iz) + shift)
          return false;
  return true;
}

const VolumeGrid standard_grid{4, 3, 2, {0.5, 0.75, 2}, {-1.5, 2.25, 10}};

QByteArray run_python(const QString& python, const QStringList& arguments) {
  QProcess process;
  process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
  process.start(python,
                QStringList(QStringLiteral(GANTRY_SOURCE_DIR "/tests/oracles/metaimage_files.py")) +
                    arguments);
  process.waitForFinished(60000);
  return process.readAllStandardOutput();
}

}  // namespace

class TestMetaImage : public QObject {
  Q_OBJECT
  QString python_;

 private slots:
  void initTestCase() { python_ = gantry::test::python_with("numpy"); }

  void everyTypeOrderAndStorage() {
    if (python_.isEmpty()) QSKIP("no Python with numpy");
    const Folder folder;
    const QList<QByteArray> names =
        run_python(python_, {"write", folder.root()}).trimmed().split('\n');
    QCOMPARE(names.size(), 12 * 2 * 7);
    for (const QByteArray& name : names) {
      const LoadedVolume volume = read_metaimage(folder.path(name));
      const bool is_unsigned = name.startsWith("MET_U");
      QVERIFY2(volume.grid == standard_grid, name.constData());
      QVERIFY2(has_formula(volume, is_unsigned ? 0 : -60), name.constData());
      QVERIFY2(volume.notes.empty(), name.constData());
      QVERIFY(!volume.from_hu && !volume.frame);
      QCOMPARE(volume.source, folder.path(name));
    }
  }

  void writtenFilesAreReadByOthers() {
    if (python_.isEmpty()) QSKIP("no Python with numpy");
    const Folder folder;
    const VolumeGrid grid{3, 2, 2, {0.1, 1.0 / 3, 2.5}, {-7.25, 1e-9, 12345.678}};
    std::vector<float> mu(12);
    for (std::size_t i = 0; i < 12; ++i) mu[i] = 0.0123F * static_cast<float>(i) - 0.01F;
    for (const char* name : {"a.mha", "b.mhd"}) {
      write_metaimage(folder.path(name), grid, mu);
      const QByteArray text =
          run_python(python_, {"read", QString::fromStdString(folder.path(name))});
      const QJsonObject json = QJsonDocument::fromJson(text).object();
      QCOMPARE(json["size"].toArray(), (QJsonArray{3, 2, 2}));
      QCOMPARE(json["spacing"].toArray(), (QJsonArray{0.1, 1.0 / 3, 2.5}));
      QCOMPARE(json["offset"].toArray(), (QJsonArray{-7.25, 1e-9, 12345.678}));
      for (int i = 0; i < 12; ++i)
        QVERIFY(static_cast<float>(json["values"].toArray()[i].toDouble()) ==
                mu[static_cast<std::size_t>(i)]);
      const LoadedVolume back = read_metaimage(folder.path(name));
      QVERIFY(back.grid == grid && back.mu == mu && back.notes.empty());
    }
    QCOMPARE(folder.names(), (QStringList{"a.mha", "b.mhd", "b.raw"}));
  }

  void realHead() {
    NEED_DATA("vol_head_metaimage/head.mha");
    const LoadedVolume head = read_metaimage(data_path("vol_head_metaimage/head.mha"));
    QVERIFY(head.grid.nx == 64 && head.grid.ny == 64 && head.grid.nz == 93);
    EXPECT_NEAR(head.grid.spacing_mm.x, 3.2, 1e-6);
    EXPECT_NEAR(head.grid.spacing_mm.z, 1.5, 0);
    QCOMPARE(head.grid.origin_mm, (Vec3{0, 0, 0}));
    QFile file(QString::fromStdString(data_path("vol_head_metaimage/head.mha")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll().right(64 * 64 * 93 * 2);
    for (const std::size_t i : {0U, 100000U, 250000U, 64U * 64U * 93U - 1}) {
      std::uint16_t value = 0;
      std::memcpy(&value, bytes.constData() + 2 * i, 2);
      QCOMPARE(head.mu[i], static_cast<float>(value));
    }
    QVERIFY(*std::ranges::max_element(head.mu) > 1000);
  }

  void houndsfieldUnitsAreConverted() {
    const Folder folder;
    const std::string path = folder.put("a.mha", header() + voxels());
    const LoadedVolume hu = read_metaimage(path, {.hu = true, .mu_water = 0.019});
    QVERIFY(hu.from_hu);
    QCOMPARE(hu.mu_water, 0.019);
    EXPECT_NEAR(hu.mu[23], 0.019 * (1 + 0.123), 1e-8);
    write_metaimage(folder.path("b.mha"), hu.grid, hu.mu, {.hu = true, .mu_water = 0.019});
    const LoadedVolume back = read_metaimage(folder.path("b.mha"));  // which states its unit
    QVERIFY(back.from_hu);
    QCOMPARE(back.mu_water, 0.019);
    EXPECT_NEAR(back.mu[23], 0.019 * (1 + 0.123), 1e-8);
    QVERIFY(back.notes.empty());
    QVERIFY(read_metaimage(folder.path("b.mha"), {.hu = true, .mu_water = 0.019}).notes.empty());
    const LoadedVolume other = read_metaimage(folder.path("b.mha"), {.hu = true, .mu_water = 0.02});
    QVERIFY(other.notes.empty());
    QCOMPARE(other.mu_water, 0.019);  // the file states it
  }

  void axesArePutInOrder() {
    const Folder folder;
    // backwards x and z: the file begins at the other end
    LoadedVolume v = read_metaimage(folder.put(
        "a.mha", header({{"TransformMatrix", "-1 0 0 0 1 0 0 0 -1"}, {"Offset", "1.5 2.25 14"}}) +
                     voxels()));
    QCOMPARE(v.grid.origin_mm, (Vec3{0, 2.25, 12}));
    QCOMPARE(v.mu[v.grid.index(3, 0, 1)], 0.0F);  // the first voxel of the file, at (1.5, 2.25, 14)
    QCOMPARE(v.mu[v.grid.index(3, 1, 1)], 10.0F);
    QCOMPARE(v.mu[v.grid.index(0, 0, 0)], 103.0F);
    QVERIFY(mentions(v, "put in the order of x, y and z"));
    // the file's axes run along y, z and -x
    v = read_metaimage(
        folder.put("b.mha", header({{"TransformMatrix", "0 1 0 0 0 1 -1 0 0"}}) + voxels()));
    QVERIFY(v.grid.nx == 2 && v.grid.ny == 4 && v.grid.nz == 3);
    QCOMPARE(v.grid.spacing_mm, (Vec3{2, 0.5, 0.75}));
    QCOMPARE(v.grid.origin_mm, (Vec3{-3.5, 2.25, 10}));
    for (int i = 0; i < 24; ++i)  // voxel i of the file
      QCOMPARE(v.mu[v.grid.index(1 - i / 12, i % 4, i / 4 % 3)],
               static_cast<float>(static_cast<unsigned char>(voxels()[i])));
    // rounding in the matrix is not a turn
    v = read_metaimage(
        folder.put("c.mha", header({{"Orientation", "1 1e-9 0 -1e-9 1 0 0 0 1"}}) + voxels()));
    QVERIFY(has_formula(v) && v.notes.empty());
    v = read_metaimage(folder.put(
        "d.mha", header({{"TransformMatrix", "0.8 0.6 0 -0.6 0.8 0 0 0 1"}}) + voxels()));
    QVERIFY(has_formula(v) && mentions(v, "oblique"));
    v = read_metaimage(
        folder.put("e.mha", header({{"TransformMatrix", "1 0 0 1 0 0 0 0 1"}}) + voxels()));
    QVERIFY(mentions(v, "sheared, by 90 degrees"));
  }

  void lessUsualHeaders() {
    const Folder folder;
    LoadedVolume v = read_metaimage(folder.put("a.mha", header({{"ElementSpacing", "-"},
                                                                {"ElementSize", "0.5 0.75 2"},
                                                                {"Offset", "-"},
                                                                {"Position", "-1.5 2.25 10"},
                                                                {"Rotation", "1 0 0 0 1 0 0 0 1"}})
                                                                .replace("\n", "\r\n") +
                                                            voxels()));
    QVERIFY(v.grid == standard_grid && has_formula(v) && v.notes.empty());
    v = read_metaimage(
        folder.put("b.mha", header({{"Offset", "-"}, {"ElementSpacing", "-"}}) + voxels()));
    QVERIFY(v.grid == VolumeGrid::centered(4, 3, 2, {1, 1, 1}));
    QVERIFY(mentions(v, "no ElementSpacing") && mentions(v, "no Offset"));
    v = read_metaimage(folder.put("c.mha", header({{"NDims", "2"},
                                                   {"DimSize", "4 6"},
                                                   {"Offset", "1 2"},
                                                   {"TransformMatrix", "1 0 0 1"},
                                                   {"ElementSpacing", "0.5 0.75"}}) +
                                               voxels()));
    QVERIFY((v.grid == VolumeGrid{4, 6, 1, {0.5, 0.75, 1}, {1, 2, 0}}));
    QCOMPARE(v.mu[13], 101.0F);
    v = read_metaimage(folder.put("d.mha", header({{"ElementToIntensityFunctionSlope", "2"},
                                                   {"ElementNumberOfChannels", "1"}}) +
                                               voxels()));
    QVERIFY(mentions(v, "ElementToIntensityFunctionSlope = 2 was left out"));
    folder.put("sub.raw", voxels());
    QVERIFY(
        has_formula(read_metaimage(folder.put("e.mhd", header({{"ElementDataFile", "sub.raw"}})))));
  }

  void valuesThatAreNotFiniteBecomeAir() {
    const Folder folder;
    std::vector<float> values(24, 1.5F);
    values[3] = std::numeric_limits<float>::quiet_NaN();
    values[9] = std::numeric_limits<float>::infinity();
    const std::string path =
        folder.put("a.mha", header({{"ElementType", "MET_FLOAT"}}) +
                                QByteArray(reinterpret_cast<const char*>(values.data()), 96));
    for (const bool hu : {false, true}) {
      const LoadedVolume v = read_metaimage(path, {.hu = hu});
      QVERIFY(v.mu[3] == 0 && v.mu[9] == 0 && v.mu[4] > 0);
      QVERIFY(mentions(v,
                       "2 values are not finite (NaN or infinite); set to air, and excluded from "
                       "comparisons with a reference"));
    }
  }

  void badHeadersAreNamed_data() {
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("message");
    const auto add = [](const char* field, const char* value, const char* message) {
      QTest::addRow("%s %s", field, value) << field << value << message;
    };
    add("ObjectType", "Tube", "ObjectType: is Tube; only images");
    add("NDims", "-", "NDims: is missing");
    add("NDims", "5", "NDims: is 5; only 2 and 3");
    add("NDims", "three", "NDims: is \"three\"; give 1 numbers");
    add("DimSize", "-", "DimSize: is missing");
    add("DimSize", "4 3", "DimSize: is \"4 3\"; give 3 numbers");
    add("DimSize", "4 3 0", "DimSize: is \"4 3 0\"; give whole numbers");
    add("DimSize", "4 3 1e18", "DimSize: is \"4 3 1e18\"");
    add("DimSize", "4 3 2.5", "DimSize: is");
    add("DimSize", "4 3 3",
        "a.mha: holds 24 bytes of data, too few for 36 voxels of 1 bytes; the file is cut short");
    add("DimSize", "60000 60000 60000", "too few for 216000000000000 voxels");
    add("ElementSpacing", "1 1 x", "ElementSpacing: is \"1 1 x\"");
    add("ElementSpacing", "1 0 1", "ElementSpacing: is \"1 0 1\"; give positive sizes");
    add("ElementSpacing", "1 1 nan", "ElementSpacing: is");
    add("Offset", "0 0", "Offset: is \"0 0\"; give 3 numbers");
    add("TransformMatrix", "1 0 0", "TransformMatrix: is");
    add("ElementType", "-", "ElementType: is missing");
    add("ElementType", "MET_COMPLEX", "ElementType: \"MET_COMPLEX\" is not known");
    add("ElementType", "MET_FLOAT", "too few for 24 voxels of 4 bytes");
    add("ElementNumberOfChannels", "3", "ElementNumberOfChannels: is 3; use one number per voxel");
    add("BinaryData", "False", "a.mha: holds 24 characters for 24 numbers");
    add("BinaryDataByteOrderMSB", "maybe",
        "BinaryDataByteOrderMSB: is \"maybe\"; use True or False");
    add("CompressedData", "True", "a.mha: the compressed data are damaged");
    add("HeaderSize", "-2", "HeaderSize: is -2");
    add("HeaderSize", "100000", "holds 0 bytes of data");
    add("ElementDataFile", "-", "ElementDataFile: is missing");
    add("ElementDataFile", "", "ElementDataFile: is empty");
    add("ElementDataFile", "none.raw", "none.raw: there is no such data file");
    add("ElementDataFile", "LIST", "ElementDataFile: lists a name with control characters");
    add("ElementDataFile", "slice%03d.raw 1 2 1", "slice001.raw: there is no such file");
    add("ElementDataFile", "slice%03d.raw 1 3 1",
        "ElementDataFile: names 3 files for 2 slices; name a file for each slice");
    add("ElementDataFile", "slice%s.raw 1 2 1",
        "ElementDataFile: is \"slice%s.raw 1 2 1\"; give a pattern");
    add("ElementDataFile", "slice%d.raw 2 1 1", "is \"slice%d.raw 2 1 1\"; give a pattern");
    add("ElementDataFile", "slice%d.raw 1 2000000000 1", "give a pattern");
  }

  void badHeadersAreNamed() {
    QFETCH(QString, field);
    QFETCH(QString, value);
    QFETCH(QString, message);
    const Folder folder;
    const std::string path = folder.put("a.mha", header({{field, value}}) + voxels());
    EXPECT_THROWS(InputError, read_metaimage(path), message.toStdString());
    EXPECT_THROWS(InputError, read_metaimage(path), "; ");
  }

  /// Of a field that is given twice nobody knows which is meant, unless both say the same.
  void fieldsGivenTwiceAreNamed() {
    const Folder folder;
    const QByteArray text = header() + voxels();
    EXPECT_THROWS(InputError, read_metaimage(folder.put("a.mha", "DimSize = 9 9 9\n" + text)),
                  "DimSize: is given twice; remove one of them");
    read_metaimage(folder.put("b.mha", "DimSize = 4 3 2\nComment = a\nComment = b\n" + text));
  }

  void badFilesAreNamed() {
    const Folder folder;
    EXPECT_THROWS(InputError, read_metaimage(folder.path("absent.mha")),
                  "No such file or directory");
    EXPECT_THROWS(InputError, read_metaimage(folder.path("")), "is a folder");
    EXPECT_THROWS(InputError, read_metaimage(folder.put("a.mha", "")), "is not a MetaImage file");
    EXPECT_THROWS(InputError, read_metaimage(folder.put("a.mha", "Hello\nworld\n")),
                  "is not a MetaImage file");
    EXPECT_THROWS(InputError, read_metaimage(folder.put("a.mha", QByteArray(3000000, '\0'))),
                  "is not a MetaImage file");
    // packed data that end too early, that hold too little, and that cannot hold so much
    const QByteArray zlib = qCompress(voxels()).mid(4);
    const Lines packed = {{"CompressedData", "True"}};
    QVERIFY(has_formula(read_metaimage(folder.put("a.mha", header(packed) + zlib))));
    EXPECT_THROWS(InputError, read_metaimage(folder.put("a.mha", header(packed) + zlib.chopped(8))),
                  "of 24 voxels; the file is cut short");
    Lines larger = packed;
    larger["DimSize"] = "4 3 4";
    EXPECT_THROWS(InputError, read_metaimage(folder.put("a.mha", header(larger) + zlib)),
                  "ends after 24 of 48 voxels");
    larger["DimSize"] = "2000 2000 2000";
    EXPECT_THROWS(InputError, read_metaimage(folder.put("a.mha", header(larger) + zlib)),
                  "too few for 8000000000 voxels");
    larger = packed;
    larger["HeaderSize"] = "-1";
    EXPECT_THROWS(InputError, read_metaimage(folder.put("a.mha", header(larger) + zlib)),
                  "give CompressedDataSize");
  }

  void surplusIsRefused() {
    const Folder folder;
    const auto message_of = [&](const Lines& changes, const QByteArray& data) {
      try {
        read_metaimage(folder.put("a.mha", header(changes) + data));
      } catch (const InputError& error) {
        return std::string(error.what());
      }
      return std::string("accepted");
    };
    const auto refused = [&](const Lines& changes, const QByteArray& data, const char* part) {
      const std::string message = message_of(changes, data);
      return message.find(part) != std::string::npos || (qWarning("%s", message.c_str()), false);
    };
    const char* const too_many = "too many for ";
    QVERIFY(refused({}, voxels() + "x", too_many));
    QVERIFY(
        refused({{"ElementType", "MET_SHORT"}, {"DimSize", "4 3 1"}}, voxels() + "\n", too_many));
    QVERIFY(refused({{"DimSize", "4 3 1"}}, voxels(), too_many));
    QVERIFY(refused({{"DimSize", "4 2 2"}}, voxels(), too_many));
    QVERIFY(refused({{"DimSize", "5 2 2"}}, voxels(), too_many));
    QVERIFY(refused({{"HeaderSize", "-1"}, {"DimSize", "4 3 1"}}, voxels(), too_many));
    // a stated start may be the wrong one, however little is left
    const QString start = QString::number(header({{"HeaderSize", "100"}}).size());
    QVERIFY(refused({{"HeaderSize", start}, {"ElementType", "MET_SHORT"}, {"DimSize", "4 3 1"}},
                    "x" + voxels(), too_many));
  }

  void packedDataEndWithTheLastVoxel() {
    const Folder folder;
    const QByteArray zlib = qCompress(voxels()).mid(4);
    const auto file = [&](Lines changes, const QByteArray& data) {
      changes["CompressedData"] = "True";
      return folder.put("a.mha", header(changes) + data);
    };
    const Lines sized = {{"CompressedDataSize", QString::number(zlib.size())}};
    QVERIFY(has_formula(read_metaimage(file(sized, zlib))));
    EXPECT_THROWS(InputError, read_metaimage(file({{"DimSize", "4 3 1"}}, zlib)),
                  "unpacks to more data than there should be for 12 voxels");
    for (qsizetype cut = 1; cut <= 4; ++cut)  // of the checksum
      EXPECT_THROWS(InputError, read_metaimage(file({}, zlib.chopped(cut))),
                    "end before their checksum");
    EXPECT_THROWS(InputError, read_metaimage(file({}, zlib + "x")), "too many");
    EXPECT_THROWS(InputError, read_metaimage(file(sized, zlib + "x")), "too many");
    const Lines oversized = {{"CompressedDataSize", QString::number(zlib.size() + 1)}};
    EXPECT_THROWS(InputError, read_metaimage(file(oversized, zlib + "x")),
                  "CompressedDataSize says");
    // the last block of deflate data is filled up to a byte with bits that say nothing
    int without_meaning = 0;
    for (qsizetype bit = 0; bit < 8 * zlib.size(); ++bit) {
      QByteArray damaged = zlib;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
      try {
        QVERIFY(has_formula(read_metaimage(file(sized, damaged))));
        ++without_meaning;
      } catch (const InputError& error) {
        QVERIFY(std::strstr(error.what(), "; ") != nullptr);
      }
    }
    QVERIFY(without_meaning < 8);
  }

  /// 70 MB of zeros pack into 70 kB, and would take 280 MB as numbers.
  void bombsAreRefusedUnlessAllowed() {
    const Folder folder;
    const QByteArray zlib = qCompress(QByteArray(4000 * 250 * 70, '\0')).mid(4);
    const std::string path = folder.put(
        "a.mha", header({{"CompressedData", "True"}, {"DimSize", "4000 250 70"}}) + zlib);
    EXPECT_THROWS(InputError, read_metaimage(path), "claims 70000000 voxels in ");
    EXPECT_THROWS(InputError, read_metaimage(path), "GANTRY_ALLOW_LARGE=1");
  }

  void theHeaderKnowsItsData() {
    const Folder folder;
    const VolumeGrid grid = VolumeGrid::centered(2, 2, 2, {1, 1, 1});
    write_metaimage(folder.path("a.mhd"), grid, std::vector<float>(8, 1));
    write_metaimage(folder.path("b.mhd"), grid, std::vector<float>(8, 2));
    QVERIFY(QFile::remove(QString::fromStdString(folder.path("a.raw"))));
    QVERIFY(QFile::copy(QString::fromStdString(folder.path("b.raw")),
                        QString::fromStdString(folder.path("a.raw"))));
    EXPECT_THROWS(InputError, read_metaimage(folder.path("a.mhd")),
                  "a.raw: holds other data than its header was written with");
  }

  void namesThatAHeaderCannotHoldAreRefused() {
    const Folder folder;
    const VolumeGrid grid = VolumeGrid::centered(1, 1, 1, {1, 1, 1});
    const std::vector<float> mu = {3};
    VolumeToWrite volume;
    volume.grid = grid;
    volume.mu = mu;
    for (const char* name :
         {"a b.mhd", "-a.mhd", "\xff.mhd", "a;b=c.mhd", "LOCAL.mhd", "\u00e4.raw"}) {
      const std::string path = folder.root().toStdString() + "/" + name;
      write_volume(path, volume);
      QCOMPARE(load_volume(path).mu, mu);
      for (const std::string& written : files_of_volume(path))
        QVERIFY(std::remove(written.c_str()) == 0);  // QTemporaryDir knows only UTF-8
    }
    for (const char* name : {"a%n.mhd", "LIST.raw", " a.mhd", "a\nb.mhd", "a\x1b[2J.mhd"}) {
      const std::string path = folder.root().toStdString() + "/" + name;
      EXPECT_THROWS(UsageError, require_writable_volume(path), "; choose ");
      EXPECT_THROWS(UsageError, write_volume(path, volume), "; choose ");
    }
  }

  void everyCutIsRefused() {
    const Folder folder;
    const QByteArray whole = header() + voxels();
    for (qsizetype length = 0; length < whole.size(); ++length)
      EXPECT_THROWS(InputError, read_metaimage(folder.put("a.mha", whole.left(length))), "; ");
    QVERIFY(has_formula(read_metaimage(folder.put("a.mha", whole))));
  }

  void failedWritesLeaveWhatWasThere() {
    const Folder folder;
    const VolumeGrid grid = VolumeGrid::centered(2, 1, 1, {1, 1, 1});
    const std::vector<float> mu = {1, 2};
    EXPECT_THROWS(OutputError, write_metaimage(folder.path("no/a.mha"), grid, mu),
                  "create the folder first");
    EXPECT_THROWS(UsageError, write_metaimage(folder.path("a.nii"), grid, mu),
                  "NAME.mha or NAME.mhd");
    QVERIFY(QDir().mkpath(QString::fromStdString(folder.path("b.mhd"))));
    EXPECT_THROWS(OutputError, write_metaimage(folder.path("b.mhd"), grid, mu),
                  "is not a regular file");
    QCOMPARE(folder.names(), QStringList{"b.mhd"});
  }
};

GANTRY_TEST(TestMetaImage)
#include "test_metaimage.moc"
