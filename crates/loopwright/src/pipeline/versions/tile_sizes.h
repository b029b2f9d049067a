#ifndef LOOPWRIGHT_TILE_SIZES
#define LOOPWRIGHT_TILE_SIZES
/* Sizes of tiles that are chosen when the program runs: the numbers given to loopwright_tile_sizes, or in the environment variable
   LOOPWRIGHT_TILES (with commas), or those of the compilation. They are for the loops of a band, the last one also for all loops
   behind it. All files of a program share them. */
__attribute__((__weak__)) long loopwright_tiles[16];
__attribute__((__weak__)) int loopwright_n_tiles; /* 0: nobody has asked yet, -1: those of the compilation */
extern char *getenv(const char *);
void loopwright_tile_sizes(int n, const long *sizes);
/* Chooses n sizes; those of the compilation if n is not positive. Not while tiles run. */
__attribute__((__weak__)) void loopwright_tile_sizes(int n, const long *sizes) {
  int i;
  if (n > 16) n = 16;
  for (i = 0; i < n; i++)
    loopwright_tiles[i] = sizes[i] < 1 ? 1 : sizes[i] > 1L << 30 ? 1L << 30 : sizes[i];
  __atomic_store_n(&loopwright_n_tiles, n > 0 ? n : -1, 3);
}
static inline __attribute__((__unused__)) long loopwright_tile_size(int member, long otherwise) {
  int n = __atomic_load_n(&loopwright_n_tiles, 2);
  if (!n) {
    const char *text = getenv("LOOPWRIGHT_TILES");
    long sizes[16];
    while (text && n < 16) {
      long size = 0;
      if (*text < '0' || *text > '9') break;
      for (; *text >= '0' && *text <= '9'; text++)
        if (size < 1L << 30) size = size * 10 + (*text - '0');
      if (!size || (*text && *text != ',')) break;
      sizes[n++] = size;
      text = *text ? text + 1 : 0;
    }
    /* What is no list of sizes counts as none. */
    loopwright_tile_sizes(text ? 0 : n, sizes);
    n = __atomic_load_n(&loopwright_n_tiles, 2);
  }
  return n < 0 ? otherwise : loopwright_tiles[member < n ? member : n - 1];
}
#endif
