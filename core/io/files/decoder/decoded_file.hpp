#pragma once

#include "core/base/interrupt.hpp"
#include "core/io/files/decoder/decoder_process.hpp"

#include <cstdint>
#include <memory>
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
  std::string open() { return open_now(0, 0); }
  /// Opens another file instead; `index` and `count` are those of the request.
  std::string open(const std::string& path, std::uint64_t index = 0, std::uint64_t count = 0);
  /// Returns a request; `part` follows the path in messages.
  DecoderRequest request(wire::What what, const std::string& text, const std::string& part) const;
  /// Asks the decoder, which is started again after an interruption. When it has crashed, that is
  /// said again at every further question, and the file is not read again.
  wire::Answer ask(const DecoderRequest& request);
  /// The decoder that gave the last answer.
  DecoderProcess& process() const { return *process_; }

 private:
  std::string open_now(std::uint64_t index, std::uint64_t count);

  std::string path_;
  wire::What open_;
  const Interrupt* interrupt_;
  double seconds_;  // of the processor, for an answer
  std::unique_ptr<DecoderProcess> process_;
  bool is_open_ = false;
  std::string failure_;
};

}  // namespace gantry
