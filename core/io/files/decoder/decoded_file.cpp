#include "core/io/files/decoder/decoded_file.hpp"

#include "core/base/error.hpp"
#include "core/io/files/decoder/limits.hpp"
#include "core/io/files/disk.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>
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

DecoderRequest DecodedFile::opening(const std::string& path, std::uint64_t index,
                                    std::uint64_t count) const {
  DecoderRequest one = request(open_, path, {});
  one.index = index;
  one.count = count;
  one.where = path;
  one.seconds = seconds_for(path);
  return one;
}

std::string DecodedFile::open(const std::string& path, std::uint64_t index, std::uint64_t count) {
  const DecoderRequest request = opening(path, index, count);
  path_ = path;
  seconds_ = request.seconds;
  failure_ = nullptr;
  const bool is_on_its_way = was_sent_ahead(request);
  is_open_ = false;
  if (!is_on_its_way && (!process_ || !process_->alive())) process_ = start_decoder(path_);
  const wire::Answer answer = process_->ask(request);
  is_open_ = true;
  return process_->result_of(answer);
}

wire::Answer DecodedFile::ask(const DecoderRequest& request) {
  if (failure_) std::rethrow_exception(failure_);
  if (interrupt_ != nullptr && interrupt_->raised()) throw Interrupted{};
  try {
    if (!was_sent_ahead(request) && (!process_ || !is_open_)) open();
    return process_->ask(request);
  } catch (const Interrupted&) {
    process_.reset();
    throw;
  } catch (const InputError&) {
    if (!process_ || !process_->alive()) failure_ = std::current_exception();
    throw;
  }
}

/// Returns whether the decoder has this request. A decoder that has another one is ended.
bool DecodedFile::was_sent_ahead(const DecoderRequest& request) {
  if (!ahead_) return false;
  const auto words = [](const DecoderRequest& r) {
    return std::tie(r.what, r.text, r.index, r.count);
  };
  const bool is_the_same = words(*ahead_) == words(request);
  ahead_.reset();
  if (is_the_same) return true;
  process_.reset();
  is_open_ = false;
  return false;
}

void DecodedFile::ask_ahead(const DecoderRequest& request) {
  if (!process_ || !process_->alive()) return;
  process_->send_ahead(request);
  ahead_ = request;
}

}  // namespace gantry
