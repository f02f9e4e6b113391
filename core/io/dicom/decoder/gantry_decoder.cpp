// The program gantry-decoder reads DICOM files for the program that started it, so that a damaged
// file can crash the decoder only. The decoder ends when the other program ends, because its socket
// is closed then.
#include "core/base/error.hpp"
#include "core/io/dicom/decoder/limits.hpp"
#include "core/io/dicom/decoder/wire.hpp"
#include "core/io/files/memory_allowance.hpp"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace gantry {

namespace {

/// The file in memory to which the results are written, for the other program to read. The file
/// only grows.
class Results {
 public:
  /// Returns the first `bytes` bytes of the file; makes the file larger where necessary.
  std::span<std::byte> room(std::size_t bytes) {
    if (bytes > room_.size()) grow(bytes);
    return room_.first(bytes);
  }
  void write(const void* data, std::size_t bytes) {
    if (bytes > 0) std::memcpy(room(bytes).data(), data, bytes);
  }

 private:
  void grow(std::size_t bytes) {
    if (!room_.empty()) munmap(room_.data(), room_.size());
    room_ = {};
    void* start = MAP_FAILED;
    if (ftruncate(wire::results_fd, static_cast<off_t>(bytes)) == 0)
      start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, wire::results_fd, 0);
    if (start == MAP_FAILED) throw std::bad_alloc();
    room_ = {static_cast<std::byte*>(start), bytes};
  }
  std::span<std::byte> room_;
};

/// Answers the requests of the other program.
class Server {
 public:
  /// Waits for a request and answers it. Returns false when the other program has ended.
  bool serve_one() {
    wire::Request request;
    if (!wire::receive_all(wire::socket_fd, &request, sizeof request)) return false;
    std::string path(request.path_bytes, '\0');
    if (!wire::receive_all(wire::socket_fd, path.data(), path.size())) return false;
    if (request.what == wire::What::close) {
      pixels_.reset();
      return true;
    }
    if (!path.empty()) path_ = path;
    confirm_large_files(request.allow_large != 0);
    const wire::Answer answer = answer_to(request);
    return wire::send_all(wire::socket_fd, &answer, sizeof answer);
  }

 private:
  wire::Answer answer_to(const wire::Request& request) {
    try {
      limit_time(path_);
      if (request.what == wire::What::header || request.what == wire::What::open)
        limit_memory(path_);  // one limit for all requests about this file
      if (std::getenv("GANTRY_DECODER_FAILS") != nullptr) fail_as_named(path_);
      return result_of(request);
    } catch (const UsageError& error) {
      return refuse(wire::Outcome::usage_error, error.what());
    } catch (const Error& error) {
      return refuse(wire::Outcome::input_error, error.what());
    } catch (const std::exception&) {
      return refuse(wire::Outcome::input_error, memory_exceeded(path_).what());
    }
  }

  wire::Answer result_of(const wire::Request& request) {
    if (request.what == wire::What::header) {
      const auto header = decode_dicom_header(path_);
      if (!header) return {wire::Outcome::not_dicom, 0, 0};
      return packed(wire::pack(*header));
    }
    if (request.what == wire::What::open) {
      pixels_.reset();
      pixels_.emplace(path_);
      const DicomPixelFormat format = pixels_->format();
      wire::Answer answer{wire::Outcome::done, notes(), sizeof format};
      if (format.frames == 1) answer = read_frame(0);
      results_.write(&format, sizeof format);
      return answer;
    }
    if (request.what == wire::What::notes)
      return packed(wire::pack(pixels_ ? pixels_->notes() : std::vector<std::string>()));
    return read_frame(request.frame);
  }

  wire::Answer read_frame(int frame) {
    if (!pixels_) throw UsageError("no file is open", "gantry-decoder");
    const std::size_t count = pixels_->format().frame_size();
    const std::span<std::byte> room = results_.room(wire::values_at + count * sizeof(std::int32_t));
    pixels_->read(frame, {reinterpret_cast<std::int32_t*>(room.data() + wire::values_at), count});
    return {wire::Outcome::done, notes(), room.size()};
  }

  std::uint32_t notes() const { return static_cast<std::uint32_t>(pixels_->notes().size()); }

  wire::Answer packed(const std::string& bytes) {
    results_.write(bytes.data(), bytes.size());
    return {wire::Outcome::done, 0, bytes.size()};
  }

  wire::Answer refuse(wire::Outcome outcome, const std::string& text) {
    results_.write(text.data(), text.size());
    return {outcome, 0, text.size()};
  }

  /// Fails in the way that the path names: tests check how a program copes with a failing decoder.
  static void fail_as_named(const std::string& path) {
    const auto named = [&](const char* part) { return path.find(part) != std::string::npos; };
    if (named("crash_here")) std::raise(SIGSEGV);
    if (named("exit_here")) std::_Exit(7);
    if (named("exhaust_here")) {
      volatile std::size_t sum = 0;
      for (;;) sum = sum + static_cast<unsigned char>((new char[std::size_t{1} << 20])[sum % 7]);
    }
    if (named("spin_here"))
      for (volatile bool forever = true; forever;) continue;
  }

  Results results_;
  std::string path_;
  std::optional<DicomPixels> pixels_;
};

}  // namespace

}  // namespace gantry

int main() {
  using namespace gantry;
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);  // a core dump would hold a patient's data
  if (!wire::send_all(wire::socket_fd, &wire::hello, sizeof wire::hello)) return 2;
  Server server;
  while (server.serve_one()) continue;
  return 0;
}
