# What is built, and how strictly. Each part is ON when what it needs is found.
include(CheckLanguage)
include(CMakeDependentOption)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_package(Threads REQUIRED)
find_package(OpenMP COMPONENTS CXX QUIET)
find_package(nlohmann_json 3.10 REQUIRED)
find_path(KISSFFT_INCLUDE_DIR kissfft/kissfft.hh REQUIRED)
find_package(Qt6 6.4 QUIET COMPONENTS Core Gui Widgets OpenGLWidgets)
find_package(Qt6Test 6.4 QUIET)
find_package(VTK 9.1 QUIET COMPONENTS
  CommonCore CommonDataModel CommonColor CommonTransforms FiltersSources FiltersCore FiltersGeneral
  ImagingCore IOImage InteractionStyle RenderingCore RenderingAnnotation RenderingFreeType RenderingOpenGL2
  RenderingVolume RenderingVolumeOpenGL2
  RenderingContext2D RenderingContextOpenGL2 RenderingImage ChartsCore ViewsContext2D
  OPTIONAL_COMPONENTS IOOggTheora)
find_package(DCMTK QUIET CONFIG)
find_package(CLI11 2.1 REQUIRED)
find_path(METIS_INCLUDE_DIR metis.h)
find_library(METIS_LIBRARY metis)
find_package(GIF 5.1 QUIET)
find_package(TIFF 4.5 REQUIRED)
find_path(OPENJPEG_INCLUDE_DIR openjpeg.h PATH_SUFFIXES openjpeg-2.5 openjpeg-2.4)
find_library(OPENJPEG_LIBRARY openjp2)
check_language(CUDA)

function(gantry_part name help found)
  if(found)
    option(${name} "${help}" ON)
  else()
    option(${name} "${help}" OFF)
  endif()
endfunction()

set(have_gui OFF)
if(Qt6_FOUND AND VTK_FOUND)
  set(have_gui ON)
endif()
set(have_cuda OFF)
if(CMAKE_CUDA_COMPILER)
  set(have_cuda ON)
endif()
set(have_tests OFF)
if(Qt6Test_FOUND)
  set(have_tests ON)
endif()
set(have_dicom OFF)
if(DCMTK_FOUND AND OPENJPEG_INCLUDE_DIR AND OPENJPEG_LIBRARY)
  set(have_dicom ON)
endif()

gantry_part(GANTRY_GUI "the window (Qt 6, VTK)" ${have_gui})
gantry_part(GANTRY_DICOM "DICOM in and out (DCMTK, OpenJPEG)" ${have_dicom})
gantry_part(GANTRY_CUDA "the CUDA backend" ${have_cuda})
gantry_part(GANTRY_TESTS "the tests (Qt Test)" ${have_tests})
gantry_part(GANTRY_OPENMP "several CPU threads" ${OpenMP_CXX_FOUND})
# Each compiler, and each version of it, has warnings of its own: only the project's own checks refuse to go on after one.
option(GANTRY_WARNINGS_AS_ERRORS "a warning ends the build; packaging/check and packaging/lint set it" OFF)
set(GANTRY_SANITIZE "" CACHE STRING "sanitizers, as in address,undefined or thread")
option(GANTRY_FUZZ "the fuzzer of the readers (tests/fuzz; Clang's libFuzzer and sanitizers), without the tests" OFF)
set(GANTRY_FUZZ_SANITIZE "address,undefined" CACHE STRING "sanitizers of the fuzzer; none where it is empty")

if(GANTRY_CUDA)
  enable_language(CUDA)
  # CMake 3.25 does not know that nvcc 13 speaks the dialect, nor how to ask for it.
  if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
  endif()
  find_package(CUDAToolkit REQUIRED)
endif()

# One interface target carries every flag.
add_library(gantry_flags INTERFACE)
target_compile_options(gantry_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wnon-virtual-dtor;-Woverloaded-virtual>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${GANTRY_WARNINGS_AS_ERRORS}>>:-Werror>
  # GCC 12 warns of overlaps and overflows inside std::string that are none (GCC bug 105651).
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>
  $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>
  # OFF for a parallel pragma without OpenMP: it is then meant to be ignored.
  $<$<COMPILE_LANGUAGE:CXX>:-Wno-unknown-pragmas>)
