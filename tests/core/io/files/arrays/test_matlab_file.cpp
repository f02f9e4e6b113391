// What MATLAB stores beside arrays of numbers does not hide them: objects, sparse and empty arrays.
// The files are written here element by element, since other programs write no objects.
#include "core/base/error.hpp"
#include "core/io/files/arrays/matlab_file.hpp"
#include "tests/core/io/imports/numpy_bytes.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <hdf5.h>
#include <set>

using namespace gantry;
using namespace gantry::test;

namespace {

enum Type : std::uint32_t {
  int8 = 1,
  uint8 = 2,
  int32 = 5,
  uint32 = 6,
  float32 = 7,
  float64 = 9,
  matrix = 14,
  packed = 15
};
enum Class : std::uint32_t {
  structure = 2,
  sparse_array = 5,
  doubles = 6,
  singles = 7,
  bytes_class = 9,
  opaque = 17
};

/// An element: its tag, its data, and zeros up to a multiple of eight bytes.
QByteArray element(Type type, const QByteArray& data) {
  return little_endian(static_cast<std::uint32_t>(type)) +
         little_endian(static_cast<std::uint32_t>(data.size())) + data +
         QByteArray((8 - data.size() % 8) % 8, '\0');
}
QByteArray flags(Class kind) {
  return element(uint32, little_endian(static_cast<std::uint32_t>(kind)) + QByteArray(4, '\0'));
}
/// A matrix, of which `rest` follows the name.
QByteArray matrix_of(Class kind, std::int32_t rows, std::int32_t columns, const QByteArray& name,
                     const QByteArray& rest) {
  return element(matrix, flags(kind) +
                             element(int32, little_endian(rows) + little_endian(columns)) +
                             element(int8, name) + rest);
}
QByteArray numbers(const QByteArray& name) {
  const std::vector<double> values = {1, 2, 3, 4, 5, 6};
  return matrix_of(doubles, 2, 3, name,
                   element(float64, little_endian(std::span<const double>(values))));
}
QByteArray object(const QByteArray& name, const QByteArray& type) {
  return element(matrix, flags(opaque) + element(int8, name) + element(int8, "MCOS") +
                             element(int8, type) +
                             matrix_of(bytes_class, 1, 6, {}, element(uint8, "123456")));
}
QByteArray sparse(const QByteArray& name) {
  return matrix_of(
      sparse_array, 3, 1, name,
      element(int32, little_endian(std::int32_t{2})) +
          element(int32, little_endian(std::int32_t{0}) + little_endian(std::int32_t{1})) +
          element(float64, little_endian(7.5)));
}
/// A structure with the fields "obj", an object, and "num", numbers.
QByteArray structure_of(const QByteArray& name) {
  const QByteArray names = QByteArray("obj\0num\0", 8);
  return matrix_of(structure, 1, 1, name,
                   element(int32, little_endian(std::int32_t{4})) + element(int8, names) +
                       object({}, "table") + numbers({}));
}
QByteArray file_of(const QByteArray& elements) {
  QByteArray header = "MATLAB 5.0 MAT-file, Platform: GLNXA64";
  header.resize(124, ' ');
  return header + QByteArray("\0\1IM", 4) + elements;
}

std::vector<std::string> names_of(const ArrayFile& file) {
  std::vector<std::string> names;
  for (const StoredArray& array : file.arrays) names.push_back(array.name);
  return names;
}

/// A file of version 7.3 that is being written.
class Hdf5Writer {
 public:
  explicit Hdf5Writer(std::string path) : path_(std::move(path)) {
    const hid_t properties = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_userblock(properties, 512);
    file_ = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, properties, H5P_DEFAULT);
    H5Pclose(properties);
    if (file_ < 0) qFatal("cannot write the test file %s", path_.c_str());
  }
  /// Adds a data set of whole numbers, of a class of MATLAB; `mark` is an attribute of it.
  void add(const char* name, const std::vector<std::uint64_t>& values, const std::string& type,
           const char* mark = nullptr) const {
    const hsize_t size = values.size();
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    const hid_t data =
        H5Dcreate2(file_, name, H5T_NATIVE_UINT64, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(data, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    if (!type.empty()) {
      const hid_t text = H5Tcopy(H5T_C_S1), scalar = H5Screate(H5S_SCALAR);
      H5Tset_size(text, type.size());
      const hid_t attribute =
          H5Acreate2(data, "MATLAB_class", text, scalar, H5P_DEFAULT, H5P_DEFAULT);
      H5Awrite(attribute, text, type.data());
      H5Aclose(attribute);
      H5Sclose(scalar);
      H5Tclose(text);
    }
    if (mark != nullptr) this->mark(data, mark);
    H5Dclose(data);
    H5Sclose(space);
  }
  void add_group(const char* name, const char* mark) const {
    const hid_t group = H5Gcreate2(file_, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    this->mark(group, mark);
    H5Gclose(group);
  }
  void close() const {
    H5Fclose(file_);
    QByteArray whole = bytes_of_file(path_);
    const QByteArray header = "MATLAB 7.3 MAT-file, Platform: GLNXA64";
    whole.replace(0, header.size(), header);
    write_file(path_, whole);
  }

 private:
  static void mark(hid_t object, const char* name) {
    const hid_t scalar = H5Screate(H5S_SCALAR);
    const hid_t attribute =
        H5Acreate2(object, name, H5T_NATIVE_UINT8, scalar, H5P_DEFAULT, H5P_DEFAULT);
    const std::uint8_t one = 1;
    H5Awrite(attribute, H5T_NATIVE_UINT8, &one);
    H5Aclose(attribute);
    H5Sclose(scalar);
  }

  std::string path_;
  hid_t file_;
};

const std::vector<std::string> left_out = {"s (an object of the class string) was left out",
                                           "S (a sparse array) was left out"};

}  // namespace

class TestMatlabFile : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }

