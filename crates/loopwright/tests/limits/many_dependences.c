/* Thirteen statements with a thousand dependences, of which a Feautrier step can carry a part. */
#define SZ 6000
double W[SZ], V[SZ];
int f(int n, int m) {
  int k1 = 0;
  int k2 = 2;
#pragma scop
  for (int i3 = 1; i3 < n; i3++) {
    V[2 * i3 + i3] = 0.5 * (i3 * 0.5);
    L4: ;
    W[2 * i3 + i3] += 0.5 * (0.5 * W[2 * i3 + i3] + 0.25 * V[i3 + 3]);
    if (V[k2 + 2] > 1) {
      W[k1 + 3] = 0.5 * (W[k1 + 4]);
      goto L5;
    }
    L5: ;
    V[i3 + 9] = 0.5 * (W[i3 + 1]);
    for (int i6 = 0; i6 < n; i6++) {
      V[i6 + 4] = 0.5 * (V[i3 + 0]);
      V[20] = 0.5 * (W[i6 + 1]);
      if (i3 >= i6) {
        W[i3 + 7] += 0.5 * (V[i3 + 8]);
      } else {
        W[i3 - i3 + 40] += 0.5 * (4);
        break;
      }
      for (int i7 = 1; i7 < m; i7++) {
        if (V[i6 + 1] > 2) {
          V[i6 + 3] = 0.5 * (W[i7 - i6 + 40]);
          continue;
        }
        if (V[k2 + 2] > 3) {
          k1 += 1;
        } else {
          W[i7 - i3 + 40] = 0.5 * (i7 * 0.5);
          continue;
        }
        if (i3 % 2) continue;
        V[i6 + 6] += 0.5 * (W[13]);
        L8: ;
      }
    }
  }
#pragma endscop
  return k2;
}
