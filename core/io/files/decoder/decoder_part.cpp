#include "core/io/files/decoder/decoder_part.hpp"

#include <cstring>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace gantry {

std::span<std::byte> DecoderResults::room(std::size_t bytes) {
  if (bytes <= room_.size()) return room_.first(bytes);
  if (!room_.empty()) munmap(room_.data(), room_.size());
  room_ = {};
  void* start = MAP_FAILED;
  if (ftruncate(wire::results_fd, static_cast<off_t>(bytes)) == 0)
    start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, wire::results_fd, 0);
  if (start == MAP_FAILED) throw std::bad_alloc();
  room_ = {static_cast<std::byte*>(start), bytes};
  return room_;
}

void DecoderResults::write(const void* data, std::size_t bytes) {
  if (bytes > 0) std::memcpy(room(bytes).data(), data, bytes);
}

wire::Answer DecoderResults::packed(const std::string& bytes) {
  write(bytes.data(), bytes.size());
  return {wire::Outcome::done, 0, bytes.size()};
}

}  // namespace gantry
