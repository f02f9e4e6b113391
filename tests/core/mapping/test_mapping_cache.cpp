// Mappings that are kept for later runs.
#include "core/backend/cpu_backend.hpp"
#include "core/catalog/catalog.hpp"
#include "core/mapping/mapping_cache.hpp"
#include "core/solvers/run.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <chrono>
#include <memory>

using namespace gantry;
using namespace gantry::test;

namespace fs = std::filesystem;

class TestMappingCache : public QObject {
  Q_OBJECT

  Catalog catalog_;
  CpuBackend backend_;
  std::unique_ptr<QTemporaryDir> home_;
  std::unique_ptr<Projector> A_;

  fs::path folder() const { return fs::path(home_->path().toStdString()) / "mappings"; }
  KeptMapping map(int seed = 1) const {
    return kept_or_mapped(*A_, {.seed = seed}, folder(), [this](double) { ++*reports_; });
  }
  std::unique_ptr<int> reports_ = std::make_unique<int>(0);  // calls that only computing makes

 private slots:
  void initTestCase() {
    add_core(catalog_);
    A_ = catalog_.projectors.make("siddon", "cpu", backend_, share(fan_spec(6, 40, 3)),
                                  VolumeGrid::centered(32, 32, 1, {2, 2, 2}), {});
  }
  void init() {
    home_ = std::make_unique<QTemporaryDir>();
    *reports_ = 0;
  }
  void cleanup() {
    qputenv("GANTRY_CACHE", "");
    qunsetenv("XDG_CACHE_HOME");
  }

  void computedOnceThenRead() {
    const KeptMapping first = map();
    QVERIFY(!first.was_read);
    QVERIFY2(first.note.find("was computed and kept as") != std::string::npos, first.note.c_str());
    const int reports = *reports_;
    QVERIFY(reports > 0);
    const KeptMapping second = map();
    QVERIFY(second.was_read);
    QVERIFY2(second.note.find("was read from " + folder().string()) != std::string::npos,
             second.note.c_str());
    QCOMPARE(*reports_, reports);
    QVERIFY(second.mapping.rays == first.mapping.rays);
    QVERIFY(!map(2).was_read);
  }

  void aDamagedFileIsReplaced() {
    const KeptMapping right = map();
    const fs::path path = kept_mapping_path(folder(), *A_, {});
    fs::resize_file(path, fs::file_size(path) - 1);
    const KeptMapping again = map();
    QVERIFY(!again.was_read);
    QVERIFY2(again.note.find("cannot be used") != std::string::npos, again.note.c_str());
    QVERIFY(again.mapping.rays == right.mapping.rays);
    QVERIFY(map().was_read);
  }

  /// Where the folder should be is a file.
  void aFolderThatCannotBeWrittenIsNoError() {
    QFile file(QString::fromStdString(folder().string()));
    QVERIFY(file.open(QIODevice::WriteOnly));
    for (int run = 0; run < 2; ++run) {
      const KeptMapping mapped = map();
      QVERIFY(!mapped.was_read);
      QVERIFY(!mapped.mapping.rays.empty());
      QVERIFY2(mapped.note.find("could not be kept") != std::string::npos, mapped.note.c_str());
      QVERIFY(mapped.note.find('\n') == std::string::npos);
    }
  }

  /// The mappings that were used last stay, and other files as well.
  void theOldestMakeRoom() {
    map(1);
    QFile other(QString::fromStdString((folder() / "other.gmap").string()));
    QVERIFY(other.open(QIODevice::WriteOnly));
    const auto age = [&](int seed, int hours) {
      fs::last_write_time(kept_mapping_path(folder(), *A_, {.seed = seed}),
                          fs::file_time_type::clock::now() - std::chrono::hours(hours));
    };
    for (int seed = 1; seed <= 8; ++seed) {
      map(seed);
      age(seed, 100 - seed);
    }
    QVERIFY(map(1).was_read);  // in use again: no longer the oldest
    map(9);
    const auto kept = [&](int seed) {
      return fs::exists(kept_mapping_path(folder(), *A_, {.seed = seed}));
    };
    QVERIFY(!kept(2));
    for (const int seed : {1, 3, 4, 5, 6, 7, 8, 9}) QVERIFY(kept(seed));
    QVERIFY(fs::exists(folder() / "other.gmap"));
    QCOMPARE(QDir(QString::fromStdString(folder().string())).entryList(QDir::Files).size(), 9);
  }

  void theFolderIsTheUsers() {
    qputenv("GANTRY_CACHE", "/some/where");
    QCOMPARE(mapping_cache_folder().string(), std::string("/some/where/mappings"));
    qputenv("GANTRY_CACHE", "");
    QVERIFY(mapping_cache_folder().empty());
    qunsetenv("GANTRY_CACHE");
    qputenv("XDG_CACHE_HOME", "/caches");
    QCOMPARE(mapping_cache_folder().string(), std::string("/caches/gantry/mappings"));
    qputenv("XDG_CACHE_HOME", "caches");  // not absolute: ignored
    const QByteArray home = qgetenv("HOME");
    qputenv("HOME", "/home/somebody");
    const std::string of_home = mapping_cache_folder().string();
    qunsetenv("HOME");
    const bool none = mapping_cache_folder().empty();
    qputenv("HOME", home);
    QCOMPARE(of_home, std::string("/home/somebody/.cache/gantry/mappings"));
    QVERIFY(none);
  }

  void withoutAFolderNoneAreKept() {
    const KeptMapping mapped = kept_or_mapped(*A_, {}, {}, [](double) {});
    QCOMPARE(mapped.note, std::string("the thread mapping was computed"));
  }

  /// SGD says where its mapping comes from, and computes the same with either.
  void sgdReadsWhatItKept() {
    qputenv("GANTRY_CACHE", home_->path().toLocal8Bit());
    Array b(backend_, A_->range_size());
    A_->forward(Array::filled(backend_, A_->domain_size(), 0.02F), b);
    std::vector<float> images[2];
    const char* const says[] = {"was computed and kept as", "was read from"};
    for (int n = 0; n < 2; ++n) {
      const auto sgd = catalog_.solvers.make("sgd", "cpu", {{"order", std::string("mapped")}});
      run(*sgd, {.A = A_.get(), .b = &b}, {2, 0}, {});
      QCOMPARE(sgd->notes().size(), std::size_t{2});  // the other one is of its rate
      QVERIFY2(sgd->notes()[0].find(says[n]) != std::string::npos, sgd->notes()[0].c_str());
      images[n] = sgd->solution().to_host();
    }
    QVERIFY(images[0] == images[1]);
    const auto golden = catalog_.solvers.make("sgd", "cpu", {});
    run(*golden, {.A = A_.get(), .b = &b}, {1, 0}, {});
    for (const std::string& note : golden->notes())
      QVERIFY(note.find("mapping") == std::string::npos);
  }
};

GANTRY_TEST(TestMappingCache)
#include "test_mapping_cache.moc"
