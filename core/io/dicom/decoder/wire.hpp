#pragma once

#include "core/io/dicom/file/dicom_file.hpp"
#include "core/io/dicom/pixels/dicom_pixels.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What a program and the decoder that it started say to each other, over a socket; what is read
/// lies in memory that they share as a file. Both are of one build, so that numbers are copied.
namespace gantry::wire {

constexpr int socket_fd = 3, results_fd = 4;  ///< of the decoder
constexpr std::uint64_t hello = 0x31636564746e6167;

enum class What : std::uint32_t {
  header,  ///< the header of a file
  open,    ///< the pixel format of a file, which stays open; a single image comes with it
  frame,   ///< one image of the open file
  notes,   ///< what its decoders warned of
  close    ///< the open file; without an answer
};

/// Where the values of an image start in the result.
constexpr std::size_t values_at = 64;
static_assert(sizeof(DicomPixelFormat) <= values_at);

/// Followed by the path, where there is one.
struct Request {
  What what = What::close;
  std::int32_t frame = 0;
  std::uint64_t path_bytes = 0;
  std::uint64_t allow_large = 0;  ///< 1: large_files_confirmed()
};

enum class Outcome : std::uint32_t { done, not_dicom, input_error, usage_error };

/// The result, or the text of the error, is what the shared memory starts with.
struct Answer {
  Outcome outcome = Outcome::done;
  std::uint32_t notes = 0;  ///< how many there are on the open file
  std::uint64_t bytes = 0;
};

std::string pack(const DicomHeader& header);
/// Throws InputError when the bytes are none that pack() wrote.
DicomHeader unpack_header(std::string_view bytes);
std::string pack(const std::vector<std::string>& lines);
std::vector<std::string> unpack_lines(std::string_view bytes);

/// All of it, through interrupted calls; false at the other side's end.
bool send_all(int socket, const void* data, std::size_t bytes);
bool receive_all(int socket, void* data, std::size_t bytes);

}  // namespace gantry::wire
