#include "gpu/matrix/sparse_product.hpp"

#include "core/base/error.hpp"
#include "gpu/base/shared_library.hpp"
#include "gpu/matrix/device_sums.hpp"

#include <cusparse.h>
#include <limits>

namespace gantry {

namespace {

/// The functions of cuSPARSE that are used, by the names that they have there.
struct CuSparse {
  SharedLibrary library{"libcusparse.so." + std::to_string(CUSPARSE_VER_MAJOR), "cuSPARSE"};
  decltype(cusparseCreate)* create = library.find("cusparseCreate");
  decltype(cusparseDestroy)* destroy = library.find("cusparseDestroy");
  decltype(cusparseSetStream)* set_stream = library.find("cusparseSetStream");
  decltype(cusparseGetErrorString)* error_text = library.find("cusparseGetErrorString");
  decltype(cusparseCreateCsr)* create_csr = library.find("cusparseCreateCsr");
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
  decltype(cusparseSpMM)* multiply_columns = library.find("cusparseSpMM");
  decltype(cusparseCsr2cscEx2_bufferSize)* turn_buffer_size =
      library.find("cusparseCsr2cscEx2_bufferSize");
  decltype(cusparseCsr2cscEx2)* turn = library.find("cusparseCsr2cscEx2");
};

/// Throws DeviceError where cuSPARSE is not installed.
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

/// What cuSPARSE's calls share; theirs is the backend's stream.
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

}  // namespace

struct SparseProduct::Handles {
  SparseContext context;
  cusparseOperation_t operation;
  cusparseSpMatDescr_t matrix = nullptr;
  cusparseDnVecDescr_t in = nullptr, out = nullptr;

