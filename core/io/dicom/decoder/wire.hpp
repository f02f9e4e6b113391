#pragma once

#include "core/io/dicom/file/dicom_file.hpp"
#include "core/io/dicom/pixels/dicom_pixels.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The messages between a program and the decoder that the program started. Requests and answers
/// are sent over a socket; results lie in a file in memory that both processes have open. Both
/// programs are of the same build, so that numbers and structures are copied as they are.
namespace gantry::wire {

constexpr int socket_fd = 3, results_fd = 4;         ///< file descriptors in the decoder
constexpr std::uint64_t hello = 0x31636564746e6167;  ///< "gantdec1", the decoder's first message

/// What a request asks of the decoder.
enum class What : std::uint32_t {
  header,  ///< read the header of a file
  open,    ///< open a file, return its pixel format and, where it holds one image only, the image
  frame,   ///< read one image of the open file
  notes,   ///< return the notes on the open file, see DicomPixels::notes()
  close    ///< close the open file; the only request without an answer
};

/// Offset in bytes of the values of an image in the result.
constexpr std::size_t values_at = 64;
static_assert(sizeof(DicomPixelFormat) <= values_at);

/// A request. Its `path_bytes` bytes of path, if any, follow.
struct Request {
  What what = What::close;
  std::int32_t frame = 0;  ///< index of the image, for What::frame
  std::uint64_t path_bytes = 0;
  std::uint64_t allow_large = 0;  ///< 1: large_files_confirmed()
};

enum class Outcome : std::uint32_t { done, not_dicom, input_error, usage_error };

/// An answer. The result, or the text of the error, lies at the start of the shared memory.
struct Answer {
  Outcome outcome = Outcome::done;
  std::uint32_t notes = 0;  ///< number of notes on the open file
  std::uint64_t bytes = 0;  ///< length of the result or text
};

/// pack() returns a header, or lines of text, as bytes. unpack_header() and unpack_lines() return
/// what pack() was called with; they throw InputError when pack() did not write the bytes.
std::string pack(const DicomHeader& header);
DicomHeader unpack_header(std::string_view bytes);
std::string pack(const std::vector<std::string>& lines);
std::vector<std::string> unpack_lines(std::string_view bytes);

/// Sends or receives all `bytes` bytes, and repeats calls that a signal interrupts. Returns false
/// when the other process has closed the socket, or upon an error.
bool send_all(int socket, const void* data, std::size_t bytes);
bool receive_all(int socket, void* data, std::size_t bytes);

}  // namespace gantry::wire
