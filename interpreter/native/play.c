/* Whole games of random answers. A state comes in, and goes out, as one row of numbers. */

static const i64 *reading;
static i64 *writing;

/* A value: 0 is nothing, 1 and a number, 2 and a list (its length, its values). */
static i64 read_value(void) {
    i64 tag = *reading++, n;
    List *list;
    if (tag == 0) return NONE;
    if (tag == 1) return *reading++;
    n = *reading++;
    if (n + 2 > KEPT_WORDS - kept_top) bail();
    list = (List *)(kept + kept_top);
    kept_top += n + 2;
    list->n = n;
    list->v = (i64 *)(list + 1);
    for (i64 i = 0; i < n; i++) list->v[i] = read_value();
    return (i64)list;
}

static void write_out(i64 value, int depth) {
    const List *list = (const List *)value;
    if (!depth) {
        *writing++ = value;
        return;
    }
    *writing++ = list->n;
    for (i64 i = 0; i < list->n; i++) write_out(list->v[i], depth - 1);
}

static void read_state(const i64 *from) {
    reading = from;
    kept_top = brief_top = nested = 0;
    over = 0;
    winners = 0;
    dice = (u64)*reading++;
    asking = (int)*reading++;
    for (i64 i = 0; i < CELLS; i++) piece_at[i] = -1;
    for (i64 place = 0; place < PLACES; place++) {
        zone_size[place] = *reading++;
        for (i64 i = 0; i < zone_size[place]; i++) {
            zone[place][i] = *reading++;
            place_of[zone[place][i]] = place;
        }
    }
    for (i64 piece = 0; piece < PIECES; piece++) {
        cell_of[piece] = *reading++;
        if (cell_of[piece] >= 0) piece_at[cell_of[piece]] = piece;
    }
    for (i64 i = 0; i < VALUES; i++) value_of[i] = read_value();
    height = (int)*reading++;
    if (height > DEPTH + 1) bail();
    for (int at = 0; at < height; at++) {
        stack[at].rule = (int)*reading++;
        stack[at].block = (int)*reading++;
        stack[at].slots = slot_room[at];
        for (int i = 0; i < RULE[stack[at].rule].slots; i++) stack[at].slots[i] = read_value();
    }
}

static i64 size_out(i64 value, int depth) {
    i64 n = 1;
    if (depth)
        for (i64 i = 0; i < ((List *)value)->n; i++) n += size_out(((List *)value)->v[i], depth - 1);
    return n;
}

static void write_state(i64 *to, i64 room) {
    i64 needed = 2 + PLACES + 2 * PIECES;
    for (i64 i = 0; i < VALUES; i++) needed += size_out(value_of[i], VALUE_DEPTH[i]);
    if (needed > room) bail();
    writing = to;
    *writing++ = (i64)winners;
    *writing++ = (i64)dice;
    for (i64 place = 0; place < PLACES; place++) {
        *writing++ = zone_size[place];
        for (i64 i = 0; i < zone_size[place]; i++) *writing++ = zone[place][i];
    }
    for (i64 piece = 0; piece < PIECES; piece++) *writing++ = cell_of[piece];
    for (i64 i = 0; i < VALUES; i++) write_out(value_of[i], VALUE_DEPTH[i]);
}

/* On to the end with answers from a stream; how many they were. */
static i64 finish_game(u64 *stream, i64 most) {
    for (i64 number = 0; number < most; number++) {
        i64 answers = run();
        if (!answers) return number;
        take(below(stream, answers));
    }
    bail();
    return 0;
}

/* Play a state out. The decisions, or -1: play it with the machine that can tell what is wrong. */
i64 warlock_play_out(const i64 *state, u64 *stream, i64 most, i64 *out, i64 room) {
    u64 own = *stream;
    i64 decisions;
    if (setjmp(way_out)) return -1;
    read_state(state);
    decisions = finish_game(&own, most);
    write_state(out, room);
    *stream = own;
    return decisions;
}

static i64 *snapshot(i64 *to, int there) {
    *to++ = there;
    *to++ = over;
    *to++ = (i64)winners;
    if (there) {
        i64 mark = brief_top;
        for (i64 seat = 0; seat < PLAYERS; seat++) to[seat] = total(seat);
        brief_top = mark;
    }
    return to + PLAYERS;
}

/* Play on for so many answers, each the best at once of so many (0: any). How things stand when another than `me` is asked (not in the secret choice that `me` is
   part of), at a step, and at the end. */
i64 warlock_follow(const i64 *state, u64 stream, i64 steps, i64 quarter, i64 me, i64 secret, i64 tried, i64 *out) {
    i64 *turn = out, *middle = out + 3 + PLAYERS, answers = 1;
    if (setjmp(way_out)) return -1;
    *turn = *middle = 0;
    read_state(state);
    for (i64 step_number = 0; step_number < steps && (answers = run()); step_number++) {
        if (!*turn && asked_player() != me && (secret < 0 || asking != secret)) snapshot(turn, 1);
        if (step_number == quarter) snapshot(middle, 1);
        take(tried ? best_answer(answers, tried, &stream) : below(&stream, answers));
    }
    if (answers) run();
    work = 0;
    snapshot(middle + 3 + PLAYERS, 1);
    return 0;
}

/* Games from a first state, a seed each: a row of decisions (-1: as above), winners, and the points of every seat. */
void warlock_games(const i64 *state, u64 first_seed, i64 count, u64 mix, i64 most, i64 *out) {
    for (volatile i64 number = 0; number < count; number++) {
        i64 *row = out + number * (2 + PLAYERS);
        u64 stream = seeded(((first_seed + (u64)number) ^ mix) << 1);
        if (setjmp(way_out)) {
            row[0] = -1;
            continue;
        }
        read_state(state);
        dice = seeded((first_seed + (u64)number) << 1);
        row[0] = finish_game(&stream, most);
        row[1] = (i64)winners;
        brief_top = work = 0;
        for (i64 seat = 0; seat < PLAYERS; seat++) row[2 + seat] = total(seat);
    }
}
