/* A move by what it comes to at once: each option is tried, on the table itself, which is then put back. */

#define LOOK_STEPS 8 /* answers of the same player that may follow */
#define A_WIN 1000000000000000LL

static i64 put_by[16 + PLACES + 3 * PIECES + CELLS + VALUES + (DEPTH + 2) * (MAX_SLOTS + 2)];

static void carry(i64 **at, void *from, i64 words, int back) {
    if (back) memcpy(from, *at, (size_t)words * sizeof(i64));
    else memcpy(*at, from, (size_t)words * sizeof(i64));
    *at += words;
}

/* The whole table, put by or put back. */
static void whole_table(int back) {
    i64 *at = put_by;
    i64 small[] = {(i64)dice, asking, height, over, (i64)winners, kept_top, in_steps, may_stop, (i64)asked, (i64)offered};
    carry(&at, small, sizeof small / sizeof *small, back);
    if (back) {
        dice = (u64)small[0], asking = (int)small[1], height = (int)small[2], over = (int)small[3];
        winners = (u64)small[4], kept_top = small[5], in_steps = (int)small[6], may_stop = (int)small[7];
        asked = (const Block *)small[8], offered = (List *)small[9];
    }
    carry(&at, zone_size, PLACES, back);
    for (i64 place = 0; place < PLACES; place++) carry(&at, zone[place], zone_size[place], back);
    carry(&at, place_of, PIECES, back);
    carry(&at, cell_of, PIECES, back);
    carry(&at, piece_at, CELLS, back);
    carry(&at, value_of, VALUES, back);
    for (int i = 0; i < height; i++) {
        i64 place[] = {stack[i].rule, stack[i].block};
        carry(&at, place, 2, back);
        if (back) {
            stack[i].rule = (int)place[0], stack[i].block = (int)place[1];
            stack[i].slots = slot_room[i];
        }
        carry(&at, stack[i].slots, RULE[stack[i].rule].slots, back);
    }
}

/* What a player has more than the best of the others; to have won is better than any points. */
static i64 worth_to(i64 me) {
    i64 own = 0, most = INT64_MIN, mark = brief_top;
    work = 0;
    for (i64 seat = 0; seat < PLAYERS; seat++) {
        i64 points = total(seat);
        if (seat == me) own = points;
        else if (points > most) most = points;
    }
    brief_top = mark;
    if (PLAYERS > 1) own -= most;
    if (!over || !winners) return own;
    return own + (winners >> me & 1 ? A_WIN / __builtin_popcountll(winners) : -A_WIN);
}

/* Play on at random until another is asked; a secret choice is played to its end. */
static i64 settled_worth(i64 me, i64 secret, u64 *stream) {
    for (int step_number = 0; step_number < LOOK_STEPS; step_number++) {
        i64 answers = run();
        while (answers && asked_player() != me && secret >= 0 && asking == secret) {
            take(below(stream, answers));
            answers = run();
        }
        if (!answers || asked_player() != me) break;
        take(below(stream, answers));
    }
    return worth_to(me);
}

/* The number of the best of some answers, from one that chance picks on. */
static i64 best_answer(i64 answers, i64 tried, u64 *stream) {
    i64 me = asked_player(), secret = asking, first = below(stream, answers), best = first, most = 0;
    offered = (List *)keep((i64)offered, 1 + (in_steps ? 0 : asked->question->mode ? 1 : asked->question->depth));
    whole_table(0);
    for (i64 i = 0; i < tried && i < answers; i++) {
        i64 pick = (first + i) % answers, worth;
        take(pick);
        worth = settled_worth(me, secret, stream);
        if (!i || worth > most) most = worth, best = pick;
        whole_table(1);
    }
    return best;
}
