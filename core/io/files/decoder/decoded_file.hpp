#pragma once

#include "core/base/interrupt.hpp"
#include "core/io/files/decoder/decoder_process.hpp"

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>

namespace gantry {

/// A file that a decoder of its own has open; one file after the other. One thread at a time.
/// Functions throw InputError that names the file: damaged, the decoder crashed or took too long,
/// no decoder program; and Interrupted.
class DecodedFile {
 public:
  /// `open` is the request that opens a file of this kind. `interrupt` may be null, and must
  /// outlive the object.
  DecodedFile(std::string path, wire::What open, const Interrupt* interrupt = nullptr);

  const std::string& path() const { return path_; }
  /// Has the decoder, which is started where it does not run, open the file. Returns the result of
  /// its answer.
  std::string open() { return open(path_); }
  /// Opens another file instead; `index` and `count` are those of the request.
  std::string open(const std::string& path, std::uint64_t index = 0, std::uint64_t count = 0);
  /// Returns a request; `part` follows the path in messages.
  DecoderRequest request(wire::What what, const std::string& text, const std::string& part) const;
  /// Asks the decoder, which is started again after an interruption. When it has crashed, that is
  /// said again at every further question, and the file is not read again.
  wire::Answer ask(const DecoderRequest& request);
  /// Sends a request that opens another file, or about the open one, without waiting: the decoder
  /// answers while this thread does other things. Where another request follows than this one, the
  /// decoder is started again.
  void ask_ahead(const DecoderRequest& request);
  /// Returns the request that opens a file; `index` and `count` are those of the request.
  DecoderRequest opening(const std::string& path, std::uint64_t index, std::uint64_t count) const;
  /// The decoder that gave the last answer.
  DecoderProcess& process() const { return *process_; }

 private:
  bool was_sent_ahead(const DecoderRequest& request);

  std::string path_;
  wire::What open_;
  const Interrupt* interrupt_;
  double seconds_;  // of the processor, for an answer about this file
  std::unique_ptr<DecoderProcess> process_;
  std::optional<DecoderRequest> ahead_;  // sent, and not yet answered
  bool is_open_ = false;
  std::exception_ptr failure_;
};

}  // namespace gantry
