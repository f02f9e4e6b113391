#pragma once

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
constexpr std::uint64_t hello = 0x34636564746e6167;  ///< "gantdec4", the decoder's first message

/// What a request asks of the decoder. A decoder has one file open at most, which is closed when
/// another is opened.
enum class What : std::uint32_t {
  close,         ///< close the open file; the only request without an answer
  dicom_header,  ///< read the header of the file that the text names
  dicom_open,    ///< open a file, return its pixel format and, where it is one, its image
  dicom_frame,   ///< read image `index` of the open file
  dicom_notes,   ///< return the notes on the open file, see DicomPixels::notes()
  hdf5_open,     ///< open a file, return its Hdf5Listing
  // The following do what the functions of Hdf5Reader do. Their texts are packed lines: the path of
  // the object in the file, and the name of the attribute.
  hdf5_numbers,
  hdf5_frame,  ///< frame `index`, in which there must be `count` numbers
  hdf5_box,    ///< the Hdf5Elements that are the text, `count` numbers
  hdf5_text,
  hdf5_text_attribute,
  hdf5_has_attribute,
  hdf5_number_attribute,
  ole_open,   ///< open a compound file; the text of the following is the name of a stream
  ole_bytes,  ///< return its number of bytes
  ole_read,   ///< read its first `count` bytes
  // The following do what the functions of TiffReader do.
  tiff_open,    ///< open a file and return its TiffOpened; if `count` is 1, of page `index`
  tiff_page,    ///< return what page `index` holds
  tiff_values,  ///< return that, and at values_at the values as they are stored
  tiff_description
};

/// Offset in bytes of the values of an image in the result, which begins with what they are.
constexpr std::size_t values_at = 64;

/// A request. Its `text_bytes` bytes of text follow.
struct Request {
  What what = What::close;
  std::uint32_t allow_large = 0;  ///< 1: large_files_confirmed()
  std::uint64_t index = 0, count = 0;
  double seconds = 0;  ///< processor time that the answer may take, unless allow_large
  std::uint64_t text_bytes = 0;
};

/// How a request ended. Nothing: a file is not of the kind that was asked for, or lacks something.
enum class Outcome : std::uint32_t { done, nothing, input_error, usage_error };

/// An answer. The result, or the text of the error, lies at the start of the shared memory.
struct Answer {
  Outcome outcome = Outcome::done;
  std::uint32_t notes = 0;  ///< number of notes on the open file
  std::uint64_t bytes = 0;  ///< length of the result or text
};

/// Writes numbers and texts one after the other.
class Packer {
 public:
  void number(std::uint64_t value);
  void text(const std::string& value);
  void lines(const std::vector<std::string>& values);
  std::string bytes;

 private:
  void append(const void* data, std::size_t count);
};

/// Reads what a Packer wrote. Functions throw InputError when the bytes are other ones.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}
  std::uint64_t number();
  std::string text();
  std::vector<std::string> lines();
  [[noreturn]] static void fail();

 private:
  std::string_view take(std::uint64_t count);
  std::string_view rest_;
};

/// pack() returns lines of text as bytes. unpack_lines() returns what pack() was called with; it
/// throws InputError when pack() did not write the bytes.
std::string pack(const std::vector<std::string>& lines);
std::vector<std::string> unpack_lines(std::string_view bytes);

/// Sends or receives all `bytes` bytes, and repeats calls that a signal interrupts. Returns false
/// when the other process has closed the socket, or upon an error.
bool send_all(int socket, const void* data, std::size_t bytes);
bool receive_all(int socket, void* data, std::size_t bytes);

}  // namespace gantry::wire
