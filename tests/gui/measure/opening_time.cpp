// How long a user waits for a large volume: makes a MetaImage file of int16 in a temporary folder,
// opens it in the window, and prints when the first slice is drawn, when all planes are, and when
// the experiment made of it is ready. Then the same for a folder of projections in TIFF, with flats
// and darks: until the projections and the first reconstructed slice are drawn, beside the time in
// which the same files are read as `cat` reads them.
// Usage: opening_time [SLICES [FRAMES]], slices of 512 x 512 voxels, 2048 are 1 GiB; frames of
// 1024 x 1024 cells, 512 are 1 GiB. The files are written out and dropped from the memory of the
// system first, as far as that allows it.
#include "app/composition.hpp"
#include "gui/data/file_actions.hpp"
#include "gui/main_window.hpp"
#include "gui/stage/data_board.hpp"
#include "gui/stage/volume_planes.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/worker/preview.hpp"
#include "gui/worker/volume_look.hpp"
#include "tests/core/io/written_tiff.hpp"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QStandardPaths>
#include <QSurfaceFormat>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <functional>
#include <unistd.h>
#include <vector>

using namespace gantry;

namespace {

constexpr int edge = 512, longest_wait_ms = 120000;

/// Writes a ball of HU that differ from slice to slice. Returns whether that worked.
bool write_ball(const QString& path, int slices) {
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly)) return false;
  file.write(
      QStringLiteral("ObjectType = Image\nNDims = 3\nBinaryData = True\n"
                     "BinaryDataByteOrderMSB = False\nElementSpacing = 0.5 0.5 0.5\n"
                     "DimSize = %1 %1 %2\nElementType = MET_SHORT\nElementDataFile = LOCAL\n")
          .arg(edge)
          .arg(slices)
          .toLatin1());
  std::vector<std::int16_t> slice(static_cast<std::size_t>(edge) * edge);
  for (int z = 0; z < slices; ++z) {
    for (int y = 0; y < edge; ++y)
      for (int x = 0; x < edge; ++x) {
        const int dx = x - edge / 2, dy = y - edge / 2;
        const bool inside = dx * dx + dy * dy < 200 * 200;
        slice[static_cast<std::size_t>(y) * edge + static_cast<std::size_t>(x)] =
            static_cast<std::int16_t>(inside ? (x * 7 + y * 3 + z) % 200 : -1000);
      }
    const auto bytes = static_cast<qint64>(slice.size() * sizeof(std::int16_t));
    if (file.write(reinterpret_cast<const char*>(slice.data()), bytes) != bytes) return false;
  }
  file.flush();
  ::fsync(file.handle());
  return ::posix_fadvise(file.handle(), 0, 0, POSIX_FADV_DONTNEED) == 0;
}

void drop_from_memory(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return;
  ::fsync(file.handle());
  ::posix_fadvise(file.handle(), 0, 0, POSIX_FADV_DONTNEED);
}

/// Writes half a turn of a cylinder beside the axis.
void write_projections(const QString& folder, int frames) {
  constexpr int width = 1024;
  constexpr double radius = 300, orbit = 100, mu = 0.004, pi = 3.14159265358979;
  const auto write = [&](const QString& name, const std::function<double(int)>& value) {
    test::Page page(static_cast<std::size_t>(width) * width);
    for (int x = 0; x < width; ++x) {
      const auto stored = static_cast<std::uint16_t>(std::lround(value(x)));
      for (std::size_t y = 0; y < width; ++y)
        page[y * width + static_cast<std::size_t>(x)] = stored;
    }
    const QString path = folder + QLatin1Char('/') + name + QStringLiteral(".tif");
    test::write_pages(path.toStdString(), {page}, width);
    drop_from_memory(path);
  };
  for (int i = 0; i < 5; ++i) {
    write(QStringLiteral("flat_%1").arg(i), [](int) { return 30000.0; });
    write(QStringLiteral("dark_%1").arg(i), [](int) { return 500.0; });
  }
  for (int i = 0; i < frames; ++i)
    write(QStringLiteral("proj_%1").arg(i, 5, 10, QLatin1Char('0')), [&](int x) {
      const double u = x - 0.5 * (width - 1) - orbit * std::sin(pi * i / frames);
      const double chord = 2 * std::sqrt(std::max(0.0, radius * radius - u * u));
      return 500 + 29500 * std::exp(-mu * chord);
    });
}