  Handles(const CudaBackend& cuda, bool transposed)
      : context(cuda),
        operation(transposed ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE) {}
  ~Handles() {
    if (matrix != nullptr) sparse().destroy_matrix(matrix);
    if (in != nullptr) sparse().destroy_vector(in);
    if (out != nullptr) sparse().destroy_vector(out);
  }
};

SparseProduct::SparseProduct(const CudaBackend& cuda, const DeviceCsr& m, bool transposed)
    : cuda_(cuda) {
  const DeviceScope scope(cuda.device());
  const bool narrow = fits_in_32_bits(m.nonzeros());
  if (narrow) start_ = short_starts(cuda, m.start);
  handles_ = std::make_unique<Handles>(cuda, transposed);
  Handles& h = *handles_;
  auto* starts =
      narrow ? static_cast<void*>(start_.data()) : const_cast<std::int64_t*>(m.start.data());
  check_sparse(sparse().create_csr(
      &h.matrix, m.rows, m.columns, m.nonzeros(), starts, const_cast<int*>(m.index.data()),
      const_cast<float*>(m.weight.data()), narrow ? CUSPARSE_INDEX_32I : CUSPARSE_INDEX_64I,
      CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  // Any memory of the right size will do until there are operands.
  DeviceBuffer<float> in(cuda, static_cast<std::size_t>(transposed ? m.rows : m.columns)),
      out(cuda, static_cast<std::size_t>(transposed ? m.columns : m.rows));
  check_sparse(
      sparse().create_vector(&h.in, static_cast<std::int64_t>(in.size()), in.data(), CUDA_R_32F));
  check_sparse(sparse().create_vector(&h.out, static_cast<std::int64_t>(out.size()), out.data(),
                                      CUDA_R_32F));
  const float one = 1, zero = 0;
  std::size_t bytes = 0;
  check_sparse(sparse().buffer_size(h.context.get(), h.operation, &one, h.matrix, h.in, &zero,
                                    h.out, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
  work_ = DeviceBuffer<unsigned char>(cuda, std::max(bytes, std::size_t{1}), "a sparse product");
  check_sparse(sparse().preprocess(h.context.get(), h.operation, &one, h.matrix, h.in, &zero, h.out,
                                   CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, work_.data()));
  cuda.synchronize();
}

SparseProduct::~SparseProduct() = default;

void SparseProduct::multiply(const float* in, float* out) const {
  Handles& h = *handles_;
  const float one = 1, zero = 0;
  check_sparse(sparse().set_values(h.in, const_cast<float*>(in)));
  check_sparse(sparse().set_values(h.out, out));
  check_sparse(sparse().multiply(h.context.get(), h.operation, &one, h.matrix, h.in, &zero, h.out,
                                 CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, work_.data()));
}

std::size_t SparseProduct::bytes() const { return start_.size() * sizeof(int) + work_.size(); }

// ---- SpMM

struct SparseColumns::Handles {
  SparseContext context;
  cusparseSpMMAlg_t algorithm;
  cusparseSpMatDescr_t matrix = nullptr;
  cusparseDnMatDescr_t in = nullptr, out = nullptr;

  Handles(const CudaBackend& cuda, int number)
      : context(cuda), algorithm(number == 2 ? CUSPARSE_SPMM_CSR_ALG2 : CUSPARSE_SPMM_CSR_ALG3) {}
  ~Handles() {
    if (matrix != nullptr) sparse().destroy_matrix(matrix);
    if (in != nullptr) sparse().destroy_columns(in);
    if (out != nullptr) sparse().destroy_columns(out);
  }
};

SparseColumns::SparseColumns(const CudaBackend& cuda, const DeviceCsr& m, int vectors,
                             int algorithm) {
  if (!fits_in_32_bits(m.nonzeros()))
    throw UsageError("cuSPARSE's SpMM takes less than 2^31 nonzeros here", "format",
                     "use another format, or fewer views");
  const DeviceScope scope(cuda.device());
  start_ = short_starts(cuda, m.start);
  handles_ = std::make_unique<Handles>(cuda, algorithm);
  Handles& h = *handles_;
  check_sparse(sparse().create_csr(&h.matrix, m.rows, m.columns, m.nonzeros(), start_.data(),
                                   const_cast<int*>(m.index.data()),
                                   const_cast<float*>(m.weight.data()), CUSPARSE_INDEX_32I,
                                   CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  // Any memory will do until there are operands.
  DeviceBuffer<float> any(cuda, static_cast<std::size_t>(std::max(m.rows, m.columns)) *
                                    static_cast<std::size_t>(vectors));
  for (const auto& [columns, rows] : {std::pair{&h.in, m.columns}, {&h.out, m.rows}})
    check_sparse(sparse().create_columns(columns, rows, vectors, vectors, any.data(), CUDA_R_32F,
                                         CUSPARSE_ORDER_ROW));
  const float one = 1, zero = 0;
  std::size_t bytes = 0;
  constexpr auto as_is = CUSPARSE_OPERATION_NON_TRANSPOSE;
  check_sparse(sparse().columns_buffer_size(h.context.get(), as_is, as_is, &one, h.matrix, h.in,
                                            &zero, h.out, CUDA_R_32F, h.algorithm, &bytes));
  work_ = DeviceBuffer<unsigned char>(cuda, std::max(bytes, std::size_t{1}), "a sparse product");
}

SparseColumns::~SparseColumns() = default;

void SparseColumns::multiply(const float* in, float* out) const {
  Handles& h = *handles_;
  const float one = 1, zero = 0;
  constexpr auto as_is = CUSPARSE_OPERATION_NON_TRANSPOSE;
  check_sparse(sparse().set_column_values(h.in, const_cast<float*>(in)));
  check_sparse(sparse().set_column_values(h.out, out));
  check_sparse(sparse().multiply_columns(h.context.get(), as_is, as_is, &one, h.matrix, h.in, &zero,
                                         h.out, CUDA_R_32F, h.algorithm, work_.data()));
}

std::size_t SparseColumns::bytes() const { return start_.size() * sizeof(int) + work_.size(); }

// ---- csr2csc

struct SparseTurn::Handles {
  SparseContext context;
  explicit Handles(const CudaBackend& cuda) : context(cuda) {}
};

SparseTurn::SparseTurn(const CudaBackend& cuda, const DeviceCsr& from) : cuda_(cuda), from_(from) {
  if (!fits_in_32_bits(from.nonzeros()))
    throw UsageError("cuSPARSE's csr2csc takes less than 2^31 nonzeros", "format.transpose",
                     "use stored or op");
  const DeviceScope scope(cuda.device());
  constexpr const char* purpose = "a turned matrix";
  to_ = {from.columns, from.rows,
         DeviceBuffer<std::int64_t>(cuda, static_cast<std::size_t>(from.columns) + 1, purpose),
         DeviceBuffer<int>(cuda, from.index.size(), purpose),
         DeviceBuffer<float>(cuda, from.index.size(), purpose)};
  from_start_ = short_starts(cuda, from.start);
  to_start_ = DeviceBuffer<int>(cuda, to_.start.size(), purpose);
  handles_ = std::make_unique<Handles>(cuda);
  std::size_t bytes = 0;
  check_sparse(sparse().turn_buffer_size(
      handles_->context.get(), static_cast<int>(from.rows), static_cast<int>(from.columns),
      static_cast<int>(from.nonzeros()), from.weight.data(), from_start_.data(), from.index.data(),
      to_.weight.data(), to_start_.data(), to_.index.data(), CUDA_R_32F, CUSPARSE_ACTION_NUMERIC,
      CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG_DEFAULT, &bytes));
  work_ = DeviceBuffer<unsigned char>(cuda, std::max(bytes, std::size_t{1}), purpose);
  turn();
}

SparseTurn::~SparseTurn() = default;

void SparseTurn::turn() {
  check_sparse(sparse().turn(handles_->context.get(), static_cast<int>(from_.rows),
                             static_cast<int>(from_.columns), static_cast<int>(from_.nonzeros()),
                             from_.weight.data(), from_start_.data(), from_.index.data(),
                             to_.weight.data(), to_start_.data(), to_.index.data(), CUDA_R_32F,
                             CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO,
                             CUSPARSE_CSR2CSC_ALG_DEFAULT, work_.data()));
  convert_starts(cuda_, to_start_, to_.start);
}

std::size_t SparseTurn::bytes() const {
  return to_.bytes() + (from_start_.size() + to_start_.size()) * sizeof(int) + work_.size();
}

}  // namespace gantry