 private slots:
  /// The matrix without a name at the end holds what the objects consist of.
  void objectsBesideNumbers_data() {
    QTest::addColumn<bool>("is_packed");
    QTest::newRow("as they are") << false;
    QTest::newRow("packed") << true;
  }
  void objectsBesideNumbers() {
    QFETCH(bool, is_packed);
    QByteArray elements;
    for (const QByteArray& one :
         {object("s", "string"), sparse("S"), numbers("x"), structure_of("all"),
          matrix_of(bytes_class, 1, 16, {}, element(uint8, QByteArray(16, 'a')))}) {
      const QByteArray zlib = qCompress(one).mid(4);
      elements += !is_packed ? one
                             : little_endian(static_cast<std::uint32_t>(packed)) +
                                   little_endian(static_cast<std::uint32_t>(zlib.size())) + zlib;
    }
    write_file(path("a.mat"), file_of(elements));
    const ArrayFile file = open_matlab(path("a.mat"));
    QCOMPARE(names_of(file), (std::vector<std::string>{"x", "all/num"}));
    QCOMPARE(file.left_out,
             (std::vector<std::string>{left_out[0], left_out[1],
                                       "all/obj (an object of the class table) was left out"}));
    for (const StoredArray& array : file.arrays)
      QCOMPARE(numbers_of(array), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  }

  void singlePrecision() {
    const std::vector<float> values = {1, 2, 3, 4, 5, 6};
    write_file(path("a.mat"),
               file_of(matrix_of(singles, 2, 3, "x",
                                 element(float32, little_endian(std::span<const float>(values))))));
    const ArrayFile file = open_matlab(path("a.mat"));
    QCOMPARE(names_of(file), std::vector<std::string>{"x"});
    QCOMPARE(numbers_of(file.arrays.front()), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  }

  /// Every cut gives a line, or the variables before it.
  void cutFilesAreRefused() {
    const QByteArray whole = file_of(object("s", "string") + sparse("S") + numbers("x"));
    for (qsizetype length = 0; length < whole.size(); ++length) {
      write_file(path("cut.mat"), whole.left(length));
      EXPECT_THROWS(InputError, open_matlab(path("cut.mat")), "cut.mat: ");
    }
  }

  void version73() {
    const Hdf5Writer writer(path("b.mat"));
    writer.add("a_empty", {0, 3}, "double", "MATLAB_empty");
    writer.add("s", {1, 2, 3, 4, 5, 6}, "string", "MATLAB_object_decode");
    writer.add_group("S", "MATLAB_sparse");
    writer.add("S/data", {7}, "");
    writer.add("S/ir", {2}, "");
    writer.add("S/jc", {0, 1}, "");
    writer.add("text", {65, 66}, "char");
    writer.add("x", {1, 2, 3}, "uint64");
    writer.close();
    const ArrayFile file = open_matlab(path("b.mat"));
    QCOMPARE(names_of(file), (std::vector<std::string>{"x"}));
    QCOMPARE(std::set(file.left_out.begin(), file.left_out.end()),
             std::set(left_out.begin(), left_out.end()));
    QCOMPARE(numbers_of(file.arrays[0]), (std::vector<double>{1, 2, 3}));
  }
};

GANTRY_TEST(TestMatlabFile)
#include "test_matlab_file.moc"
