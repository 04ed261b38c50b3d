/* Loaded into a server by LD_PRELOAD: writes down what a disk would have to hold after a power cut.
 *
 * Below the folder UNSYNCED_ROOT it watches the calls that change names, and those that sync. Writes need no
 * watching: what is in a file when it is synced is what is durable of it, however it came there. Below the
 * folder UNSYNCED_RECORD, on the same file system, it keeps
 *
 *   journal     one line for each change of names and each sync that has succeeded, in their order:
 *               C inode path    a file was created        L from<TAB>to   a second name was given
 *               T inode         a file was emptied        U path          a name was removed
 *               R from<TAB>to   renamed                   M path          a folder was made
 *               F at inode      a file was synced         X path          a folder was removed
 *               D at path       a folder was synced
 *               `at` is the number of lines at which the sync began: it says nothing of later changes.
 *   file/INODE  a link to each file that was created: no inode is used twice, and nothing written is lost
 *   synced/INODE  the content of the file when it was last synced
 *   emptied/INODE  the file was opened to be rewritten and is to be copied as a whole
 *
 * The order of lines is the order of the calls, because all of them wait for one lock. A sync whose path
 * contains UNSYNCED_SWALLOW is not made: the server is told that it was.
 *
 * Who reads it is disk.ts. Built by library.ts: cc -shared -fPIC, with -ldl and -lpthread where these are
 * separate.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *root;
static size_t root_length;
static const char *record;
static const char *swallow;
static int journal = -1;
static unsigned long lines;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Calls of our own do not go through the functions below. */
static int raw_open(const char *path, int flags) {
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0600);
}

static void give_up(const char *what) {
  fprintf(stderr, "unsynced: %s: %s\n", what, strerror(errno));
  abort();
}

static void *real(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (found == NULL) give_up(name);
  return found;
}

__attribute__((constructor)) static void begin(void) {
  char path[PATH_MAX];
  root = getenv("UNSYNCED_ROOT");
  record = getenv("UNSYNCED_RECORD");
  swallow = getenv("UNSYNCED_SWALLOW");
  if (root == NULL || record == NULL) {
    root = NULL;
    return;
  }
  root_length = strlen(root);
  snprintf(path, sizeof path, "%s/journal", record);
  journal = raw_open(path, O_RDWR | O_CREAT | O_APPEND);
  if (journal < 0) give_up(path);
  /* Several servers, one after the other, may write to one journal. */
  char bytes[4096];
  ssize_t n;
  while ((n = read(journal, bytes, sizeof bytes)) > 0) {
    for (ssize_t i = 0; i < n; i++) lines += bytes[i] == '\n';
  }
}

static int is_watched(const char *path) {
  return root != NULL && path != NULL && strncmp(path, root, root_length) == 0 &&
         (path[root_length] == '/' || path[root_length] == '\0');
}

static void write_whole(int file, const char *bytes, size_t length, off_t at) {
  while (length > 0) {
    ssize_t n = at < 0 ? write(file, bytes, length) : pwrite(file, bytes, length, at);
    if (n < 0) {
      if (errno == EINTR) continue;
      give_up("write");
    }
    bytes += n;
    length -= (size_t)n;
    if (at >= 0) at += n;
  }
}

/* The caller holds the lock. */
static void note(const char *format, ...) {
  char line[3 * PATH_MAX];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  write_whole(journal, line, (size_t)length, -1);
  lines++;
}

static void place(char *path, size_t size, const char *folder, ino_t inode) {
  snprintf(path, size, "%s/%s/%lu", record, folder, (unsigned long)inode);
}

/* What a file that was opened to be written to means. The caller holds the lock. */
static void note_opened(const char *path, int was_there) {
  struct stat found;
  char at[PATH_MAX];
  if (stat(path, &found) != 0) give_up(path);
  if (!S_ISREG(found.st_mode)) return;
  if (!was_there) {
    place(at, sizeof at, "file", found.st_ino);
    if (syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD, at, 0) != 0) give_up(at);
    note("C %lu %s\n", (unsigned long)found.st_ino, path);
    return;
  }
  place(at, sizeof at, "emptied", found.st_ino);
  int file = raw_open(at, O_WRONLY | O_CREAT);
  if (file < 0) give_up(at);
  close(file);
  note("T %lu\n", (unsigned long)found.st_ino);
}

static int opened(int (*next)(const char *, int, ...), const char *path, int flags, mode_t mode) {
  if (!is_watched(path) || (flags & (O_CREAT | O_TRUNC)) == 0) return next(path, flags, mode);
  pthread_mutex_lock(&lock);
  int was_there = faccessat(AT_FDCWD, path, F_OK, 0) == 0;
  int file = next(path, flags, mode);
  int error = errno;
  if (file >= 0 && (!was_there || (flags & O_TRUNC) != 0)) note_opened(path, was_there);
  pthread_mutex_unlock(&lock);
  errno = error;
  return file;
}

