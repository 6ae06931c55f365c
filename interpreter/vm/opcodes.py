"""The numbers of instructions, faults, primitives and sections: made from opcodes.toml by make_opcodes.py."""

# ruff: noqa: E501

FORMAT = 3
MOV = 0
K = 1
INT = 2
ADD = 3
SUB = 4
MUL = 5
NOT = 6
EQ = 7
LT = 8
LE = 9
SAME = 10
HAS = 11
REGION = 12
JOIN = 13
LESS = 14
RANGE = 15
LIST = 16
SCALE = 17
TIMES = 18
JMP = 19
JT = 20
JF = 21
TICK = 22
CALL = 23
RECALL = 24
CALLSELF = 25
RET = 26
ENTRY = 27
ENTRY2 = 28
ITEM = 29
NTH = 30
SERIES = 31
CELLAT = 32
ROWOF = 33
ZONE = 34
PIECES = 35
NARROW = 36
VARAT = 37
VAR = 38
GVAR = 39
PRIM = 40
LOOP = 41
OVER = 42
EACH = 43
NEXT = 44
NEXTKEEP = 45
LNEW = 46
PUSH = 47
SEAL = 48
WEIGH = 49
BEST = 50
SORT = 51
REACH = 52
FOLLOW = 53
CAN = 54
WOULD = 55
BACK = 56
BLOCK = 57
AT = 58
SKIPLAW = 59
SKIPPAST = 60
SKIPSIGHT = 61
NEED = 62
LAW = 63
STORE = 64
SIZE = 65
HEAD = 66
STEP = 67
ROLLHEAD = 68
TURNS = 69
ROLL = 70
SEEN = 71
SEENVAR = 72
SEENBY = 73
UNSEEN = 74
MOVE = 75
MOVES = 76
SWAP = 77
SWAPS = 78
SHUFFLE = 79
SHOW = 80
CHANGE = 81
CHANGES = 82
RESET = 83
ASK = 84
DO = 85
MARK = 86
INSTEAD = 87
SEATS = 88
FINISH = 89
RETURN = 90

