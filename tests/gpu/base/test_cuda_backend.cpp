// Memory, copies and vector arithmetic of a CUDA device against the CPU's, element by element to
// the bit.
#include "core/backend/array.hpp"
#include "core/backend/cpu_backend.hpp"
#include "gpu/base/device_buffer.hpp"
#include "gpu/base/graph.hpp"
#include "gpu/base/pinned_buffer.hpp"
#include "gpu/base/texture.hpp"
#include "gpu/base/vector_operations.hpp"
#include "tests/gpu/base/device_code.hpp"
#include "tests/gpu/cuda_device.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <thread>

using namespace gantry;
using namespace gantry::test;

namespace {

bool same(const std::vector<float>& a, const std::vector<float>& b) {
  return std::ranges::equal(
      a, b, [](float u, float v) { return u == v || (std::isnan(u) && std::isnan(v)); });
}

/// Sums of n terms, mostly around 1, which may cancel.
bool close(double a, double b, std::size_t n) {
  return (std::isnan(a) && std::isnan(b)) || a == b ||
         std::abs(a - b) <= 1e-12 * std::abs(b) + 1e-13 * static_cast<double>(n);
}

/// Operands of a vector operation on one backend.
struct Operands {
  Array x, y, z;

  Operands(Backend& backend, std::size_t n, bool wild)
      : x(Array::from(backend, values(n, 1, wild))),
        y(Array::from(backend, values(n, 2, wild))),
        z(Array::from(backend, values(n, 3, wild))) {}

  static std::vector<float> values(std::size_t n, unsigned seed, bool wild) {
    std::vector<float> values = random_values(n, seed, -1, 1);
    if (!wild) return values;
    constexpr float inf = std::numeric_limits<float>::infinity();
    const std::vector<float> odd = {0, -0.0F, std::nanf(""), inf, -inf, 1e-45F, 1e-30F, 3e38F};
    for (std::size_t i = 0; i < n; i += 2)
      values[i] = odd[(i / 2 * (seed + 1) + seed) % odd.size()];
    return values;
  }
};

}  // namespace

class TestCudaBackend : public QObject {
  Q_OBJECT
  CudaDeviceOrWhy device_;
  CpuBackend cpu_;

  CudaBackend& cuda() { return *device_.backend; }

  static std::vector<std::size_t> sizes() { return {0, 1, 3, 31, 1000003}; }

  /// The same operation on both, for all sizes, of ordinary and of odd values.
  template <class Operation>
  void compare(const Operation& operation) {
    for (const std::size_t n : sizes())
      for (const bool wild : {false, true}) {
        Operands here(cpu_, n, wild), there(cuda(), n, wild);
        const double expected = operation(cpu_, here), found = operation(cuda(), there);
        const QByteArray which = QByteArray::number(static_cast<qulonglong>(n)) +
                                 (wild ? " odd values" : " ordinary values");
        QVERIFY2(close(found, expected, n), which.constData());
        QVERIFY2(same(there.x.to_host(), here.x.to_host()), which.constData());
        QVERIFY2(same(there.y.to_host(), here.y.to_host()), which.constData());
        QVERIFY2(same(there.z.to_host(), here.z.to_host()), which.constData());
      }
  }

 private slots:
  void initTestCase() {
    if (device_.backend == nullptr) QSKIP(device_.absent.c_str());
    qInfo("%s, %d multiprocessors, %s free", cuda().name().c_str(), cuda().multiprocessors(),
          format_bytes(cuda().free_bytes()).c_str());
  }

  // ---- Vector arithmetic