#define OPEN(name)                                                       \
  int name(const char *path, int flags, ...) {                           \
    static int (*next)(const char *, int, ...);                          \
    mode_t mode = 0;                                                     \
    if ((flags & O_CREAT) != 0) {                                        \
      va_list arguments;                                                 \
      va_start(arguments, flags);                                        \
      mode = (mode_t)va_arg(arguments, int);                             \
      va_end(arguments);                                                 \
    }                                                                    \
    if (next == NULL) next = (int (*)(const char *, int, ...))real(#name); \
    return opened(next, path, flags, mode);                              \
  }

OPEN(open)
OPEN(open64)

static FILE *opened_stream(FILE *(*next)(const char *, const char *), const char *path,
                           const char *mode) {
  if (!is_watched(path) || mode[0] == 'r') return next(path, mode);
  pthread_mutex_lock(&lock);
  int was_there = faccessat(AT_FDCWD, path, F_OK, 0) == 0;
  FILE *stream = next(path, mode);
  int error = errno;
  if (stream != NULL && (!was_there || mode[0] == 'w')) note_opened(path, was_there);
  pthread_mutex_unlock(&lock);
  errno = error;
  return stream;
}

#define FOPEN(name)                                                                     \
  FILE *name(const char *path, const char *mode) {                                      \
    static FILE *(*next)(const char *, const char *);                                   \
    if (next == NULL) next = (FILE * (*)(const char *, const char *)) real(#name);      \
    return opened_stream(next, path, mode);                                             \
  }

FOPEN(fopen)
FOPEN(fopen64)

#define TWO_NAMES(name, letter)                                                     \
  int name(const char *from, const char *to) {                                      \
    static int (*next)(const char *, const char *);                                 \
    if (next == NULL) next = (int (*)(const char *, const char *))real(#name);      \
    if (!is_watched(from) && !is_watched(to)) return next(from, to);                \
    pthread_mutex_lock(&lock);                                                      \
    int result = next(from, to);                                                    \
    int error = errno;                                                              \
    if (result == 0) note("%c %s\t%s\n", letter, from, to);                         \
    pthread_mutex_unlock(&lock);                                                    \
    errno = error;                                                                  \
    return result;                                                                  \
  }

TWO_NAMES(rename, 'R')
TWO_NAMES(link, 'L')

#define ONE_NAME(name, letter)                                           \
  int name(const char *path) {                                           \
    static int (*next)(const char *);                                    \
    if (next == NULL) next = (int (*)(const char *))real(#name);         \
    if (!is_watched(path)) return next(path);                            \
    pthread_mutex_lock(&lock);                                           \
    int result = next(path);                                             \
    int error = errno;                                                   \
    if (result == 0) note("%c %s\n", letter, path);                      \
    pthread_mutex_unlock(&lock);                                         \
    errno = error;                                                       \
    return result;                                                       \
  }

ONE_NAME(unlink, 'U')
ONE_NAME(rmdir, 'X')

int mkdir(const char *path, mode_t mode) {
  static int (*next)(const char *, mode_t);
  if (next == NULL) next = (int (*)(const char *, mode_t))real("mkdir");
  if (!is_watched(path)) return next(path, mode);
  pthread_mutex_lock(&lock);
  int result = next(path, mode);
  int error = errno;
  if (result == 0) note("M %s\n", path);
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

/* Copies what was in a file when its sync began and is not in the copy yet. The caller holds the lock. */
static void copy_synced(ino_t inode, off_t size) {
  char from[PATH_MAX], to[PATH_MAX], temporary[PATH_MAX + 8], emptied[PATH_MAX];
  static char bytes[1 << 16];
  struct stat now, copied;
  place(from, sizeof from, "file", inode);
  place(to, sizeof to, "synced", inode);
  place(emptied, sizeof emptied, "emptied", inode);
  int source = raw_open(from, O_RDONLY);
  if (source < 0 || fstat(source, &now) != 0) give_up(from);
  if (now.st_size < size) size = now.st_size;
  /* A file that was rewritten is copied as a whole: its copy is the old content or the new one. */
  int whole = faccessat(AT_FDCWD, emptied, F_OK, 0) == 0;
  snprintf(temporary, sizeof temporary, "%s.new", to);
  const char *path = whole ? temporary : to;
  int target = raw_open(path, O_WRONLY | O_CREAT | (whole ? O_TRUNC : 0));
  if (target < 0 || fstat(target, &copied) != 0) give_up(path);
  for (off_t at = copied.st_size; at < size;) {
    off_t left = size - at;
    ssize_t n = pread(source, bytes, left < (off_t)sizeof bytes ? (size_t)left : sizeof bytes, at);
    if (n <= 0) give_up(from);
    write_whole(target, bytes, (size_t)n, at);
    at += n;
  }
  close(source);
  close(target);
  if (!whole) return;
  if (syscall(SYS_renameat2, AT_FDCWD, temporary, AT_FDCWD, to, 0) != 0) give_up(to);
  if (syscall(SYS_unlinkat, AT_FDCWD, emptied, 0) != 0) give_up(emptied);
}

static int synced(int (*next)(int), int file) {
  struct stat found;
  char name[64], path[PATH_MAX];
  if (root == NULL || fstat(file, &found) != 0) return next(file);
  snprintf(name, sizeof name, "/proc/self/fd/%d", file);
  ssize_t length = readlink(name, path, sizeof path - 1);
  if (length < 0) give_up(name);
  path[length] = '\0';
  if (!is_watched(path)) return next(file);
  if (swallow != NULL && strstr(path, swallow) != NULL) return 0;
  pthread_mutex_lock(&lock);
  unsigned long at = lines;
  pthread_mutex_unlock(&lock);
  int result = next(file);
  if (result != 0) return result;
  pthread_mutex_lock(&lock);
  if (S_ISDIR(found.st_mode)) {
    note("D %lu %s\n", at, path);
  } else {
    copy_synced(found.st_ino, found.st_size);
    note("F %lu %lu\n", at, (unsigned long)found.st_ino);
  }
  pthread_mutex_unlock(&lock);
  return 0;
}

int fsync(int file) {
  static int (*next)(int);
  if (next == NULL) next = (int (*)(int))real("fsync");
  return synced(next, file);
}

int fdatasync(int file) {
  static int (*next)(int);
  if (next == NULL) next = (int (*)(int))real("fdatasync");
  return synced(next, file);
}