# By instruction: name, kinds of operands, what it does.
OPCODES: tuple[tuple[str, str, str], ...] = (
    ("MOV", "d r -", "R[a] := R[b]"),
    ("K", "d k", "R[a] := pool[bc]"),
    ("INT", "d i", "R[a] := bc"),
    ("ADD", "d r r", "R[a] := R[b] + R[c]"),
    ("SUB", "d r r", "R[a] := R[b] - R[c]"),
    ("MUL", "d r r", "R[a] := R[b] * R[c] / unit, which must be whole"),
    ("NOT", "d r -", "R[a] := not R[b]"),
    ("EQ", "d r r", "R[a] := R[b] is R[c], of values that are no lists"),
    ("LT", "d r r", "R[a] := R[b] < R[c]"),
    ("LE", "d r r", "R[a] := R[b] <= R[c]"),
    ("SAME", "d r r", "R[a] := R[b] is R[c], lists element by element"),
    ("HAS", "d r r", "R[a] := L[b] has R[c]"),
    ("REGION", "d r r", "R[a] := the region L[b] has the plan of the cell R[c]"),
    ("JOIN", "d r r", "R[a] := L[b] and then L[c]"),
    ("LESS", "d r r", "R[a] := L[b] without the elements of L[c], doubles counted"),
    ("RANGE", "d r r", "R[a] := R[b]..R[c] in whole steps"),
    ("LIST", "d w n", "R[a] := the list R[b], R[b+1], ... of c elements"),
    ("SCALE", "d r n", "R[a] := R[b] * c, of small numbers"),
    ("TIMES", "d r -", "R[a] := R[b] in whole ones, rounded down"),
    ("JMP", "- j", "go to bc"),
    ("JT", "r j", "go to bc if R[a]"),
    ("JF", "r j", "go to bc unless R[a]"),
    ("TICK", "- i", "count bc steps of work"),
    ("CALL", "d w n", "R[a] := definition c of R[b] (me), R[b+1], ..."),
    ("RECALL", "d w n", "CALL; a value that was kept is given instead, and the work it took is counted"),
    ("CALLSELF", "d w n", "the same of a definition that may call itself, counted against the depth"),
    ("RET", "r - -", "give R[a] back"),
    ("ENTRY", "d r t", "R[a] := entry R[b] of list c, from 0"),
    ("ENTRY2", "d w t", "R[a] := entry R[b+1] of entry R[b] of list c"),
    ("ITEM", "d r r", "R[a] := element R[c] of L[b], from 0"),
    ("NTH", "d r r", "R[a] := element R[c] of L[b], a number from 1"),
    ("SERIES", "d r n", "R[a] := entry R[b] of series c"),
    ("CELLAT", "d r r", "R[a] := the cell of row R[c] in the place R[b]"),
    ("ROWOF", "d r n", "R[a] := the row of table c that the cell R[b] is"),
    ("ZONE", "d r n", "R[a] := the place of zone c that is R[b]'s"),
    ("PIECES", "d r -", "R[a] := the pieces of the place R[b]"),
    ("NARROW", "d r n", "R[a] := the pieces of L[b] whose kind is in set c"),
    ("VARAT", "d r n", "R[a] := where variable c of R[b] stands"),
    ("VAR", "d r n", "R[a] := variable c of R[b]"),
    ("GVAR", "d i", "R[a] := the variable that stands at bc"),
    ("PRIM", "d w n", "R[a] := primitive c (low byte) of its arguments (how many: high byte) from R[b] on"),
    ("LOOP", "w r n", "R[a..a+2] := a loop over L[b], each turn c steps of work"),
    ("OVER", "w r -", "the same, and no work is counted"),
    ("EACH", "r n -", "count b steps for each element of L[a]"),
    ("NEXT", "w d s", "R[b] := the next element of the loop at R[a]; none left: go on at c. Scratch is given back"),
    ("NEXTKEEP", "w d s", "the same, but scratch is kept"),
    ("LNEW", "d w n", "R[a] := an empty list with room for c elements a turn of the loop at R[b]"),
    ("PUSH", "r r -", "put R[b] at the end of L[a]"),
    ("SEAL", "r - -", "no more is put into L[a], which lies last: room that was not used is given back"),
    ("WEIGH", "r - -", "count the work of looking at R[a]"),
    ("BEST", "d w n", "R[a] := the elements of L[b+1] whose key in L[b] is the greatest (c = 0) or least (1)"),
    ("SORT", "d w n", "R[a] := L[b+1] by the keys L[b], rising (c = 0) or falling (1), ties in order"),
    ("REACH", "w r n", "R[a..a+2] := a loop over L[b], each once, that grows; each turn c steps"),
    ("FOLLOW", "w r n", "go on, in the loop at R[a], with what is new in L[b], each turn c steps"),
    ("CAN", "d w n", "R[a] := whether call c of R[b] (me), R[b+1], ... can be completed"),
    ("WOULD", "- w n", "run call c on a copy of the position, in which the rules then go on"),
    ("BACK", "d r -", "R[a] := R[b], and back to the position before WOULD"),
    ("BLOCK", "- i", "block bc begins: its work is counted; what acts is not run dry, nor while secrets are collected"),
    ("AT", "- i", "the rule stands at block bc"),
    ("SKIPLAW", "- j", "go to bc where no law is tested"),
    ("SKIPPAST", "- j", "go to bc where a rule is tried out or run dry: nothing is kept for laws"),
    ("SKIPSIGHT", "- j", "go to bc unless effects are tried out"),
    ("NEED", "r - -", "what is required: R[a]; if not, a dry run ends"),
    ("LAW", "r n -", "law b is broken unless R[a]"),
    ("STORE", "d r -", "R[a] := R[b], which is kept: not too long"),
    ("SIZE", "r - -", "R[a] must not be too long to be kept"),
    ("HEAD", "- - -", "the head of a loop: a dry run ends"),
    ("STEP", "w d s", "R[b] := the next element of a `for` at R[a] (its list, the place in it); none left: go on at c"),
    ("ROLLHEAD", "- - -", "chance: a dry run ends; in secret it waits"),
    ("TURNS", "r - -", "count the work of B for each element of L[a]"),
    ("ROLL", "d w n", "R[a] := chance picks from L[b] one (c = 0), or R[b+1] of them (c = 1)"),
    ("SEEN", "r - -", "tried out: the piece or pieces R[a] must be seen by who is asked"),
    ("SEENVAR", "r - -", "tried out: the variable at R[a], or those of a list, must be seen"),
    ("SEENBY", "r r -", "tried out: the pieces R[a], if they are shown (R[b]) to who is asked"),
    ("UNSEEN", "- - -", "tried out: nobody can know"),
    ("MOVE", "r r n", "move R[a] to R[b], a cell (c = 1) or a place (0)"),
    ("MOVES", "r n -", "move L[a], what and where to by turns; b: which of the pairs of a turn go to cells"),
    ("SWAP", "r r -", "R[a] and R[b] change places"),
    ("SWAPS", "r - -", "the pairs of L[a] change places"),
    ("SHUFFLE", "r - -", "shuffle the place R[a]"),
    ("SHOW", "r r -", "the players R[b] know from now on which pieces R[a] are"),
    ("CHANGE", "r r n", "the variable at R[a]: set (c = 0), add (1) or take (2) R[b]"),
    ("CHANGES", "r n -", "the same of the pairs of L[a]"),
    ("RESET", "n - -", "variable a goes back to its first value"),
    ("ASK", "n - -", "question a"),
    ("DO", "- w n", "call c with R[b] (me), R[b+1], ..."),
    ("MARK", "d r n", "R[a] has bit c set if R[b]"),
    ("INSTEAD", "r n -", "the stand-in b of those that R[a] marks is called, or the body goes on"),
    ("SEATS", "n - -", "secret answers a"),
    ("FINISH", "r - -", "the game is over, won by L[a]"),
    ("RETURN", "n - -", "back to the caller with R[a - 1] (0: nothing)"),
)
PRIMITIVES: tuple[str, ...] = (
    "players",
    "opponents",
    "everywhere",
    "cell_of",
    "owner_of",
    "face_of",
    "any",
    "all",
    "count",
    "sum",
    "union",
    "distinct",
    "sums",
    "groups",
    "first",
    "last",
    "within",
    "min",
    "max",
    "divide_up",
    "divide_down",
    "top",
    "at",
    "near",
    "around",
    "free",
    "cells",
    "lines",
    "step",
    "ray",
    "next",
    "previous",
    "clockwise",
    "total",
)
RUN_ERRORS: tuple[tuple[str, str], ...] = (
    ("WORK", "the rules ask for too much work between two decisions"),
    ("DEEP", "definitions nested too deep"),
    ("BEYOND", "a number beyond all bounds"),
    ("FINE", "a product finer than the smallest unit of the ruleset"),
    ("RANGE", "a range of more than a hundred thousand numbers"),
    ("JOIN", "a list of more than a hundred thousand elements"),
    ("STORED", "a list of more than a hundred thousand elements, those of inner lists counted"),
    ("ENTRY", "there is no entry {a} here"),
    ("ROW", "this cell is no row of a table"),
    ("SELF", "a definition calls itself too often"),
    ("SUMS", "more than a hundred thousand different totals"),
    ("FIRST", "the first of nothing"),
    ("LAST", "the last of nothing"),
    ("LEAST", "the least of nothing"),
    ("GREATEST", "the greatest of nothing"),
    ("RING", "a player who is not in the ring has no neighbour there"),
    ("OWNER", "a piece that lies in nobody's zone has no owner"),
    ("NEED", "a rule was begun whose requirement does not hold"),
    ("LAW", "an invariant does not hold"),
    ("ENDING", "an invariant of the end does not hold"),
    ("INVARIANT", "an invariant does not hold"),
    ("PIECES", "a piece lies in two places"),
    ("NOWHERE", "a piece lies nowhere or twice"),
    ("COUNTERS", "a variable is out of its range"),
    ("ROLL", "nothing to roll from"),
    ("ROLLS", "more than a hundred thousand rolls at once"),
    ("FATE", "chance was told to pick number {a} of {b}"),
    ("OFFGRID", "a move to a cell that is on no grid"),
    ("KIND", "a piece of kind {a} cannot lie in place {b}"),
    ("ITSELF", "a piece cannot lie in itself, nor in what lies in it"),
    ("TAKEN", "no room for the piece: that cell is taken"),
    ("FULL", "no room for the piece: every cell there is taken"),
    ("SWAPKIND", "two pieces that cannot lie in each other's place"),
    ("SWAPITSELF", "a piece cannot change places with one that lies in it"),
    ("STANDINS", "two rules want to stand in for one"),
    ("NOTHING", "a seat must choose, and there is nothing to choose"),
    ("TABLE", "a cooperative game is won by everybody or by nobody"),
    ("CALLS", "rules call rules more than {a} deep"),
    ("WOULDS", "'would' within 'would', too deep"),
    ("TOO_MUCH", "the rules keep more in mind than this machine can hold"),
    ("FORK", "chance could go on in {a} ways"),
    ("ANSWER", "no question is open, or no such option"),
    ("BROKEN", "a value of the wrong kind: the program or the state is not sound"),
)
LOAD_ERRORS: tuple[str, ...] = (
    "FORMAT",
    "LENGTH",
    "SECTION",
    "OPCODE",
    "REGISTER",
    "POOL",
    "JUMP",
    "TABLE",
    "UNUSED",
    "END",
    "ENTRY",
    "UNREACHED",
)
META: tuple[str, ...] = (
    "players",
    "unit",
    "pieces",
    "places",
    "cells",
    "slots",
    "variables",
    "kinds",
    "kind_words",
    "work",
    "depth",
    "listed",
    "cooperative",
    "start",
    "laws",
    "trials",
    "zones",
    "score_cost",
)
RECORDS: dict[str, tuple[str, ...]] = {
    "funcs": ("start", "end", "window"),
    "series": ("first", "list", "beyond"),
    "grids": ("width", "height", "row", "column", "rows", "columns", "map", "ways", "n_ways"),
    "rules": ("entry", "slots", "window", "received", "first_block", "blocks", "piece_slots", "n_piece_slots", "gives"),
    "blocks": ("pc", "cost", "acts", "finish", "started_low", "started_high", "fails", "hook_fails", "returns", "loop", "next", "other", "seats"),
    "questions": ("mode", "slot", "may", "piece", "then", "otherwise", "rule", "block", "where_cost", "by", "source", "where", "low", "high", "totals", "n_totals", "conditions"),
    "totals": ("op", "other", "part", "counts"),
    "calls": ("rule", "arguments", "members", "n_members", "then"),
    "standins": ("parameters", "body", "then", "rules", "n_rules"),
    "seats": ("slot", "seats", "place", "answers", "body", "out", "where"),
    "defines": ("pc", "window", "parameters", "me", "twins"),
    "scores": ("pc", "window"),
    "invariants": ("pc", "window", "cost"),
    "endings": ("pc", "window", "cost"),
}
SECTIONS: tuple[str, ...] = (
    "META",
    "POOL",
    "CODE",
    "FUNCS",
    "LISTS",
    "SERIES",
    "KINDSETS",
    "KIND_OF",
    "FACE",
    "TWIN",
    "OWNED_AT",
    "OWNED",
    "PLACE_FIRST_CELL",
    "PLACE_CELLS",
    "PLACE_OWNER",
    "PLACE_OWNER_KIND",
    "PLACE_KINDS",
    "PLACE_SEES",
    "PLACE_COUNTED",
    "PLACE_VIEWERS",
    "PLACE_ZONE",
    "PLACE_SLOTS_ONLY",
    "PLACE_GRID",
    "STARTS_AT",
    "STARTS",
    "ZONE_FIRST",
    "ZONE_SHIFT",
    "ZONE_PLACES",
    "HIDER",
    "CELL_PLACE",
    "CELL_PLAN",
    "CELL_STACKS",
    "CELL_TABLE",
    "CELL_NEAR",
    "CELL_AROUND",
    "CELL_ROW",
    "CELL_COLUMN",
    "GRIDS",
    "GRID_MAP",
    "GRID_WAYS",
    "SLOT_VARIABLE",
    "SLOT_OWNER",
    "SLOT_OWNER_KIND",
    "SLOT_SEES",
    "SLOT_VIEWERS",
    "VAR_FIRST",
    "VAR_SHIFT",
    "VAR_COUNT",
    "VAR_ROWS",
    "KIND_VARS_AT",
    "KIND_VARS",
    "RESETS_AT",
    "RESETS",
    "NAMING_AT",
    "NAMING",
    "RULES",
    "BLOCKS",
    "PIECE_SLOTS",
    "QUESTIONS",
    "TOTALS",
    "CALLS",
    "MEMBERS",
    "STANDINS",
    "SEATS",
    "DEFINES",
    "SCORES",
    "INVARIANTS",
    "ENDINGS",
    "HOOKS",
    "UNRELATED",
)
