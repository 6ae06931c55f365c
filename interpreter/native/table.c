/* The table: where every piece lies, who sees it, and what moves do. The tables in capitals belong to the ruleset. */

static i64 zone[PLACES][PIECES + 1]; /* by place: its pieces, the last on top */
static i64 zone_size[PLACES + 1];
static i64 place_of[PIECES + 1];
static i64 cell_of[PIECES + 1]; /* or -1 */
static i64 piece_at[CELLS + 1]; /* by cell, or -1 */
static i64 value_of[VALUES + 1]; /* the variables */
static u64 dice;

static inline List *pieces_in(i64 place) {
    return view(zone[place], zone_size[place]);
}

/* ------------------------------------------------------------------- moving */

static void lift(i64 piece) {
    i64 place = place_of[piece], at = zone_size[place] - 1;
    while (zone[place][at] != piece) at--;
    zone_size[place]--;
    memmove(zone[place] + at, zone[place] + at + 1, (size_t)(zone_size[place] - at) * sizeof(i64));
    if (cell_of[piece] >= 0) {
        piece_at[cell_of[piece]] = -1;
        cell_of[piece] = -1;
    }
}

static void put(i64 piece, i64 place, i64 cell) {
    i64 at = zone_size[place];
    if (FIRST_CELL[place] >= 0) {
        if (cell < 0) {
            i64 end = FIRST_CELL[place] + CELL_COUNT[place];
            for (cell = FIRST_CELL[place]; cell < end && piece_at[cell] >= 0; cell++) {}
            if (cell == end) bail();
        }
        if (piece_at[cell] >= 0) bail();
        piece_at[cell] = piece;
        cell_of[piece] = cell;
        while (at > 0 && cell_of[zone[place][at - 1]] > cell) at--;
        memmove(zone[place] + at + 1, zone[place] + at, (size_t)(zone_size[place] - at) * sizeof(i64));
    }
    zone[place][at] = piece;
    zone_size[place]++;
    place_of[piece] = place;
}

static int encloses(i64 piece, i64 place) {
    while (OWNER_KIND[place] == 2) {
        if (OWNER[place] == piece) return 1;
        place = place_of[OWNER[place]];
    }
    return 0;
}

static void moved(i64 piece) {
    const int *reset = RESETS[KIND[piece]];
    for (; *reset >= 0; reset++) {
        i64 number = VALUE_FIRST[*reset] + piece - VALUE_SHIFT[*reset];
        value_of[number] = FIRST_VALUE[number];
    }
}

static void move_to(i64 piece, i64 place, i64 cell) {
    if (!(TAKES[place] >> KIND[piece] & 1) || encloses(piece, place)) bail();
    lift(piece);
    put(piece, place, cell);
    moved(piece);
}

static void move_piece(i64 piece, i64 to, int is_cell) {
    if (!is_cell) {
        move_to(piece, to, -1);
    } else {
        if (to < 0 || (piece_at[to] >= 0 && piece_at[to] != piece)) bail();
        move_to(piece, CELL_PLACE[to], to);
    }
}

static void move_all(const List *pieces, i64 to, int is_cell) {
    tick(pieces->n);
    for (i64 i = 0; i < pieces->n; i++) move_piece(pieces->v[i], to, is_cell);
}

static i64 index_in(i64 place, i64 piece) {
    i64 at = 0;
    while (zone[place][at] != piece) at++;
    return at;
}

static void swap_pieces(i64 a, i64 b) {
    i64 place_a = place_of[a], place_b = place_of[b], cell = cell_of[a];
    i64 index_a = index_in(place_a, a), index_b = index_in(place_b, b);
    if (a == b) return;
    if (!(TAKES[place_b] >> KIND[a] & 1) || !(TAKES[place_a] >> KIND[b] & 1)) bail();
    if (encloses(a, place_b) || encloses(b, place_a)) bail();
    zone[place_a][index_a] = b;
    zone[place_b][index_b] = a;
    place_of[a] = place_b;
    place_of[b] = place_a;
    cell_of[a] = cell_of[b];
    cell_of[b] = cell;
    if (cell_of[a] >= 0) piece_at[cell_of[a]] = a;
    if (cell_of[b] >= 0) piece_at[cell_of[b]] = b;
    moved(a);
    moved(b);
}

static void shuffle_zone(i64 place) {
    i64 *items = zone[place];
    tick(zone_size[place]);
    for (i64 last = zone_size[place] - 1; last > 0; last--) {
        i64 other = below(&dice, last + 1), item = items[last];
        items[last] = items[other];
        items[other] = item;
    }
}

/* ---------------------------------------------------------------- variables */

static void write_value(i64 number, i64 value) {
    if (HAS_LOW[number] && value < LOW[number]) value = LOW[number];
    if (HAS_HIGH[number] && value > HIGH[number]) value = HIGH[number];
    value_of[number] = keep(value, VALUE_DEPTH[number]);
}

static void reset_variable(int variable) {
    for (i64 number = VALUE_FIRST[variable]; number < VALUE_FIRST[variable + 1]; number++)
        value_of[number] = FIRST_VALUE[number];
}

/* -------------------------------------------------------------------- places */

static List *at_cell(i64 cell) {
    List *found = fresh(1);
    if (cell >= 0 && piece_at[cell] >= 0) found->v[found->n++] = piece_at[cell];
    return found;
}

