/* Particles move; structures with positions and velocities. */
#include <stdio.h>

typedef struct {
    double x, y, vx, vy;
} particle;

#define N 70

static particle p[N];

int main(void)
{
    const double dt = 0.01, g = -9.81;
    for (int i = 0; i < N; i++) {
        p[i].x = i;
        p[i].y = 10 + i % 3;
        p[i].vx = i % 5;
        p[i].vy = 0;
    }
#pragma scop
    for (int t = 0; t < 25; t++)
        for (int i = 0; i < N; i++) {
            p[i].vy += g * dt;
            p[i].x += p[i].vx * dt;
            p[i].y += p[i].vy * dt;
        }
#pragma endscop
    double s = 0;
    for (int i = 0; i < N; i++)
        s += p[i].x - 2 * p[i].y;
    printf("%.17g\n", s);
    return 0;
}
