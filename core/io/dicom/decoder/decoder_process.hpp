#pragma once

#include "core/io/dicom/decoder/wire.hpp"

#include <memory>
#include <span>
#include <string>
#include <sys/types.h>

namespace gantry {

/// A process of our own program gantry-decoder, which reads DICOM files for this one. It ends when
/// this object does, and when this process does, however that ends.
class DecoderProcess {
 public:
  /// nullptr where the program is not found or cannot be started.
  static std::unique_ptr<DecoderProcess> start();
  ~DecoderProcess();
  DecoderProcess(const DecoderProcess&) = delete;
  DecoderProcess& operator=(const DecoderProcess&) = delete;

  /// Asks and waits. Throws InputError or UsageError as the decoder says, or InputError naming
  /// `path` when the decoder broke or took too long; it is gone then.
  wire::Answer ask(wire::What what, const std::string& path, int frame = 0);
  /// Lets go of the file that is open.
  void close_file();
  /// Bytes of the last result from `at` on. Throws InputError when there are not as many.
  void copy_result(void* to, std::size_t bytes, std::size_t at) const;
  bool alive();

 private:
  DecoderProcess(pid_t pid, int socket, int results)
      : pid_(pid), socket_(socket), results_(results) {}
  bool send(wire::What what, const std::string& path, int frame) const;
  [[noreturn]] void fail(const std::string& path, bool too_slow);
  int end(bool at_once);

  pid_t pid_;
  int socket_, results_;
};

}  // namespace gantry
