/* The machine: blocks of rules from decision to decision, guards by dry runs, questions. It does what the plain
   machine does, step for step; the code of the ruleset stands in tables of functions. */

typedef struct {
    int mode; /* 0 one, 1 a set of a size, 2 any set but the empty one, 3 sets with nothing to spare */
    int slot, may;
    int pieces; /* whether the candidates are pieces */
    int depth;  /* of a candidate */
    List *(*source)(i64 *);
    i64 (*where)(i64 *);
    i64 (*by)(i64 *);
    i64 (*low)(i64 *);
    i64 (*high)(i64 *);
} Question;

enum { GOTO, BRANCH, ASK, ROLL, CALL, INSTEAD, NEXT_OF, AGAIN, SEATS, FINISH, RETURN };

typedef struct {
    int acts, kind;
    int sure;   /* whether every answer to its question leads on */
    int safe;   /* whether every answer leads to an effect or back to the caller */
    int unread; /* whether what leads on does not depend on which answer it is */
    int to, other; /* yes and no; then and otherwise; body and out */
    int slot, list_slot, place_slot, answers_slot;
    int rule, count, depth;
    const int *rules;
    const Question *question;
    int (*read)(i64 *, int);
    void (*act)(i64 *);
    i64 (*test)(i64 *);
    i64 (*key)(i64 *);
    List *(*list)(i64 *);
    void (*arguments)(i64 *, i64 *, int);
    i64 (*const *tests)(i64 *);
} Block;

typedef struct {
    int entry, slots;
    const Block *blocks;
    const int *piece_slots; /* slot, whether it is a list; ends with -1 */
} Rule;

static const Rule RULE[RULES];
static i64 total(i64 player);

typedef struct {
    int rule, block;
    i64 *slots;
} Frame;

static Frame stack[DEPTH + 2];
static i64 slot_room[DEPTH + 2][MAX_SLOTS];
static int height;
static int asking; /* how deep the frame lies that is collecting secret answers, or -1 */
static int over;
static u64 winners;

/* The question that waits. */
static const Block *asked;
static List *offered; /* values, or what may be added to a set */
static int in_steps, may_stop;

static void push(int rule) {
    Frame *frame = stack + height;
    if (height >= DEPTH) bail();
    frame->rule = rule;
    frame->block = RULE[rule].entry;
    frame->slots = slot_room[height];
    for (int i = 0; i < RULE[rule].slots; i++) frame->slots[i] = NONE;
    height++;
}

/* ----------------------------------------------------------------- dry runs */

/* A rule in a dry run, and who called it. */
typedef struct Dry {
    int rule, block, depth;
    i64 *slots;
    const struct Dry *caller;
} Dry;

static int completes(Dry dry);
static int completes_from(Dry dry);

#define MAX_NESTED 2000 /* questions within questions: each takes some of the stack of C */
static int nested;

static i64 *slots_like(const i64 *slots, int rule) {
    i64 *copy = grab(RULE[rule].slots);
    memcpy(copy, slots, (size_t)RULE[rule].slots * sizeof(i64));
    return copy;
}

static int completes_with(const Dry *dry, const Block *block, i64 value) {
    i64 mark = brief_top;
    Dry next = *dry;
    int found;
    if (block->sure) return 1;
    next.slots = slots_like(dry->slots, dry->rule);
    next.slots[block->question->slot] = value;
    next.block = block->to;
    found = completes(next);
    brief_top = mark;
    return found;
}

static i64 *slots_for(int rule, i64 me) {
    i64 *slots = grab(RULE[rule].slots);
    for (int i = 0; i < RULE[rule].slots; i++) slots[i] = NONE;
    slots[0] = me;
    return slots;
}

static int called_rule(const Block *block, i64 *slots) {
    return block->key ? block->rules[block->key(slots)] : block->rule;
}

static int replacement(const Block *block, i64 *slots) {
    int found = -1;
    for (int i = 0; i < block->count; i++) {
        if (block->tests[i] && !block->tests[i](slots)) continue;
        if (found >= 0) bail();
        found = block->rules[i];
    }
    return found;
}

/* ------------------------------------------------------------------ classes */

/* Which bound names of the rules in progress mean which piece: a piece that has a name is not like the others. */
typedef struct {
    int n;
    i64 *piece, *name;
} Names;

