/* Values: whole numbers and lists of them. Whatever is out of the ordinary ends the run (`bail`); the caller then
   plays the same game with the machine that can tell what is wrong. */

#include <setjmp.h>
#include <stdint.h>
#include <string.h>

typedef int64_t i64;
typedef uint64_t u64;

typedef struct {
    i64 n;
    i64 *v; /* numbers, or pointers to lists: the rules know which */
} List;

#define NONE INT64_MIN /* a slot that holds nothing yet */
#define MAX_NUMBER 1000000000000LL
#define MAX_ITEMS 100000

static jmp_buf way_out;
static void bail(void) { longjmp(way_out, 1); }

static i64 work; /* since the last decision */
static inline void tick(i64 amount) {
    if ((work += amount) > MAX_WORK) bail();
}

/* ------------------------------------------------------------------ memory */

/* What an expression makes lasts until its block is done; what a slot or a variable holds lasts as long as the game. */
#define BRIEF_WORDS (1 << 20)
#define KEPT_WORDS (1 << 21)
static i64 brief[BRIEF_WORDS], kept[KEPT_WORDS];
static i64 brief_top, kept_top;

static inline i64 *grab(i64 words) {
    i64 *found = brief + brief_top;
    if (words > BRIEF_WORDS - brief_top) bail();
    brief_top += words;
    return found;
}

static inline List *fresh(i64 room) {
    List *list = (List *)grab(2 + room);
    list->n = 0;
    list->v = (i64 *)(list + 1);
    return list;
}

/* A list that is read where it stands. */
static inline List *view(i64 *items, i64 n) {
    List *list = (List *)grab(2);
    list->n = n;
    list->v = items;
    return list;
}

static List *copy_of(const List *list) {
    List *copy = fresh(list->n);
    copy->n = list->n;
    memcpy(copy->v, list->v, (size_t)list->n * sizeof(i64));
    return copy;
}

static i64 keep(i64 value, int depth) {
    const List *list = (const List *)value;
    List *own;
    if (!depth || value == NONE) return value;
    if (list->n > MAX_ITEMS || 2 + list->n > KEPT_WORDS - kept_top) bail();
    own = (List *)(kept + kept_top);
    kept_top += 2 + list->n;
    own->n = list->n;
    own->v = (i64 *)(own + 1);
    for (i64 i = 0; i < list->n; i++) own->v[i] = keep(list->v[i], depth - 1);
    return (i64)own;
}

/* --------------------------------------------------------------- comparing */

/* `depth`: 0 for a number, 1 for a list of numbers, 2 for a list of lists. */
static int same(i64 a, i64 b, int depth) {
    const List *left = (const List *)a, *right = (const List *)b;
    if (!depth || a == NONE || b == NONE) return a == b;
    if (left->n != right->n) return 0;
    for (i64 i = 0; i < left->n; i++)
        if (!same(left->v[i], right->v[i], depth - 1)) return 0;
    return 1;
}

static int order(i64 a, i64 b, int depth) {
    const List *left = (const List *)a, *right = (const List *)b;
    if (!depth) return a < b ? -1 : a > b;
    for (i64 i = 0; i < left->n && i < right->n; i++) {
        int found = order(left->v[i], right->v[i], depth - 1);
        if (found) return found;
    }
    return left->n < right->n ? -1 : left->n > right->n;
}

static int has(const List *list, i64 item, int depth) {
    for (i64 i = 0; i < list->n; i++)
        if (same(list->v[i], item, depth)) return 1;
    return 0;
}

/* ------------------------------------------------------------------ numbers */

static inline i64 bounded(i64 value) {
    if (value > MAX_NUMBER || value < -MAX_NUMBER) bail();
    return value;
}

static inline i64 lesser(i64 a, i64 b) { return a < b ? a : b; }
static inline i64 greater(i64 a, i64 b) { return a > b ? a : b; }

static inline i64 divided(i64 a, i64 b) {
    i64 whole = a / b;
    return a % b && (a < 0) != (b < 0) ? whole - 1 : whole;
}

static i64 times(i64 a, i64 b) {
    i64 product;
    if (__builtin_mul_overflow(a, b, &product) || product % UNIT) bail();
    return bounded(product / UNIT);
}

static i64 divide_up(i64 pot, i64 shares) { return shares ? -divided(-pot, shares) * UNIT : 0; }
static i64 divide_down(i64 pot, i64 shares) { return shares ? divided(pot, shares) * UNIT : 0; }

/* The entry of a series or a list that begins with number `first`; `beyond`: 0 an error, 1 the last, 2 nothing. */
static i64 entry(const List *values, i64 first, int beyond, i64 key) {
    i64 number = divided(key, UNIT);
    if (key % UNIT == 0 && first <= number && number < first + values->n) return values->v[number - first];
    if (number >= first && values->n && beyond == 1) return values->v[values->n - 1];
    if (beyond != 2) bail();
    return 0;
}

static List *spread(i64 low, i64 high) {
    i64 n = high < low ? 0 : (high - low) / UNIT + 1;
    List *found;
    if (n > MAX_ITEMS) bail();
    tick(n);
    found = fresh(n);
    for (; found->n < n; found->n++) found->v[found->n] = low + found->n * UNIT;
    return found;
}

/* -------------------------------------------------------------------- lists */

static List *joined(const List *a, const List *b) {
    List *found;
    if (a->n + b->n > MAX_ITEMS) bail();
    found = fresh(a->n + b->n);
    memcpy(found->v, a->v, (size_t)a->n * sizeof(i64));
    memcpy(found->v + a->n, b->v, (size_t)b->n * sizeof(i64));
    found->n = a->n + b->n;
    return found;
}

