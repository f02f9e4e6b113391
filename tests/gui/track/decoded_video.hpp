#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/pixdesc.h>
}

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace gantry::test {

/// A video as FFmpeg's libraries decode it.
struct DecodedVideo {
  struct Picture {
    int width = 0;
    std::array<std::vector<int>, 3> yuv;  ///< a value per pixel, BT.601, from 16 to 235 or 240

    /// Returns red, green and blue of a pixel.
    std::array<int, 3> at(int x, int y) const {
      const auto i = static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                     static_cast<std::size_t>(x);
      const double l = 255.0 / 219 * (yuv[0][i] - 16), u = 255.0 / 224 * (yuv[1][i] - 128),
                   v = 255.0 / 224 * (yuv[2][i] - 128);
      const auto byte = [](double value) {
        return static_cast<int>(std::lround(std::clamp(value, 0.0, 255.0)));
      };
      return {byte(l + 1.402 * v), byte(l - 0.344136 * u - 0.714136 * v), byte(l + 1.772 * u)};
    }
  };
  int width = 0, height = 0;
  double seconds = 0;
  std::vector<Picture> pictures;
};

/// Copies a frame of 8 bits, with the colours at every pixel.
inline DecodedVideo::Picture picture_of(const AVFrame& frame) {
  const AVPixFmtDescriptor* format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  DecodedVideo::Picture picture;
  picture.width = frame.width;
  for (int plane = 0; plane < 3; ++plane)
    for (int y = 0; y < frame.height; ++y)
      for (int x = 0; x < frame.width; ++x) {
        const int px = plane > 0 ? x >> format->log2_chroma_w : x;
        const int py = plane > 0 ? y >> format->log2_chroma_h : y;
        picture.yuv[static_cast<std::size_t>(plane)].push_back(
            frame.data[plane][py * frame.linesize[plane] + px]);
      }
  return picture;
}

/// Throws std::runtime_error where the file is no video.
inline DecodedVideo decode_video(const std::string& path) {
  const auto require = [](bool done, const char* what) {
    if (!done) throw std::runtime_error(what);
  };
  AVFormatContext* opened = nullptr;
  require(avformat_open_input(&opened, path.c_str(), nullptr, nullptr) == 0, "not opened");
  const std::unique_ptr<AVFormatContext, void (*)(AVFormatContext*)> file(
      opened, [](AVFormatContext* f) { avformat_close_input(&f); });
  require(avformat_find_stream_info(opened, nullptr) >= 0, "no streams");
  const AVCodec* codec = nullptr;
  const int index = av_find_best_stream(opened, AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
  require(index >= 0, "no video");
  const AVStream* stream = opened->streams[index];
  const std::unique_ptr<AVCodecContext, void (*)(AVCodecContext*)> decoder(
      avcodec_alloc_context3(codec), [](AVCodecContext* c) { avcodec_free_context(&c); });
  require(avcodec_parameters_to_context(decoder.get(), stream->codecpar) >= 0 &&
              avcodec_open2(decoder.get(), codec, nullptr) == 0,
          "no decoder");
  DecodedVideo video;
  video.width = decoder->width;
  video.height = decoder->height;
  const std::unique_ptr<AVPacket, void (*)(AVPacket*)> packet(
      av_packet_alloc(), [](AVPacket* p) { av_packet_free(&p); });
  const std::unique_ptr<AVFrame, void (*)(AVFrame*)> frame(av_frame_alloc(),
                                                           [](AVFrame* f) { av_frame_free(&f); });
  const auto take = [&] {
    while (avcodec_receive_frame(decoder.get(), frame.get()) == 0)
      video.pictures.push_back(picture_of(*frame));
  };
  while (av_read_frame(opened, packet.get()) >= 0) {
    // An empty packet repeats the picture before it; to a decoder it would mean the end.
    if (packet->stream_index == index && packet->size > 0 &&
        avcodec_send_packet(decoder.get(), packet.get()) == 0)
      take();
    av_packet_unref(packet.get());
  }
  avcodec_send_packet(decoder.get(), nullptr);
  take();
  video.seconds = static_cast<double>(opened->duration) / AV_TIME_BASE;
  return video;
}

}  // namespace gantry::test