target_include_directories(gantry_flags INTERFACE ${CMAKE_SOURCE_DIR})
target_link_libraries(gantry_flags INTERFACE Threads::Threads)
if(GANTRY_OPENMP)
  target_link_libraries(gantry_flags INTERFACE OpenMP::OpenMP_CXX)
endif()
if(GANTRY_SANITIZE)
  target_compile_options(gantry_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${GANTRY_SANITIZE};-fno-omit-frame-pointer;-g>)
  target_link_options(gantry_flags INTERFACE -fsanitize=${GANTRY_SANITIZE})
endif()
if(GANTRY_FUZZ)
  target_compile_options(gantry_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link;-fno-omit-frame-pointer;-gline-tables-only>)
  if(GANTRY_FUZZ_SANITIZE)
    target_compile_options(gantry_flags INTERFACE
      $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${GANTRY_FUZZ_SANITIZE};-fno-sanitize-recover=all>)
    target_link_options(gantry_flags INTERFACE -fsanitize=${GANTRY_FUZZ_SANITIZE})
  endif()
endif()

if(GANTRY_CUDA)
  # -lineinfo: profilers and compute-sanitizer name lines. No --use_fast_math: results are checked against the CPU.
  add_library(gantry_cuda_flags INTERFACE)
  target_compile_options(gantry_cuda_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo;-Xcompiler=-Wall,-Wextra,-Wno-unknown-pragmas>
    $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${GANTRY_WARNINGS_AS_ERRORS}>>:--Werror=all-warnings;-Xcompiler=-Werror>)
endif()

# For targets of the window: texts are never converted silently.
set(GANTRY_STRICT_QT QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_NARROWING_CONVERSIONS_IN_CONNECT)

# gantry_precompile(TARGET HEADER): the headers that most of its files include (packaging/precompiled) are parsed once.
# CMAKE_DISABLE_PRECOMPILE_HEADERS builds without; every file names all that it includes, which the preset clang checks.
function(gantry_precompile target header)
  target_precompile_headers(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:${CMAKE_SOURCE_DIR}/packaging/precompiled/${header}.hpp>)
endfunction()
# gantry_precompile_as(TARGET OTHER): TARGET uses the precompiled headers of OTHER, which is compiled with the same options.
function(gantry_precompile_as target other)
  target_precompile_headers(${target} REUSE_FROM ${other})
endfunction()

option(GANTRY_JOIN_FILES "Compile files of some targets eight at a time: quicker as a whole, slower after a change" OFF)
# gantry_join(TARGET [file...]): where GANTRY_JOIN_FILES is on, the files of TARGET are compiled eight at a time, but for
# those named, whose local names others of them have as well.
function(gantry_join target)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${GANTRY_JOIN_FILES} UNITY_BUILD_BATCH_SIZE 8)
  if(GANTRY_JOIN_FILES)  # files are included then, and a class of a header should have no member of a local type
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

# gantry_join_folders(TARGET FOLDERS folder... [ALONE file...]): likewise, but only files of the same one of these folders are
# compiled together, so that local names must differ within a folder alone. Folders are relative to the caller's.
function(gantry_join_folders target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FOLDERS;ALONE")
  gantry_join(${target} ${arg_ALONE})
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(REMOVE_ITEM sources ${arg_ALONE})
  foreach(folder IN LISTS arg_FOLDERS)
    set(count 0)
    foreach(source IN LISTS sources)
      get_filename_component(parent "${source}" DIRECTORY)
      if(parent STREQUAL folder)
        math(EXPR group "${count} / 8")
        math(EXPR count "${count} + 1")
        set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${folder}-${group}")
      endif()
    endforeach()
  endforeach()
endfunction()

message(STATUS "Gantry: window ${GANTRY_GUI}, DICOM ${GANTRY_DICOM}, CUDA ${GANTRY_CUDA}, "
  "tests ${GANTRY_TESTS}, OpenMP ${GANTRY_OPENMP}")
