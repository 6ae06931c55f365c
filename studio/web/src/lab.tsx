// Games among bots and searches for broken laws: live figures, and a way from a game or a finding to its table.

import { useState } from "preact/hooks";
import type { FuzzReport, Interval, Shown, SimReport } from "./types";
import type { Say } from "./words";

export interface LabCalls {
  start(kind: "sim" | "fuzz", params: object): void;
  stop(kind: "sim" | "fuzz"): void;
  openGame(seed: number, seats: string[]): void;
  openFinding(players: number, seed: number, answers: string[]): void;
}

interface Props {
  shown: Shown | null;
  sim: { report: SimReport; running: boolean; seats: string[] } | null;
  fuzz: { report: FuzzReport; running: boolean } | null;
  say: Say;
  calls: LabCalls;
}

const percent = (value: number) => `${(100 * value).toFixed(1)} %`;

function between(one: Interval, show: (value: number) => string): string {
  const [low, high] = one.interval;
  return low === null || high === null ? show(one.value) : `${show(one.value)} (${show(low)} – ${show(high)})`;
}

export function Lab({ shown, sim, fuzz, say, calls }: Props) {
  const [games, setGames] = useState(200);
  const [kinds, setKinds] = useState<string[]>([]);
  if (!shown) return null;
  const bots = shown.kinds.filter((kind) => kind !== "person");
  const seats = shown.names.map((_, seat) => kinds[seat] ?? "random");
  return (
    <div class="lab">
      <section aria-label={say("sim")}>
        <h2>{say("sim")}</h2>
        <form
          class="new"
          onSubmit={(event) => {
            event.preventDefault();
            calls.start("sim", { seats, games, seed: 1 });
          }}
        >
          {shown.names.map((name, seat) => (
            <label key={seat}>
              {name}{" "}
              <select
                value={seats[seat]}
                onChange={(event) => {
                  const next = [...seats];
                  next[seat] = event.currentTarget.value;
                  setKinds(next);
                }}
              >
                {bots.map((kind) => (
                  <option key={kind}>{kind}</option>
                ))}
              </select>
            </label>
          ))}
          <label>
            {say("games")} <input type="number" min={1} max={100000} value={games} onInput={(event) => setGames(Number(event.currentTarget.value))} />
          </label>
          {sim?.running ? (
            <button type="button" onClick={() => calls.stop("sim")}>
              {say("stop")}
            </button>
          ) : (
            <button>{say("start")}</button>
          )}
        </form>
        {sim && <SimView report={sim.report} names={shown.names} seats={sim.seats} say={say} open={(seed) => calls.openGame(seed, sim.seats)} />}
      </section>
      <section aria-label={say("fuzz")}>
        <h2>{say("fuzz")}</h2>
        <p>
          {fuzz?.running ? (
            <button onClick={() => calls.stop("fuzz")}>{say("stop")}</button>
          ) : (
            <button onClick={() => calls.start("fuzz", { games })}>{say("start")}</button>
          )}
        </p>
        {fuzz && (
          <>
            <p role="status">{say("fuzzed", { games: fuzz.report.games, of: fuzz.report.of, found: fuzz.report.findings.length })}</p>
            <progress max={fuzz.report.of} value={fuzz.report.games} aria-label={say("fuzz")} />
            <ul>
              {fuzz.report.findings.map((one) => (
                <li key={one.law + one.rule}>
                  <button class="fix" onClick={() => calls.openFinding(one.players, one.seed, one.answers)}>
                    {one.law}: {one.message}
                  </button>{" "}
                  <small>{say("answers", { count: one.answers.length })}</small>
                </li>
              ))}
            </ul>
          </>
        )}
      </section>
    </div>
  );
}

interface SimProps {
  report: SimReport;
  names: string[];
  seats: string[];
  say: Say;
  open(seed: number): void;
}

