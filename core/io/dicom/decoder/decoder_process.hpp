#pragma once

#include "core/io/dicom/decoder/wire.hpp"

#include <memory>
#include <span>
#include <string>
#include <sys/types.h>

namespace gantry {

/// A child process that runs the program gantry-decoder and reads DICOM files for this process. The
/// child ends when this object is destroyed, and when this process ends for whatever reason.
class DecoderProcess {
 public:
  /// Starts a decoder. Returns nullptr where the program is not found or cannot be started.
  static std::unique_ptr<DecoderProcess> start();
  ~DecoderProcess();
  DecoderProcess(const DecoderProcess&) = delete;
  DecoderProcess& operator=(const DecoderProcess&) = delete;

  /// Sends a request and waits for the answer. Throws the InputError or UsageError that the decoder
  /// reports, or InputError naming `path` when the decoder crashed or took too long; the decoder
  /// has ended then.
  wire::Answer ask(wire::What what, const std::string& path, int frame = 0);
  /// Has the decoder close its open file; does not wait for the decoder.
  void close_file();
  /// Copies `bytes` bytes of the last result, from offset `at` on, to `to`. Throws InputError when
  /// the result is shorter.
  void copy_result(void* to, std::size_t bytes, std::size_t at) const;
  /// Returns whether the decoder still runs.
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
