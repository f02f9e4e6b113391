#include "core/io/files/inflate.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <new>
#include <vector>
#include <zlib.h>

namespace gantry {

struct Inflater::State {
  ByteSource packed;
  std::string where;
  std::vector<std::byte> input = std::vector<std::byte>(std::size_t{1} << 16);
  z_stream stream{};
  bool ended = false;
};

Inflater::Inflater(ByteSource packed, std::string where, Wrapper wrapper)
    : state_(std::make_unique<State>()) {
  state_->packed = std::move(packed);
  state_->where = std::move(where);
  constexpr int largest_window = 15, by_the_first_bytes = 32;
  const int bits = wrapper == Wrapper::none ? -largest_window : largest_window + by_the_first_bytes;
  if (inflateInit2(&state_->stream, bits) != Z_OK) throw std::bad_alloc();
}

Inflater::~Inflater() { inflateEnd(&state_->stream); }

std::size_t Inflater::read(std::span<std::byte> out) {
  State& s = *state_;
  std::size_t done = 0;
  while (done < out.size() && !s.ended) {
    if (s.stream.avail_in == 0) {
      const std::size_t got = s.packed(s.input);
      if (got == 0) break;  // the data are cut short
      s.stream.next_in = reinterpret_cast<Bytef*>(s.input.data());
      s.stream.avail_in = static_cast<uInt>(got);
    }
    const std::size_t room = std::min(out.size() - done, std::size_t{1} << 30);
    s.stream.next_out = reinterpret_cast<Bytef*>(out.data() + done);
    s.stream.avail_out = static_cast<uInt>(room);
    const int result = inflate(&s.stream, Z_NO_FLUSH);
    done += room - s.stream.avail_out;
    if (result == Z_STREAM_END) s.ended = true;
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
      throw InputError("the compressed data are damaged", s.where, "fetch the file again");
  }
  return done;
}

bool Inflater::ended() const { return state_->ended; }

std::uintmax_t Inflater::used() const { return state_->stream.total_in; }

}  // namespace gantry
