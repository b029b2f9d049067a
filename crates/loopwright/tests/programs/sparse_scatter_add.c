/* Contributions of elements are added to their nodes. */
#include <stdio.h>

#define ELEMENTS 80
#define NODES 41

static int node[ELEMENTS][2];
static double force[NODES], load[ELEMENTS];

int main(void)
{
    for (int e = 0; e < ELEMENTS; e++) {
        node[e][0] = e % NODES;
        node[e][1] = (e * 5 + 3) % NODES;
        load[e] = 1.0 + e % 6;
    }
#pragma scop
    for (int e = 0; e < ELEMENTS; e++) {
        force[node[e][0]] += 0.5 * load[e];
        force[node[e][1]] -= 0.25 * load[e];
    }
#pragma endscop
    double s = 0;
    for (int n = 0; n < NODES; n++)
        s += force[n] * (n + 1);
    printf("%.17g\n", s);
    return 0;
}
