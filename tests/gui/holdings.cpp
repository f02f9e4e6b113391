#include "tests/gui/holdings.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFile>

#include <dlfcn.h>
#include <malloc.h>

namespace gantry::test {

namespace {

QString countOf(const char* function) {
  const auto count = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, function));
  return count == nullptr ? QString() : QString::number(count());
}

}  // namespace

EventCount::EventCount() { qApp->installEventFilter(this); }

bool EventCount::eventFilter(QObject*, QEvent*) {
  ++events;
  return false;
}

QString holdingsHeader() {
  return QStringLiteral(
      "resident_mb,allocated_mb,descriptors,threads,opengl_contexts,opengl_objects");
}

QString holdings() {
  malloc_trim(0);
  const auto count = [](const char* folder) {
    return QDir(QString::fromLatin1(folder)).entryList(QDir::AllEntries | QDir::System).size() - 2;
  };
  QFile statm(QStringLiteral("/proc/self/statm"));
  const qint64 pages =
      statm.open(QIODevice::ReadOnly) ? statm.readAll().split(' ').value(1).toLongLong() : 0;
  const auto allocated = static_cast<double>(mallinfo2().uordblks + mallinfo2().hblkhd);
  return QStringLiteral("%1,%2,%3,%4,%5,%6")
      .arg(static_cast<double>(pages) * 4096e-6, 0, 'f', 1)
      .arg(allocated * 1e-6, 0, 'f', 1)
      .arg(count("/proc/self/fd"))
      .arg(count("/proc/self/task"))
      .arg(countOf("counted_gl_contexts"), countOf("counted_gl_objects"));
}

}  // namespace gantry::test
