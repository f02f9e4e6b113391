#pragma once

#include <QDir>
#include <QtTest>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace gantry::test {

/// Returns the processes whose parent this one is, those among them too that ended and wait to be
/// noticed.
inline std::vector<int> child_processes() {
  std::vector<int> found;
  for (const QString& name : QDir("/proc").entryList(QDir::Dirs)) {
    bool is_number = false;
    const int pid = name.toInt(&is_number);
    if (!is_number) continue;
    std::ifstream stat("/proc/" + name.toStdString() + "/stat");
    std::string line;
    std::getline(stat, line);
    const std::size_t after_name = line.rfind(')');
    if (after_name == std::string::npos) continue;
    char state = 0;
    int parent = 0;
    if (std::sscanf(line.c_str() + after_name + 1, " %c %d", &state, &parent) == 2 &&
        parent == getpid())
      found.push_back(pid);
  }
  return found;
}

/// Ends the children, as the system ends a process when memory runs out.
inline void kill_children() {
  for (const int pid : child_processes()) kill(pid, SIGKILL);
  QTest::qWait(200);
}

}  // namespace gantry::test
