#ifndef LOOPWRIGHT_FLOATS
#define LOOPWRIGHT_FLOATS
/* Whether this thread computes as programs start, and so as other threads do: rounding to nearest, subnormal numbers, no traps.
   Where it does not, it runs all iterations itself. */
static __inline__ __attribute__((__unused__)) int loopwright_default_floats(void) {
#if defined __x86_64__ || defined __i386__
  unsigned short of_x87;
  __asm__ volatile("fnstcw %0" : "=m"(of_x87));
  if ((of_x87 & 0xf3f) != 0x33f) return 0;
#if defined __SSE__
  unsigned of_sse;
  __asm__ volatile("stmxcsr %0" : "=m"(of_sse));
#if defined __FAST_MATH__ /* programs start without subnormal numbers */
  of_sse &= ~0x8040u;
#endif
  return (of_sse & 0xffc0) == 0x1f80;
#else
  return 1;
#endif
#elif defined __aarch64__
  unsigned long long control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  return control == 0;
#elif defined __riscv_flen
  unsigned long rounding;
  __asm__ volatile("frrm %0" : "=r"(rounding));
  return rounding == 0;
#else
  return 0; /* nothing is known of this machine */
#endif
}
#endif
