#include "core/io/imports/paged_frames.hpp"

#include "core/io/files/decoder/decoder_process.hpp"
#include "core/io/files/memory_allowance.hpp"
#include "core/io/imports/damaged_files.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

namespace gantry {

namespace fs = std::filesystem;

namespace {

std::string size_text(const PageSize& size) {
  return std::to_string(size.columns) + " x " + std::to_string(size.rows);
}

/// Returns the size and type that most files have, the first of those that are as frequent. Sizes
/// without pages do not count.
const PageSize& commonest(const std::vector<PageSize>& sizes) {
  std::map<std::string, std::size_t> counts;
  const auto text = [](const PageSize& size) { return size_text(size) + " " + size.numbers; };
  for (const PageSize& size : sizes) counts[text(size)] += size.count > 0 ? 1 : 0;
  return *std::ranges::max_element(sizes, {},
                                   [&](const PageSize& size) { return counts[text(size)]; });
}

class FileFrames final : public FrameSource {
 public:
  FileFrames(const std::vector<std::string>& paths, PageReader reader,
             std::vector<std::string>& notes, std::vector<std::size_t>* file_of_frame,
             bool leaves_out_damaged)
      : reader_(std::move(reader)), is_one_of_several_(paths.size() > 1) {
    const std::vector<PageSize> found = sizes_of(paths, notes, leaves_out_damaged);
    size_ = commonest(found);
    bool has_other_types = false;
    if (const std::string& other = reader_.type_of_projections;
        !other.empty() && !size_.numbers.empty() && size_.numbers != other)
      notes.push_back("the " + reader_.of_any_type + " hold " + size_.numbers +
                      ", the projections " + other +
                      ": they were taken as being of the same scale");
    for (std::size_t i = 0; i < paths.size(); ++i) {
      if (found[i].count == 0) continue;
      const bool has_size = found[i].columns == size_.columns && found[i].rows == size_.rows;
      const bool has_type =
          found[i].numbers == size_.numbers || found[i].numbers.empty() || size_.numbers.empty();
      if (has_size && !has_type && !reader_.of_any_type.empty()) {
        notes.push_back(fs::path(paths[i]).filename().string() + " holds " + found[i].numbers +
                        ", most of the " + reader_.of_any_type + " hold " + size_.numbers +
                        ": it was taken as being of the same scale");
        has_other_types = true;
      } else if (!has_size || !has_type) {
        notes.push_back(
            fs::path(paths[i]).filename().string() +
            (has_size ? " holds " + found[i].numbers + " instead of " + size_.numbers
                      : " has " + size_text(found[i]) + " pixels instead of " + size_text(size_)) +
            " and was left out");
        continue;
      }
      require_memory_for_pages(found[i], paths[i]);
      for (int k = 0; k < found[i].count; ++k) pages_.emplace_back(paths[i], k);
      if (file_of_frame != nullptr) file_of_frame->resize(pages_.size(), i);
    }
    if (has_other_types) size_.numbers.clear();  // each file is read as it is
  }

  int frames() const override { return static_cast<int>(pages_.size()); }
  int rows() const override { return size_.rows; }
  int columns() const override { return size_.columns; }
  std::string name(int frame) const override {
    const auto& [path, page] = pages_[static_cast<std::size_t>(frame)];
    return page == 0 ? path : path + ", page " + std::to_string(page + 1);
  }
  void read(int frame, std::span<float> values) const override {
    const auto& [path, page] = pages_[static_cast<std::size_t>(frame)];
    try {
      reader_.read(path, page, size_, values);
    } catch (const DecoderUnavailable&) {  // the file may be whole
      throw;
    } catch (const InputError& error) {
      if (!is_one_of_several_) throw;
      throw DamagedFiles(error);
    }
  }

 private:
  /// Returns what each file holds; nothing of a damaged one, if these are left out.
  std::vector<PageSize> sizes_of(const std::vector<std::string>& paths,
                                 std::vector<std::string>& notes, bool leaves_out_damaged) const {
    std::vector<PageSize> sizes(paths.size());
    std::vector<InputError> errors;
    for (std::size_t i = 0; i < paths.size(); ++i) try {
        sizes[i] = reader_.look(paths[i]);
        if (leaves_out_damaged) read_all(paths[i], sizes[i]);
      } catch (const DecoderUnavailable&) {
        throw;
      } catch (const InputError& error) {
        sizes[i] = {};
        errors.push_back(error);
      }
    if (errors.empty()) return sizes;
    if (errors.size() == paths.size()) throw errors.front();  // not damaged, but of another kind
    if (!leaves_out_damaged) throw DamagedFiles(errors.front(), errors.size());
    for (const InputError& error : errors) notes.push_back(left_out_note(error));
    return sizes;
  }

  void read_all(const std::string& path, const PageSize& size) const {
    require_memory_for_pages(size, path);
    std::vector<float> values(static_cast<std::size_t>(size.columns) *
                              static_cast<std::size_t>(size.rows));
    for (int page = 0; page < size.count; ++page) reader_.read(path, page, size, values);
  }

  PageReader reader_;
  bool is_one_of_several_;
  PageSize size_;
  std::vector<std::pair<std::string, int>> pages_;
};

}  // namespace

int count_pages(const PageReader& reader, const std::string& path) try {
  return reader.count ? reader.count(path) : reader.look(path).count;
} catch (const DecoderUnavailable&) {
  throw;
} catch (const InputError&) {
  return 0;
}

std::pair<int, int> cells_of_pages(const PageReader& reader, const std::string& path) try {
  const PageSize size = reader.look(path);
  return {size.columns, size.rows};
} catch (const DecoderUnavailable&) {
  throw;
} catch (const InputError&) {
  return {};
}

std::string numbers_of_pages(const PageReader& reader, const std::string& path) try {
  return reader.look(path).numbers;
} catch (const DecoderUnavailable&) {
  throw;
} catch (const InputError&) {
  return {};
}

std::string left_out_note(const InputError& error) {
  return std::string("a damaged file was left out: ") + error.what();
}

void require_memory_for_pages(const PageSize& size, const std::string& path) {
  const std::size_t values = static_cast<std::size_t>(size.count) *
                             static_cast<std::size_t>(size.columns) *
                             static_cast<std::size_t>(size.rows);
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(path, error);
  require_allowed_memory("claims " + std::to_string(values) + " values", values * sizeof(float),
                         error ? 0 : bytes, path);
}

std::shared_ptr<const FrameSource> frames_in_files(const std::vector<std::string>& paths,
                                                   const PageReader& reader,
                                                   std::vector<std::string>& notes,
                                                   std::vector<std::size_t>* file_of_frame,
                                                   bool leaves_out_damaged) {
  return paths.empty() ? nullptr
                       : std::make_shared<const FileFrames>(paths, reader, notes, file_of_frame,
                                                            leaves_out_damaged);
}

}  // namespace gantry
