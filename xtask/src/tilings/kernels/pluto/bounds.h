/* Bounds of loops over tiles, by the names that Pluto's texts have for them. FIRST_TILE and LAST_TILE: tiles of a diagonal whose diamonds reach the
   positions 1 to n - 2. */
#ifndef TILE
#define TILE 32
#endif
#ifndef INNER_TILE
#define INNER_TILE TILE
#endif
#ifndef ROW_TILE
#define ROW_TILE INNER_TILE
#endif

#define floord(a, b) ((a) < 0 ? -((-(a) + (b) - 1) / (b)) : (a) / (b))
#define ceild(a, b) (-floord(-(a), b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define min(a, b) ((a) < (b) ? (a) : (b))

#define LAST_DIAGONAL(steps) floord(2L * (steps) - 2, TILE)
#define FIRST_TILE(diagonal) ceild(3L - TILE + TILE * (diagonal), 2L * TILE)
#define LAST_TILE(diagonal, n) floord(2L * (n) - 5 + TILE + TILE * (diagonal), 2L * TILE)

/* Time steps and positions of the diamond [first, second]: first = floor((t + i) / TILE), second = floor((t - i) / TILE). */
#define FIRST_STEP(first, second) max(0, ceild((long)TILE * ((first) + (second)), 2))
#define LAST_STEP(first, second, steps) min((steps) - 1, floord((long)TILE * ((first) + (second) + 2) - 2, 2))
#define FIRST_POSITION(first, second, t) max(1, max(TILE * (first) - (t), (t) - TILE * (second) - TILE + 1))
#define LAST_POSITION(first, second, t, n) min((n) - 2, min(TILE * (first) + TILE - 1 - (t), (t) - TILE * (second)))