static List *beside(const List *neighbours, i64 cell) {
    List *found;
    if (cell < 0) return fresh(0);
    neighbours += cell;
    found = fresh(neighbours->n);
    for (i64 i = 0; i < neighbours->n; i++)
        if (piece_at[neighbours->v[i]] >= 0) found->v[found->n++] = piece_at[neighbours->v[i]];
    return found;
}

static List *cells_of(i64 place, const List *region, int only_free) {
    i64 first = FIRST_CELL[place], count = CELL_COUNT[place], n = region ? region->n : count;
    List *found = fresh(n);
    for (i64 i = 0; i < n; i++) {
        i64 plan = region ? region->v[i] : i;
        if (plan < count && !(only_free && piece_at[first + plan] >= 0)) found->v[found->n++] = first + plan;
    }
    return found;
}

static int any_free(i64 place) {
    for (i64 cell = FIRST_CELL[place], end = cell + CELL_COUNT[place]; cell < end; cell++)
        if (piece_at[cell] < 0) return 1;
    return 0;
}

static List *narrowed(const List *pieces, u64 kinds) {
    List *found = fresh(pieces->n);
    for (i64 i = 0; i < pieces->n; i++)
        if (kinds >> KIND[pieces->v[i]] & 1) found->v[found->n++] = pieces->v[i];
    return found;
}

/* Flood from each piece over the neighbours that are in the list. */
static List *groups(const List *pieces) {
    i64 *state = grab(PIECES + 1); /* 0 not in the list, 1 in it, 2 in a group already */
    List *found = fresh(pieces->n);
    memset(state, 0, (PIECES + 1) * sizeof(i64));
    tick(pieces->n);
    for (i64 i = 0; i < pieces->n; i++) state[pieces->v[i]] = 1;
    for (i64 i = 0; i < pieces->n; i++) {
        List *group;
        if (state[pieces->v[i]] == 2) continue;
        group = fresh(pieces->n);
        state[pieces->v[i]] = 2;
        group->v[group->n++] = pieces->v[i];
        for (i64 j = 0; j < group->n; j++) {
            i64 cell = cell_of[group->v[j]];
            if (cell < 0) continue;
            for (i64 k = 0; k < NEAR[cell].n; k++) {
                i64 other = piece_at[NEAR[cell].v[k]];
                if (other < 0 || state[other] != 1) continue;
                state[other] = 2;
                group->v[group->n++] = other;
            }
        }
        found->v[found->n++] = (i64)group;
    }
    return found;
}

static i64 seat_beside(i64 player, const List *ring, i64 step) {
    for (i64 i = 0; i < ring->n; i++)
        if (ring->v[i] == player) return ring->v[(i + step + ring->n) % ring->n];
    bail();
    return 0;
}

static i64 holder_of(i64 place) {
    while (OWNER_KIND[place] == 2) place = place_of[OWNER[place]];
    return OWNER[place];
}

static i64 owner_of(i64 piece) {
    i64 owner = holder_of(place_of[piece]);
    if (owner < 0) bail();
    return owner;
}

/* --------------------------------------------------------------------- sight */

static int sees(i64 piece, i64 viewer) {
    i64 place = place_of[piece];
    int hider = HIDER[ZONE[place]][KIND[piece]];
    if (hider >= 0 && value_of[VALUE_FIRST[hider] + piece - VALUE_SHIFT[hider]]) return 0;
    switch (SEEN_BY[place]) {
    case 0: return 1;
    case 1: return holder_of(place) == viewer;
    case 2: return zone[place][zone_size[place] - 1] == piece;
    default: return 0;
    }
}

static int same_inside(i64 a, i64 b, i64 viewer);
static i64 face_to(i64 piece, i64 viewer) { return sees(piece, viewer) ? TWIN[piece] : -1 - piece; }

/* Whether two pieces with the same face are the same to a player, wherever they lie: their variables, what they hold. */
static int same_to(i64 a, i64 b, i64 viewer) {
    for (const int *variable = OWN_VALUES[KIND[a]]; *variable >= 0; variable++) {
        i64 first = VALUE_FIRST[*variable] - VALUE_SHIFT[*variable];
        if (!same(value_of[first + a], value_of[first + b], VALUE_DEPTH[first + a])) return 0;
    }
    for (int own = 0; own < OWNED_COUNT[a]; own++) {
        i64 left = OWNED[a][own], right = OWNED[b][own], n = zone_size[left], used[PIECES + 1];
        if (n != zone_size[right]) return 0;
        memset(used, 0, sizeof used);
        for (i64 i = 0; i < n; i++) {
            i64 j = 0;
            while (j < n && (used[j] || !same_inside(zone[left][i], zone[right][j], viewer))) j++;
            if (j == n) return 0;
            used[j] = 1;
        }
    }
    return 1;
}

static int same_inside(i64 a, i64 b, i64 viewer) {
    return face_to(a, viewer) == face_to(b, viewer) && same_to(a, b, viewer);
}

/* Whether a player could take one for the other, their faces being the same. */
static int alike(i64 a, i64 b, i64 viewer) {
    if (place_of[a] != place_of[b]) return 0;
    if (!SLOTS_ONLY[place_of[a]] && cell_of[a] != cell_of[b]) return 0;
    return same_to(a, b, viewer);
}
