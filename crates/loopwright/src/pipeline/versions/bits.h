#if !defined LOOPWRIGHT_BITS_DIFFER
/* Whether two texts with the same operations may give other last bits, as a compiler fuses products with sums, takes sums in
   another order, or keeps more digits: then clocks do not choose between them. */
#if defined __FAST_MATH__ || (defined __FLT_EVAL_METHOD__ && __FLT_EVAL_METHOD__ != 0)
#define LOOPWRIGHT_BITS_DIFFER 1
#elif (defined __FP_FAST_FMA || defined __FP_FAST_FMAF) && (defined __clang__ || !defined __STRICT_ANSI__)
#define LOOPWRIGHT_BITS_DIFFER 1
#else
#define LOOPWRIGHT_BITS_DIFFER 0
#endif
#endif
