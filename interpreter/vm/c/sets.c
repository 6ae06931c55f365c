/* Sets of candidates, held as how many of each class: all of them in one order, those with nothing to spare, and which
   totals they can have. `plain/sets.py` and `plain/reachable_totals.py` say the same in Python. */
#include "state.h"

#include <stdlib.h>

#define MAX_WIDTH (1 << 20) /* totals from the least to the greatest; beyond, nothing is told */

/* ------------------------------------------------------------------ totals */

static int64_t place_of(const Totals *t, Word total) { return floor_div(total - t->least[0], t->step); }

static int is_one(const Totals *t, Word total) {
    int64_t place = place_of(t, total);
    return place * t->step == total - t->least[0] && 0 <= place && place < t->width;
}

static Word gcd(Word a, Word b) {
    if (a < 0) a = -a;
    if (b < 0) b = -b;
    while (b) {
        Word rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static Word least_of(const Totals *t, int32_t class) {
    Word found = 0;
    for (int32_t k = 0; k <= t->sizes[class]; k++)
        if (t->parts[t->parts_at[class] + k] < found) found = t->parts[t->parts_at[class] + k];
    return found;
}

static void set_bit(uint64_t *bits, int64_t at) { bits[at >> 6] |= (uint64_t)1 << (at & 63); }

static VmStatus wanted_totals(Vm *vm, Totals *t, int op, Word other) {
    if (is_list(other)) {
        int32_t n, at;
        TRY(list_at(vm, other, &n, &at));
        for (int32_t k = 0; k < n; k++)
            if (is_one(t, vm->mem[at + k])) set_bit(t->wanted, place_of(t, vm->mem[at + k]));
        return VM_OK;
    }
    if (op <= 1) {
        if (is_one(t, other)) set_bit(t->wanted, place_of(t, other));
        return VM_OK;
    }
    int64_t below = place_of(t, other - (op == 2 || op == 5)) + 1; /* how many there are below it, or up to it */
    if (below < 0) below = 0;
    if (below > t->width) below = t->width;
    int less = op <= 3;
    for (int64_t k = less ? 0 : below; k < (less ? below : t->width); k++) set_bit(t->wanted, k);
    return VM_OK;
}

static void or_shifted(uint64_t *to, const uint64_t *from, int64_t words, int64_t shift) {
    int64_t whole = shift >> 6, rest = shift & 63;
    for (int64_t k = words - 1; k >= whole; k--) {
        uint64_t bits = from[k - whole] << rest;
        if (rest && k - whole > 0) bits |= from[k - whole - 1] >> (64 - rest);
        to[k] |= bits;
    }
}

/* By class, which totals it and those after it can add: with any number of members, or by number. */
static VmStatus all_ahead(Vm *vm, Totals *t) {
    int64_t rows = 1, used = 1;
    int32_t after = 1;
    for (int32_t place = t->n - 1; place >= 0; place--) { /* counted first, so that there is room */
        TRY(tick(vm, (Word)after * (t->sizes[place] + 1) * (1 + (t->width >> 8))));
        after = t->any_size ? 1 : after + t->sizes[place];
        rows += after;
    }
    t->ahead = calloc((size_t)(rows * t->words), sizeof(uint64_t));
    if (!t->ahead) return VM_NO_MEMORY;
    t->ahead[0] = 1;
    t->ahead_at[t->n] = 0;
    t->n_ahead[t->n] = 1;
    for (int32_t place = t->n - 1; place >= 0; place--) {
        const Word *parts = t->parts + t->parts_at[place];
        Word least = least_of(t, place);
        t->ahead_at[place] = used;
        t->n_ahead[place] = t->any_size ? 1 : t->n_ahead[place + 1] + t->sizes[place];
        used += t->n_ahead[place];
        for (int32_t size = 0; size < t->n_ahead[place + 1]; size++)
            for (int32_t more = 0; more <= t->sizes[place]; more++)
                or_shifted(t->ahead + (t->ahead_at[place] + (t->any_size ? 0 : size + more)) * t->words,
                           t->ahead + (t->ahead_at[place + 1] + size) * t->words, t->words, (parts[more] - least) / t->step);
    }
    return VM_OK;
}

VmStatus totals_make(Vm *vm, Totals *t, int op, Word other) {
    Word step = 0, greatest = 0;
    int64_t members = 0;
    t->wanted = t->ahead = NULL;
    TRY(temp_bytes(vm, (t->n + 1) * (int64_t)sizeof(Word), &t->least));
    TRY(temp_bytes(vm, (t->n + 1) * (int64_t)sizeof(int64_t), &t->ahead_at));
    TRY(temp_bytes(vm, (t->n + 1) * (int64_t)sizeof(int32_t), &t->n_ahead));
    t->least[t->n] = 0;
    for (int32_t place = t->n - 1; place >= 0; place--) {
        Word top = 0;
        for (int32_t k = 0; k <= t->sizes[place]; k++) {
            Word part = t->parts[t->parts_at[place] + k];
            step = gcd(step, part);
            if (part > top) top = part;
        }
        t->least[place] = t->least[place + 1] + least_of(t, place);
        greatest += top;
        members += t->sizes[place];
    }
    t->step = step ? step : 1;
    t->width = (greatest - t->least[0]) / t->step + 1;
    t->known = t->width <= MAX_WIDTH;
    t->any_size = t->low <= 1 && t->high >= members;
    if (!t->known) return VM_OK;
    t->words = (t->width + 63) / 64;
    t->wanted = calloc((size_t)t->words, sizeof(uint64_t));
    if (!t->wanted) return VM_NO_MEMORY;
    TRY(wanted_totals(vm, t, op, other));
    return all_ahead(vm, t);
}

void totals_free(Totals *t) {
    free(t->wanted);
    free(t->ahead);
    t->wanted = t->ahead = NULL;
}

static Word total_of(const Totals *t, const int32_t *counts) {
    Word sum = 0;
    for (int32_t k = 0; k < t->n; k++) sum += t->parts[t->parts_at[k] + counts[k]];
    return sum;
}

static int is_met(const Totals *t, const int32_t *counts) {
    if (!t->known) return 1;
    int64_t place = place_of(t, total_of(t, counts));
    return place >= 0 && place < t->width && (t->wanted[place >> 6] >> (place & 63) & 1);
}

static int meets(const Totals *t, const uint64_t *totals, int64_t shift) { /* wanted >> shift & totals */
    int64_t whole = shift >> 6, rest = shift & 63;
    for (int64_t k = 0; k + whole < t->words; k++) {
        uint64_t bits = t->wanted[k + whole] >> rest;
        if (rest && k + whole + 1 < t->words) bits |= t->wanted[k + whole + 1] << (64 - rest);
        if (bits & totals[k]) return 1;
    }
    return 0;
}

static VmStatus can_be_met(Vm *vm, const Totals *t, const int32_t *counts, int32_t place, int *out) {
    *out = 1;
    if (!t->known) return VM_OK;
    if (place == t->n) {
        *out = is_met(t, counts);
        return VM_OK;
    }
    const Word *parts = t->parts + t->parts_at[place];
    int32_t had = counts[place];
    int64_t size = 0;
    for (int32_t k = 0; k < t->n; k++) size += counts[k];
    Word rest = total_of(t, counts) - parts[had] + t->least[place + 1];
    for (int32_t more = 0; more <= t->sizes[place] - had; more++) {
        TRY(tick(vm, 1 + (t->width >> 8)));
        int64_t shift = place_of(t, rest + parts[had + more]);
        int64_t from = 0, to = t->n_ahead[place + 1];
        if (!t->any_size) {
            int64_t low = t->low - (size + more), high = t->high - (size + more) + 1;
            from = low > 0 ? low : 0;
            if (high < 0) high = 0;
            if (high < to) to = high;
        }
        for (int64_t row = from; row < to; row++)
            if (shift >= 0 && shift < t->width && meets(t, t->ahead + (t->ahead_at[place + 1] + row) * t->words, shift)) return VM_OK;
    }
    *out = 0;
    return VM_OK;
}

/* ------------------------------------------------------------------ all sets */

static VmStatus all_can(Vm *vm, Sets *s, int32_t place, int *out) {
    *out = 1;
    for (int32_t k = 0; k < s->n_wanted && *out; k++) TRY(can_be_met(vm, s->wanted + k, s->counts, place, out));
    return VM_OK;
}

static int all_are(const Sets *s) {
    for (int32_t k = 0; k < s->n_wanted; k++)
        if (!is_met(s->wanted + k, s->counts)) return 0;
    return 1;
}

VmStatus sets_begin(Vm *vm, Sets *s, const int32_t *sizes, int32_t n, int64_t low, int64_t high, const int32_t *start,
                    int32_t at, Totals *wanted, int32_t n_wanted) {
    int64_t members = 0;
    for (int32_t k = 0; k < n; k++) members += sizes[k];
    *s = (Sets){.n = n, .place = at, .low = low, .high = high, .sizes = sizes, .wanted = wanted, .n_wanted = n_wanted};
    TRY(temp_bytes(vm, n * (int64_t)sizeof(int32_t), &s->counts));
    TRY(temp_bytes(vm, (n + 1) * (int64_t)sizeof(int32_t), &s->spare));
    TRY(temp_bytes(vm, (members + 1) * (int64_t)sizeof(int32_t), &s->path));
    for (int32_t k = 0; k < n; k++) s->total += s->counts[k] = start ? start[k] : 0;
    s->spare[n] = 0;
    for (int32_t k = n - 1; k >= at; k--) s->spare[k] = s->spare[k + 1] + sizes[k] - s->counts[k];
    return VM_OK;
}

VmStatus sets_next(Vm *vm, Sets *s, int *found) {
    *found = 0;
    if (!s->started) {
        int can;
        s->started = 1;
        if (s->total > s->high || s->total + s->spare[s->place] < s->low) {
            s->started = 2;
            return VM_OK;
        }
        TRY(all_can(vm, s, s->place, &can));
        if (!can) {
            s->started = 2;
            return VM_OK;
        }
        if (s->total >= s->low && all_are(s)) {
            *found = 1;
            return VM_OK;
        }
    }
    while (s->started == 1) {
        while (s->place < s->n && s->counts[s->place] >= s->sizes[s->place]) s->place++;
        int32_t place = s->place;
        int room = place < s->n && s->total < s->high;
        if (room && s->total + s->sizes[place] - s->counts[place] + s->spare[place + 1] >= s->low) {
            int can;
            s->counts[place]++;
            TRY(all_can(vm, s, place, &can));
            if (!can) {
                s->counts[place]--;
                s->place++;
                continue;
            }
            s->total++;
            s->path[s->n_path++] = place;
            if (s->total >= s->low && all_are(s)) {
                *found = 1;
                return VM_OK;
            }
        } else if (s->n_path) {
            s->place = s->path[--s->n_path];
            s->counts[s->place]--;
            s->total--;
            s->place++;
        } else {
            s->started = 2;
        }
    }
    return VM_OK;
}

/* ------------------------------------------------------------------ minimal sets */

static uint32_t hash_counts(const int32_t *counts, int32_t n) {
    uint64_t hash = 1469598103934665603u;
    for (int32_t k = 0; k < n; k++) hash = (hash ^ (uint64_t)(uint32_t)counts[k]) * 1099511628211u;
    return (uint32_t)(hash ^ hash >> 32);
}

static VmStatus grow(int32_t **array, int32_t *room, int64_t wanted, int32_t width) {
    if (wanted <= *room) return VM_OK;
    int64_t more = wanted * 2 + 8;
    int32_t *grown = more * (width ? width : 1) > MAX_HEAP ? NULL : realloc(*array, (size_t)(more * (width ? width : 1)) * sizeof(int32_t));
    if (!grown) return VM_NO_MEMORY;
    *array = grown;
    *room = (int32_t)more;
    return VM_OK;
}

/* A pool that has not been looked at is added to those that will be. */
static VmStatus add_pool(Minimal *m, const int32_t *counts) {
    if ((m->n_pools + 1) * 2 > m->index_room) {
        int32_t room = m->index_room ? m->index_room * 2 : 64;
        int32_t *index = malloc((size_t)room * sizeof(int32_t));
        if (!index) return VM_NO_MEMORY;
        memset(index, 0xFF, (size_t)room * sizeof(int32_t));
        for (int32_t k = 0; k < m->n_pools; k++) {
            uint32_t at = hash_counts(m->pools + (int64_t)k * m->n, m->n) & (uint32_t)(room - 1);
            while (index[at] >= 0) at = (at + 1) & (uint32_t)(room - 1);
            index[at] = k;
        }
        free(m->index);
        m->index = index;
        m->index_room = room;
    }
    uint32_t mask = (uint32_t)(m->index_room - 1), at = hash_counts(counts, m->n) & mask;
    for (; m->index[at] >= 0; at = (at + 1) & mask)
        if (!memcmp(m->pools + (int64_t)m->index[at] * m->n, counts, (size_t)m->n * sizeof(int32_t))) return VM_OK;
    TRY(grow(&m->pools, &m->pool_room, (int64_t)m->n_pools + 1, m->n));
    m->index[at] = m->n_pools;
    memcpy(m->pools + (int64_t)m->n_pools++ * m->n, counts, (size_t)m->n * sizeof(int32_t));
    return VM_OK;
}

VmStatus minimal_begin(Vm *vm, Minimal *m, const int32_t *sizes, int32_t n, Enough enough, void *context) {
    (void)vm;
    *m = (Minimal){.n = n, .enough = enough, .context = context};
    m->minimum = malloc((size_t)(2 * n + 1) * sizeof(int32_t)); /* and behind it the pool that is looked at */
    return m->minimum ? add_pool(m, sizes) : VM_NO_MEMORY;
}

void minimal_free(Minimal *m) {
    free(m->pools);
    free(m->found);
    free(m->index);
    free(m->minimum);
}

static int compare_counts(const int32_t *a, const int32_t *b, int32_t n) {
    for (int32_t k = 0; k < n; k++)
        if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
    return 0;
}

static VmStatus note_found(Minimal *m) {
    TRY(grow(&m->found, &m->found_room, (int64_t)m->n_found + 1, m->n));
    int32_t at = m->n_found;
    while (at > 0 && compare_counts(m->found + (int64_t)(at - 1) * m->n, m->minimum, m->n) > 0) at--;
    int32_t *to = m->found + (int64_t)at * m->n;
    memmove(to + m->n, to, (size_t)(m->n_found - at) * (size_t)m->n * sizeof(int32_t));
    memcpy(to, m->minimum, (size_t)m->n * sizeof(int32_t));
    m->n_found++;
    return VM_OK;
}

/* The pool with everything left out that can be, from the last class on. */
static VmStatus pare(Minimal *m) {
    int enough;
    for (int32_t place = m->n - 1; place >= 0; place--)
        while (m->minimum[place]) {
            m->minimum[place]--;
            TRY(m->enough(m->context, m->minimum, &enough));
            if (!enough) {
                m->minimum[place]++;
                break;
            }
        }
    return VM_OK;
}

/* The smaller pools that any other minimal set must be in. */
static VmStatus go_on_below(Vm *vm, Minimal *m, const int32_t *minimum) {
    int32_t *pool = m->minimum + m->n;
    for (int32_t place = 0; place < m->n; place++) {
        if (!minimum[place]) continue;
        TRY(tick(vm, 1 + (m->n >> 2)));
        int32_t before = pool[place];
        pool[place] = minimum[place] - 1;
        TRY(add_pool(m, pool));
        pool[place] = before;
    }
    return VM_OK;
}

VmStatus minimal_next(Vm *vm, Minimal *m, int *found) {
    int32_t *pool = m->minimum + m->n;
    if (m->next) /* what follows from the set that was given last */
        TRY(go_on_below(vm, m, m->minimum));
    m->next = 0;
    *found = 0;
    for (;;) {
        const int32_t *known = NULL;
        if (m->n_pools == m->next_pool) return VM_OK;
        memcpy(pool, m->pools + (int64_t)m->next_pool++ * m->n, (size_t)m->n * sizeof(int32_t));
        TRY(tick(vm, 1 + ((Word)m->n_found * m->n >> 3)));
        for (int32_t k = 0; k < m->n_found && !known; k++) {
            const int32_t *one = m->found + (int64_t)k * m->n;
            int32_t place = 0;
            while (place < m->n && one[place] <= pool[place]) place++;
            if (place == m->n) known = one;
        }
        if (!known) {
            int enough;
            TRY(m->enough(m->context, pool, &enough));
            if (!enough) continue;
            memcpy(m->minimum, pool, (size_t)m->n * sizeof(int32_t));
            TRY(pare(m));
            TRY(note_found(m));
            m->next = 1;
            *found = 1;
            return VM_OK;
        }
        memcpy(m->minimum, known, (size_t)m->n * sizeof(int32_t));
        TRY(go_on_below(vm, m, m->minimum));
    }
}