  void fill() {
    compare([](Backend& b, Operands& o) { return b.fill(o.x, 2.5F), 0.0; });
    for (const std::size_t first : {0, 1, 2, 3, 5})
      compare([=](Backend& b, Operands& o) {
        if (o.x.size() > 2 * first) b.fill(o.x, -1, first, o.x.size() - 2 * first);
        return 0.0;
      });
  }
  void copy() {
    compare([](Backend& b, Operands& o) { return b.copy(o.x, o.y), 0.0; });
  }
  void axpby() {
    compare([](Backend& b, Operands& o) { return b.axpby(1.7F, o.x, -0.3F, o.y), 0.0; });
    compare([](Backend& b, Operands& o) { return b.axpby(1.7F, o.x, 0, o.y), 0.0; });
    compare([](Backend& b, Operands& o) { return b.axpby(0, o.x, 1, o.y), 0.0; });
  }
  void axpbyNorm() {
    compare([](Backend& b, Operands& o) { return b.axpby_norm(1.7F, o.x, -0.3F, o.y); });
    compare([](Backend& b, Operands& o) { return b.axpby_norm(1.7F, o.x, 0, o.y); });
  }
  void multiply() {
    compare([](Backend& b, Operands& o) { return b.multiply(o.x, o.y), 0.0; });
  }
  void safeReciprocal() {
    compare([](Backend& b, Operands& o) { return b.safe_reciprocal(o.x, 0.1F), 0.0; });
    compare([](Backend& b, Operands& o) { return b.safe_reciprocal(o.x, 0), 0.0; });
  }
  void clamp() {
    compare([](Backend& b, Operands& o) { return b.clamp(o.x, -0.25F, 0.5F), 0.0; });
  }
  void dot() {
    compare([](Backend& b, Operands& o) { return b.dot(o.x, o.y); });
  }
  void scaledUpdate() {
    compare([](Backend& b, Operands& o) { return b.scaled_update(o.x, 0.7F, o.y, o.z, 0); });
    constexpr float lowest = std::numeric_limits<float>::lowest();
    compare([](Backend& b, Operands& o) { return b.scaled_update(o.x, 0.7F, o.y, o.z, lowest); });
  }
  void residual() {
    compare([](Backend& b, Operands& o) { return b.residual(o.x, o.y, nullptr); });
    compare([](Backend& b, Operands& o) { return b.residual(o.x, o.y, &o.z); });
    for (const std::size_t first : {1, 2, 3, 5})
      compare([=](Backend& b, Operands& o) {
        if (o.x.size() <= 2 * first) return 0.0;
        return b.residual(o.x, o.y, &o.z, first, o.x.size() - 2 * first);
      });
  }
  void ratio() {
    compare([](Backend& b, Operands& o) { return b.ratio(o.x, o.y, nullptr); });
    compare([](Backend& b, Operands& o) { return b.ratio(o.x, o.y, &o.z); });
    for (const std::size_t first : {1, 2, 3, 5})
      compare([=](Backend& b, Operands& o) {
        if (o.x.size() <= 2 * first) return 0.0;
        return b.ratio(o.x, o.y, &o.z, first, o.x.size() - 2 * first);
      });
  }
  void multiplicativeUpdate() {
    compare([](Backend& b, Operands& o) { return b.multiplicative_update(o.x, o.y, o.z, 0.1F); });
  }

  void operandsThatAreNotAlignedAlike() {
    const std::size_t n = 1003;
    VectorOperations vectors(cuda());
    const std::vector<float> x = random_values(n + 8, 11), y = random_values(n + 8, 12);
    for (const std::size_t shift_x : {0, 1, 3})
      for (const std::size_t shift_y : {0, 1, 2}) {
        const Array a = Array::from(cuda(), x);
        Array b = Array::from(cuda(), y);
        vectors.axpby(n, 2, a.data() + shift_x, 3, b.data() + shift_y);
        std::vector<float> expected = y;
        for (std::size_t i = 0; i < n; ++i)
          expected[i + shift_y] = 2 * x[i + shift_x] + 3 * y[i + shift_y];
        QVERIFY(same(b.to_host(), expected));
      }
  }

  void sumsAreTheSameOnEveryCall() {
    const std::size_t n = 3000017;
    const Array x = Array::from(cuda(), random_values(n, 21)),
                y = Array::from(cuda(), random_values(n, 22));
    const double first = cuda().dot(x, y);
    for (int i = 0; i < 50; ++i) {
      const Array other = Array::filled(cuda(), 1000 * static_cast<std::size_t>(i + 1), 1);
      QCOMPARE(cuda().dot(x, y), first);
    }
    EXPECT_NEAR(first, cpu_.dot(Array::from(cpu_, x.to_host()), Array::from(cpu_, y.to_host())),
                1e-12 * first);
  }

  void arraysOfAnotherBackendAreRefused() {
    Array x = Array::filled(cuda(), 5, 1), y = Array::filled(cpu_, 5, 1);
    EXPECT_THROWS(ShapeError, cuda().copy(x, y), "another backend");
    EXPECT_THROWS(ShapeError, x.host(), "not in the memory of the CPU");
  }

  // ---- Memory and copies

  void copiesKeepEveryValue() {
    constexpr std::size_t slot = (std::size_t{8} << 20) / sizeof(float);
    for (const std::size_t n :
         {std::size_t{1}, std::size_t{16385}, slot - 1, slot, slot + 1, 2 * slot, 3 * slot + 5}) {
      std::vector<float> values(n);
      for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(i % 16777213);
      const Array x = Array::from(cuda(), values);
      QVERIFY(x.to_host() == values);
      if (n < 10) continue;
      std::vector<float> part(n - 7);
      cuda().download(x.data() + 3, part.data(), part.size());
      QVERIFY(std::equal(part.begin(), part.end(), values.begin() + 3));
    }
  }

