#pragma once

#include "core/base/error.hpp"
#include "tests/support/small_files.hpp"

#include <QtTest>

#include <functional>
#include <string>

namespace gantry::test {

/// Cuts a file at every fiftieth of its length and reads it: each cut is an InputError of one line,
/// or something that `read` itself accepts; at least one cut must be refused, else the file is not
/// what `read` reads. The file is whole again afterwards.
inline void read_cut_files(const std::string& path, const std::function<void()>& read) {
  const QByteArray whole = bytes_of_file(path);
  int refused = 0;
  for (int part = 0; part < 50; ++part) {
    write_file(path, whole.left(whole.size() * part / 50));
    try {
      read();
    } catch (const InputError& error) {
      ++refused;
      QVERIFY2(std::string(error.what()).find('\n') == std::string::npos, error.what());
    }
  }
  write_file(path, whole);
  QVERIFY2(refused > 0, ("no cut of " + path + " was refused").c_str());
}

}  // namespace gantry::test
