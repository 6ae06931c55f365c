/* made from opcodes.toml by make_opcodes.py; do not edit. */
#ifndef WARLOCK_OPCODES_H
#define WARLOCK_OPCODES_H

#define VM_FORMAT 3

enum {
    OP_MOV, OP_K, OP_INT, OP_ADD,
    OP_SUB, OP_MUL, OP_NOT, OP_EQ,
    OP_LT, OP_LE, OP_SAME, OP_HAS,
    OP_REGION, OP_JOIN, OP_LESS, OP_RANGE,
    OP_LIST, OP_SCALE, OP_TIMES, OP_JMP,
    OP_JT, OP_JF, OP_TICK, OP_CALL,
    OP_RECALL, OP_CALLSELF, OP_RET, OP_ENTRY,
    OP_ENTRY2, OP_ITEM, OP_NTH, OP_SERIES,
    OP_CELLAT, OP_ROWOF, OP_ZONE, OP_PIECES,
    OP_NARROW, OP_VARAT, OP_VAR, OP_GVAR,
    OP_PRIM, OP_LOOP, OP_OVER, OP_EACH,
    OP_NEXT, OP_NEXTKEEP, OP_LNEW, OP_PUSH,
    OP_SEAL, OP_WEIGH, OP_BEST, OP_SORT,
    OP_REACH, OP_FOLLOW, OP_CAN, OP_WOULD,
    OP_BACK, OP_BLOCK, OP_AT, OP_SKIPLAW,
    OP_SKIPPAST, OP_SKIPSIGHT, OP_NEED, OP_LAW,
    OP_STORE, OP_SIZE, OP_HEAD, OP_STEP,
    OP_ROLLHEAD, OP_TURNS, OP_ROLL, OP_SEEN,
    OP_SEENVAR, OP_SEENBY, OP_UNSEEN, OP_MOVE,
    OP_MOVES, OP_SWAP, OP_SWAPS, OP_SHUFFLE,
    OP_SHOW, OP_CHANGE, OP_CHANGES, OP_RESET,
    OP_ASK, OP_DO, OP_MARK, OP_INSTEAD,
    OP_SEATS, OP_FINISH, OP_RETURN, N_OP,
};

enum {
    P_PLAYERS, P_OPPONENTS, P_EVERYWHERE, P_CELL_OF,
    P_OWNER_OF, P_FACE_OF, P_ANY, P_ALL,
    P_COUNT, P_SUM, P_UNION, P_DISTINCT,
    P_SUMS, P_GROUPS, P_FIRST, P_LAST,
    P_WITHIN, P_MIN, P_MAX, P_DIVIDE_UP,
    P_DIVIDE_DOWN, P_TOP, P_AT, P_NEAR,
    P_AROUND, P_FREE, P_CELLS, P_LINES,
    P_STEP, P_RAY, P_NEXT, P_PREVIOUS,
    P_CLOCKWISE, P_TOTAL, N_P,
};

enum {
    FAULT_WORK, FAULT_DEEP, FAULT_BEYOND, FAULT_FINE,
    FAULT_RANGE, FAULT_JOIN, FAULT_STORED, FAULT_ENTRY,
    FAULT_ROW, FAULT_SELF, FAULT_SUMS, FAULT_FIRST,
    FAULT_LAST, FAULT_LEAST, FAULT_GREATEST, FAULT_RING,
    FAULT_OWNER, FAULT_NEED, FAULT_LAW, FAULT_ENDING,
    FAULT_INVARIANT, FAULT_PIECES, FAULT_NOWHERE, FAULT_COUNTERS,
    FAULT_ROLL, FAULT_ROLLS, FAULT_FATE, FAULT_OFFGRID,
    FAULT_KIND, FAULT_ITSELF, FAULT_TAKEN, FAULT_FULL,
    FAULT_SWAPKIND, FAULT_SWAPITSELF, FAULT_STANDINS, FAULT_NOTHING,
    FAULT_TABLE, FAULT_CALLS, FAULT_WOULDS, FAULT_TOO_MUCH,
    FAULT_FORK, FAULT_ANSWER, FAULT_BROKEN, N_FAULT,
};

enum {
    LOAD_FORMAT, LOAD_LENGTH, LOAD_SECTION, LOAD_OPCODE,
    LOAD_REGISTER, LOAD_POOL, LOAD_JUMP, LOAD_TABLE,
    LOAD_UNUSED, LOAD_END, LOAD_ENTRY, LOAD_UNREACHED,
    N_LOAD,
};

