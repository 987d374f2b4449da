# semel_embed(TARGET NAMESPACE HEADER FILES…): compiles files into TARGET as
# `inline constexpr std::string_view` values of NAMESPACE, named after the file (0001_a-b.sql -> f_0001_a_b_sql).
# The target semel_embedded_files makes all such headers.
add_custom_target(semel_embedded_files)
function(semel_embed target namespace header)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/embedded/${header})
  set(files)
  foreach(file ${ARGN})
    list(APPEND files ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  endforeach()
  add_custom_command(OUTPUT ${out}
    COMMAND python3 ${CMAKE_SOURCE_DIR}/scripts/embed.py ${namespace} ${out} ${files}
    DEPENDS ${files} ${CMAKE_SOURCE_DIR}/scripts/embed.py
    VERBATIM)
  string(REPLACE . _ made_by ${target}_${header})
  add_custom_target(${made_by} DEPENDS ${out})
  add_dependencies(semel_embedded_files ${made_by})
  target_sources(${target} PRIVATE ${out})
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/embedded)
endfunction()
