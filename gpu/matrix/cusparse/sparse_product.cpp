#include "gpu/matrix/cusparse/sparse_product.hpp"

#include "core/base/error.hpp"
#include "gpu/base/shared_library.hpp"
#include "gpu/matrix/cusparse/square_blocks.hpp"
#include "gpu/matrix/rows/device_sums.hpp"

#include <cusparse.h>
#include <limits>

namespace gantry {

namespace {

/// The functions of cuSPARSE that are used here, looked up under the names of the library.
struct CuSparse {
  SharedLibrary library{"libcusparse.so." + std::to_string(CUSPARSE_VER_MAJOR), "cuSPARSE"};
  decltype(cusparseCreate)* create = library.find("cusparseCreate");
  decltype(cusparseDestroy)* destroy = library.find("cusparseDestroy");
  decltype(cusparseSetStream)* set_stream = library.find("cusparseSetStream");
  decltype(cusparseGetErrorString)* error_text = library.find("cusparseGetErrorString");
  decltype(cusparseCreateCsr)* create_csr = library.find("cusparseCreateCsr");
  decltype(cusparseCreateBlockedEll)* create_blocked_ell = library.find("cusparseCreateBlockedEll");
  decltype(cusparseDestroySpMat)* destroy_matrix = library.find("cusparseDestroySpMat");
  decltype(cusparseCreateDnVec)* create_vector = library.find("cusparseCreateDnVec");
  decltype(cusparseDestroyDnVec)* destroy_vector = library.find("cusparseDestroyDnVec");
  decltype(cusparseDnVecSetValues)* set_values = library.find("cusparseDnVecSetValues");
  decltype(cusparseSpMV_bufferSize)* buffer_size = library.find("cusparseSpMV_bufferSize");
  decltype(cusparseSpMV_preprocess)* preprocess = library.find("cusparseSpMV_preprocess");
  decltype(cusparseSpMV)* multiply = library.find("cusparseSpMV");
  decltype(cusparseCreateDnMat)* create_columns = library.find("cusparseCreateDnMat");
  decltype(cusparseDestroyDnMat)* destroy_columns = library.find("cusparseDestroyDnMat");
  decltype(cusparseDnMatSetValues)* set_column_values = library.find("cusparseDnMatSetValues");
  decltype(cusparseSpMM_bufferSize)* columns_buffer_size = library.find("cusparseSpMM_bufferSize");
  decltype(cusparseSpMM_preprocess)* preprocess_columns = library.find("cusparseSpMM_preprocess");
  decltype(cusparseSpMM)* multiply_columns = library.find("cusparseSpMM");
  decltype(cusparseCsr2cscEx2_bufferSize)* transpose_buffer_size =
      library.find("cusparseCsr2cscEx2_bufferSize");
  decltype(cusparseCsr2cscEx2)* csr_to_csc = library.find("cusparseCsr2cscEx2");
};

/// Returns the functions of cuSPARSE. Throws DeviceError where cuSPARSE is not installed.
const CuSparse& sparse() {
  static const CuSparse functions;
  return functions;
}

void check_sparse(cusparseStatus_t status) {
  if (status == CUSPARSE_STATUS_SUCCESS) return;
  throw DeviceError(std::string("a sparse product on the GPU failed: cuSPARSE says ") +
                        sparse().error_text(status),
                    {}, "use another matrix format");
}

bool fits_in_32_bits(std::int64_t value) { return value <= std::numeric_limits<int>::max(); }

DeviceBuffer<int> short_starts(const CudaBackend& cuda, const DeviceBuffer<std::int64_t>& starts) {
  DeviceBuffer<int> out(cuda, starts.size(), "a stored matrix");
  convert_starts(cuda, starts, out);
  return out;
}

/// A cuSPARSE handle on the stream of the backend.
class SparseContext {
 public:
  explicit SparseContext(const CudaBackend& cuda) {
    check_sparse(sparse().create(&handle_));
    check_sparse(sparse().set_stream(handle_, cuda.stream()));
  }
  ~SparseContext() { sparse().destroy(handle_); }
  SparseContext(const SparseContext&) = delete;
  SparseContext& operator=(const SparseContext&) = delete;

