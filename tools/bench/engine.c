/* An engine that costs nearly nothing: it says what it was told to say, with the number of the request.
 *
 *     engine FILE        the first line of FILE answers hello, the others answer requests to play, in turn
 *
 * A line of FILE is an answer without its beginning, {"id":1. It leans on how buckspec writes a request: the id first,
 * then op. Whatever is there is answered in one piece, as an engine would that is made to be asked ahead.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROOM (1 << 24)
#define MOST 4096

static char in[ROOM], out[ROOM], file[ROOM];
static char *answer[MOST];
static size_t size[MOST];

static void put(const char *raw, size_t left) {
    while (left) {
        ssize_t done = write(1, raw, left);
        if (done < 0) exit(1);
        raw += done;
        left -= done;
    }
}

static int read_answers(const char *name) {
    FILE *source = fopen(name, "rb");
    size_t length = source ? fread(file, 1, ROOM, source) : 0;
    int count = 0;
    if (length == 0 || length == ROOM) exit(2);
    for (char *line = file, *end; count < MOST && (end = memchr(line, '\n', file + length - line)); line = end + 1) {
        answer[count] = line;
        size[count++] = end + 1 - line;
    }
    return count;
}

int main(int argc, char **argv) {
    int count = argc == 2 ? read_answers(argv[1]) : 0, next = 1;
    size_t held = 0, made = 0;
    ssize_t got;
    if (count < 2) return 2;
    while ((got = read(0, in + held, ROOM - held)) > 0) {
        char *line = in, *end;
        held += got;
        while ((end = memchr(line, '\n', in + held - line))) {
            char *comma = memchr(line, ',', end - line);
            if (!comma) return 2;
            if (!strncmp(comma, ",\"op\":\"bye\"", 11)) {
                put(out, made);
                return 0;
            }
            int which = strncmp(comma, ",\"op\":\"hello\"", 13) ? next : 0;
            if (which && ++next == count) next = 1;
            size_t head = comma - line;
            if (made + head + size[which] > ROOM) {
                put(out, made);
                made = 0;
            }
            memcpy(out + made, line, head);
            memcpy(out + made + head, answer[which], size[which]);
            made += head + size[which];
            line = end + 1;
        }
        held = in + held - line;
        memmove(in, line, held);
        put(out, made);
        made = 0;
    }
    return 0;
}
