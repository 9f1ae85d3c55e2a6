/* Goes between the program and the C library (LD_PRELOAD): a call fails, or the process is killed there.

   FAULT_CALL    which calls count: open (that makes a file), write (to a file), fsync, rename, link, chmod, memory, or all
   FAULT_BYTES   memory that is asked for counts if it is at least so much, and only if this is given
   FAULT_AT      the number of the call, from 1
   FAULT_ERROR   the error that it fails with; 0 kills the process before the call
   FAULT_ALWAYS  a call that always fails, as on a disk that does not know it */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_int calls;

static int faulty(const char *name) {
    const char *always = getenv("FAULT_ALWAYS"), *wanted = getenv("FAULT_CALL");
    if (always && strcmp(always, name) == 0) {
        errno = EPERM;
        return 1;
    }
    if (!wanted || (strcmp(wanted, "all") != 0 && strcmp(wanted, name) != 0)) return 0;
    if (atomic_fetch_add(&calls, 1) + 1 != atoi(getenv("FAULT_AT"))) return 0;
    int error = atoi(getenv("FAULT_ERROR"));
    if (error == 0) kill(getpid(), SIGKILL);
    errno = error;
    return 1;
}

static int is_file(int fd) {
    struct stat found;
    return fstat(fd, &found) == 0 && S_ISREG(found.st_mode);
}

#define NEXT(name, type) ((type)dlsym(RTLD_NEXT, name))

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    if ((flags & O_CREAT) && faulty("open")) return -1;
    return NEXT("open64", int (*)(const char *, int, ...))(path, flags, mode);
}

ssize_t write(int fd, const void *bytes, size_t count) {
    if (fd > 2 && is_file(fd) && faulty("write")) return -1;
    return NEXT("write", ssize_t(*)(int, const void *, size_t))(fd, bytes, count);
}

int fsync(int fd) {
    return faulty("fsync") ? -1 : NEXT("fsync", int (*)(int))(fd);
}

int rename(const char *from, const char *to) {
    return faulty("rename") ? -1 : NEXT("rename", int (*)(const char *, const char *))(from, to);
}

int linkat(int a, const char *from, int b, const char *to, int flags) {
    if (faulty("link")) return -1;
    return NEXT("linkat", int (*)(int, const char *, int, const char *, int))(a, from, b, to, flags);
}

int fchmod(int fd, mode_t mode) {
    return faulty("chmod") ? -1 : NEXT("fchmod", int (*)(int, mode_t))(fd, mode);
}

/* Not by dlsym, which asks for memory itself. */
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static int denied(size_t size) {
    const char *least = getenv("FAULT_BYTES");
    return least && size >= strtoull(least, NULL, 10) && faulty("memory");
}

void *malloc(size_t size) {
    return denied(size) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return denied(count * size) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    return denied(size) ? NULL : __libc_realloc(old, size);
}

int posix_memalign(void **to, size_t alignment, size_t size) {
    *to = denied(size) ? NULL : __libc_memalign(alignment, size);
    return *to ? 0 : ENOMEM;
}

void *aligned_alloc(size_t alignment, size_t size) {
    return denied(size) ? NULL : __libc_memalign(alignment, size);
}