static void name_piece(Names *names, i64 piece, i64 name) {
    names->piece[names->n] = piece;
    names->name[names->n++] = name;
}

static Names names_in(const Dry *dry, int own) {
    Names names = {0, 0, 0};
    int depth = 0;
    i64 room = 0;
    for (const Dry *at = dry; at; at = at->caller)
        for (const int *slot = RULE[at->rule].piece_slots; *slot >= 0; slot += 2) {
            i64 value = at->slots[*slot];
            if (value != NONE) room += slot[1] ? ((List *)value)->n : 1;
        }
    if (!room) return names;
    names.piece = grab(room);
    names.name = grab(room);
    for (const Dry *at = dry; at; at = at->caller, depth++)
        for (const int *slot = RULE[at->rule].piece_slots; *slot >= 0; slot += 2) {
            i64 value = at->slots[*slot], name = depth * 4096 + *slot;
            if (value == NONE || (!depth && *slot == own)) continue;
            if (!slot[1])
                name_piece(&names, value, name);
            else
                for (i64 i = 0; i < ((List *)value)->n; i++) name_piece(&names, ((List *)value)->v[i], name);
        }
    return names;
}

static int named_alike(const Names *names, i64 a, i64 b) {
    int i = 0, j = 0;
    if (a == b) return 1;
    for (;; i++, j++) {
        while (i < names->n && names->piece[i] != a) i++;
        while (j < names->n && names->piece[j] != b) j++;
        if (i == names->n || j == names->n) return i == j;
        if (names->name[i] != names->name[j]) return 0;
    }
}

/* The candidates of a question, and what tells them apart. */
typedef struct {
    const Question *question;
    const i64 *items;
    i64 *face; /* of each that is a piece: what the asked player sees of it */
    i64 player;
    Names names;
} Likeness;

static Likeness likeness_of(const Dry *dry, const Question *question, const List *source) {
    Likeness found = {question, source->v, 0, 0, {0, 0, 0}};
    if (question->pieces) {
        found.player = question->by ? question->by(dry->slots) : dry->slots[0];
        found.names = names_in(dry, question->slot);
        found.face = grab(source->n);
        for (i64 i = 0; i < source->n; i++) found.face[i] = face_to(source->v[i], found.player);
    }
    return found;
}

static int one_class(const Likeness *likeness, i64 i, i64 j) {
    i64 a = likeness->items[i], b = likeness->items[j];
    if (!likeness->question->pieces) return same(a, b, likeness->question->depth);
    if (a == b) return 1;
    return likeness->face[i] == likeness->face[j] && alike(a, b, likeness->player) &&
           named_alike(&likeness->names, a, b);
}

/* ------------------------------------------------------------ sets of pieces */

typedef struct {
    List *source;
    int n;       /* classes */
    i64 *size;   /* by class */
    i64 **items; /* by class: places in the source */
} Pool;

static Pool pool_of(const Dry *dry, const Question *question) {
    Likeness likeness;
    Pool pool;
    i64 n;
    pool.source = copy_of(question->source(dry->slots));
    likeness = likeness_of(dry, question, pool.source);
    n = pool.source->n;
    tick(n);
    pool.n = 0;
    pool.size = grab(n + 1);
    pool.items = (i64 **)grab(n + 1);
    for (i64 i = 0; i < n; i++) {
        int class = 0;
        for (i64 j = 0; j < i; j++)
            if (pool.source->v[i] == pool.source->v[j] && !question->depth) bail(); /* twice the same */
        while (class < pool.n && !one_class(&likeness, pool.items[class][0], i)) class++;
        if (class == pool.n) {
            pool.items[pool.n] = grab(n - i);
            pool.size[pool.n++] = 0;
        }
        pool.items[class][pool.size[class]++] = i;
    }
    return pool;
}

/* The members of a set, in source order. */
static List *members(const Pool *pool, const i64 *counts) {
    i64 n = pool->source->n, *wanted = grab(n + 1);
    List *found = fresh(n);
    memset(wanted, 0, (size_t)(n + 1) * sizeof(i64));
    for (int class = 0; class < pool->n; class++)
        for (i64 i = 0; i < counts[class]; i++) wanted[pool->items[class][i]] = 1;
    for (i64 i = 0; i < n; i++)
        if (wanted[i]) found->v[found->n++] = pool->source->v[i];
    return found;
}