  void linesAreGathered_data() {
    QTest::addColumn<int>("stride");
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("rows");
    QTest::newRow("single values, as of a sagittal slice") << 512 << 1 << 512 * 70;
    QTest::newRow("lines, as of a coronal slice") << 512 * 70 << 512 << 512;
    QTest::newRow("odd") << 37 << 5 << 4001;
    QTest::newRow("touching") << 64 << 64 << 9;
    QTest::newRow("one row") << 1000 << 7 << 1;
    QTest::newRow("none") << 10 << 0 << 3;
  }
  void linesAreGathered() {
    QFETCH(int, stride);
    QFETCH(int, width);
    QFETCH(int, rows);
    const auto step = static_cast<std::size_t>(stride), wide = static_cast<std::size_t>(width),
               count = static_cast<std::size_t>(rows);
    std::vector<float> values(step * count + 3);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 16777213);
    const Array x = Array::from(cuda(), values);
    std::vector<float> got(wide * count + 1, -1);
    cuda().gather_lines(x.data() + 3, step, wide, count, got.data());
    for (std::size_t r = 0; r < count; ++r)
      for (std::size_t i = 0; i < wide; ++i) QCOMPARE(got[r * wide + i], values[3 + r * step + i]);
    QCOMPARE(got.back(), -1.0F);  // and nothing beyond
  }

  void theHostMayChangeWhatItUploaded() {
    std::vector<float> values(5000000, 1);
    Array x(cuda(), values.size());
    for (int i = 1; i <= 5; ++i) {
      std::ranges::fill(values, static_cast<float>(i));
      cuda().upload(values.data(), x.data(), values.size());
      std::ranges::fill(values, -1.0F);
      const std::vector<float> back = x.to_host();
      QVERIFY(std::ranges::all_of(back, [=](float v) { return v == static_cast<float>(i); }));
    }
  }

  void pageLockedMemoryIsCopiedDirectly() {
    const DeviceScope scope(cuda().device());
    PinnedBuffer<float> from(1000001), to(1000001);
    for (std::size_t i = 0; i < from.size(); ++i) from.data()[i] = static_cast<float>(i);
    Array x(cuda(), from.size());
    cuda().upload(from.data(), x.data(), from.size());
    cuda().download(x.data(), to.data(), to.size());
    QVERIFY(std::ranges::equal(from.span(), to.span()));
  }

  void buffersHoldAnyType() {
    struct Pair {
      double a;
      int b;
    };
    std::vector<Pair> pairs(1001);
    for (std::size_t i = 0; i < pairs.size(); ++i)
      pairs[i] = {0.5 * static_cast<double>(i), -static_cast<int>(i)};
    DeviceBuffer<Pair> buffer(cuda(), std::span<const Pair>(pairs));
    DeviceBuffer<Pair> moved = std::move(buffer);
    QVERIFY(buffer.empty() && moved.size() == pairs.size());
    const std::vector<Pair> back = moved.download();
    QVERIFY(std::ranges::equal(
        back, pairs, [](const Pair& u, const Pair& v) { return u.a == v.a && u.b == v.b; }));
    EXPECT_THROWS(ShapeError, moved.upload(std::vector<Pair>(1002)), "too small");
  }

  void tooMuchIsSaidWithBothNumbers() {
    const std::size_t free_before = cuda().free_bytes();
    for (const std::size_t bytes : {cuda().total_bytes() - 4096, 2 * cuda().total_bytes(),
                                    std::numeric_limits<std::size_t>::max() / 2}) {
      bool refused = false;
      try {
        const Array x(cuda(), bytes / sizeof(float));
      } catch (const OutOfMemory& error) {
        refused = true;
        QVERIFY(error.needed_bytes() / sizeof(float) == bytes / sizeof(float));
        QVERIFY(error.free_bytes() > 0 && error.free_bytes() < error.needed_bytes());
      }
      QVERIFY(refused);
    }
    Array x = Array::filled(cuda(), 1000, 2);
    QCOMPARE(cuda().dot(x, x), 4000.0);
    QVERIFY(!cuda().lost());
    const auto change = static_cast<double>(cuda().free_bytes()) - static_cast<double>(free_before);
    QVERIFY2(std::abs(change) < 256e6, qPrintable(QString::number(change, 'g', 12)));
  }

  void releasedMemoryIsFree() {
    const auto free = [&] {
      cuda().synchronize();
      return static_cast<double>(cuda().free_bytes());
    };
    const double before = free();
    constexpr std::size_t count = std::size_t{1} << 28;  // 1.07 GB
    if (before < 8.0 * count) QSKIP("others hold memory of the GPU, which this counts");
    double during = 0;
    for (int i = 0; i < 20; ++i) {  // more than there is, were it not reused
      const Array x = Array::filled(cuda(), count, 1);
      during = free();
    }
    QVERIFY(before - during > 3.9 * count);
    QVERIFY2(std::abs(free() - before) < 256e6,
             qPrintable(QString::number(free() - before, 'g', 12)));
    cuda().trim();
    QVERIFY2(std::abs(free() - before) < 256e6,
             qPrintable(QString::number(free() - before, 'g', 12)));
  }

  void severalThreadsMayCall() {
    std::vector<std::thread> threads;
    std::vector<int> wrong(6, 0);
    for (std::size_t t = 0; t < wrong.size(); ++t)
      threads.emplace_back([&, t] {
        const std::size_t n = 10000 + 777 * t;
        for (int i = 0; i < 50; ++i) {
          const auto value = static_cast<float>(t + 1);
          Array x = Array::from(cuda(), std::vector<float>(n, value));
          cuda().axpby(2, x, 1, x);
          const std::vector<float> back = x.to_host();
          const bool good = std::ranges::all_of(back, [=](float v) { return v == 3 * value; }) &&
                            cuda().dot(x, x) == static_cast<double>(n) * 9 * value * value &&
                            cuda().free_bytes() > 0;
          wrong[t] += good ? 0 : 1;
        }
      });
    for (std::thread& thread : threads) thread.join();
    QCOMPARE(wrong, std::vector<int>(6, 0));
  }

  // ---- Graphs and textures

  void graphsRepeatWhatWasRecorded() {
    const DeviceScope scope(cuda().device());
    Array x = Array::filled(cuda(), 1001, 1);
    const Array one = Array::filled(cuda(), 1001, 1);
    cuda().synchronize();
    const CapturedGraph graph =
        CapturedGraph::capture(cuda().stream(), [&] { cuda().axpby(1, one, 2, x); });
    QCOMPARE(x.to_host(), std::vector<float>(1001, 1.0F));  // recorded, not run
    for (int i = 0; i < 3; ++i) graph.launch(cuda().stream());
    QCOMPARE(x.to_host(), std::vector<float>(1001, 15.0F));  // 1, 3, 7, 15
    EXPECT_THROWS(std::runtime_error,
                  CapturedGraph::capture(cuda().stream(),
                                         [&] {
                                           cuda().fill(x, 0);
                                           throw std::runtime_error("changed my mind");
                                         }),
                  "changed my mind");
    QCOMPARE(x.to_host(), std::vector<float>(1001, 15.0F));
  }

  void texturesInterpolate() {
    const std::size_t w = 5, h = 4, d = 3;
    std::vector<float> values(w * h * d);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * i % 17);
    const Array volume = Array::from(cuda(), values);
    const auto at = [&](std::size_t x, std::size_t y, std::size_t z) {
      return values[(z * h + y) * w + x];
    };
    // Element (1,2,1); half way to its neighbour along x; beyond the border.
    const std::vector<float4> places = {
        {1.5F, 2.5F, 1.5F, 0}, {2.0F, 2.5F, 1.5F, 0}, {-9, 0.5F, 0.5F, 0}};
    const auto read = [&](const Texture& texture, std::vector<float4> where) {
      if (texture.shape().layered)
        for (float4& p : where) p.z = std::floor(p.z);
      const DeviceBuffer<float4> device_places(cuda(), std::span<const float4>(where));
      DeviceBuffer<float> out(cuda(), where.size());
      const DeviceScope scope(cuda().device());
      read_texture(texture.object(), texture.shape().layered, device_places.data(), out.data(),
                   static_cast<int>(where.size()), cuda().stream());
      check_launch("read_texture");
      return out.download();
    };
    for (const bool layered : {false, true}) {
      Texture linear(cuda(), {w, h, d, layered}, TextureFilter::linear);
      linear.copy_from(volume.data());
      QCOMPARE(read(linear, places),
               (std::vector<float>{at(1, 2, 1), 0.5F * (at(1, 2, 1) + at(2, 2, 1)), at(0, 0, 0)}));
      Texture point(cuda(), {w, h, d, layered}, TextureFilter::point, true);
      point.copy_from(volume.data());
      QCOMPARE(read(point, places), (std::vector<float>{at(1, 2, 1), at(2, 2, 1), 0.0F}));
      point.copy_from(volume.data() + 2 * w * h, 0, 1);
      QCOMPARE(read(point, {{1.5F, 2.5F, 0.5F, 0}}), std::vector<float>{at(1, 2, 2)});
      EXPECT_THROWS(ShapeError, point.copy_from(volume.data(), 2, 2), "exceed the texture");
    }
  }

  void aTextureThatIsTooLargeIsRefused() {
    EXPECT_THROWS(Error, Texture(cuda(), {1 << 20, 1 << 20, 4, false}, TextureFilter::point), "");
    Array x = Array::filled(cuda(), 10, 1);
    QCOMPARE(cuda().dot(x, x), 10.0);
  }
};

GANTRY_TEST(TestCudaBackend)
#include "test_cuda_backend.moc"