enum {
    S_META, S_POOL, S_CODE, S_FUNCS,
    S_LISTS, S_SERIES, S_KINDSETS, S_KIND_OF,
    S_FACE, S_TWIN, S_OWNED_AT, S_OWNED,
    S_PLACE_FIRST_CELL, S_PLACE_CELLS, S_PLACE_OWNER, S_PLACE_OWNER_KIND,
    S_PLACE_KINDS, S_PLACE_SEES, S_PLACE_COUNTED, S_PLACE_VIEWERS,
    S_PLACE_ZONE, S_PLACE_SLOTS_ONLY, S_PLACE_GRID, S_STARTS_AT,
    S_STARTS, S_ZONE_FIRST, S_ZONE_SHIFT, S_ZONE_PLACES,
    S_HIDER, S_CELL_PLACE, S_CELL_PLAN, S_CELL_STACKS,
    S_CELL_TABLE, S_CELL_NEAR, S_CELL_AROUND, S_CELL_ROW,
    S_CELL_COLUMN, S_GRIDS, S_GRID_MAP, S_GRID_WAYS,
    S_SLOT_VARIABLE, S_SLOT_OWNER, S_SLOT_OWNER_KIND, S_SLOT_SEES,
    S_SLOT_VIEWERS, S_VAR_FIRST, S_VAR_SHIFT, S_VAR_COUNT,
    S_VAR_ROWS, S_KIND_VARS_AT, S_KIND_VARS, S_RESETS_AT,
    S_RESETS, S_NAMING_AT, S_NAMING, S_RULES,
    S_BLOCKS, S_PIECE_SLOTS, S_QUESTIONS, S_TOTALS,
    S_CALLS, S_MEMBERS, S_STANDINS, S_SEATS,
    S_DEFINES, S_SCORES, S_INVARIANTS, S_ENDINGS,
    S_HOOKS, S_UNRELATED, N_S,
};

enum {
    META_PLAYERS, META_UNIT, META_PIECES, META_PLACES,
    META_CELLS, META_SLOTS, META_VARIABLES, META_KINDS,
    META_KIND_WORDS, META_WORK, META_DEPTH, META_LISTED,
    META_COOPERATIVE, META_START, META_LAWS, META_TRIALS,
    META_ZONES, META_SCORE_COST, N_META,
};

enum {
    FUNCS_START, FUNCS_END, FUNCS_WINDOW, N_FUNCS,
};

enum {
    SERIES_FIRST, SERIES_LIST, SERIES_BEYOND, N_SERIES,
};

enum {
    GRIDS_WIDTH, GRIDS_HEIGHT, GRIDS_ROW, GRIDS_COLUMN,
    GRIDS_ROWS, GRIDS_COLUMNS, GRIDS_MAP, GRIDS_WAYS,
    GRIDS_N_WAYS, N_GRIDS,
};

enum {
    RULES_ENTRY, RULES_SLOTS, RULES_WINDOW, RULES_RECEIVED,
    RULES_FIRST_BLOCK, RULES_BLOCKS, RULES_PIECE_SLOTS, RULES_N_PIECE_SLOTS,
    RULES_GIVES, N_RULES,
};

enum {
    BLOCKS_PC, BLOCKS_COST, BLOCKS_ACTS, BLOCKS_FINISH,
    BLOCKS_STARTED_LOW, BLOCKS_STARTED_HIGH, BLOCKS_FAILS, BLOCKS_HOOK_FAILS,
    BLOCKS_RETURNS, BLOCKS_LOOP, BLOCKS_NEXT, BLOCKS_OTHER,
    BLOCKS_SEATS, N_BLOCKS,
};

enum {
    QUESTIONS_MODE, QUESTIONS_SLOT, QUESTIONS_MAY, QUESTIONS_PIECE,
    QUESTIONS_THEN, QUESTIONS_OTHERWISE, QUESTIONS_RULE, QUESTIONS_BLOCK,
    QUESTIONS_WHERE_COST, QUESTIONS_BY, QUESTIONS_SOURCE, QUESTIONS_WHERE,
    QUESTIONS_LOW, QUESTIONS_HIGH, QUESTIONS_TOTALS, QUESTIONS_N_TOTALS,
    QUESTIONS_CONDITIONS, N_QUESTIONS,
};

enum {
    TOTALS_OP, TOTALS_OTHER, TOTALS_PART, TOTALS_COUNTS,
    N_TOTALS,
};

enum {
    CALLS_RULE, CALLS_ARGUMENTS, CALLS_MEMBERS, CALLS_N_MEMBERS,
    CALLS_THEN, N_CALLS,
};

enum {
    STANDINS_PARAMETERS, STANDINS_BODY, STANDINS_THEN, STANDINS_RULES,
    STANDINS_N_RULES, N_STANDINS,
};

enum {
    SEATS_SLOT, SEATS_SEATS, SEATS_PLACE, SEATS_ANSWERS,
    SEATS_BODY, SEATS_OUT, SEATS_WHERE, N_SEATS,
};

enum {
    DEFINES_PC, DEFINES_WINDOW, DEFINES_PARAMETERS, DEFINES_ME,
    DEFINES_TWINS, N_DEFINES,
};

enum {
    SCORES_PC, SCORES_WINDOW, N_SCORES,
};

