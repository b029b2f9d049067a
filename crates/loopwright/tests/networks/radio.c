/* The radio of Verdoolaege, Nikolov and Stefanov, IMPACT 2013, listing 2, which ends after some samples. */
#include <stdio.h>
static int position;
static int radioFrontend(void) { position = position + 1; return position * 7 % 23; }
__attribute__((const)) static int t(int s) { return s % 3 == 0; }
__attribute__((const)) static int detect(int s) { return s % 5; }
static void decode(int sample, int *state, int *value) {
  *state = (*state + sample) % 7;
  *value = sample * 3 + *state;
}
__attribute__((const)) static int processSample0(int v) { return v * v; }
static int heard[1000];
static int radio(void) {
  int state, sample, value0, value1, count;
#pragma scop
  state = 0;
  count = 0;
  while (count < 1000) {
    sample = radioFrontend();
    if (t(state)) {
      state = detect(sample);
    } else {
      decode(sample, &state, &value0);
      value1 = processSample0(value0);
      heard[count] = value1;
    }
    count = count + 1;
  }
#pragma endscop
  return state;
}
int main(void) {
  int state = radio();
  unsigned long sum = 0;
  for (int i = 0; i < 1000; i++)
    sum = sum * 31 + heard[i];
  printf("%lu %d %d\n", sum, state, position);
  return 0;
}
