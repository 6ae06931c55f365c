/* Tests a program before it runs. (a) tables: every number that the machine uses as an index is one; (b) instructions:
   known, registers inside the window of their function, operands inside their tables, unused fields zero; (c) control:
   jumps stay inside the function, no way falls out of its end. What depends on data (which row, which list) is tested
   while the program runs; a list is an offset that is tested whenever it is used. */
#include "state.h"

#include <stdlib.h>

typedef struct {
    const VmProgram *p;
    VmLoadError *error;
} Check;

static VmStatus refuse(Check *c, int32_t code, int32_t at, int32_t operand) {
    *c->error = (VmLoadError){code, at, operand};
    return VM_FAULT;
}

/* ------------------------------------------------------------------ tables */

static int all_within(const VmProgram *p, int section, int64_t length, int64_t low, int64_t high) {
    if (length >= 0 && p->length[section] != length) return 0;
    for (int32_t k = 0; k < p->length[section]; k++)
        if (p->section[section][k] < low || p->section[section][k] >= high) return 0;
    return 1;
}

/* Rows of another section: where each begins, rising, the last entry being its length. */
static int starts(const VmProgram *p, int section, int64_t rows, int of) {
    const int32_t *at = p->section[section];
    if (p->length[section] != rows + 1 || at[0] != 0 || at[rows] != p->length[of]) return 0;
    for (int64_t k = 0; k < rows; k++)
        if (at[k] > at[k + 1]) return 0;
    return 1;
}

/* A list of the pool: its length and all elements lie inside; lists in it lie before it. */
static int is_pool_list(const VmProgram *p, int64_t at) {
    if (at < 0 || at >= p->n_pool) return 0;
    Word n = p->pool[at];
    return n >= 0 && n <= p->n_pool - at - 1;
}

static int pool_sound(const VmProgram *p) {
    for (int32_t k = 0; k < p->n_pool; k++) {
        Word w = p->pool[k];
        Word at = w & ~LIST_TAG;
        if (is_list(w) && (at >= k || !is_pool_list(p, at) || at + 1 + p->pool[at] > k)) return 0; /* ends before it */
    }
    return 1;
}

static int cells_in_pool(const VmProgram *p, int section, int32_t cells) {
    if (p->length[section] != cells) return 0;
    for (int32_t k = 0; k < cells; k++) {
        int32_t at = p->section[section][k];
        if (!is_pool_list(p, at)) return 0;
        for (Word x = 0; x < p->pool[at]; x++)
            if (p->pool[at + 1 + x] < 0 || p->pool[at + 1 + x] >= cells) return 0;
    }
    return 1;
}