  cusparseHandle_t get() const { return handle_; }

 private:
  cusparseHandle_t handle_ = nullptr;
};

/// Operation and factors of all products: out = 1 A in + 0 out.
constexpr auto as_is = CUSPARSE_OPERATION_NON_TRANSPOSE;
constexpr float one = 1, zero = 0;

}  // namespace

// ---- matrices

struct SparseMatrix::Handle {
  cusparseSpMatDescr_t get = nullptr;
  DeviceBuffer<int> start;
  cudaDataType type = CUDA_R_32F;

  Handle() = default;
  ~Handle() {
    if (get != nullptr) sparse().destroy_matrix(get);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
};

SparseMatrix::SparseMatrix(const CudaBackend& cuda, const DeviceCsr& m, const __half* halves)
    : rows_(m.rows), columns_(m.columns), handle_(std::make_unique<Handle>()) {
  if (!fits_in_32_bits(m.nonzeros()))
    throw UsageError("the matrix has 2^31 nonzeros or more, which cuSPARSE does not support",
                     "format", "use another format, or fewer views");
  const DeviceScope scope(cuda.device());
  handle_->start = short_starts(cuda, m.start);
  handle_->type = halves != nullptr ? CUDA_R_16F : CUDA_R_32F;
  void* weights = halves != nullptr ? static_cast<void*>(const_cast<__half*>(halves))
                                    : const_cast<float*>(m.weight.data());
  check_sparse(sparse().create_csr(&handle_->get, m.rows, m.columns, m.nonzeros(),
                                   handle_->start.data(), const_cast<int*>(m.index.data()), weights,
                                   CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                   handle_->type));
}

SparseMatrix::SparseMatrix(const SquareBlocks& m)
    : rows_(m.rows), columns_(m.columns), handle_(std::make_unique<Handle>()) {
  handle_->type = CUDA_R_16F;
  check_sparse(sparse().create_blocked_ell(&handle_->get, m.rows, m.columns, m.side, m.width(),
                                           const_cast<int*>(m.column.data()),
                                           const_cast<__half*>(m.weight.data()), CUSPARSE_INDEX_32I,
                                           CUSPARSE_INDEX_BASE_ZERO, handle_->type));
}

SparseMatrix::SparseMatrix(SparseMatrix&&) noexcept = default;
SparseMatrix::~SparseMatrix() = default;

std::size_t SparseMatrix::bytes() const { return handle_->start.size() * sizeof(int); }

// ---- products

/// Descriptors of the operands of a product, and the calls to cuSPARSE: for one vector or for
/// several.
class SparseProduct::Call {
 public:
  virtual ~Call() = default;
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  virtual void point(void* in, float* out) = 0;
  virtual std::size_t work_bytes() = 0;
  virtual void prepare(void* work) = 0;
  virtual void multiply(void* work) = 0;

 protected:
  Call(const CudaBackend& cuda, cusparseSpMatDescr_t matrix) : context_(cuda), matrix_(matrix) {}
  cusparseHandle_t context() const { return context_.get(); }
  cusparseSpMatDescr_t matrix() const { return matrix_; }

