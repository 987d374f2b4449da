# What `cmake --install` gives: the program, and the library for find_package(Semel).
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# One archive of the rooms that semel::Engine stands on: users link Semel::semel and nothing else.
# The HTTP rooms and what they need stay out.
set(library_rooms base core store store_sqlite store_postgres store_redis engine runtime)
add_library(semel_library STATIC)
add_library(Semel::semel ALIAS semel_library)
foreach(room ${library_rooms})
  target_sources(semel_library PRIVATE $<TARGET_OBJECTS:semel_${room}>)
endforeach()
set_target_properties(semel_library PROPERTIES
  OUTPUT_NAME semel EXPORT_NAME semel LINKER_LANGUAGE CXX)
target_compile_features(semel_library INTERFACE cxx_std_20)
target_include_directories(semel_library INTERFACE
  $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
# A package that is added here is found by SemelConfig.cmake.in too.
target_link_libraries(semel_library PRIVATE
  SQLite::SQLite3 PostgreSQL::PostgreSQL hiredis OpenSSL::Crypto fmt::fmt Threads::Threads)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Semel)
install(TARGETS semel_library EXPORT SemelTargets)
install(DIRECTORY include/semel DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.hpp)
install(EXPORT SemelTargets NAMESPACE Semel:: DESTINATION ${package_dir})
configure_package_config_file(cmake/SemelConfig.cmake.in SemelConfig.cmake
  INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may break what stood before.
write_basic_package_version_file(SemelConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/SemelConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/SemelConfigVersion.cmake
  DESTINATION ${package_dir})
install(FILES LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/semel)

if(SEMEL_WITH_NET)
  install(TARGETS semel)
  set(completions ${CMAKE_CURRENT_BINARY_DIR}/completions)
  add_custom_command(OUTPUT ${completions}/semel ${completions}/semel.fish
    COMMAND ${CMAKE_COMMAND} -E make_directory ${completions}
    COMMAND semel completion bash > ${completions}/semel
    COMMAND semel completion fish > ${completions}/semel.fish
    DEPENDS semel VERBATIM)
  add_custom_target(semel_completions ALL DEPENDS ${completions}/semel ${completions}/semel.fish)
  install(FILES ${completions}/semel DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${completions}/semel.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