/* Every set of low to high members that contains the first counts and adds only from a class on. */
typedef struct {
    const Pool *pool;
    i64 low, high, total, depth, place;
    i64 *counts, *spare, *path;
    int begun;
} Sets;

static Sets sets_from(const Pool *pool, i64 low, i64 high, const i64 *start, int at) {
    Sets sets = {pool, low, high, 0, 0, at, grab(pool->n + 1), grab(pool->n + 2), grab(pool->source->n + 1), 0};
    for (int i = 0; i < pool->n; i++) {
        sets.counts[i] = start ? start[i] : 0;
        sets.total += sets.counts[i];
    }
    memset(sets.spare, 0, (size_t)(pool->n + 1) * sizeof(i64));
    for (int i = pool->n - 1; i >= at; i--) sets.spare[i] = sets.spare[i + 1] + pool->size[i] - sets.counts[i];
    return sets;
}

static int next_set(Sets *sets) {
    const Pool *pool = sets->pool;
    if (!sets->begun) {
        sets->begun = 1;
        if (sets->total > sets->high || sets->total + sets->spare[sets->place] < sets->low) sets->begun = 2;
        else if (sets->total >= sets->low) return 1;
    }
    if (sets->begun == 2) return 0;
    for (;;) {
        i64 place;
        tick(1);
        while (sets->place < pool->n && sets->counts[sets->place] >= pool->size[sets->place]) sets->place++;
        place = sets->place;
        if (place < pool->n && sets->total < sets->high &&
            sets->total + pool->size[place] - sets->counts[place] + sets->spare[place + 1] >= sets->low) {
            sets->counts[place]++;
            sets->total++;
            sets->path[sets->depth++] = place;
            if (sets->total >= sets->low) return 1;
        } else if (sets->depth) {
            place = sets->path[--sets->depth];
            sets->counts[place]--;
            sets->total--;
            sets->place = place + 1;
        } else {
            sets->begun = 2;
            return 0;
        }
    }
}

/* Whether a value meets the condition of a question. */
static int fits(const Question *question, i64 *slots, i64 value) {
    i64 mark = brief_top, before = slots[question->slot];
    int found;
    if (!question->where) return 1;
    tick(1);
    slots[question->slot] = value;
    found = question->where(slots) != 0;
    slots[question->slot] = before;
    brief_top = mark;
    return found;
}

static int set_fits(const Pool *pool, const Dry *dry, const Question *question, const i64 *counts) {
    i64 mark = brief_top;
    int found;
    if (!question->where) return 1;
    found = fits(question, dry->slots, (i64)members(pool, counts));
    brief_top = mark;
    return found;
}

static int set_leads(const Pool *pool, const Dry *dry, const Block *block, const i64 *counts) {
    i64 mark = brief_top;
    int found = block->sure || completes_with(dry, block, (i64)members(pool, counts));
    brief_top = mark;
    return found;
}

static int set_works(const Pool *pool, const Dry *dry, const Block *block, const i64 *counts) {
    return set_fits(pool, dry, block->question, counts) && set_leads(pool, dry, block, counts);
}

