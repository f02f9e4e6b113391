// The program gantry-decoder reads foreign files, by libraries that a damaged file can crash, for
// the program that started it. The decoder ends when the other program ends or closes the socket.
#include "core/base/error.hpp"
#include "core/io/dicom/decoder/dicom_part.hpp"
#include "core/io/files/containers/hdf5_part.hpp"
#include "core/io/files/containers/ole_part.hpp"
#include "core/io/files/decoder/decoder_part.hpp"
#include "core/io/files/decoder/limits.hpp"
#include "core/io/files/memory_allowance.hpp"
#include "core/io/files/tiff/tiff_part.hpp"

#include <csignal>
#include <cstdlib>
#include <exception>
#include <malloc.h>
#include <memory>
#include <poll.h>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace gantry {

namespace {

/// Returns a part that reads what a request asks for.
std::unique_ptr<DecoderPart> part_for(wire::What what) {
  if (what >= wire::What::tiff_open) return tiff_part();
  if (what >= wire::What::ole_open) return ole_part();
  return what >= wire::What::hdf5_open ? hdf5_part() : dicom_part();
}

/// Has the C library keep some freed memory for the next frame: to give it back to the system and
/// ask for it again takes a quarter of the time in which a packed frame is unpacked.
void keep_freed_memory() {
  constexpr int largest_block = 32 << 20, kept = 64 << 20;
  mallopt(M_MMAP_THRESHOLD, largest_block);
  mallopt(M_TRIM_THRESHOLD, kept);
}

/// Ends the decoder as soon as the socket is closed at the other end, also while a library is busy
/// with a damaged file for ever. PR_SET_PDEATHSIG would not do: it signals the end of the thread
/// that started the decoder, and a decoder may serve several threads one after the other.
void end_with_the_other_program() {
  std::thread([] {
    pollfd other_end{wire::socket_fd, 0, 0};  // without events, poll() waits for POLLHUP alone
    while (poll(&other_end, 1, -1) < 1) continue;
    std::_Exit(0);
  }).detach();
}

bool opens_file(wire::What what) {
  return what == wire::What::dicom_header || what == wire::What::dicom_open ||
         what == wire::What::hdf5_open || what == wire::What::ole_open ||
         what == wire::What::tiff_open;
}

/// Fails in the way that the text names: tests check how a program copes with a failing decoder.
void fail_as_named(const std::string& text) {
  const auto named = [&](const char* part) { return text.find(part) != std::string::npos; };
  if (named("crash_here")) std::raise(SIGSEGV);
  if (named("killed_here")) std::raise(SIGKILL);
  if (named("exit_here")) std::_Exit(7);
  if (named("exhaust_here")) {
    volatile std::size_t sum = 0;
    for (;;) sum = sum + static_cast<unsigned char>((new char[std::size_t{1} << 20])[sum % 7]);
  }
  if (named("spin_here"))
    for (volatile bool forever = true; forever;) continue;
  while (named("sleep_here")) pause();
}

/// Answers the requests of the other program.
class Server {
 public:
  /// Waits for a request and answers it. Returns false when the other program has ended.
  bool serve_one() {
    wire::Request request;
    if (!wire::receive_all(wire::socket_fd, &request, sizeof request)) return false;
    std::string text(request.text_bytes, '\0');
    if (!wire::receive_all(wire::socket_fd, text.data(), text.size())) return false;
    if (request.what == wire::What::close) {
      part_.reset();
      return true;
    }
    confirm_large_files(request.allow_large != 0);
    const wire::Answer answer = answer_to(request, text);
    return wire::send_all(wire::socket_fd, &answer, sizeof answer);
  }

 private:
  wire::Answer answer_to(const wire::Request& request, const std::string& text) {
    try {
      limit_time(request.seconds);
      if (opens_file(request.what)) {
        part_.reset();
        path_ = text;
        limit_memory(path_);  // one limit for all requests about this file
      }
      if (std::getenv("GANTRY_DECODER_FAILS") != nullptr) fail_as_named(path_ + text);
      if (!part_) part_ = part_for(request.what);
      return part_->answer(request, text, results_);
    } catch (const UsageError& error) {
      return refuse(wire::Outcome::usage_error, error.what());
    } catch (const Error& error) {
      return refuse(wire::Outcome::input_error, error.what());
    } catch (const std::exception&) {
      return refuse(wire::Outcome::input_error, memory_exceeded(path_).what());
    }
  }

  wire::Answer refuse(wire::Outcome outcome, const std::string& text) {
    results_.write(text.data(), text.size());
    return {outcome, 0, text.size()};
  }

  DecoderResults results_;
  std::string path_;
  std::unique_ptr<DecoderPart> part_;  // of the open file
};

}  // namespace

}  // namespace gantry

int main() {
  using namespace gantry;
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);  // a core dump would hold a patient's data
  keep_freed_memory();
  end_with_the_other_program();
  if (!wire::send_all(wire::socket_fd, &wire::hello, sizeof wire::hello)) return 2;
  Server server;
  while (server.serve_one()) continue;
  std::_Exit(0);  // without the libraries' own ends, which a damaged file may make endless
}