static VmStatus check_layout(Check *c) {
    const VmProgram *p = c->p;
    const int32_t *m = p->meta;
    int64_t pieces = m[META_PIECES], places = m[META_PLACES], cells = m[META_CELLS], slots = m[META_SLOTS];
    int64_t kinds = m[META_KINDS], variables = m[META_VARIABLES], zones = m[META_ZONES], words = m[META_KIND_WORDS];
    if (m[META_PLAYERS] < 1 || m[META_PLAYERS] > 31 || m[META_UNIT] < 1 || m[META_UNIT] > 1000000 || m[META_DEPTH] < 1 ||
        m[META_DEPTH] > 10000 || m[META_WORK] < 0 || kinds < 0 || kinds > 1000 || words != (kinds + 31) / 32 || zones < 0 ||
        variables < 0 || m[META_LISTED] < 0 || m[META_SCORE_COST] < 0)
        return refuse(c, LOAD_TABLE, S_META, 0);
#define SOUND(test, section) do { if (!(test)) return refuse(c, LOAD_TABLE, (section), 0); } while (0)
#define WITHIN(name, length, low, high) SOUND(all_within(p, S_##name, (length), (low), (high)), S_##name)
    SOUND(pool_sound(p), S_POOL);
    WITHIN(CELL_PLACE, cells, 0, places);
    WITHIN(CELL_PLAN, cells, 0, cells);
    WITHIN(KIND_OF, pieces, 0, kinds);
    WITHIN(FACE, pieces, -1, INT32_MAX);
    WITHIN(TWIN, pieces, 0, pieces);
    SOUND(starts(p, S_OWNED_AT, pieces, S_OWNED), S_OWNED_AT);
    WITHIN(OWNED, -1, 0, places);
    WITHIN(PLACE_FIRST_CELL, places, -1, cells);
    WITHIN(PLACE_CELLS, places, 0, cells + 1);
    WITHIN(PLACE_OWNER_KIND, places, 0, 3);
    WITHIN(PLACE_OWNER, places, -1, INT32_MAX);
    SOUND(p->length[S_PLACE_KINDS] == places * words, S_PLACE_KINDS);
    WITHIN(PLACE_SEES, places, 0, 6);
    WITHIN(PLACE_COUNTED, places, 0, 2);
    WITHIN(PLACE_VIEWERS, places, -1, slots);
    WITHIN(PLACE_ZONE, places, 0, zones);
    WITHIN(PLACE_SLOTS_ONLY, places, 0, 2);
    WITHIN(PLACE_GRID, places, -1, p->length[S_GRIDS] / N_GRIDS);
    for (int64_t k = 0; k < places; k++) {
        int32_t first = p->section[S_PLACE_FIRST_CELL][k], n = p->section[S_PLACE_CELLS][k];
        int32_t kind = p->section[S_PLACE_OWNER_KIND][k], owner = p->section[S_PLACE_OWNER][k];
        SOUND(first < 0 ? n == 0 : n > 0 && first + n <= cells && p->section[S_PLACE_GRID][k] >= 0, S_PLACE_CELLS);
        SOUND(kind == 0 ? owner == -1 : kind == 1 ? owner >= 0 && owner < m[META_PLAYERS] : owner >= 0 && owner < pieces, S_PLACE_OWNER);
        SOUND(p->section[S_PLACE_SEES][k] != 5 || p->section[S_PLACE_VIEWERS][k] >= 0, S_PLACE_VIEWERS);
        for (int32_t x = 0; x < n; x++) SOUND(p->section[S_CELL_PLACE][first + x] == k && p->section[S_CELL_PLAN][first + x] == x, S_CELL_PLACE);
    }
    SOUND(starts(p, S_STARTS_AT, places, S_STARTS), S_STARTS_AT);
    WITHIN(STARTS, pieces, 0, pieces);
    WITHIN(ZONE_FIRST, zones, 0, places + 1);
    WITHIN(ZONE_SHIFT, zones, 0, INT32_MAX);
    WITHIN(ZONE_PLACES, zones, 0, places + 1);
    for (int64_t k = 0; k < zones; k++)
        SOUND(p->section[S_ZONE_FIRST][k] + p->section[S_ZONE_PLACES][k] <= places, S_ZONE_PLACES);
    WITHIN(HIDER, zones * kinds, -1, variables);
    WITHIN(CELL_STACKS, cells, 0, 2);
    WITHIN(CELL_TABLE, cells, -1, INT32_MAX);
    WITHIN(CELL_ROW, cells, INT16_MIN, INT16_MAX);
    WITHIN(CELL_COLUMN, cells, INT16_MIN, INT16_MAX);
    SOUND(cells_in_pool(p, S_CELL_NEAR, (int32_t)cells), S_CELL_NEAR);
    SOUND(cells_in_pool(p, S_CELL_AROUND, (int32_t)cells), S_CELL_AROUND);
    return VM_OK;
}

static VmStatus check_grids(Check *c) {
    const VmProgram *p = c->p;
    SOUND(p->length[S_GRIDS] % N_GRIDS == 0, S_GRIDS);
    for (int32_t k = 0; k < p->length[S_GRIDS] / N_GRIDS; k++) {
        const int32_t *g = p->section[S_GRIDS] + k * N_GRIDS;
        SOUND(g[GRIDS_ROWS] >= 0 && g[GRIDS_ROWS] <= 1 << 12 && g[GRIDS_COLUMNS] >= 0 && g[GRIDS_COLUMNS] <= 1 << 12, S_GRIDS);
        SOUND(g[GRIDS_MAP] >= 0 && (int64_t)g[GRIDS_MAP] + (int64_t)g[GRIDS_ROWS] * g[GRIDS_COLUMNS] <= p->length[S_GRID_MAP], S_GRIDS);
        SOUND(g[GRIDS_N_WAYS] >= 0 && g[GRIDS_WAYS] >= 0 && g[GRIDS_N_WAYS] <= 64, S_GRIDS);
        SOUND((int64_t)g[GRIDS_WAYS] + 2 * g[GRIDS_N_WAYS] <= p->length[S_GRID_WAYS], S_GRID_WAYS);
        SOUND(g[GRIDS_ROW] > -(1 << 16) && g[GRIDS_ROW] < 1 << 16 && g[GRIDS_COLUMN] > -(1 << 16) && g[GRIDS_COLUMN] < 1 << 16, S_GRIDS);
        SOUND(g[GRIDS_WIDTH] >= 0 && g[GRIDS_WIDTH] <= 1 << 12 && g[GRIDS_HEIGHT] >= 0 && g[GRIDS_HEIGHT] <= 1 << 12, S_GRIDS);
    }
    for (int32_t k = 0; k < p->meta[META_PLACES]; k++) {
        int32_t grid = p->section[S_PLACE_GRID][k];
        if (grid < 0) continue;
        const int32_t *g = p->section[S_GRIDS] + grid * N_GRIDS;
        for (int32_t x = 0; x < g[GRIDS_ROWS] * g[GRIDS_COLUMNS]; x++)
            SOUND(p->section[S_GRID_MAP][g[GRIDS_MAP] + x] < p->section[S_PLACE_CELLS][k], S_GRID_MAP);
    }
    return VM_OK;
}

