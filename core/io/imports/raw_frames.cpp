#include "core/io/imports/raw_frames.hpp"

#include "core/base/error.hpp"

#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

namespace gantry {

namespace fs = std::filesystem;

namespace {

class RawFrames final : public FrameSource {
 public:
  RawFrames(const std::vector<std::string>& paths, int count, const RawLayout& layout,
            std::vector<std::string>& notes)
      : paths_(paths), count_(count), layout_(layout) {
    for (const std::string& path : paths_) require_size(path, notes);
  }
  int frames() const override { return count_; }
  int rows() const override { return layout_.rows; }
  int columns() const override { return layout_.columns; }
  std::string name(int frame) const override {
    return is_stack() ? paths_.front() + ", frame " + std::to_string(frame) : path_of(frame);
  }
  void read(int frame, std::span<float> values) const override {
    std::ifstream file(path_of(frame), std::ios::binary);
    const std::uint64_t before = is_stack() ? static_cast<std::uint64_t>(frame) * frame_bytes() : 0;
    file.seekg(static_cast<std::streamoff>(layout_.file_header_bytes + before +
                                           layout_.frame_header_bytes));
    const ByteSource source = [&](std::span<std::byte> bytes) {
      file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
      return static_cast<std::size_t>(file.gcount());
    };
    if (!file || read_numbers(source, layout_.numbers, values) != values.size())
      throw InputError("cannot be read", name(frame), "check the disk and the permissions");
  }

 private:
  bool is_stack() const { return paths_.size() == 1; }
  const std::string& path_of(int frame) const {
    return paths_[is_stack() ? 0 : static_cast<std::size_t>(frame)];
  }
  std::uint64_t frame_bytes() const {
    return layout_.frame_header_bytes + static_cast<std::uint64_t>(layout_.columns) *
                                            static_cast<std::uint64_t>(layout_.rows) *
                                            bytes_of(layout_.numbers.type);
  }
  void require_size(const std::string& path, std::vector<std::string>& notes) const {
    std::error_code error;
    if (!fs::is_regular_file(path, error))
      throw InputError("there is no such file of frames", path, "put it there");
    const std::uintmax_t actual = fs::file_size(path, error);
    const int count = is_stack() ? count_ : 1;
    const std::uint64_t expected =
        layout_.file_header_bytes + static_cast<std::uint64_t>(count) * frame_bytes();
    const std::string sizes = std::to_string(actual) + " bytes, but " + std::to_string(count) +
                              (count == 1 ? " frame is " : " frames are ") +
                              std::to_string(expected);
    if (error || actual < expected)
      throw InputError("holds " + sizes, path,
                       "the file is cut short, or what is said of its frames is wrong");
    if (actual > expected)
      notes.push_back(fs::path(path).filename().string() + " holds " + sizes +
                      ": the end was left out");
  }

  std::vector<std::string> paths_;
  int count_;
  RawLayout layout_;
};

}  // namespace

std::shared_ptr<const FrameSource> raw_frames_of(const std::vector<std::string>& paths, int count,
                                                 const RawLayout& layout,
                                                 std::vector<std::string>& notes) {
  return std::make_shared<const RawFrames>(paths, count, layout, notes);
}

}  // namespace gantry
