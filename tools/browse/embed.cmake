# Writes a C++ source with the contents of files: cmake -DOUT=FILE -DFOLDER=DIR -DFILES=a,b -P embed.cmake
string(REPLACE "," ";" files ${FILES})
set(text "// Made by embed.cmake.\n#include <tools/browse/page.h>\n\nnamespace callis::tools {\nnamespace {\n\n")
set(entries "")
foreach(file ${files})
  string(MAKE_C_IDENTIFIER ${file} name)
  cmake_path(GET file EXTENSION LAST_ONLY ending)
  if(ending STREQUAL ".js")
    set(type text/javascript)
  elseif(ending STREQUAL ".css")
    set(type text/css)
  elseif(ending STREQUAL ".svg")
    set(type image/svg+xml)
  else()
    set(type text/html)
  endif()
  file(READ ${FOLDER}/${file} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes ${bytes})
  string(APPEND text "constexpr unsigned char k_${name}[] = {${bytes}};\n")
  string(APPEND entries "    {\"${file}\", \"${type}\", {reinterpret_cast<const char*>(k_${name}), sizeof k_${name}}},\n")
endforeach()
string(APPEND text "\nconst PageFile kFiles[] = {\n${entries}};\n\n}  // namespace\n
const PageFile* find_page_file(std::string_view name) {
  for (const PageFile& file : kFiles) {
    if (file.name == (name.empty() ? \"index.html\" : name)) return &file;
  }
  return nullptr;
}

}  // namespace callis::tools
")
file(WRITE ${OUT} "${text}")