static VmStatus check_variables(Check *c) {
    const VmProgram *p = c->p;
    int64_t slots = p->meta[META_SLOTS], variables = p->meta[META_VARIABLES], kinds = p->meta[META_KINDS];
    WITHIN(SLOT_VARIABLE, slots, 0, variables);
    WITHIN(SLOT_OWNER, slots, -1, INT32_MAX);
    WITHIN(SLOT_OWNER_KIND, slots, 0, 3);
    WITHIN(SLOT_SEES, slots, 0, 6);
    WITHIN(SLOT_VIEWERS, slots, -1, slots);
    for (int64_t k = 0; k < slots; k++) {
        SOUND(p->section[S_SLOT_OWNER_KIND][k] != 2 || p->section[S_SLOT_OWNER][k] < p->meta[META_PIECES], S_SLOT_OWNER);
        SOUND(p->section[S_SLOT_OWNER_KIND][k] != 2 || p->section[S_SLOT_OWNER][k] >= 0, S_SLOT_OWNER);
        SOUND(p->section[S_SLOT_SEES][k] != 5 || p->section[S_SLOT_VIEWERS][k] >= 0, S_SLOT_VIEWERS);
    }
    WITHIN(VAR_FIRST, variables, 0, slots + 1);
    WITHIN(VAR_SHIFT, variables, 0, INT32_MAX);
    WITHIN(VAR_COUNT, variables, 0, slots + 1);
    WITHIN(VAR_ROWS, variables, 0, slots + 1);
    for (int64_t k = 0; k < variables; k++)
        SOUND(p->section[S_VAR_FIRST][k] + p->section[S_VAR_COUNT][k] <= slots, S_VAR_COUNT);
    SOUND(starts(p, S_KIND_VARS_AT, kinds, S_KIND_VARS), S_KIND_VARS_AT);
    WITHIN(KIND_VARS, -1, 0, variables);
    SOUND(starts(p, S_RESETS_AT, kinds, S_RESETS), S_RESETS_AT);
    WITHIN(RESETS, -1, 0, variables);
    SOUND(starts(p, S_NAMING_AT, kinds, S_NAMING), S_NAMING_AT);
    WITHIN(NAMING, -1, 0, slots);
    /* the variables of a piece stand where its kind says, for every piece of the kind */
    for (int32_t piece = 0; piece < p->meta[META_PIECES]; piece++) {
        int32_t kind = p->section[S_KIND_OF][piece];
        for (int32_t k = p->section[S_KIND_VARS_AT][kind]; k < p->section[S_KIND_VARS_AT][kind + 1]; k++) {
            int32_t v = p->section[S_KIND_VARS][k];
            int64_t rows = p->section[S_VAR_ROWS][v], at = piece * rows - p->section[S_VAR_SHIFT][v];
            SOUND(at >= 0 && at + rows <= p->section[S_VAR_COUNT][v], S_KIND_VARS);
        }
        for (int32_t k = p->section[S_RESETS_AT][kind]; k < p->section[S_RESETS_AT][kind + 1]; k++) {
            int32_t v = p->section[S_RESETS][k];
            int64_t rows = p->section[S_VAR_ROWS][v], at = piece * rows - p->section[S_VAR_SHIFT][v];
            SOUND(at >= 0 && at + rows <= p->section[S_VAR_COUNT][v], S_RESETS);
        }
    }
    for (int32_t k = 0; k < p->length[S_HIDER]; k++) { /* of the pieces of that kind, too */
        int32_t v = p->section[S_HIDER][k], kind = (int32_t)(k % kinds);
        for (int32_t piece = 0; v >= 0 && piece < p->meta[META_PIECES]; piece++) {
            if (p->section[S_KIND_OF][piece] != kind) continue;
            int64_t rows = p->section[S_VAR_ROWS][v], at = piece * rows - p->section[S_VAR_SHIFT][v];
            SOUND(at >= 0 && at + rows <= p->section[S_VAR_COUNT][v], S_HIDER);
        }
    }
    SOUND(p->length[S_LISTS] >= L_FIXED, S_LISTS);
    for (int32_t k = 0; k < p->length[S_LISTS]; k++) SOUND(is_pool_list(p, p->section[S_LISTS][k]), S_LISTS);
    SOUND(p->pool[p->section[S_LISTS][L_FIRST]] == slots && p->pool[p->section[S_LISTS][L_BOUNDS]] == 2 * slots, S_LISTS);
    SOUND(p->length[S_SERIES] % N_SERIES == 0, S_SERIES);
    for (int32_t k = 0; k < p->length[S_SERIES] / N_SERIES; k++)
        SOUND(is_pool_list(p, p->section[S_SERIES][k * N_SERIES + SERIES_LIST]), S_SERIES);
    SOUND(p->length[S_KINDSETS] % (p->meta[META_KIND_WORDS] ? p->meta[META_KIND_WORDS] : 1) == 0, S_KINDSETS);
    return VM_OK;
}

