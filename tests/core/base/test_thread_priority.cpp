// Threads that compute give way; the thread that started them does not.
#include "core/base/thread_priority.hpp"
#include "tests/support/test_program.hpp"

#include <QtTest>

#include <thread>

#ifdef __linux__
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

using namespace gantry;

class TestThreadPriority : public QObject {
  Q_OBJECT

 private slots:
  void onlyThisThreadAndItsThreads() {
#ifdef __linux__
    const auto niceness = [] {
      return getpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)));
    };
    const int mine = niceness();
    if (mine >= 19) QSKIP("this process gives way to everything already");
    int computing = 0, started = 0;
    std::thread([&] {
      give_way_to_interaction();
      computing = niceness();
      std::thread([&] { started = niceness(); }).join();
    }).join();
    QVERIFY(computing > mine);
    QCOMPARE(started, computing);
    QCOMPARE(niceness(), mine);
#else
    QSKIP("this system has no priorities of single threads");
#endif
  }
};

GANTRY_TEST(TestThreadPriority)
#include "test_thread_priority.moc"
