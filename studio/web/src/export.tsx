// A page that needs no server: a game to step through, or a comparison, from the data that lies in it.

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Differences } from "./compare";
import "./main.css";
import { changed, TableView } from "./table";
import type { DiffReport, FoundPositions, Note, SeatView, Table, Zone } from "./types";
import { LANGUAGES, speaker, type Lang, type Say } from "./words";

interface Moment extends Omit<Table, "zones" | "notes" | "seats"> {
  zones: number[];
  notes: number[];
  seats: number[];
  chosen: number;
}

interface GameData {
  kind: "game";
  title: string;
  lang: string;
  ruleset: string;
  told: string;
  parts: unknown[];
  moments: Moment[];
}

interface CompareData {
  kind: "compare";
  title: string;
  lang: string;
  report: DiffReport;
  found: FoundPositions;
}

function tableOf(data: GameData, at: number): Table | null {
  const moment = data.moments[at];
  if (!moment) return null;
  return {
    ...moment,
    zones: moment.zones.map((number) => data.parts[number] as Zone),
    notes: moment.notes.map((number) => data.parts[number] as Note),
    seats: moment.seats.map((number) => data.parts[number] as SeatView),
  };
}

function GameView({ data, say }: { data: GameData; say: Say }) {
  const last = data.moments.length - 1;
  const [at, setAt] = useState(0);
  const go = (to: number) => setAt(Math.max(0, Math.min(last, to)));
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if ((event.target as HTMLElement).closest("input")) return;
      if (event.key === "ArrowRight" || event.key === "]") setAt((old) => Math.min(last, old + 1));
      else if (event.key === "ArrowLeft" || event.key === "[") setAt((old) => Math.max(0, old - 1));
    };
    window.addEventListener("keydown", key);
    return () => window.removeEventListener("keydown", key);
  }, []);
  const table = tableOf(data, at);
  const before = tableOf(data, at - 1);
  if (!table) return null;
  const log = data.moments.slice(0, at + 1).flatMap((one) => one.log);
  const chosen = data.moments[at]?.chosen;
  const winners = table.winners.map((seat) => table.seats[seat]?.name ?? "").join(", ");
  return (
    <main class="export">
      <h1>{data.title}</h1>
      <p class="hint">{data.ruleset}</p>
      {data.told && <p class="bar">{data.told}</p>}
      <div class="timeline">
        <button onClick={() => go(0)} disabled={at === 0} aria-label={say("first")}>
          «
        </button>
        <button onClick={() => go(at - 1)} disabled={at === 0} aria-label={say("previous")}>
          ‹
        </button>
        <input type="range" min={0} max={last} value={at} aria-label={say("move", { at, length: last })} onInput={(event) => go(Number(event.currentTarget.value))} />
        <button onClick={() => go(at + 1)} disabled={at === last} aria-label={say("next")}>
          ›
        </button>
        <button onClick={() => go(last)} disabled={at === last} aria-label={say("last")}>
          »
        </button>
        <span role="status">{say("move", { at, length: last })}</span>
      </div>
      <div class="question">
        <p>
          {table.over ? (
            <>
              {say("over")} {winners ? say("won", { names: winners }) : say("nobodyWon")}
            </>
          ) : table.question ? (
            <strong>
              {table.seats[table.to_move]?.name}: {table.question.text}
            </strong>
          ) : table.to_move >= 0 ? (
            say("asked", { name: table.seats[table.to_move]?.name ?? "" })
          ) : (
            say("nobodyAsked")
          )}
        </p>
        {table.question && (
          <ol class="options" aria-label={say("options")}>
            {table.question.options.map((one) => (
              <li key={one.key} class={one.number === chosen ? "option chosen" : "option"} aria-current={one.number === chosen}>
                {one.text}
              </li>
            ))}
          </ol>
        )}
      </div>
      <TableView table={table} marks={before ? changed(before, table) : new Set()} options={[]} say={say} calls={null} selected="" />
      <h2>{say("log")}</h2>
      <ol class="log" tabIndex={0} aria-label={say("log")}>
        {log.reverse().map((line, number) => (
          <li key={number}>{line}</li>
        ))}
      </ol>
    </main>
  );
}

const plain = (old: string, fresh: string) => (
  <div class="sides">
    <pre class="side side0">{old || "–"}</pre>
    <pre class="side side1">{fresh || "–"}</pre>
  </div>
);

function CompareView({ data, say }: { data: CompareData; say: Say }) {
  return (
    <main class="export compare">
      <h1>{data.title}</h1>
      <ul class="editions">
        {data.report.editions.map((one) => (
          <li key={one.ruleset}>
            <b>{one.title}</b> {one.about} <code>{one.ruleset}</code>
          </li>
        ))}
      </ul>
      <Differences report={data.report} found={data.found} busy={false} say={say} calls={null} merge={plain} />
    </main>
  );
}

const root = document.getElementById("export");
const data = JSON.parse(document.getElementById("data")?.textContent ?? "{}") as GameData | CompareData;
const say = speaker(data.lang in LANGUAGES ? (data.lang as Lang) : "en");
if (root) render(data.kind === "game" ? <GameView data={data} say={say} /> : <CompareView data={data} say={say} />, root);