/* ------------------------------------------------------------------ functions */

/* Where the function begins that has a window of at most so many registers; -1 where none begins there. */
static int32_t function_at(const VmProgram *p, int32_t pc) {
    int32_t low = 0, high = p->length[S_FUNCS] / N_FUNCS;
    while (low < high) {
        int32_t mid = (low + high) / 2;
        if (p->section[S_FUNCS][mid * N_FUNCS + FUNCS_START] <= pc) low = mid + 1; else high = mid;
    }
    return low - 1;
}

static int is_entry(const VmProgram *p, int32_t pc, int32_t window, int optional) {
    if (pc < 0) return optional && pc == -1;
    int32_t f = function_at(p, pc);
    if (f < 0 || p->section[S_FUNCS][f * N_FUNCS + FUNCS_START] != pc) return 0;
    return p->section[S_FUNCS][f * N_FUNCS + FUNCS_WINDOW] <= window;
}

static VmStatus check_rules(Check *c) {
    const VmProgram *p = c->p;
#define ROWS(name) (p->length[S_##name] / N_##name)
#define FIELD(name, k, field) (p->section[S_##name][(k) * N_##name + name##_##field])
#define WHOLE(name) SOUND(p->length[S_##name] % N_##name == 0, S_##name)
    WHOLE(RULES); WHOLE(BLOCKS); WHOLE(QUESTIONS); WHOLE(TOTALS); WHOLE(CALLS); WHOLE(STANDINS); WHOLE(SEATS);
    WHOLE(DEFINES); WHOLE(SCORES); WHOLE(INVARIANTS); WHOLE(ENDINGS); WHOLE(FUNCS);
    SOUND(p->meta[META_START] >= 0 && p->meta[META_START] < ROWS(RULES), S_RULES);
    int64_t blocks = 0;
    for (int32_t k = 0; k < ROWS(RULES); k++) {
        int32_t slots = FIELD(RULES, k, SLOTS), window = FIELD(RULES, k, WINDOW), n = FIELD(RULES, k, BLOCKS);
        SOUND(slots >= 1 && window >= slots && window <= 0xFFFF && FIELD(RULES, k, FIRST_BLOCK) == blocks && n > 0, S_RULES);
        SOUND(blocks + n <= ROWS(BLOCKS), S_RULES);
        SOUND(FIELD(RULES, k, ENTRY) >= 0 && FIELD(RULES, k, ENTRY) < n, S_RULES);
        SOUND(FIELD(RULES, k, RECEIVED) >= -1 && FIELD(RULES, k, RECEIVED) < slots, S_RULES);
        int32_t at = FIELD(RULES, k, PIECE_SLOTS), count = FIELD(RULES, k, N_PIECE_SLOTS);
        SOUND(at >= 0 && count >= 0 && (int64_t)at + count <= p->length[S_PIECE_SLOTS], S_RULES);
        for (int32_t x = at; x < at + count; x++) SOUND(p->section[S_PIECE_SLOTS][x] >= 0 && p->section[S_PIECE_SLOTS][x] < slots, S_PIECE_SLOTS);
        for (int64_t x = blocks; x < blocks + n; x++) {
            int32_t pc = FIELD(BLOCKS, x, PC), seats = FIELD(BLOCKS, x, SEATS);
            SOUND(pc >= 0 && pc < p->n_code && p->code[pc].op == OP_BLOCK && instr_bc(p->code[pc]) == x, S_BLOCKS);
            SOUND(function_at(p, pc) >= 0 && FIELD(FUNCS, function_at(p, pc), WINDOW) <= window, S_BLOCKS);
            SOUND(FIELD(BLOCKS, x, COST) >= 0 && FIELD(BLOCKS, x, LOOP) >= -2 && FIELD(BLOCKS, x, LOOP) < 64, S_BLOCKS);
            SOUND(FIELD(BLOCKS, x, NEXT) >= -1 && FIELD(BLOCKS, x, NEXT) < n && FIELD(BLOCKS, x, OTHER) >= -1 && FIELD(BLOCKS, x, OTHER) < n, S_BLOCKS);
            SOUND(seats >= -1 && seats < ROWS(SEATS), S_BLOCKS);
            if (seats < 0) continue;
            const int32_t *s = p->section[S_SEATS] + seats * N_SEATS;
            SOUND(s[SEATS_SLOT] >= 0 && s[SEATS_SLOT] < slots && s[SEATS_SEATS] >= 0 && s[SEATS_SEATS] < slots, S_SEATS);
            SOUND(s[SEATS_PLACE] >= 0 && s[SEATS_PLACE] < slots && s[SEATS_ANSWERS] >= 0 && s[SEATS_ANSWERS] < slots, S_SEATS);
            SOUND(s[SEATS_BODY] >= 0 && s[SEATS_BODY] < n && s[SEATS_OUT] >= 0 && s[SEATS_OUT] < n, S_SEATS);
            SOUND(is_entry(p, s[SEATS_WHERE], window, 1), S_SEATS);
        }
        blocks += n;
    }
    SOUND(blocks == ROWS(BLOCKS), S_BLOCKS);
    for (int32_t k = 0; k < ROWS(QUESTIONS); k++) {
        int32_t rule = FIELD(QUESTIONS, k, RULE), at = FIELD(QUESTIONS, k, TOTALS), n = FIELD(QUESTIONS, k, N_TOTALS);
        SOUND(rule >= 0 && rule < ROWS(RULES), S_QUESTIONS);
        int32_t window = FIELD(RULES, rule, WINDOW), blocks_of = FIELD(RULES, rule, BLOCKS), mode = FIELD(QUESTIONS, k, MODE);
        SOUND(mode >= 0 && mode <= 3 && FIELD(QUESTIONS, k, SLOT) >= 0 && FIELD(QUESTIONS, k, SLOT) < FIELD(RULES, rule, SLOTS), S_QUESTIONS);
        SOUND(FIELD(QUESTIONS, k, THEN) >= 0 && FIELD(QUESTIONS, k, THEN) < blocks_of, S_QUESTIONS);
        SOUND(FIELD(QUESTIONS, k, OTHERWISE) >= (FIELD(QUESTIONS, k, MAY) ? 0 : -1) && FIELD(QUESTIONS, k, OTHERWISE) < blocks_of, S_QUESTIONS);
        SOUND(is_entry(p, FIELD(QUESTIONS, k, BY), window, 1) && is_entry(p, FIELD(QUESTIONS, k, SOURCE), window, 0), S_QUESTIONS);
        SOUND(is_entry(p, FIELD(QUESTIONS, k, WHERE), window, 1) && FIELD(QUESTIONS, k, WHERE_COST) >= 0, S_QUESTIONS);
        SOUND(is_entry(p, FIELD(QUESTIONS, k, LOW), window, mode != 1) && is_entry(p, FIELD(QUESTIONS, k, HIGH), window, mode != 1), S_QUESTIONS);
        SOUND(at >= 0 && n >= 0 && (int64_t)at + n <= ROWS(TOTALS), S_QUESTIONS);
        for (int32_t x = at; x < at + n; x++) {
            SOUND(is_entry(p, FIELD(TOTALS, x, OTHER), window, 0) && is_entry(p, FIELD(TOTALS, x, PART), window, 0), S_TOTALS);
            SOUND(FIELD(RULES, rule, SLOTS) < window, S_TOTALS);
        }
    }
    return VM_OK;
}