static List *united(const List *lists) {
    i64 n = 0;
    List *found;
    for (i64 i = 0; i < lists->n; i++) n += ((List *)lists->v[i])->n;
    if (n > MAX_ITEMS) bail();
    tick(n);
    found = fresh(n);
    for (i64 i = 0; i < lists->n; i++) {
        const List *one = (const List *)lists->v[i];
        memcpy(found->v + found->n, one->v, (size_t)one->n * sizeof(i64));
        found->n += one->n;
    }
    return found;
}

/* Marks, for each item of `part`, the first item of `whole` not yet marked that is the same; how many found one. */
static i64 matched(const List *part, const List *whole, int depth, i64 *used, i64 *hit) {
    i64 found = 0;
    tick((part->n * whole->n) >> 4);
    memset(used, 0, (size_t)whole->n * sizeof(i64));
    for (i64 i = 0; i < part->n; i++) {
        i64 j = 0;
        while (j < whole->n && (used[j] || !same(part->v[i], whole->v[j], depth))) j++;
        if (hit) hit[i] = j < whole->n;
        if (j < whole->n) used[j] = 1, found++;
    }
    return found;
}

static List *less(const List *left, const List *right, int depth) {
    i64 *used = grab(right->n), *hit = grab(left->n);
    List *found = fresh(left->n);
    matched(left, right, depth, used, hit);
    for (i64 i = 0; i < left->n; i++)
        if (!hit[i]) found->v[found->n++] = left->v[i];
    return found;
}

static int within(const List *part, const List *whole, int depth) {
    if (part->n > whole->n) return 0;
    return matched(part, whole, depth, grab(whole->n), 0) == part->n;
}

static List *distinct(const List *items, int depth) {
    List *found = fresh(items->n);
    tick((items->n * items->n) >> 5);
    for (i64 i = 0; i < items->n; i++)
        if (!has(found, items->v[i], depth)) found->v[found->n++] = items->v[i];
    return found;
}

static List *sums(const List *lists) {
    List *totals = fresh(1);
    totals->v[totals->n++] = 0;
    for (i64 i = 0; i < lists->n; i++) {
        const List *values = (const List *)lists->v[i];
        List *next;
        if (totals->n * values->n > MAX_ITEMS) bail();
        tick(totals->n * values->n);
        next = fresh(totals->n * values->n);
        for (i64 k = 0; k < values->n; k++) {
            i64 at = 0; /* what this value gives is rising, so each search goes on where the last ended */
            for (i64 j = 0; j < totals->n; j++) {
                i64 sum = bounded(totals->v[j] + values->v[k]);
                while (at < next->n && next->v[at] < sum) at++;
                if (at < next->n && next->v[at] == sum) continue;
                memmove(next->v + at + 1, next->v + at, (size_t)(next->n - at) * sizeof(i64));
                next->v[at] = sum;
                next->n++;
            }
        }
        totals = next;
    }
    return totals;
}

static List *top_of(const List *pieces, i64 number) {
    i64 n = number < 0 ? 0 : number < pieces->n ? number : pieces->n;
    List *found = fresh(n);
    for (; found->n < n; found->n++) found->v[found->n] = pieces->v[pieces->n - 1 - found->n];
    return found;
}

static i64 first_of(const List *items) {
    if (!items->n) bail();
    return items->v[0];
}

static i64 last_of(const List *items) {
    if (!items->n) bail();
    return items->v[items->n - 1];
}

static int all_of(const List *items) {
    for (i64 i = 0; i < items->n; i++)
        if (!items->v[i]) return 0;
    return 1;
}

static i64 sum_of(const List *items) {
    i64 sum = 0;
    for (i64 i = 0; i < items->n; i++) sum = bounded(sum + items->v[i]);
    return sum;
}

/* Items by keys: 0 those with the greatest, 1 the least, 2 all falling, 3 all rising; ties stay in order. */
static List *by_key(const List *items, const List *keys, int depth, int how) {
    List *found = fresh(items->n);
    tick((items->n * items->n) >> 5);
    if (how < 2) {
        i64 best = 0;
        for (i64 i = 1; i < items->n; i++) {
            int found_order = order(keys->v[i], keys->v[best], depth);
            if (how ? found_order < 0 : found_order > 0) best = i;
        }
        for (i64 i = 0; i < items->n; i++)
            if (same(keys->v[i], keys->v[best], depth)) found->v[found->n++] = items->v[i];
    } else {
        i64 *sorted = grab(items->n);
        for (i64 i = 0; i < items->n; i++) {
            i64 at = i;
            for (; at > 0; at--) {
                int found_order = order(keys->v[i], keys->v[sorted[at - 1]], depth);
                if (how == 2 ? found_order <= 0 : found_order >= 0) break;
                sorted[at] = sorted[at - 1];
            }
            sorted[at] = i;
        }
        for (i64 i = 0; i < items->n; i++) found->v[found->n++] = items->v[sorted[i]];
    }
    return found;
}

/* ------------------------------------------------------------------- chance */

static u64 next_word(u64 *stream) {
    u64 z = *stream += 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

static i64 below(u64 *stream, i64 n) {
    u64 rest = (0 - (u64)n) % (u64)n; /* what 2 to the 64th leaves */
    for (;;) {
        u64 word = next_word(stream);
        if (!rest || word < 0 - rest) return (i64)(word % (u64)n);
    }
}

static u64 seeded(u64 seed) {
    u64 state = seed, word = next_word(&state);
    return state ^ word;
}