 private:
  SparseContext context_;
  cusparseSpMatDescr_t matrix_;
};

class SparseProduct::OfVector final : public Call {
 public:
  /// cuSPARSE asks for addresses of the operands here; `any` is an address that serves until
  /// multiply() sets them.
  OfVector(const CudaBackend& cuda, const SparseMatrix& m, bool transposed, void* any)
      : Call(cuda, m.handle_->get), operation_(transposed ? CUSPARSE_OPERATION_TRANSPOSE : as_is) {
    check_sparse(
        sparse().create_vector(&in_, transposed ? m.rows() : m.columns(), any, m.handle_->type));
    check_sparse(
        sparse().create_vector(&out_, transposed ? m.columns() : m.rows(), any, CUDA_R_32F));
  }
  ~OfVector() override {
    if (in_ != nullptr) sparse().destroy_vector(in_);
    if (out_ != nullptr) sparse().destroy_vector(out_);
  }
  void point(void* in, float* out) override {
    check_sparse(sparse().set_values(in_, in));
    check_sparse(sparse().set_values(out_, out));
  }
  std::size_t work_bytes() override {
    std::size_t bytes = 0;
    check_sparse(sparse().buffer_size(context(), operation_, &one, matrix(), in_, &zero, out_,
                                      CUDA_R_32F, algorithm, &bytes));
    return bytes;
  }
  void prepare(void* work) override {
    check_sparse(sparse().preprocess(context(), operation_, &one, matrix(), in_, &zero, out_,
                                     CUDA_R_32F, algorithm, work));
  }
  void multiply(void* work) override {
    check_sparse(sparse().multiply(context(), operation_, &one, matrix(), in_, &zero, out_,
                                   CUDA_R_32F, algorithm, work));
  }

 private:
  static constexpr auto algorithm = CUSPARSE_SPMV_ALG_DEFAULT;
  cusparseOperation_t operation_;
  cusparseDnVecDescr_t in_ = nullptr, out_ = nullptr;
};

class SparseProduct::OfColumns final : public Call {
 public:
  OfColumns(const CudaBackend& cuda, const SparseMatrix& m, int vectors, int algorithm, void* any)
      : Call(cuda, m.handle_->get),
        algorithm_(algorithm == 2   ? CUSPARSE_SPMM_CSR_ALG2
                   : algorithm == 3 ? CUSPARSE_SPMM_CSR_ALG3
                                    : CUSPARSE_SPMM_ALG_DEFAULT),
        half_(m.handle_->type == CUDA_R_16F) {
    check_sparse(sparse().create_columns(&in_, m.columns(), vectors, vectors, any, m.handle_->type,
                                         CUSPARSE_ORDER_ROW));
    check_sparse(sparse().create_columns(&out_, m.rows(), vectors, vectors, any, CUDA_R_32F,
                                         CUSPARSE_ORDER_ROW));
  }
  ~OfColumns() override {
    if (in_ != nullptr) sparse().destroy_columns(in_);
    if (out_ != nullptr) sparse().destroy_columns(out_);
  }
  void point(void* in, float* out) override {
    check_sparse(sparse().set_column_values(in_, in));
    check_sparse(sparse().set_column_values(out_, out));
  }
  std::size_t work_bytes() override {
    std::size_t bytes = 0;
    check_sparse(sparse().columns_buffer_size(context(), as_is, as_is, &one, matrix(), in_, &zero,
                                              out_, CUDA_R_32F, algorithm_, &bytes));
    return bytes;
  }
  /// The preprocessing speeds CSR_ALG3 up with halves (4.5 instead of 5.0 ms), and slows it down
  /// with float32 (4.6 instead of 3.8 ms; 32 slices of 512^2, H200).
  void prepare(void* work) override {
    if (half_)
      check_sparse(sparse().preprocess_columns(context(), as_is, as_is, &one, matrix(), in_, &zero,
                                               out_, CUDA_R_32F, algorithm_, work));
  }
  void multiply(void* work) override {
    check_sparse(sparse().multiply_columns(context(), as_is, as_is, &one, matrix(), in_, &zero,
                                           out_, CUDA_R_32F, algorithm_, work));
  }

