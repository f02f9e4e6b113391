// What memory is said to be free: the least of what the system, limits and control groups leave.
#include "core/backend/cpu_backend.hpp"
#include "core/backend/host_memory.hpp"
#include "tests/support/test_program.hpp"

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace gantry;

namespace {

constexpr std::size_t mib = std::size_t{1} << 20U;

/// A folder that stands for / with the files that the system writes.
class System {
 public:
  System() { put("proc/meminfo", "MemTotal: 9999999 kB\nMemAvailable: 8192 kB\nCached: 1 kB\n"); }
  void put(const QString& name, const QByteArray& text) const {
    QDir(folder_.path()).mkpath(QFileInfo(name).path());
    QFile file(folder_.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
      qFatal("cannot write a test file");
  }
  std::size_t free() const { return free_host_bytes(folder_.path().toStdString()); }

 private:
  QTemporaryDir folder_;
};

QByteArray bytes(std::size_t count) { return QByteArray::number(static_cast<qulonglong>(count)); }

/// free_host_bytes() of a process with this limit `above` what it has, as a child tells it.
std::size_t free_with_limit(__rlimit_resource resource, std::size_t column, std::size_t above) {
  int channel[2];
  if (pipe(channel) != 0) qFatal("no pipe");
  if (fork() == 0) {
    std::ifstream statm("/proc/self/statm");
    std::size_t pages = 0;
    for (std::size_t i = 0; i <= column; ++i) statm >> pages;
    const std::size_t limit = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + above;
    const rlimit both{limit, limit};
    setrlimit(resource, &both);
    const std::size_t found = free_host_bytes();
    _exit(write(channel[1], &found, sizeof found) == sizeof found ? 0 : 1);
  }
  close(channel[1]);
  std::size_t found = 0;
  if (read(channel[0], &found, sizeof found) != sizeof found) found = 0;
  close(channel[0]);
  wait(nullptr);
  return found;
}

}  // namespace

class TestHostMemory : public QObject {
  Q_OBJECT

 private slots:
  void withoutLimitsTheSystemDecides() {
    const System system;
    QCOMPARE(system.free(), 8 * mib);
    system.put("proc/self/cgroup", "0::/\n");
    QCOMPARE(system.free(), 8 * mib);  // the group has no files of memory
    system.put("sys/fs/cgroup/memory.max", "max\n");
    system.put("sys/fs/cgroup/memory.current", bytes(7 * mib));
    QCOMPARE(system.free(), 8 * mib);
  }

  void aGroupLeavesItsLimitLessWhatIsUsed() {
    const System system;
    system.put("proc/self/cgroup", "0::/a/b\n");
    system.put("sys/fs/cgroup/a/b/memory.max", bytes(6 * mib));
    system.put("sys/fs/cgroup/a/b/memory.current", bytes(2 * mib));
    QCOMPARE(system.free(), 4 * mib);
    // Files that lie in memory are given up when it is needed.
    system.put("sys/fs/cgroup/a/b/memory.stat", "anon 1048576\ninactive_file 1048576\n");
    QCOMPARE(system.free(), 5 * mib);
    system.put("sys/fs/cgroup/a/b/memory.current", bytes(9 * mib));
    QCOMPARE(system.free(), std::size_t{0});
  }

  void theGroupsAroundItCountToo() {
    const System system;
    system.put("proc/self/cgroup", "0::/a/b\n");
    system.put("sys/fs/cgroup/a/b/memory.max", bytes(6 * mib));
    system.put("sys/fs/cgroup/a/b/memory.current", bytes(1 * mib));
    system.put("sys/fs/cgroup/a/memory.max", bytes(7 * mib));
    system.put("sys/fs/cgroup/a/memory.current", bytes(4 * mib));
    QCOMPARE(system.free(), 3 * mib);
    system.put("sys/fs/cgroup/memory.max", bytes(5 * mib));
    system.put("sys/fs/cgroup/memory.current", bytes(4 * mib));
    QCOMPARE(system.free(), 1 * mib);
  }

  void groupsOfTheFirstVersionCount() {
    const System system;
    system.put("proc/self/cgroup", "5:cpu:/elsewhere\n4:cpuset,memory:/job/7\n");
    system.put("sys/fs/cgroup/memory/job/7/memory.limit_in_bytes", "9223372036854771712\n");
    system.put("sys/fs/cgroup/memory/job/7/memory.usage_in_bytes", bytes(1 * mib));
    QCOMPARE(system.free(), 8 * mib);
    system.put("sys/fs/cgroup/memory/job/memory.limit_in_bytes", bytes(4 * mib));
    system.put("sys/fs/cgroup/memory/job/memory.usage_in_bytes", bytes(3 * mib));
    system.put("sys/fs/cgroup/memory/job/memory.stat",
               "inactive_file 7\ntotal_inactive_file 2097152\n");
    QCOMPARE(system.free(), 3 * mib);
  }

  void limitsOfTheProcessCount() {
    if (CpuBackend().free_bytes() < 600 * mib) QSKIP("less than 600 MiB are free");
    const std::size_t space = free_with_limit(RLIMIT_AS, 0, 300 * mib),
                      data = free_with_limit(RLIMIT_DATA, 5, 300 * mib);
    QVERIFY2(space > 250 * mib && space <= 300 * mib, bytes(space));
    QVERIFY2(data > 250 * mib && data <= 300 * mib, bytes(data));
  }
};

GANTRY_TEST(TestHostMemory)
#include "test_host_memory.moc"