function SimView({ report, names, seats, say, open }: SimProps) {
  const most = Math.max(...report.seats.map((one) => one.wins.interval[1] ?? 0), 0.01);
  const best = Math.max(...report.seats.map((one) => one.points.interval[1] ?? 0), 0.01);
  return (
    <>
      <p role="status">
        {say("played", { games: report.games, of: report.of })} {!report.enough && say("tooFew")}
      </p>
      {report.broken && <p class="error">{report.broken}</p>}
      <progress max={report.of} value={report.games} aria-label={say("sim")} />
      <table>
        <thead>
          <tr>
            <th scope="col">{say("seat")}</th>
            <th scope="col">{say("wins")}</th>
            <th scope="col">{say("points")}</th>
          </tr>
        </thead>
        <tbody>
          {report.seats.map((one) => (
            <tr key={one.seat}>
              <th scope="row">
                {names[one.seat]} <small>{seats[one.seat]}</small>
              </th>
              <td>
                {report.enough ? between(one.wins, percent) : say("tooFew")}
                {report.enough && <Bar one={one.wins} most={most} />}
              </td>
              <td>
                {report.enough ? between(one.points, (value) => value.toFixed(1)) : say("tooFew")}
                {report.enough && <Bar one={one.points} most={best} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        {say("length")}: {report.enough ? between(report.length, (value) => value.toFixed(1)) : say("tooFew")}
      </p>
      {report.enough && <Lengths report={report} say={say} />}
      <Dots report={report} say={say} open={open} />
    </>
  );
}

/** A share with its interval: a bar and a line, in a box of a hundred units. */
function Bar({ one, most }: { one: Interval; most: number }) {
  const x = (value: number) => (100 * value) / most;
  const [low, high] = one.interval;
  return (
    <svg class="bar-plot" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect x="0" y="2" height="6" width={x(one.value)} class="share" />
      {low !== null && high !== null && <line x1={x(low)} x2={x(high)} y1="5" y2="5" class="interval" />}
    </svg>
  );
}

const WIDTH = 480;
const HEIGHT = 150;
const BINS = 24;
const LOW = 60; // units a histogram is high

/** How long games are: how many of each length, and the mean with its interval. */
function Lengths({ report, say }: { report: SimReport; say: Say }) {
  const lengths = report.dots.map((one) => one.decisions);
  const first = Math.min(...lengths);
  const last = Math.max(...lengths);
  const step = Math.max(1, Math.ceil((last - first + 1) / BINS));
  const bins = Array.from({ length: Math.floor((last - first) / step) + 1 }, () => 0);
  for (const length of lengths) {
    const bin = Math.floor((length - first) / step);
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  const most = Math.max(...bins, 1);
  const wide = (WIDTH - 20) / bins.length;
  const x = (value: number) => 10 + ((value - first) / step) * wide;
  const [low, high] = report.length.interval;
  return (
    <svg class="lengths" viewBox={`0 0 ${WIDTH} ${LOW + 16}`} role="img" aria-label={`${say("length")}: ${first}–${last}`}>
      {bins.map((count, bin) => (
        <rect key={bin} x={10 + bin * wide} width={Math.max(1, wide - 1)} y={LOW - (LOW * count) / most} height={(LOW * count) / most} class="share" />
      ))}
      {low !== null && high !== null && <line x1={x(low)} x2={x(high)} y1={LOW / 2} y2={LOW / 2} class="interval" />}
      <text x="10" y={LOW + 13}>
        {first}
      </text>
      <text x={WIDTH - 10} y={LOW + 13} text-anchor="end">
        {last}
      </text>
    </svg>
  );
}

/** The least and the greatest of some numbers, never the same. */
function ends(values: number[]): [number, number] {
  const low = values.length ? Math.min(...values) : 0;
  const high = values.length ? Math.max(...values) : 1;
  return low === high ? [low - 0.5, high + 0.5] : [low, high];
}

/** Every game as a dot: how long it was, and the points of its winner. The list beside it can be walked by keys. */
function Dots({ report, say, open }: { report: SimReport; say: Say; open(seed: number): void }) {
  const games = report.dots.slice(-400);
  const best = (one: SimReport["dots"][number]) => Math.max(...one.points, 0);
  const [shortest, longest] = ends(games.map((one) => one.decisions));
  const [lowest, highest] = ends(games.map(best));
  return (
    <>
      <svg class="dots" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={say("dots")}>
        {games.map((one) => (
          <circle
            key={one.seed}
            cx={10 + ((WIDTH - 20) * (one.decisions - shortest)) / (longest - shortest)}
            cy={HEIGHT - 10 - ((HEIGHT - 20) * (best(one) - lowest)) / (highest - lowest)}
            r="4"
            class={one.error ? "broken" : ""}
            onClick={() => open(one.seed)}
          >
            <title>{`${one.seed}: ${one.decisions}, ${best(one)}`}</title>
          </circle>
        ))}
      </svg>
      <p>
        <label>
          {say("openGame")}{" "}
          <select value="" onChange={(event) => event.currentTarget.value && open(Number(event.currentTarget.value))}>
            <option value="">–</option>
            {games.slice(-60).map((one) => (
              <option key={one.seed} value={one.seed}>
                {`${say("seed")} ${one.seed}: ${say("answers", { count: one.decisions })}`}
              </option>
            ))}
          </select>
        </label>
      </p>
    </>
  );
}
