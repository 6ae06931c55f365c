/* What lies on the table: pieces in zones and on cells, variables, who sees them. All zones lie back to back in `order`;
   `first` says where each begins, so a move shifts what lies between. */
#include "state.h"

/* ------------------------------------------------------------------ chance */

static uint64_t step(uint64_t *stream) {
    uint64_t z = *stream += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

uint64_t vm_random_below(uint64_t *stream, uint64_t n) {
    uint64_t over = (0 - n) % n; /* 2^64 mod n: that many values at the end are thrown away */
    for (;;) {
        uint64_t word = step(stream);
        if (word <= UINT64_MAX - over) return word % n;
    }
}

/* ------------------------------------------------------------------ places */

int32_t index_in_zone(const Vm *vm, int32_t place, int32_t piece) {
    const uint16_t *pieces = zone_pieces(vm, place);
    int32_t n = zone_size(vm, place);
    for (int32_t i = 0; i < n; i++)
        if (pieces[i] == piece) return i;
    return -1;
}

static void insert(Vm *vm, int32_t place, int32_t index, int32_t piece) {
    int32_t at = vm->first[place] + index, n = META(vm, PLACES);
    wrote_place(vm, place);
    memmove(vm->order + at + 1, vm->order + at, (size_t)(vm->first[n] - at) * sizeof(uint16_t));
    vm->order[at] = (uint16_t)piece;
    for (int32_t i = place + 1; i <= n; i++) vm->first[i]++;
}

static void take_out(Vm *vm, int32_t place, int32_t piece) {
    int32_t at = vm->first[place] + index_in_zone(vm, place, piece), n = META(vm, PLACES);
    wrote_place(vm, place);
    memmove(vm->order + at, vm->order + at + 1, (size_t)(vm->first[n] - at - 1) * sizeof(uint16_t));
    for (int32_t i = place + 1; i <= n; i++) vm->first[i]--;
}

int put_piece(Vm *vm, int32_t piece, int32_t place, int32_t cell) {
    int32_t first = SEC(vm, PLACE_FIRST_CELL)[place], n = zone_size(vm, place), index = n;
    if (first >= 0) {
        if (cell < 0) {
            int32_t last = first + SEC(vm, PLACE_CELLS)[place];
            for (cell = first; cell < last && vm->at[cell] != NOWHERE; cell++) {}
            if (cell == last) return 0;
        }
        if (vm->at[cell] != NOWHERE && !SEC(vm, CELL_STACKS)[cell]) return 0;
        vm->at[cell] = (uint16_t)piece;
        vm->cell[piece] = (uint16_t)cell;
        const uint16_t *pieces = zone_pieces(vm, place);
        for (index = 0; index < n && vm->cell[pieces[index]] <= cell; index++) {}
    }
    insert(vm, place, index, piece);
    vm->place[piece] = (uint16_t)place;
    return 1;
}

void lift_piece(Vm *vm, int32_t piece) {
    int32_t place = vm->place[piece], cell = vm->cell[piece];
    if (cell != NOWHERE) {
        if (vm->at[cell] == piece) {
            int32_t before = SEC(vm, CELL_STACKS)[cell] ? index_in_zone(vm, place, piece) - 1 : -1;
            const uint16_t *pieces = zone_pieces(vm, place);
            vm->at[cell] = before >= 0 && vm->cell[pieces[before]] == cell ? pieces[before] : NOWHERE;
        }
        vm->cell[piece] = NOWHERE;
    }
    take_out(vm, place, piece);
    vm->place[piece] = NOWHERE;
}

int32_t lying_on(const Vm *vm, int32_t cell, const uint16_t **pieces) {
    *pieces = vm->at + cell;
    if (vm->at[cell] == NOWHERE) return 0;
    if (!SEC(vm, CELL_STACKS)[cell]) return 1;
    int32_t place = SEC(vm, CELL_PLACE)[cell], last = index_in_zone(vm, place, vm->at[cell]), first = last;
    const uint16_t *all = zone_pieces(vm, place);
    while (first > 0 && vm->cell[all[first - 1]] == cell) first--;
    *pieces = all + first;
    return last - first + 1;
}

int32_t owner_seat(const Vm *vm, int32_t place) {
    const int32_t *kind = SEC(vm, PLACE_OWNER_KIND), *owner = SEC(vm, PLACE_OWNER);
    while (kind[place] == 2) place = vm->place[owner[place]];
    return owner[place];
}

int encloses(const Vm *vm, int32_t piece, int32_t place) {
    const int32_t *kind = SEC(vm, PLACE_OWNER_KIND), *owner = SEC(vm, PLACE_OWNER);
    for (; kind[place] == 2; place = vm->place[owner[place]])
        if (owner[place] == piece) return 1;
    return 0;
}

/* What is found out hangs on the places in which what owns a place lies. */
void read_owner(Vm *vm, int32_t place) {
    const int32_t *kind = SEC(vm, PLACE_OWNER_KIND), *owner = SEC(vm, PLACE_OWNER);
    for (read_place(vm, place); kind[place] == 2; read_place(vm, place)) place = vm->place[owner[place]];
}

/* ------------------------------------------------------------------ who sees what */

enum { SEES_ALL, SEES_OWNER, SEES_OTHERS, SEES_NONE, SEES_TOP, SEES_NAMED };

static int sees(Vm *vm, int word, int32_t owner, int32_t viewers, int32_t viewer) {
    switch (word) {
    case SEES_ALL: return 1;
    case SEES_OWNER: return owner == viewer;
    case SEES_OTHERS: return owner != viewer;
    case SEES_NAMED: {
        Word named = vm->vars[viewers];
        read_slot(vm, viewers);
        int32_t n, at;
        if (!is_list(named)) return named == viewer;
        if (list_at(vm, named, &n, &at) != VM_OK) return 0;
        for (int32_t i = 0; i < n; i++)
            if (vm->mem[at + i] == viewer) return 1;
        return 0;
    }
    default: return 0;
    }
}

static int32_t variable_of(const Vm *vm, int32_t variable, int32_t piece) { /* its first row */
    return SEC(vm, VAR_FIRST)[variable] + piece * SEC(vm, VAR_ROWS)[variable] - SEC(vm, VAR_SHIFT)[variable];
}

int sees_piece(Vm *vm, int32_t piece, int32_t viewer) {
    int32_t place = vm->place[piece];
    read_owner(vm, place);
    if (vm->known[piece] >> viewer & 1) return 1;
    int32_t hider = SEC(vm, HIDER)[SEC(vm, PLACE_ZONE)[place] * META(vm, KINDS) + SEC(vm, KIND_OF)[piece]];
    if (hider >= 0) {
        int32_t slot = variable_of(vm, hider, piece);
        read_slot(vm, slot);
        if (vm->vars[slot] & 1) return 0;
    }
    int word = SEC(vm, PLACE_SEES)[place];
    if (word == SEES_ALL) return 1;
    if (word == SEES_TOP) {
        int32_t cell = vm->cell[piece];
        if (cell != NOWHERE && SEC(vm, CELL_STACKS)[cell]) return vm->at[cell] == piece;
        return vm->order[vm->first[place + 1] - 1] == piece;
    }
    return sees(vm, word, owner_seat(vm, place), SEC(vm, PLACE_VIEWERS)[place], viewer);
}

int sees_variable(Vm *vm, int32_t slot, int32_t viewer) {
    int32_t owner = SEC(vm, SLOT_OWNER)[slot], word = SEC(vm, SLOT_SEES)[slot];
    if (word == SEES_ALL) return 1;
    if (SEC(vm, SLOT_OWNER_KIND)[slot] == 2) {
        read_owner(vm, vm->place[owner]);
        owner = owner_seat(vm, vm->place[owner]);
    }
    return sees(vm, word, owner, SEC(vm, SLOT_VIEWERS)[slot], viewer);
}

int sees_count(Vm *vm, int32_t place, int32_t viewer) {
    read_owner(vm, place);
    return !SEC(vm, PLACE_COUNTED)[place] || owner_seat(vm, place) == viewer;
}

int sees_wholly(Vm *vm, int32_t piece, int32_t viewer) {
    int32_t kind = SEC(vm, KIND_OF)[piece];
    if (!sees_piece(vm, piece, viewer)) return 0;
    const int32_t *at = SEC(vm, KIND_VARS_AT);
    for (int32_t i = at[kind]; i < at[kind + 1]; i++) {
        int32_t variable = SEC(vm, KIND_VARS)[i], from = variable_of(vm, variable, piece);
        for (int32_t row = 0; row < SEC(vm, VAR_ROWS)[variable]; row++)
            if (!sees_variable(vm, from + row, viewer)) return 0;
    }
    at = SEC(vm, NAMING_AT);
    for (int32_t i = at[kind]; i < at[kind + 1]; i++)
        if (!sees_variable(vm, SEC(vm, NAMING)[i], viewer)) return 0;
    at = SEC(vm, OWNED_AT);
    for (int32_t i = at[piece]; i < at[piece + 1]; i++)
        if (!sees_count(vm, SEC(vm, OWNED)[i], viewer)) return 0;
    return 1;
}

static int names(Vm *vm, Word value, int32_t piece) {
    int32_t n, at;
    if (!is_list(value)) return value == piece;
    if (list_at(vm, value, &n, &at) != VM_OK) return 0;
    for (int32_t i = 0; i < n; i++)
        if (names(vm, vm->mem[at + i], piece)) return 1;
    return 0;
}

/* Whether what lies in one zone of a piece can be matched with what lies in that zone of another. */
static int hold_alike(Vm *vm, int32_t a, int32_t b, int32_t viewer) {
    int32_t n = zone_size(vm, a);
    read_place(vm, a);
    read_place(vm, b);
    uint8_t used[256] = {0};
    if (n != zone_size(vm, b)) return 0;
    if (n > 256) return 0; /* taken to differ: no game has so much in a piece */
    for (int32_t i = 0; i < n; i++) {
        int32_t mine = zone_pieces(vm, a)[i], j = 0;
        if (!sees_wholly(vm, mine, viewer)) return 0;
        for (; j < n; j++) {
            int32_t other = zone_pieces(vm, b)[j];
            if (!used[j] && sees_wholly(vm, other, viewer) && alike(vm, mine, other, viewer, 0)) break;
        }
        if (j == n) return 0;
        used[j] = 1;
    }
    return 1;
}

int alike(Vm *vm, int32_t a, int32_t b, int32_t viewer, int placed) {
    read_place(vm, vm->place[a]);
    read_place(vm, vm->place[b]);
    if (SEC(vm, TWIN)[a] != SEC(vm, TWIN)[b] || vm->known[a] != vm->known[b]) return 0;
    if (placed) {
        if (vm->place[a] != vm->place[b]) return 0;
        if (!SEC(vm, PLACE_SLOTS_ONLY)[vm->place[a]] && vm->cell[a] != vm->cell[b]) return 0;
    }
    int32_t kind = SEC(vm, KIND_OF)[a], equal;
    const int32_t *at = SEC(vm, KIND_VARS_AT);
    for (int32_t i = at[kind]; i < at[kind + 1]; i++) {
        int32_t variable = SEC(vm, KIND_VARS)[i], mine = variable_of(vm, variable, a), other = variable_of(vm, variable, b);
        for (int32_t row = 0; row < SEC(vm, VAR_ROWS)[variable]; row++) {
            read_slot(vm, mine + row);
            read_slot(vm, other + row);
            if (same(vm, vm->vars[mine + row], vm->vars[other + row], &equal) != VM_OK || !equal) return 0;
        }
    }
    at = SEC(vm, NAMING_AT);
    for (int32_t i = at[kind]; i < at[kind + 1]; i++) {
        Word value = vm->vars[SEC(vm, NAMING)[i]];
        read_slot(vm, SEC(vm, NAMING)[i]);
        if (names(vm, value, a) != names(vm, value, b)) return 0;
    }
    at = SEC(vm, OWNED_AT);
    for (int32_t i = 0; i < at[a + 1] - at[a]; i++)
        if (!hold_alike(vm, SEC(vm, OWNED)[at[a] + i], SEC(vm, OWNED)[at[b] + i], viewer)) return 0;
    return 1;
}

/* ------------------------------------------------------------------ effects */

static int takes_kind(const Vm *vm, int32_t place, int32_t kind) {
    return SEC(vm, PLACE_KINDS)[place * META(vm, KIND_WORDS) + (kind >> 5)] >> (kind & 31) & 1;
}

static void moved(Vm *vm, int32_t piece) {
    int32_t kind = SEC(vm, KIND_OF)[piece];
    const int32_t *at = SEC(vm, RESETS_AT);
    const Word *values = vm->p->pool + SEC(vm, LISTS)[L_FIRST] + 1;
    for (int32_t i = at[kind]; i < at[kind + 1]; i++) {
        int32_t variable = SEC(vm, RESETS)[i], from = variable_of(vm, variable, piece);
        for (int32_t row = 0; row < SEC(vm, VAR_ROWS)[variable]; row++) {
            vm->vars[from + row] = values[from + row];
            wrote_slot(vm, from + row);
        }
    }
}

VmStatus move_piece(Vm *vm, Word what, Word to, int is_cell) {
    TRY(in_range(vm, what, META(vm, PIECES)));
    int32_t piece = (int32_t)what, cell = -1, place = (int32_t)to;
    if (is_cell) {
        if (to < 0) return vm_fail(vm, FAULT_OFFGRID, 0, 0);
        TRY(in_range(vm, to, META(vm, CELLS)));
        cell = (int32_t)to;
        place = SEC(vm, CELL_PLACE)[cell];
    } else {
        TRY(in_range(vm, to, META(vm, PLACES)));
    }
    int32_t kind = SEC(vm, KIND_OF)[piece];
    if (!takes_kind(vm, place, kind)) return vm_fail(vm, FAULT_KIND, kind, place);
    if (encloses(vm, piece, place)) return vm_fail(vm, FAULT_ITSELF, 0, 0);
    int32_t source = vm->place[piece], old = vm->cell[piece];
    lift_piece(vm, piece);
    if (!put_piece(vm, piece, place, cell)) {
        put_piece(vm, piece, source, old == NOWHERE ? -1 : old);
        return vm_fail(vm, is_cell ? FAULT_TAKEN : FAULT_FULL, 0, 0);
    }
    moved(vm, piece);
    return VM_OK;
}

VmStatus move_pieces(Vm *vm, Word what, Word to, int is_cell) {
    int32_t n = 1, at = 0, place;
    if (is_list(what)) TRY(list_at(vm, what, &n, &at));
    if (is_cell) { /* a cell on no grid is an error only where something is moved there */
        int32_t cell = to < 0 ? META(vm, CELLS) - 1 : (int32_t)to;
        TRY(in_range(vm, cell, META(vm, CELLS)));
        place = SEC(vm, CELL_PLACE)[cell];
    } else {
        TRY(in_range(vm, to, META(vm, PLACES)));
        place = (int32_t)to;
    }
    TRY(tick(vm, (Word)n * (1 + (zone_size(vm, place) >> 5))));
    if (!is_list(what)) return move_piece(vm, what, to, is_cell);
    for (int32_t i = 0; i < n; i++) TRY(move_piece(vm, vm->mem[at + i], to, is_cell));
    return VM_OK;
}

VmStatus swap_pieces(Vm *vm, Word left, Word right) {
    TRY(in_range(vm, left, META(vm, PIECES)));
    TRY(in_range(vm, right, META(vm, PIECES)));
    if (left == right) return VM_OK;
    int32_t piece[2] = {(int32_t)left, (int32_t)right}, place[2], cell[2], index[2], top[2];
    for (int i = 0; i < 2; i++) {
        int32_t there = vm->place[piece[1 - i]];
        if (!takes_kind(vm, there, SEC(vm, KIND_OF)[piece[i]])) return vm_fail(vm, FAULT_SWAPKIND, 0, 0);
        if (encloses(vm, piece[i], there)) return vm_fail(vm, FAULT_SWAPITSELF, 0, 0);
    }
    for (int i = 0; i < 2; i++) {
        place[i] = vm->place[piece[i]];
        cell[i] = vm->cell[piece[i]];
        index[i] = vm->first[place[i]] + index_in_zone(vm, place[i], piece[i]);
        top[i] = cell[i] != NOWHERE && vm->at[cell[i]] == piece[i];
        wrote_place(vm, place[i]);
    }
    for (int i = 0; i < 2; i++) {
        vm->order[index[i]] = (uint16_t)piece[1 - i];
        vm->place[piece[1 - i]] = (uint16_t)place[i];
        vm->cell[piece[1 - i]] = (uint16_t)cell[i];
        if (top[i]) vm->at[cell[i]] = (uint16_t)piece[1 - i];
    }
    moved(vm, piece[0]);
    moved(vm, piece[1]);
    return VM_OK;
}

/* Nobody knows any more which piece of a place is which, nor what lies in them. */
static void forget(Vm *vm, int32_t place) {
    const uint16_t *pieces = zone_pieces(vm, place);
    const int32_t *at = SEC(vm, OWNED_AT);
    wrote_place(vm, place);
    for (int32_t i = 0; i < zone_size(vm, place); i++) {
        int32_t piece = pieces[i];
        vm->s->n_known -= vm->known[piece] != 0;
        vm->known[piece] = 0;
        for (int32_t j = at[piece]; j < at[piece + 1]; j++) forget(vm, SEC(vm, OWNED)[j]);
    }
}

VmStatus shuffle_zone(Vm *vm, Word to) {
    TRY(in_range(vm, to, META(vm, PLACES)));
    int32_t place = (int32_t)to, n = zone_size(vm, place);
    TRY(tick(vm, n));
    uint16_t *pieces = vm->order + vm->first[place];
    wrote_place(vm, place);
    if (vm->branching.shuffles) TRY(told_shuffle(vm, place));
    for (int32_t last = vm->branching.shuffles ? 0 : n - 1; last > 0; last--) {
        int32_t other = (int32_t)vm_random_below(&vm->s->rng, (uint64_t)last + 1);
        uint16_t piece = pieces[last];
        pieces[last] = pieces[other];
        pieces[other] = piece;
    }
    if (vm->s->n_known) forget(vm, place);
    return VM_OK;
}

VmStatus show_pieces(Vm *vm, Word what, Word to) {
    int32_t n = 1, at = 0, m = 1, bt = 0;
    uint32_t seats = 0;
    if (is_list(what)) TRY(list_at(vm, what, &n, &at));
    if (is_list(to)) TRY(list_at(vm, to, &m, &bt));
    TRY(tick(vm, n));
    for (int32_t i = 0; i < m; i++) {
        Word player = is_list(to) ? vm->mem[bt + i] : to;
        TRY(in_range(vm, player, META(vm, PLAYERS)));
        seats |= 1u << player;
    }
    for (int32_t i = 0; i < n && seats; i++) {
        Word piece = is_list(what) ? vm->mem[at + i] : what;
        TRY(in_range(vm, piece, META(vm, PIECES)));
        vm->s->n_known += !vm->known[piece];
        vm->known[piece] |= seats;
        wrote_place(vm, vm->place[piece]);
    }
    return VM_OK;
}

VmStatus change_variable(Vm *vm, Word slot, Word value, int verb) {
    TRY(in_range(vm, slot, META(vm, SLOTS)));
    if (verb) {
        Word old = vm->vars[slot];
        if (is_list(old) || is_list(value)) return vm_fail(vm, FAULT_BROKEN, 4, 0);
        value = verb == 1 ? old + value : old - value; /* both below 2^60 */
        if (value > MAX_NUMBER || value < -MAX_NUMBER) return vm_fail(vm, FAULT_BEYOND, 0, 0);
    }
    TRY(stored(vm, value));
    const Word *bounds = vm->p->pool + SEC(vm, LISTS)[L_BOUNDS] + 1 + 2 * slot;
    if (!is_list(value)) {
        if (bounds[0] != WORD_NONE && value < bounds[0]) value = bounds[0];
        if (bounds[1] != WORD_NONE && value > bounds[1]) value = bounds[1];
    }
    keep_lists(vm);
    wrote_slot(vm, (int32_t)slot);
    vm->vars[slot] = value;
    return VM_OK;
}

VmStatus reset_variable(Vm *vm, int32_t variable) {
    int32_t first = SEC(vm, VAR_FIRST)[variable], n = SEC(vm, VAR_COUNT)[variable];
    TRY(tick(vm, n >> 3));
    for (int32_t k = 0; k < n; k++) wrote_slot(vm, first + k);
    memcpy(vm->vars + first, vm->p->pool + SEC(vm, LISTS)[L_FIRST] + 1 + first, (size_t)n * sizeof(Word));
    return VM_OK;
}