static VmStatus check_calls(Check *c) {
    const VmProgram *p = c->p;
    int32_t rules = ROWS(RULES);
    WITHIN(MEMBERS, -1, 0, rules);
    for (int32_t k = 0; k < ROWS(CALLS); k++) {
        int32_t n = FIELD(CALLS, k, N_MEMBERS), at = FIELD(CALLS, k, MEMBERS);
        SOUND(FIELD(CALLS, k, RULE) >= -1 && FIELD(CALLS, k, RULE) < rules && FIELD(CALLS, k, ARGUMENTS) >= 0, S_CALLS);
        SOUND(at >= 0 && n >= 0 && (int64_t)at + n <= p->length[S_MEMBERS], S_CALLS);
    }
    for (int32_t k = 0; k < ROWS(STANDINS); k++) {
        int32_t n = FIELD(STANDINS, k, N_RULES), at = FIELD(STANDINS, k, RULES);
        SOUND(at >= 0 && n >= 0 && n <= 60 && (int64_t)at + n <= p->length[S_MEMBERS] && FIELD(STANDINS, k, PARAMETERS) >= 0, S_STANDINS);
    }
    for (int32_t k = 0; k < ROWS(DEFINES); k++) SOUND(is_entry(p, FIELD(DEFINES, k, PC), FIELD(DEFINES, k, WINDOW), 0), S_DEFINES);
    for (int32_t k = 0; k < ROWS(SCORES); k++) SOUND(is_entry(p, FIELD(SCORES, k, PC), FIELD(SCORES, k, WINDOW), 0), S_SCORES);
    for (int32_t k = 0; k < ROWS(INVARIANTS); k++) SOUND(is_entry(p, FIELD(INVARIANTS, k, PC), FIELD(INVARIANTS, k, WINDOW), 0), S_INVARIANTS);
    for (int32_t k = 0; k < ROWS(ENDINGS); k++) SOUND(is_entry(p, FIELD(ENDINGS, k, PC), FIELD(ENDINGS, k, WINDOW), 0), S_ENDINGS);
    WITHIN(HOOKS, -1, 0, rules);
    WITHIN(UNRELATED, -1, 0, rules);
    return VM_OK;
}

