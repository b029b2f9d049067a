/* One stage of butterflies with a fixed distance. */
#include <stdio.h>

#define N 64
#define HALF (N / 2)

static double re[N], im[N], wr[HALF], wi[HALF];

int main(void)
{
    for (int i = 0; i < N; i++) {
        re[i] = i % 9;
        im[i] = i % 4 - 1;
    }
    for (int i = 0; i < HALF; i++) {
        wr[i] = 1.0 - i * 0.01;
        wi[i] = i * 0.02;
    }
#pragma scop
    for (int k = 0; k < HALF; k++) {
        double tr = re[k + HALF] * wr[k] - im[k + HALF] * wi[k];
        double ti = re[k + HALF] * wi[k] + im[k + HALF] * wr[k];
        re[k + HALF] = re[k] - tr;
        im[k + HALF] = im[k] - ti;
        re[k] = re[k] + tr;
        im[k] = im[k] + ti;
    }
#pragma endscop
    double s = 0;
    for (int i = 0; i < N; i++)
        s += re[i] * i - im[i];
    printf("%.17g\n", s);
    return 0;
}
