#if !defined LOOPWRIGHT_BITS_DIFFER
/* Whether two texts with the same operations may give other last bits, as a compiler takes sums in another order, keeps more
   digits, or fuses products with sums: then clocks do not choose between them. */
#if defined __FAST_MATH__ || (defined __FLT_EVAL_METHOD__ && __FLT_EVAL_METHOD__ != 0)
#define LOOPWRIGHT_SUMS_DIFFER 1
#else
#define LOOPWRIGHT_SUMS_DIFFER 0
#endif
#if (defined __FP_FAST_FMA || defined __FP_FAST_FMAF) && (defined __clang__ || !defined __STRICT_ANSI__)
#define LOOPWRIGHT_BITS_DIFFER 1
#else
#define LOOPWRIGHT_BITS_DIFFER LOOPWRIGHT_SUMS_DIFFER
#endif
#elif !defined LOOPWRIGHT_SUMS_DIFFER
#define LOOPWRIGHT_SUMS_DIFFER LOOPWRIGHT_BITS_DIFFER
#endif