/// Reads all files of a folder as `cat` does, and drops them from the memory of the system again.
/// Returns the seconds of the reading.
double read_plainly(const QString& folder) {
  QElapsedTimer timer;
  timer.start();
  std::vector<char> portion(std::size_t{1} << 17);
  const QStringList names = QDir(folder).entryList(QDir::Files);
  for (const QString& name : names) {
    QFile file(folder + QLatin1Char('/') + name);
    if (!file.open(QIODevice::ReadOnly | QIODevice::Unbuffered)) return 0;
    while (file.read(portion.data(), static_cast<qint64>(portion.size())) > 0) {
    }
  }
  const double seconds = static_cast<double>(timer.elapsed()) / 1000;
  for (const QString& name : names) drop_from_memory(folder + QLatin1Char('/') + name);
  return seconds;
}

bool is_drawn(MainWindow& window, Axis axis) {
  const SliceView& view = window.data().planes().plane(axis);
  return view.slice().image() != nullptr && view.lastPaintMs() > 0;
}

}  // namespace

int main(int argc, char** argv) {
  QSurfaceFormat::setDefaultFormat(VtkView::surfaceFormat());
  const QApplication application(argc, argv);
  QStandardPaths::setTestModeEnabled(true);
  const int slices = argc > 1 ? std::atoi(argv[1]) : 2048,
            frames = argc > 2 ? std::atoi(argv[2]) : 512;
  const QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("ball.mha"));
  if (slices < 1 || !write_ball(path, slices)) {
    std::fprintf(stderr, "opening_time: %s cannot be written\n", qPrintable(path));
    return 1;
  }
  Program program = compose();
  program.find_devices();
  MainWindow window(program.catalog, program.backends, QStringLiteral("opening_time"));
  window.files().setAsksUser(false);
  window.resize(1600, 1000);
  window.show();
  if (!QTest::qWaitForWindowExposed(&window)) return 1;
  std::printf("%.2f GiB: %d slices of %d x %d, int16\n",
              static_cast<double>(QFile(path).size()) / (1 << 30), slices, edge, edge);
  QElapsedTimer timer;
  timer.start();
  const auto report = [&](const char* what, const std::function<bool()>& holds) {
    const bool came = QTest::qWaitFor(holds, longest_wait_ms);
    std::printf("%-40s %s %.2f s\n", what, came ? "after" : "not within",
                static_cast<double>(timer.elapsed()) / 1000);
    std::fflush(stdout);
    return came;
  };
  window.open(path);
  const bool all =
      report("first slice drawn", [&] { return is_drawn(window, Axis::axial); }) &&
      report("three planes drawn",
             [&] { return is_drawn(window, Axis::coronal) && is_drawn(window, Axis::sagittal); }) &&
      report("scan of a slice simulated", [&] {
        return window.controller().data() != nullptr && !window.controller().isPreparing();
      });
  QFile::remove(path);
  const QString scan = folder.filePath(QStringLiteral("scan"));
  if (!all || !QDir().mkpath(scan)) return 1;
  write_projections(scan, frames);
  std::printf("%.2f GiB: %d projections of 1024 x 1024, uint16\n", frames / 512.0, frames);
  std::printf("%-40s after %.2f s\n", "files read without a look at them", read_plainly(scan));
  timer.start();
  window.open(scan);
  const bool shown = report("projections read",
                            [&] {
                              const auto data = window.controller().data();
                              return data != nullptr && !window.controller().isPreparing() &&
                                     data->geometry->views() == frames;
                            }) &&
                     report("first slice reconstructed", [&] {
                       const int middle = window.controller().data()->grid.nz / 2;
                       return window.preview().slice(Axis::axial, middle) != nullptr;
                     });
  if (!shown) return 1;
  // The coarse volume, which follows a slider in the other planes, comes first.
  if (!QTest::qWaitFor([&] { return window.preview().image() != nullptr; }, longest_wait_ms))
    return 1;
  window.applyLayout(WindowLayout::data);  // which shows the slice
  const auto slice = [&] {
    return window.preview().slice(Axis::axial, window.controller().data()->grid.nz / 2);
  };
  const auto try_out = [&](const char* what, const std::function<void(Experiment&)>& change) {
    const auto before = slice();
    timer.start();
    window.model().tryOut(change);
    return report(what, [&] { return slice() != nullptr && slice() != before; });
  };
  const auto with_correction = [](const char* key, const char* parameter, double value) {
    return [=](Experiment& tried) { tried.corrections = {{key, {{parameter, value}}}}; };
  };
  const bool follows =
      try_out("slice with another axis of rotation",
              [&](Experiment& tried) {
                tried.geometry = window.controller().data()->geometry->spec();
                tried.geometry->central_column += 2;
              }) &&
      // The first of them takes the row out of the scan.
      try_out("slice with a correction of rings", with_correction("rings", "snr", 3)) &&
      try_out("slice with other rings", with_correction("rings", "snr", 5)) &&
      try_out("slice with other rings by wavelets", with_correction("rings_wavelet", "sigma", 3)) &&
      try_out("slice with another beam hardening", with_correction("beam_hardening", "a2", 0.1));
  return follows ? 0 : 1;
}