static int compare_counts(const i64 *a, const i64 *b, int n) {
    for (int i = 0; i < n; i++)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

#define MAX_POOLS 4096

typedef struct {
    int n, found_n;
    i64 **found; /* rising */
} Least;

/* Every set that is enough with nothing to spare (Reiter's tree: see `sets.py`); where `until` is given, only up to the
   first that leads on, which is told by the answer. */
static int least_sets(const Pool *pool, const Dry *dry, const Block *block, int until, Least *least) {
    const Question *question = block->question;
    int n = pool->n, pools_n = 1, table_size = 64;
    i64 **pools = (i64 **)grab(MAX_POOLS);
    i64 *table = grab(table_size);
    least->n = n;
    least->found_n = 0;
    least->found = (i64 **)grab(MAX_POOLS);
    pools[0] = grab(n + 1);
    memcpy(pools[0], pool->size, (size_t)n * sizeof(i64));
    for (int i = 0; i < table_size; i++) table[i] = -1;
    for (int at = 0; at < pools_n; at++) {
        i64 *here = pools[at], *found = 0;
        tick(1);
        for (int k = 0; k < least->found_n && !found; k++) {
            int i = 0;
            while (i < n && least->found[k][i] <= here[i]) i++;
            if (i == n) found = least->found[k];
        }
        if (!found) {
            int k = least->found_n;
            if (!set_fits(pool, dry, question, here)) continue;
            found = grab(n + 1);
            memcpy(found, here, (size_t)n * sizeof(i64));
            for (int i = n - 1; i >= 0; i--)
                while (found[i]) {
                    found[i]--;
                    if (!set_fits(pool, dry, question, found)) {
                        found[i]++;
                        break;
                    }
                }
            if (until && set_leads(pool, dry, block, found)) return 1;
            if (k == MAX_POOLS) bail();
            for (; k > 0 && compare_counts(least->found[k - 1], found, n) > 0; k--) least->found[k] = least->found[k - 1];
            least->found[k] = found;
            least->found_n++;
        }
        for (int i = 0; i < n; i++) {
            i64 *smaller, kept_count;
            u64 hash = 0;
            int place, known = 0;
            if (!found[i]) continue;
            kept_count = here[i];
            here[i] = found[i] - 1;
            for (int j = 0; j < n; j++) hash = (hash ^ (u64)here[j]) * 0x9E3779B97F4A7C15ULL;
            for (place = (int)(hash >> 40) & (table_size - 1); table[place] >= 0; place = (place + 1) & (table_size - 1))
                if (!compare_counts(pools[table[place]], here, n)) known = 1;
            if (!known) {
                if (pools_n == MAX_POOLS) bail();
                smaller = grab(n + 1);
                memcpy(smaller, here, (size_t)n * sizeof(i64));
                table[place] = pools_n;
                pools[pools_n++] = smaller;
            }
            here[i] = kept_count;
            if (pools_n * 2 > table_size) {
                table_size *= 4;
                table = grab(table_size);
                for (int j = 0; j < table_size; j++) table[j] = -1;
                for (int p = 1; p < pools_n; p++) {
                    hash = 0;
                    for (int j = 0; j < n; j++) hash = (hash ^ (u64)pools[p][j]) * 0x9E3779B97F4A7C15ULL;
                    for (place = (int)(hash >> 40) & (table_size - 1); table[place] >= 0;) place = (place + 1) & (table_size - 1);
                    table[place] = p;
                }
            }
        }
    }
    return 0;
}

static void bounds_of(const Question *question, i64 *slots, const Pool *pool, i64 *low, i64 *high) {
    i64 total = pool->source->n;
    *low = question->mode == 2;
    *high = total;
    if (question->mode == 1) {
        *low = divided(question->low(slots), UNIT);
        *high = divided(question->high(slots), UNIT);
        if (*high > total) *high = total;
    }
}

/* ------------------------------------------------------------------- guards */

/* Whether the callers can go on to an effect. */
static int completes_back(const Dry *dry) {
    i64 mark = brief_top;
    int found = 1;
    if (dry->caller) {
        Dry back = *dry->caller;
        back.slots = slots_like(back.slots, back.rule);
        found = completes(back);
    }
    brief_top = mark;
    return found;
}

/* Whether some answer to a question leads on. */
static int answerable(const Dry *dry, const Block *block) {
    const Question *question = block->question;
    i64 mark = brief_top;
    int found = 0;
    if (question->mode == 0) {
        List *source = question->source(dry->slots);
        Likeness likeness;
        int knows = 0;
        tick(source->n);
        for (i64 i = 0; i < source->n && !found; i++) {
            int seen = 0;
            if (i && !knows) likeness = likeness_of(dry, question, source), knows = 1;
            for (i64 j = 0; j < i && !seen; j++) seen = one_class(&likeness, j, i);
            if (seen || !fits(question, dry->slots, source->v[i])) continue;
            found = completes_with(dry, block, source->v[i]);
            if (block->unread) break;
        }
    } else if (question->mode == 3 && (block->sure || (block->safe && completes_back(dry)))) {
        /* Every set with nothing to spare leads on, and there is one if all together are enough. */
        List *source = question->source(dry->slots);
        tick(source->n);
        found = fits(question, dry->slots, (i64)source);
    } else {
        Pool pool = pool_of(dry, question);
        if (question->mode == 3) {
            Least least;
            found = least_sets(&pool, dry, block, 1, &least);
        } else {
            i64 low, high;
            Sets sets;
            bounds_of(question, dry->slots, &pool, &low, &high);
            sets = sets_from(&pool, low, high, 0, 0);
            while (!found && next_set(&sets)) found = set_works(&pool, dry, block, sets.counts);
        }
    }
    brief_top = mark;
    return found;
}

/* Whether a play can be completed: run dry to the first effect, loop or roll. */
static int completes(Dry dry) {
    int found;
    if (++nested > MAX_NESTED) bail();
    found = completes_from(dry);
    nested--;
    return found;
}

static int completes_from(Dry dry) {
    for (;;) {
        const Block *block = RULE[dry.rule].blocks + dry.block;
        int rule;
        tick(1);
        if (block->acts) return 1;
        if (block->read && !block->read(dry.slots, 1)) return 0;
        switch (block->kind) {
        case GOTO: dry.block = block->to; break;
        case BRANCH: dry.block = block->test(dry.slots) ? block->to : block->other; break;
        case ASK:
            if (answerable(&dry, block)) return 1;
            if (block->other < 0) return 0;
            dry.block = block->other;
            break;
        case CALL:
        case INSTEAD: {
            Dry *caller;
            i64 *slots;
            if (block->kind == INSTEAD) {
                rule = replacement(block, dry.slots);
                if (rule < 0) {
                    dry.block = block->to;
                    break;
                }
                slots = slots_for(rule, dry.slots[0]);
                for (int i = 1; i <= block->slot; i++) slots[i] = dry.slots[i];
                dry.block = block->other;
            } else {
                rule = called_rule(block, dry.slots);
                slots = slots_for(rule, block->test ? block->test(dry.slots) : dry.slots[0]);
                if (block->arguments) block->arguments(dry.slots, slots, 1);
                dry.block = block->to;
            }
            caller = (Dry *)grab((sizeof(Dry) + sizeof(i64) - 1) / sizeof(i64));
            *caller = dry;
            dry = (Dry){rule, RULE[rule].entry, caller->depth + 1, slots, caller};
            if (dry.depth > DEPTH) return 0;
            break;
        }
        case RETURN:
            if (!dry.caller) return 1;
            dry = *dry.caller;
            dry.slots = slots_like(dry.slots, dry.rule);
            break;
        default: return 1;
        }
    }
}

static i64 can(int rule, i64 *slots) {
    i64 mark = brief_top;
    int found = completes((Dry){rule, RULE[rule].entry, 1, slots, 0});
    brief_top = mark;
    return found;
}

/* ------------------------------------------------------------------ questions */

/* The stack as a chain; inside a secret choice only as far as the seat that is asked. */
static Dry dry_stack(void) {
    const Dry *caller = 0;
    Dry *dry = 0;
    for (int at = asking + 1, depth = 1; at < height; at++, depth++) {
        dry = (Dry *)grab((sizeof(Dry) + sizeof(i64) - 1) / sizeof(i64));
        *dry = (Dry){stack[at].rule, stack[at].block, depth, stack[at].slots, caller};
        caller = dry;
    }
    dry->slots = slots_like(dry->slots, dry->rule);
    return *dry;
}

static void add_step(const Pool *pool, const i64 *had, int class) {
    offered->v[offered->n++] = pool->source->v[pool->items[class][had[class]]];
}

/* The next piece of a set that is one of these. */
static void steps_among(const Pool *pool, i64 **sets, int n, const i64 *had) {
    int last = 0;
    in_steps = 1;
    for (int i = 0; i < pool->n; i++)
        if (had[i]) last = i;
    for (int class = last; class < pool->n; class++) {
        int open = 0;
        for (int k = 0; k < n && !open; k++) {
            int i = 0;
            while (i < pool->n && sets[k][i] >= had[i] && (i >= class || sets[k][i] == had[i])) i++;
            open = i == pool->n && sets[k][class] > had[class];
        }
        if (open) add_step(pool, had, class);
    }
    for (int k = 0; k < n && !may_stop; k++) may_stop = !compare_counts(sets[k], had, pool->n);
}

/* One more piece, from the class of the last on, if some set is reached that way; or stop where one is. */
static void steps_through(const Pool *pool, const Dry *dry, const Block *block, i64 low, i64 high, i64 *had) {
    int last = 0;
    i64 total = 0;
    in_steps = 1;
    for (int i = 0; i < pool->n; i++) {
        total += had[i];
        if (had[i]) last = i;
    }
    may_stop = low <= total && total <= high && set_works(pool, dry, block, had);
    for (int class = last; class < pool->n; class++) {
        i64 mark = brief_top;
        int found = 0;
        Sets sets;
        if (had[class] >= pool->size[class]) continue;
        had[class]++;
        sets = sets_from(pool, low, high, had, class);
        had[class]--;
        while (!found && next_set(&sets)) found = set_works(pool, dry, block, sets.counts);
        brief_top = mark;
        if (found) add_step(pool, had, class);
    }
}

static i64 *counts_of(const Pool *pool, i64 partial) {
    i64 *had = grab(pool->n + 1);
    memset(had, 0, (size_t)(pool->n + 1) * sizeof(i64));
    if (partial != NONE)
        for (int class = 0; class < pool->n; class++)
            for (i64 i = 0; i < pool->size[class]; i++)
                had[class] += has((List *)partial, pool->source->v[pool->items[class][i]], 0);
    return had;
}

static void offer_set(const Dry *dry, const Block *block) {
    const Question *question = block->question;
    i64 partial = dry->slots[question->slot], low, high, most;
    Pool pool = pool_of(dry, question);
    Sets sets;
    offered = fresh(pool.source->n + LISTED + 1);
    if (question->depth) bail();
    if (question->mode == 3) {
        Least least;
        i64 **works;
        int n = 0;
        least_sets(&pool, dry, block, 0, &least);
        works = (i64 **)grab(least.found_n + 1);
        for (int k = least.found_n - 1; k >= 0; k--)
            if (set_leads(&pool, dry, block, least.found[k])) works[n++] = least.found[k];
        if (partial == NONE && n <= LISTED)
            for (int k = 0; k < n; k++) offered->v[offered->n++] = (i64)members(&pool, works[k]);
        else
            steps_among(&pool, works, n, counts_of(&pool, partial));
        return;
    }
    bounds_of(question, dry->slots, &pool, &low, &high);
    if (low > pool.source->n || high < low) return;
    most = MAX_ITEMS / (pool.source->n ? pool.source->n : 1);
    if (most > LISTED) most = LISTED;
    if (partial == NONE) {
        i64 mark = brief_top, n = 0;
        sets = sets_from(&pool, low, high, 0, 0);
        while (n <= most && next_set(&sets)) n++;
        brief_top = mark;
        if (n <= most) {
            sets = sets_from(&pool, low, high, 0, 0);
            while (next_set(&sets))
                if (set_works(&pool, dry, block, sets.counts)) offered->v[offered->n++] = (i64)members(&pool, sets.counts);
            return;
        }
    }
    steps_through(&pool, dry, block, low, high, counts_of(&pool, partial));
}

static void offer_one(const Dry *dry, const Block *block) {
    const Question *question = block->question;
    List *source = question->source(dry->slots), *firsts = fresh(source->n); /* the first of each class, by place */
    Likeness likeness = likeness_of(dry, question, source);
    int leads = -1;
    offered = fresh(source->n);
    tick(source->n);
    for (i64 i = 0; i < source->n && leads; i++) {
        i64 mark = brief_top;
        int seen = 0;
        for (i64 j = 0; j < firsts->n && !seen; j++) seen = one_class(&likeness, firsts->v[j], i);
        if (seen) continue;
        firsts->v[firsts->n++] = i;
        if (fits(question, dry->slots, source->v[i])) {
            int found = leads > 0 || completes_with(dry, block, source->v[i]);
            if (block->unread) leads = found;
            if (found) offered->v[offered->n++] = source->v[i];
        }
        brief_top = mark;
    }
}

/* Give an answer to the question on top of the stack. */
static void take(i64 pick) {
    Frame *frame = stack + height - 1;
    const Question *question = asked->question;
    i64 *slot = frame->slots + question->slot;
    if (may_stop && pick == 0) {
        List *source = question->source(frame->slots), *found = fresh(source->n);
        for (i64 i = 0; i < source->n; i++)
            if (*slot != NONE && has((List *)*slot, source->v[i], 0)) found->v[found->n++] = source->v[i];
        *slot = keep((i64)found, 1);
        frame->block = asked->to;
        return;
    }
    pick -= may_stop;
    if (pick >= offered->n) {
        *slot = NONE;
        frame->block = asked->other;
    } else if (in_steps) {
        List *more = fresh(1), *partial = *slot == NONE ? fresh(0) : (List *)*slot;
        more->v[more->n++] = offered->v[pick];
        *slot = keep((i64)joined(partial, more), 1);
    } else {
        *slot = keep(offered->v[pick], question->mode ? 1 : question->depth);
        frame->block = asked->to;
    }
}

static i64 asked_player(void) {
    i64 *slots = stack[height - 1].slots;
    return asked->question->by ? asked->question->by(slots) : slots[0];
}

/* How many answers the question has that waits; 0 where there was nothing to decide and the machine has gone on. */
static i64 ask(Frame *frame, const Block *block) {
    const Question *question = block->question;
    Dry dry = dry_stack();
    i64 n;
    asked = block;
    in_steps = may_stop = 0;
    if (question->mode == 0) offer_one(&dry, block);
    else offer_set(&dry, block);
    n = offered->n + may_stop;
    if (!n) {
        if (block->other < 0) bail();
        frame->slots[question->slot] = NONE;
        frame->block = block->other;
        return 0;
    }
    if (question->may) return n + 1;
    if (n > 1) return n;
    take(0);
    return 0;
}

/* -------------------------------------------------------------- secret choices */

/* The seat has answered: what it began waits until all have. */
static void park(void) {
    Frame *frame = stack + asking;
    const Block *block = RULE[frame->rule].blocks + frame->block;
    i64 *slot = frame->slots + block->answers_slot;
    List *answers = (List *)*slot, *frames = fresh(height - asking - 1), *more = fresh(answers->n + 1);
    for (int at = asking + 1; at < height; at++) {
        List *one = fresh(3);
        one->n = 3;
        one->v[0] = stack[at].rule;
        one->v[1] = stack[at].block;
        one->v[2] = (i64)view(stack[at].slots, RULE[stack[at].rule].slots);
        frames->v[frames->n++] = (i64)one;
    }
    for (i64 i = 0; i < frames->n; i++) { /* kept by hand: its parts are not alike */
        List *one = (List *)frames->v[i];
        one->v[2] = keep(one->v[2], 1);
        frames->v[i] = keep((i64)one, 1);
    }
    memcpy(more->v, answers->v, (size_t)answers->n * sizeof(i64));
    more->n = answers->n;
    more->v[more->n++] = keep((i64)frames, 1);
    *slot = keep((i64)more, 1);
    height = asking + 1;
    asking = -1;
}

static void seats(Frame *frame, const Block *block) {
    i64 *slots = frame->slots;
    List *seated = (List *)slots[block->list_slot], *answers;
    if (slots[block->answers_slot] == NONE) {
        List *found = fresh(seated->n);
        for (i64 i = 0; i < seated->n; i++) {
            slots[block->slot] = seated->v[i];
            if (!block->test || block->test(slots)) found->v[found->n++] = seated->v[i];
        }
        slots[block->list_slot] = keep((i64)found, 1);
        slots[block->answers_slot] = keep((i64)fresh(0), 1);
        seated = (List *)slots[block->list_slot];
    }
    answers = (List *)slots[block->answers_slot];
    if (answers->n < seated->n) {
        Frame *own;
        if (height > DEPTH) bail();
        asking = height - 1;
        own = stack + height;
        own->rule = frame->rule;
        own->block = block->to;
        own->slots = slot_room[height++];
        memcpy(own->slots, slots, (size_t)RULE[frame->rule].slots * sizeof(i64));
        own->slots[block->slot] = seated->v[answers->n];
        own->slots[block->answers_slot] = NONE;
    } else if (slots[block->place_slot] < seated->n) {
        List *frames = (List *)answers->v[slots[block->place_slot]++];
        for (i64 i = 0; i < frames->n; i++) {
            List *one = (List *)frames->v[i], *parked = (List *)one->v[2];
            if (height > DEPTH) bail();
            stack[height].rule = (int)one->v[0];
            stack[height].block = (int)one->v[1];
            stack[height].slots = slot_room[height];
            memcpy(stack[height].slots, parked->v, (size_t)parked->n * sizeof(i64));
            height++;
        }
    } else {
        slots[block->answers_slot] = NONE;
        frame->block = block->other;
    }
}

/* ------------------------------------------------------------------------ run */

static void roll(Frame *frame, const Block *block) {
    i64 *slots = frame->slots, times_rolled = 1;
    List *source = copy_of(block->list(slots)), *items = fresh(source->n), *picks;
    for (i64 i = 0; i < source->n; i++) {
        slots[block->slot] = source->v[i];
        if (!block->test || block->test(slots)) items->v[items->n++] = source->v[i];
    }
    if (block->key) times_rolled = divided(block->key(slots), UNIT);
    if ((!items->n && times_rolled > 0) || times_rolled > MAX_ITEMS) bail();
    tick(times_rolled > 0 ? times_rolled : 0);
    picks = fresh(times_rolled > 0 ? times_rolled : 0);
    while (picks->n < times_rolled) picks->v[picks->n++] = items->v[below(&dice, items->n)];
    slots[block->slot] = block->key ? keep((i64)picks, 1 + block->depth) : keep(picks->v[0], block->depth);
    frame->block = block->to;
}

/* One block of the topmost rule; how many answers its question has, if one waits. */
static i64 step(void) {
    Frame *frame = stack + height - 1;
    const Block *block = RULE[frame->rule].blocks + frame->block;
    i64 *slots = frame->slots;
    tick(2);
    if (block->acts && asking >= 0) {
        park();
        return 0;
    }
    if (block->acts && block->act) block->act(slots);
    if (block->read && !block->read(slots, 0)) bail();
    switch (block->kind) {
    case GOTO: frame->block = block->to; break;
    case BRANCH: frame->block = block->test(slots) ? block->to : block->other; break;
    case ASK: return ask(frame, block);
    case CALL: {
        int rule = called_rule(block, slots);
        i64 me = block->test ? block->test(slots) : slots[0];
        frame->block = block->to;
        push(rule);
        stack[height - 1].slots[0] = me;
        if (block->arguments) block->arguments(slots, stack[height - 1].slots, 0);
        break;
    }
    case INSTEAD: {
        int rule = replacement(block, slots);
        frame->block = rule < 0 ? block->to : block->other;
        if (rule < 0) break;
        push(rule);
        for (int i = 0; i <= block->slot; i++) stack[height - 1].slots[i] = slots[i];
        break;
    }
    case RETURN:
        height--;
        if (asking >= 0 && height == asking + 1) park();
        break;
    case NEXT_OF: {
        List *items = (List *)slots[block->list_slot];
        i64 place = slots[block->place_slot];
        for (;;) {
            if (place >= items->n) {
                frame->block = block->other;
                break;
            }
            tick(1);
            slots[block->slot] = items->v[place++];
            if (!block->test || block->test(slots)) {
                slots[block->place_slot] = place;
                frame->block = block->to;
                break;
            }
        }
        break;
    }
    case AGAIN:
        if (slots[block->slot] > 0 && (!block->test || block->test(slots))) {
            slots[block->slot]--;
            frame->block = block->to;
        } else {
            frame->block = block->other;
        }
        break;
    case ROLL:
        if (asking >= 0) park();
        else roll(frame, block);
        break;
    case SEATS: seats(frame, block); break;
    case FINISH: {
        List *found = block->list(slots);
        winners = 0;
        for (i64 i = 0; i < found->n; i++) winners |= 1ULL << found->v[i];
        over = 1;
        height = 0;
        break;
    }
    }
    return 0;
}

/* On to the next question; how many answers it has, 0 when the game is over. */
static i64 run(void) {
    work = 0;
    while (!over) {
        i64 answers;
        if (!height) {
            over = 1;
            winners = 0;
            break;
        }
        brief_top = 0;
        answers = step();
        if (answers) return answers;
    }
    return 0;
}
