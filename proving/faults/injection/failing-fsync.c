/* Preloaded library: while the file named by FAILING_FSYNC exists, nothing can be synced to the disk. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static int sync_unless_switched(const char *name, int descriptor) {
  const char *file = getenv("FAILING_FSYNC");
  if (file && access(file, F_OK) == 0) {
    errno = EIO;
    return -1;
  }
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  return real(descriptor);
}

int fsync(int descriptor) { return sync_unless_switched("fsync", descriptor); }

int fdatasync(int descriptor) { return sync_unless_switched("fdatasync", descriptor); }
