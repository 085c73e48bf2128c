#include "cli/tree/libgit2.h"

#include <dlfcn.h>

namespace gpol {

namespace {

struct Loaded {
  LibGit2 functions;
  std::string why;

  Loaded() {
    // Never closed: its objects may live until the process ends.
    void* library = dlopen("libgit2.so." LIBGIT2_SOVERSION, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      said();
      return;
    }
    bool all = true;
#define GPOL_FIND(name)                                                        \
  functions.name = reinterpret_cast<decltype(&::name)>(dlsym(library, #name)); \
  all = all && functions.name != nullptr;
    GPOL_LIBGIT2(GPOL_FIND)
#undef GPOL_FIND
    if (!all) {
      why = "it lacks a function";
      return;
    }
    if (functions.git_libgit2_init() < 0) {
      why = "it cannot be started";
      return;
    }
    // Who owns the repository matters to programs that run what it configures; nothing of it is run here. In a
    // container of CI the owner is rarely the user.
    functions.git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
  }

 private:
  void said() {
    const char* words = dlerror();
    why = words != nullptr ? words : "unknown";
  }
};

}  // namespace

const LibGit2* libgit2(std::string& why) {
  static const Loaded loaded;
  why = loaded.why;
  return loaded.why.empty() ? &loaded.functions : nullptr;
}

}  // namespace gpol
