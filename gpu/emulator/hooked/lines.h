/* lines.h: which line of which source file a machine instruction belongs to. */
#ifndef EMULATED_LINES_H
#define EMULATED_LINES_H

#include <cstdint>
#include <string>
#include <vector>

namespace emulated
{

/* Without a line `file` is empty. */
struct source_line {
    std::string file; /* "tiled.cu" */
    std::string path; /* as the compiler was given it: "gpu/gemm/tiled.cu" */
    int line;
    /* The same in the kernel's own file: of a helper in a header that is the line that calls it. */
    std::string kernel_path;
    int kernel_line;
};

/* Of return addresses: the line of the call before. An inlined function of gpu/emulator/include counts as the line that
 * calls it. All unknown ones of a list are looked up by one run of addr2line, so give many at once. */
void lines_look_up(const std::vector<uintptr_t> &addresses);
const source_line &line_of(uintptr_t address);
/* Why lines are unknown; empty while they are known. */
const std::string &lines_missing();

} // namespace emulated

#endif
