#pragma once

#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/io/files/decoder/wire.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <sys/types.h>

namespace gantry {

/// A request to a decoder, and what a program says when there is no answer.
struct DecoderRequest {
  wire::What what = wire::What::close;
  std::string text = {};
  std::uint64_t index = 0, count = 0;
  std::string where = {};                ///< for messages: the file, and what of it is read
  double seconds = 0;                    ///< processor time that the answer may take
  const Interrupt* interrupt = nullptr;  ///< ends the waiting; may be null
};

/// The decoder could not be started, or was killed from outside: a failure that says nothing about
/// the file.
class DecoderUnavailable : public InputError {
  using InputError::InputError;
};

/// A child process that runs the program gantry-decoder and reads foreign files for this process.
/// The child ends when this object is destroyed, and when this process ends for whatever reason,
/// whatever the child does at that time.
class DecoderProcess {
 public:
  /// Returns the path of the decoder program: $GANTRY_DECODER, or the first that exists of a file
  /// beside the running program, the installed file and the file in the build folder. Returns an
  /// empty path where there is none.
  static std::string program();
  /// Returns whether the user wants all files to be read in this process: GANTRY_DECODER=none.
  static bool is_unwanted();

  /// Starts a decoder. Returns nullptr where the program is not found or cannot be started.
  static std::unique_ptr<DecoderProcess> start();
  ~DecoderProcess();
  DecoderProcess(const DecoderProcess&) = delete;
  DecoderProcess& operator=(const DecoderProcess&) = delete;

  /// Sends a request and waits for the answer. Throws the InputError or UsageError that the decoder
  /// reports; InputError naming `where` when the decoder crashed or took too long; Interrupted. In
  /// the two latter cases the decoder has ended.
  wire::Answer ask(const DecoderRequest& request);
  /// Sends a request without waiting, so that the decoder answers while this process does other
  /// things. Nothing but ask() with the same request may follow.
  void send_ahead(const DecoderRequest& request);
  /// Has the decoder close its open file; does not wait for the decoder.
  void close_file();
  /// Returns `bytes` bytes of the last result, from offset `at` on, which the next request may
  /// change. Throws InputError when the result is shorter.
  std::span<const std::byte> result(std::size_t bytes, std::size_t at);
  /// Copies them to `to`.
  void copy_result(void* to, std::size_t bytes, std::size_t at);
  /// Returns the result of an answer as bytes. Throws InputError when there are fewer.
  std::string result_of(const wire::Answer& answer);
  /// Returns whether the decoder still runs and waits for a request.
  bool alive();

 private:
  DecoderProcess(pid_t pid, int socket, int results)
      : pid_(pid), socket_(socket), results_(results) {}
  bool send(const DecoderRequest& request) const;
  bool wait_for_answer(const DecoderRequest& request);
  [[noreturn]] void fail(const std::string& where, bool too_slow);
  int end(bool at_once);
  std::span<const std::byte> results_up_to(std::size_t bytes);
  void forget_results();

  pid_t pid_;
  int socket_, results_;
  bool is_sent_ahead_ = false;
  std::span<const std::byte> seen_;  // what this process sees of the results
};

}  // namespace gantry
