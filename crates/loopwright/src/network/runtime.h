/* Processes and bounded queues for them. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct loopwright_channel {
  pthread_mutex_t lock;
  pthread_cond_t sent, received;
  size_t size, capacity, first, count;
  char *tokens;
};

struct loopwright_network {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  size_t ready, processes, channels;
  int state; /* 0: being started, 1: runs, 2: is not to run */
  void **variables;
  pthread_t *threads;
  struct loopwright_channel *channel;
};

/* Sends where a value is in its variable, and the value. */
static void loopwright_send(struct loopwright_network *network, size_t index, ptrdiff_t offset, const void *value) {
  struct loopwright_channel *c = &network->channel[index];
  pthread_mutex_lock(&c->lock);
  while (c->count == c->capacity)
    pthread_cond_wait(&c->received, &c->lock);
  char *token = c->tokens + (c->first + c->count) % c->capacity * (sizeof(ptrdiff_t) + c->size);
  memcpy(token, &offset, sizeof offset);
  memcpy(token + sizeof offset, value, c->size);
  c->count++;
  pthread_cond_signal(&c->sent);
  pthread_mutex_unlock(&c->lock);
}

/* Puts a value into the variable that begins at an address. */
void loopwright_receive(void *given, size_t index, void *variable) {
  struct loopwright_channel *c = &((struct loopwright_network *)given)->channel[index];
  pthread_mutex_lock(&c->lock);
  while (c->count == 0)
    pthread_cond_wait(&c->sent, &c->lock);
  char *token = c->tokens + c->first * (sizeof(ptrdiff_t) + c->size);
  ptrdiff_t offset;
  memcpy(&offset, token, sizeof offset);
  memcpy((char *)variable + offset, token + sizeof offset, c->size);
  c->first = (c->first + 1) % c->capacity;
  c->count--;
  pthread_cond_signal(&c->received);
  pthread_mutex_unlock(&c->lock);
}

/* The next outcome of a condition. */
int loopwright_outcome(void *network, size_t index) {
  int outcome;
  loopwright_receive(network, index, &outcome);
  return outcome;
}

/* Waits until all processes have their variables, or tells that this one has not; whether it is to run. */
static int loopwright_ready(struct loopwright_network *network, int is_ready) {
  pthread_mutex_lock(&network->lock);
  network->ready++;
  if (!is_ready)
    network->state = 2;
  pthread_cond_broadcast(&network->changed);
  while (network->state == 0)
    pthread_cond_wait(&network->changed, &network->lock);
  int runs = network->state == 1;
  pthread_mutex_unlock(&network->lock);
  return runs;
}

static void loopwright_free(struct loopwright_network *network) {
  for (size_t i = 0; i < network->channels; i++) {
    pthread_mutex_destroy(&network->channel[i].lock);
    pthread_cond_destroy(&network->channel[i].sent);
    pthread_cond_destroy(&network->channel[i].received);
    free(network->channel[i].tokens);
  }
  pthread_mutex_destroy(&network->lock);
  pthread_cond_destroy(&network->changed);
  free(network->channel);
  free(network->threads);
  free(network);
}

/* Waits for the end of all processes. */
void loopwright_end(void *given) {
  struct loopwright_network *network = given;
  for (size_t i = 0; i < network->processes; i++)
    pthread_join(network->threads[i], NULL);
  loopwright_free(network);
}

/* Starts the processes of a network; without memory or threads for them nothing runs, and the result is a null pointer. */
void *loopwright_start(void *(*const *processes)(void *), size_t n_processes, const size_t *sizes, const size_t *capacities, size_t n_channels, void **variables) {
  struct loopwright_network *network = calloc(1, sizeof *network);
  if (!network)
    return NULL;
  pthread_mutex_init(&network->lock, NULL);
  pthread_cond_init(&network->changed, NULL);
  network->variables = variables;
  network->threads = malloc((n_processes + 1) * sizeof *network->threads);
  network->channel = calloc(n_channels + 1, sizeof *network->channel);
  int has_memory = network->threads && network->channel;
  for (size_t i = 0; has_memory && i < n_channels; i++, network->channels++) {
    struct loopwright_channel *c = &network->channel[i];
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->sent, NULL);
    pthread_cond_init(&c->received, NULL);
    c->size = sizes[i];
    c->capacity = capacities[i];
    c->tokens = malloc(c->capacity * (sizeof(ptrdiff_t) + c->size));
    has_memory = c->tokens != NULL;
  }
  size_t started = 0;
  while (has_memory && started < n_processes) {
    if (pthread_create(&network->threads[started], NULL, processes[started], network))
      break;
    started++;
  }
  network->processes = started;
  pthread_mutex_lock(&network->lock);
  if (started < n_processes)
    network->state = 2;
  while (network->state == 0 && network->ready < n_processes)
    pthread_cond_wait(&network->changed, &network->lock);
  if (network->state == 0)
    network->state = 1;
  int runs = network->state == 1;
  pthread_cond_broadcast(&network->changed);
  pthread_mutex_unlock(&network->lock);
  if (runs)
    return network;
  loopwright_end(network);
  return NULL;
}