 private:
  cusparseSpMMAlg_t algorithm_;
  bool half_;
  cusparseDnMatDescr_t in_ = nullptr, out_ = nullptr;
};

SparseProduct::SparseProduct(const CudaBackend& cuda, SparseMatrix matrix, bool transposed)
    : matrix_(std::move(matrix)) {
  prepare(cuda, 1,
          [&](void* any) { return std::make_unique<OfVector>(cuda, matrix_, transposed, any); });
}

SparseProduct::SparseProduct(const CudaBackend& cuda, SparseMatrix matrix, int vectors,
                             int algorithm)
    : matrix_(std::move(matrix)) {
  prepare(cuda, vectors, [&](void* any) {
    return std::make_unique<OfColumns>(cuda, matrix_, vectors, algorithm, any);
  });
}

template <class Make>
void SparseProduct::prepare(const CudaBackend& cuda, int vectors, const Make& make) {
  const DeviceScope scope(cuda.device());
  DeviceBuffer<float> any(cuda,
                          static_cast<std::size_t>(std::max(matrix_.rows(), matrix_.columns())) *
                              static_cast<std::size_t>(vectors));
  call_ = make(any.data());
  work_ = DeviceBuffer<unsigned char>(cuda, std::max(call_->work_bytes(), std::size_t{1}),
                                      "a sparse product");
  call_->prepare(work_.data());
  cuda.synchronize();
}

SparseProduct::~SparseProduct() = default;

void SparseProduct::multiply(const void* in, float* out) const {
  call_->point(const_cast<void*>(in), out);
  call_->multiply(work_.data());
}

std::size_t SparseProduct::bytes() const { return matrix_.bytes() + work_.size(); }

// ---- csr2csc

struct CsrTransposer::Handles {
  SparseContext context;
  explicit Handles(const CudaBackend& cuda) : context(cuda) {}
};

CsrTransposer::CsrTransposer(const CudaBackend& cuda, const DeviceCsr& from)
    : cuda_(cuda), from_(from) {
  if (!fits_in_32_bits(from.nonzeros()))
    throw UsageError(
        "the matrix has 2^31 nonzeros or more, which cuSPARSE's csr2csc does not support",
        "format.transpose", "use stored or op");
  const DeviceScope scope(cuda.device());
  constexpr const char* purpose = "a transposed matrix";
  to_ = {from.columns, from.rows,
         DeviceBuffer<std::int64_t>(cuda, static_cast<std::size_t>(from.columns) + 1, purpose),
         DeviceBuffer<int>(cuda, from.index.size(), purpose),
         DeviceBuffer<float>(cuda, from.index.size(), purpose)};
  from_start_ = short_starts(cuda, from.start);
  to_start_ = DeviceBuffer<int>(cuda, to_.start.size(), purpose);
  handles_ = std::make_unique<Handles>(cuda);
  std::size_t bytes = 0;
  check_sparse(sparse().transpose_buffer_size(
      handles_->context.get(), static_cast<int>(from.rows), static_cast<int>(from.columns),
      static_cast<int>(from.nonzeros()), from.weight.data(), from_start_.data(), from.index.data(),
      to_.weight.data(), to_start_.data(), to_.index.data(), CUDA_R_32F, CUSPARSE_ACTION_NUMERIC,
      CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG_DEFAULT, &bytes));
  work_ = DeviceBuffer<unsigned char>(cuda, std::max(bytes, std::size_t{1}), purpose);
  transpose();
}

CsrTransposer::~CsrTransposer() = default;

void CsrTransposer::transpose() {
  check_sparse(sparse().csr_to_csc(
      handles_->context.get(), static_cast<int>(from_.rows), static_cast<int>(from_.columns),
      static_cast<int>(from_.nonzeros()), from_.weight.data(), from_start_.data(),
      from_.index.data(), to_.weight.data(), to_start_.data(), to_.index.data(), CUDA_R_32F,
      CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG_DEFAULT,
      work_.data()));
  convert_starts(cuda_, to_start_, to_.start);
}

std::size_t CsrTransposer::bytes() const {
  return to_.bytes() + (from_start_.size() + to_start_.size()) * sizeof(int) + work_.size();
}

}  // namespace gantry
