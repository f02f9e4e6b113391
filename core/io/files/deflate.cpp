#include "core/io/files/deflate.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>
#include <vector>
#include <zlib.h>

namespace gantry {

struct GzipPacker::State {
  Sink sink;
  std::vector<std::byte> output = std::vector<std::byte>(std::size_t{1} << 16);
  z_stream stream{};
};

GzipPacker::GzipPacker(Sink sink) : state_(std::make_unique<State>()) {
  state_->sink = std::move(sink);
  constexpr int largest_window = 15, as_gzip = 16, usual_memory = 8;
  // Noise hardly shrinks: a higher level would take longer for the same size.
  if (deflateInit2(&state_->stream, Z_BEST_SPEED, Z_DEFLATED, largest_window + as_gzip,
                   usual_memory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
}

GzipPacker::~GzipPacker() { deflateEnd(&state_->stream); }

void GzipPacker::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const std::size_t part = std::min<std::size_t>(bytes.size(), std::numeric_limits<uInt>::max());
    pack(bytes.first(part), Z_NO_FLUSH);
    bytes = bytes.subspan(part);
  }
}

void GzipPacker::finish() { pack({}, Z_FINISH); }

void GzipPacker::pack(std::span<const std::byte> bytes, int flush) {
  z_stream& stream = state_->stream;
  std::vector<std::byte>& output = state_->output;
  // zlib only reads; its type is older than const.
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  do {
    stream.next_out = reinterpret_cast<Bytef*>(output.data());
    stream.avail_out = static_cast<uInt>(output.size());
    deflate(&stream, flush);
    state_->sink(std::span(output).first(output.size() - stream.avail_out));
  } while (stream.avail_out == 0);
}

}  // namespace gantry