/* ------------------------------------------------------------------ instructions */

/* How many registers from the first on an instruction uses, where its operand is `w`. */
static int32_t row_width(const VmProgram *p, Instr i, int operand) {
    switch (i.op) {
    case OP_LIST: return i.c;
    case OP_PRIM: return i.c >> 8;
    case OP_CALL:
    case OP_RECALL:
    case OP_CALLSELF: return 1 + FIELD(DEFINES, i.c, PARAMETERS);
    case OP_CAN:
    case OP_WOULD:
    case OP_DO: return 2 + FIELD(CALLS, i.c, ARGUMENTS);
    case OP_LOOP:
    case OP_OVER:
    case OP_REACH:
    case OP_FOLLOW:
    case OP_NEXT:
    case OP_NEXTKEEP: return 3;
    case OP_LNEW: return operand == 1 ? 3 : 1;
    default: return 2;
    }
}

/* The number of an instruction that names an entry of a table. */
static int number_is_sound(const VmProgram *p, Instr i) {
    switch (i.op) {
    case OP_CALL:
    case OP_RECALL:
    case OP_CALLSELF: return i.c < ROWS(DEFINES);
    case OP_CAN:
    case OP_WOULD:
    case OP_DO: return i.c < ROWS(CALLS);
    case OP_SERIES: return i.c < ROWS(SERIES);
    case OP_ZONE: return i.c < p->meta[META_ZONES];
    case OP_VAR:
    case OP_VARAT: return i.c < p->meta[META_VARIABLES];
    case OP_NARROW: return (i.c + 1) * p->meta[META_KIND_WORDS] <= p->length[S_KINDSETS];
    case OP_RESET: return i.a < p->meta[META_VARIABLES];
    case OP_ASK: return i.a < ROWS(QUESTIONS);
    case OP_SEATS: return i.a < ROWS(SEATS);
    case OP_INSTEAD: return i.b < ROWS(STANDINS);
    case OP_MOVES: return i.b >> 8 >= 1 && i.b >> 8 <= 8;
    case OP_PRIM: return (i.c & 0xFF) < N_P;
    case OP_MARK: return i.c < 60;
    case OP_CHANGE: return i.c < 3;
    case OP_CHANGES: return i.b < 3;
    default: return 1;
    }
}

