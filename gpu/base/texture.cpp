#include "gpu/base/texture.hpp"

#include "gpu/base/allocation.hpp"

#include <utility>

namespace gantry {

namespace {

cudaArray_t make_array(const CudaBackend& backend, const Texture::Shape& shape,
                       const char* purpose) {
  const cudaChannelFormatDesc format{32, 0, 0, 0, cudaChannelFormatKindFloat};
  const cudaExtent extent{shape.width, shape.height, shape.depth};
  const unsigned flags = shape.layered ? cudaArrayLayered : cudaArrayDefault;
  cudaArray_t array = nullptr;
  const cudaError_t status =
      allocate_or_trim(backend, [&] { return cudaMalloc3DArray(&array, &format, extent, flags); });
  check(status, purpose, shape.width * shape.height * shape.depth * sizeof(float));
  return array;
}

}  // namespace

Texture::Texture(const CudaBackend& backend, const Shape& shape, TextureFilter filter,
                 bool zero_outside, const char* purpose)
    : backend_(&backend), shape_(shape) {
  const DeviceScope scope(backend.device());
  array_ = make_array(backend, shape, purpose);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array_;
  cudaTextureDesc texture{};
  for (auto& mode : texture.addressMode)
    mode = zero_outside ? cudaAddressModeBorder : cudaAddressModeClamp;
  texture.filterMode = filter == TextureFilter::linear ? cudaFilterModeLinear : cudaFilterModePoint;
  texture.readMode = cudaReadModeElementType;
  const cudaError_t status = cudaCreateTextureObject(&object_, &resource, &texture, nullptr);
  if (status != cudaSuccess) {
    object_ = 0;
    release();
  }
  check(status, purpose);
}

Texture::~Texture() { release(); }

void Texture::release() noexcept {
  if (array_ == nullptr || backend_->lost()) return;
  try {
    const DeviceScope scope(backend_->device());
    // cudaFreeArray would wait for kernels that read the array, too, but would hold a lock of CUDA
    // meanwhile, for which threads of other devices would have to wait.
    cudaStreamSynchronize(backend_->stream());
    if (object_ != 0) cudaDestroyTextureObject(object_);
    cudaFreeArray(array_);
  } catch (...) {
    // The device is lost, and its memory with it.
  }
  array_ = nullptr;
  object_ = 0;
  cudaGetLastError();
}

void Texture::copy_from(const float* device) { copy_from(device, 0, shape_.depth); }

void Texture::copy_from(const float* device, std::size_t first, std::size_t count) {
  if (first > shape_.depth || count > shape_.depth - first)
    throw ShapeError("copy to a GPU texture: the images exceed the texture");
  if (count == 0) return;
  const DeviceScope scope(backend_->device());
  cudaMemcpy3DParms copy{};
  copy.srcPtr.ptr = const_cast<float*>(device);  // the copy only reads it
  copy.srcPtr.pitch = shape_.width * sizeof(float);
  copy.srcPtr.xsize = shape_.width;
  copy.srcPtr.ysize = shape_.height;
  copy.dstArray = array_;
  copy.dstPos = {0, 0, first};
  copy.extent = {shape_.width, shape_.height, count};
  copy.kind = cudaMemcpyDeviceToDevice;
  check(cudaMemcpy3DAsync(&copy, backend_->stream()), "fill a GPU texture");
}

void Texture::swap(Texture& other) noexcept {
  std::swap(backend_, other.backend_);
  std::swap(shape_, other.shape_);
  std::swap(array_, other.array_);
  std::swap(object_, other.object_);
}

}  // namespace gantry
