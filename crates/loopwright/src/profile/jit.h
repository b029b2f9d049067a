/* Asks a host for a function that is compiled for the values with which it is called. `to` and `from` lead to the host. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
static void *loopwright_jit(FILE *to, FILE *from, const char *function, unsigned long long nanoseconds, int n,
                            const char *const *names, const long long *values) {
  char line[4096];
  void *library;
  int k;
  fprintf(to, "%s %llu", function, nanoseconds);
  for (k = 0; k < n; k++) fprintf(to, " %s=%lld", names[k], values[k]);
  fputc('\n', to);
  if (fflush(to) || !fgets(line, sizeof line, from)) return 0;
  line[strcspn(line, "\n")] = 0;
  if (line[0] != '/') return 0;
  library = dlopen(line, RTLD_NOW | RTLD_LOCAL);
  return library ? dlsym(library, function) : 0;
}