static const char *const SHAPES[] = {OP_SHAPES};

static VmStatus check_instruction(Check *c, int32_t pc, int32_t start, int32_t end, int32_t window) {
    const VmProgram *p = c->p;
    Instr i = p->code[pc];
    if (i.op >= N_OP) return refuse(c, LOAD_OPCODE, pc, 0);
    if (!number_is_sound(p, i)) return refuse(c, LOAD_TABLE, pc, 0);
    const char *shape = SHAPES[i.op];
    uint16_t fields[3] = {i.a, i.b, i.c};
    int32_t bc = instr_bc(i);
    for (int k = 0; k < 3 && shape[k] != '.'; k++) {
        int32_t to = pc + 1 + (int16_t)fields[k];
        switch (shape[k]) {
        case 'd':
        case 'r':
            if (fields[k] >= window) return refuse(c, LOAD_REGISTER, pc, k);
            break;
        case 'w':
            if (fields[k] + row_width(p, i, k) > window) return refuse(c, LOAD_REGISTER, pc, k);
            break;
        case 'k':
            if (bc < 0 || bc >= p->n_pool) return refuse(c, LOAD_POOL, pc, k);
            break;
        case 'j':
            if (bc < start || bc >= end || (bc <= pc && i.op != OP_JMP && i.op != OP_JT && i.op != OP_JF)) return refuse(c, LOAD_JUMP, pc, k);
            break;
        case 's':
            if (to <= pc || to >= end) return refuse(c, LOAD_JUMP, pc, k);
            break;
        case 't':
            if (fields[k] >= p->length[S_LISTS]) return refuse(c, LOAD_TABLE, pc, k);
            break;
        case '-':
            if (fields[k]) return refuse(c, LOAD_UNUSED, pc, k);
            break;
        case 'i':
            if ((i.op == OP_BLOCK || i.op == OP_AT) && (bc < 0 || bc >= ROWS(BLOCKS))) return refuse(c, LOAD_TABLE, pc, k);
            if (i.op == OP_GVAR && (bc < 0 || bc >= p->meta[META_SLOTS])) return refuse(c, LOAD_TABLE, pc, k);
            if (i.op == OP_TICK && bc < 0) return refuse(c, LOAD_TABLE, pc, k);
            break;
        default: break;
        }
    }
    if (i.op == OP_RETURN && i.a > window) return refuse(c, LOAD_REGISTER, pc, 0);
    return VM_OK;
}

static int ends(uint16_t op) {
    return op == OP_JMP || op == OP_RET || op == OP_ASK || op == OP_DO || op == OP_INSTEAD || op == OP_SEATS || op == OP_FINISH ||
           op == OP_RETURN || op == OP_UNSEEN;
}

static VmStatus check_code(Check *c) {
    const VmProgram *p = c->p;
    int32_t next = 0;
    for (int32_t f = 0; f < ROWS(FUNCS); f++) {
        int32_t start = FIELD(FUNCS, f, START), end = FIELD(FUNCS, f, END), window = FIELD(FUNCS, f, WINDOW);
        if (start != next || end <= start || end > p->n_code || window < 1 || window > 0xFFFF) return refuse(c, LOAD_ENTRY, f, 0);
        for (int32_t pc = start; pc < end; pc++) TRY(check_instruction(c, pc, start, end, window));
        if (!ends(p->code[end - 1].op)) return refuse(c, LOAD_END, end - 1, 0);
        next = end;
    }
    return next == p->n_code ? VM_OK : refuse(c, LOAD_UNREACHED, next, 0);
}

VmStatus verify(const VmProgram *p, VmLoadError *error) {
    Check c = {p, error};
    TRY(check_layout(&c));
    TRY(check_grids(&c));
    TRY(check_variables(&c));
    TRY(check_rules(&c));
    TRY(check_calls(&c));
    return check_code(&c);
}