enum {
    INVARIANTS_PC, INVARIANTS_WINDOW, INVARIANTS_COST, N_INVARIANTS,
};

enum {
    ENDINGS_PC, ENDINGS_WINDOW, ENDINGS_COST, N_ENDINGS,
};

/* By instruction: the kinds of its operands, as opcodes.toml explains them. */
#define OP_SHAPES \
    "dr-", \
    "dk.", \
    "di.", \
    "drr", \
    "drr", \
    "drr", \
    "dr-", \
    "drr", \
    "drr", \
    "drr", \
    "drr", \
    "drr", \
    "drr", \
    "drr", \
    "drr", \
    "drr", \
    "dwn", \
    "drn", \
    "dr-", \
    "-j.", \
    "rj.", \
    "rj.", \
    "-i.", \
    "dwn", \
    "dwn", \
    "dwn", \
    "r--", \
    "drt", \
    "dwt", \
    "drr", \
    "drr", \
    "drn", \
    "drr", \
    "drn", \
    "drn", \
    "dr-", \
    "drn", \
    "drn", \
    "drn", \
    "di.", \
    "dwn", \
    "wrn", \
    "wr-", \
    "rn-", \
    "wds", \
    "wds", \
    "dwn", \
    "rr-", \
    "r--", \
    "r--", \
    "dwn", \
    "dwn", \
    "wrn", \
    "wrn", \
    "dwn", \
    "-wn", \
    "dr-", \
    "-i.", \
    "-i.", \
    "-j.", \
    "-j.", \
    "-j.", \
    "r--", \
    "rn-", \
    "dr-", \
    "r--", \
    "---", \
    "wds", \
    "---", \
    "r--", \
    "dwn", \
    "r--", \
    "r--", \
    "rr-", \
    "---", \
    "rrn", \
    "rn-", \
    "rr-", \
    "r--", \
    "r--", \
    "rr-", \
    "rrn", \
    "rn-", \
    "n--", \
    "n--", \
    "-wn", \
    "drn", \
    "rn-", \
    "n--", \
    "r--", \
    "n--", \

/* By instruction: its place in the loop that runs it. */
#define OP_LABELS \
    &&op_MOV, \
    &&op_K, \
    &&op_INT, \
    &&op_ADD, \
    &&op_SUB, \
    &&op_MUL, \
    &&op_NOT, \
    &&op_EQ, \
    &&op_LT, \
    &&op_LE, \
    &&op_SAME, \
    &&op_HAS, \
    &&op_REGION, \
    &&op_JOIN, \
    &&op_LESS, \
    &&op_RANGE, \
    &&op_LIST, \
    &&op_SCALE, \
    &&op_TIMES, \
    &&op_JMP, \
    &&op_JT, \
    &&op_JF, \
    &&op_TICK, \
    &&op_CALL, \
    &&op_RECALL, \
    &&op_CALLSELF, \
    &&op_RET, \
    &&op_ENTRY, \
    &&op_ENTRY2, \
    &&op_ITEM, \
    &&op_NTH, \
    &&op_SERIES, \
    &&op_CELLAT, \
    &&op_ROWOF, \
    &&op_ZONE, \
    &&op_PIECES, \
    &&op_NARROW, \
    &&op_VARAT, \
    &&op_VAR, \
    &&op_GVAR, \
    &&op_PRIM, \
    &&op_LOOP, \
    &&op_OVER, \
    &&op_EACH, \
    &&op_NEXT, \
    &&op_NEXTKEEP, \
    &&op_LNEW, \
    &&op_PUSH, \
    &&op_SEAL, \
    &&op_WEIGH, \
    &&op_BEST, \
    &&op_SORT, \
    &&op_REACH, \
    &&op_FOLLOW, \
    &&op_CAN, \
    &&op_WOULD, \
    &&op_BACK, \
    &&op_BLOCK, \
    &&op_AT, \
    &&op_SKIPLAW, \
    &&op_SKIPPAST, \
    &&op_SKIPSIGHT, \
    &&op_NEED, \
    &&op_LAW, \
    &&op_STORE, \
    &&op_SIZE, \
    &&op_HEAD, \
    &&op_STEP, \
    &&op_ROLLHEAD, \
    &&op_TURNS, \
    &&op_ROLL, \
    &&op_SEEN, \
    &&op_SEENVAR, \
    &&op_SEENBY, \
    &&op_UNSEEN, \
    &&op_MOVE, \
    &&op_MOVES, \
    &&op_SWAP, \
    &&op_SWAPS, \
    &&op_SHUFFLE, \
    &&op_SHOW, \
    &&op_CHANGE, \
    &&op_CHANGES, \
    &&op_RESET, \
    &&op_ASK, \
    &&op_DO, \
    &&op_MARK, \
    &&op_INSTEAD, \
    &&op_SEATS, \
    &&op_FINISH, \
    &&op_RETURN, \

#endif
