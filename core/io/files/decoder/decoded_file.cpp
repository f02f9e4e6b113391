#include "core/io/files/decoder/decoded_file.hpp"

#include "core/base/error.hpp"
#include "core/io/files/decoder/limits.hpp"
#include "core/io/files/disk.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace gantry {

namespace {

/// Returns the processor time in seconds that an answer about a file may take. No answer takes as
/// long as reading all of a large file.
double seconds_for(const std::string& path) {
  constexpr std::size_t most_bytes = 50'000'000;
  return decoding_seconds(std::min(size_of_file(path), most_bytes));
}

std::unique_ptr<DecoderProcess> start_decoder(const std::string& path) {
  const std::string program = DecoderProcess::program();
  if (program.empty())
    throw DecoderUnavailable("cannot be read, since the program gantry-decoder is not found", path,
                             "install Gantry again, or name the program by GANTRY_DECODER");
  std::unique_ptr<DecoderProcess> process = DecoderProcess::start();
  if (!process)
    throw DecoderUnavailable("cannot be read, since " + program + " does not start", path,
                             "close other programs and files, or install Gantry again");
  return process;
}

}  // namespace

DecodedFile::DecodedFile(std::string path, wire::What open, const Interrupt* interrupt)
    : path_(std::move(path)), open_(open), interrupt_(interrupt), seconds_(seconds_for(path_)) {}

DecoderRequest DecodedFile::request(wire::What what, const std::string& text,
                                    const std::string& part) const {
  DecoderRequest one;
  one.what = what;
  one.text = text;
  one.where = path_ + part;
  one.seconds = seconds_;
  one.interrupt = interrupt_;
  return one;
}

std::string DecodedFile::open_now(std::uint64_t index, std::uint64_t count) {
  is_open_ = false;
  if (!process_ || !process_->alive()) process_ = start_decoder(path_);
  DecoderRequest opening = request(open_, path_, {});
  opening.index = index;
  opening.count = count;
  const wire::Answer answer = process_->ask(opening);
  is_open_ = true;
  return process_->result_of(answer);
}

std::string DecodedFile::open(const std::string& path, std::uint64_t index, std::uint64_t count) {
  path_ = path;
  seconds_ = seconds_for(path);
  failure_.clear();
  return open_now(index, count);
}

wire::Answer DecodedFile::ask(const DecoderRequest& request) {
  if (!failure_.empty()) throw InputError(failure_);
  if (interrupt_ != nullptr && interrupt_->raised()) throw Interrupted{};
  try {
    if (!process_ || !is_open_) open();
    return process_->ask(request);
  } catch (const Interrupted&) {
    process_.reset();
    throw;
  } catch (const InputError& error) {
    if (!process_ || !process_->alive()) failure_ = error.what();
    throw;
  }
}

}  // namespace gantry
