// boardgame.io in Node: both games written for it, played through its client or through the reducer below that.
"use strict";
const path = require("node:path");
const readline = require("node:readline");

const home = process.env.PEERS_NODE;
const library = (name) => require(path.join(home, "node_modules", "boardgame.io", "dist", "cjs", `${name}.js`));
const { version } = require(path.join(home, "node_modules", "boardgame.io", "package.json"));
const { Client } = library("client");
const { INVALID_MOVE } = library("core");
const { CreateGameReducer, InitializeGame } = library("internal");

const BATCH = 0.02; // seconds that a batch of games should last

// Whether the owner of a square has a row of some length through it.
function inARow(cells, width, height, at, length) {
  const owner = cells[at];
  const row = Math.floor(at / width);
  const column = at % width;
  for (const [down, right] of [[0, 1], [1, 0], [1, 1], [1, -1]]) {
    let found = 1;
    for (const way of [1, -1]) {
      let r = row + way * down;
      let c = column + way * right;
      while (r >= 0 && r < height && c >= 0 && c < width && cells[r * width + c] === owner) {
        found += 1;
        r += way * down;
        c += way * right;
      }
    }
    if (found >= length) return true;
  }
  return false;
}

function endIf({ G, ctx }) {
  if (G.won) return { winner: ctx.currentPlayer };
  if (G.filled === G.cells.length) return { draw: true };
  return undefined;
}

const ticTacToe = {
  name: "tic-tac-toe",
  setup: () => ({ cells: Array(9).fill(null), filled: 0, won: false }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    put: ({ G, playerID }, at) => {
      if (G.cells[at] !== null) return INVALID_MOVE;
      G.cells[at] = playerID;
      G.filled += 1;
      G.won = inARow(G.cells, 3, 3, at, 3);
    },
  },
  endIf,
};

const connectFour = {
  name: "connect-four",
  setup: () => ({ cells: Array(42).fill(null), filled: 0, won: false }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    put: ({ G, playerID }, column) => {
      if (G.cells[column] !== null) return INVALID_MOVE;
      let at = column + 35;
      while (G.cells[at] !== null) at -= 7;
      G.cells[at] = playerID;
      G.filled += 1;
      G.won = inARow(G.cells, 7, 6, at, 4);
    },
  },
  endIf,
};

// The options: empty squares, or the columns whose top is empty.
const GAMES = { "tic-tac-toe": [ticTacToe, 9], "connect-four": [connectFour, 7] };

function pick(cells, choices) {
  const open = [];
  for (let at = 0; at < choices; at += 1) if (cells[at] === null) open.push(at);
  return open[Math.floor(Math.random() * open.length)];
}

function byClient([game, choices]) {
  const client = Client({ game, numPlayers: 2, debug: false });
  client.start();
  return (count) => {
    const done = { decisions: 0, wins: [0, 0] };
    for (let number = 0; number < count; number += 1) {
      client.reset();
      let state = client.getState();
      while (state.ctx.gameover === undefined) {
        client.moves.put(pick(state.G.cells, choices));
        state = client.getState();
        done.decisions += 1;
      }
      if (state.ctx.gameover.winner !== undefined) done.wins[Number(state.ctx.gameover.winner)] += 1;
    }
    return done;
  };
}

function byReducer([game, choices]) {
  const reduce = CreateGameReducer({ game });
  const beginning = InitializeGame({ game, numPlayers: 2 });
  return (count) => {
    const done = { decisions: 0, wins: [0, 0] };
    for (let number = 0; number < count; number += 1) {
      let state = beginning;
      while (state.ctx.gameover === undefined) {
        const playerID = state.ctx.currentPlayer;
        const payload = { type: "put", args: [pick(state.G.cells, choices)], playerID };
        state = reduce(state, { type: "MAKE_MOVE", payload });
        done.decisions += 1;
      }
      if (state.ctx.gameover.winner !== undefined) done.wins[Number(state.ctx.gameover.winner)] += 1;
    }
    return done;
  };
}

// Processor time of this process, in seconds; what its helper threads do counts, as it would on one core.
function clock() {
  const used = process.cpuUsage();
  return (used.user + used.system) / 1e6;
}

const way = process.argv[2] === "reducer" ? byReducer : byClient;
const plays = {};
const sizes = {};

function obey(order) {
  if (!(order.game in GAMES)) return { absent: "no such game" };
  plays[order.game] ??= way(GAMES[order.game]);
  const found = { games: 0, decisions: 0, wins: [0, 0], seconds: 0 };
  let size = sizes[order.game] ?? 1;
  const start = clock();
  let now = start;
  while (now - start < order.seconds) {
    const done = plays[order.game](size);
    found.games += size;
    found.decisions += done.decisions;
    found.wins = found.wins.map((wins, seat) => wins + done.wins[seat]);
    const before = now;
    now = clock();
    if (now - before < BATCH) size *= 2;
  }
  sizes[order.game] = size;
  found.seconds = now - start;
  return found;
}

console.log(JSON.stringify({ version: `boardgame.io ${version} in Node ${process.version}` }));
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  console.log(JSON.stringify(obey(JSON.parse(line))));
});
