// Two or more stacks side by side: what differs by chapter, and for each difference a position in which it shows.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { changed, TableView } from "./table";
import type { Difference, DiffReport, FoundPositions, PositionView, ReadingView, SideView, WitnessView } from "./types";
import type { Say } from "./words";

export interface CompareCalls {
  open(stacks: string[]): void;
  look(ids: string[]): void;
  stop(): void;
  play(params: object): void;
  share(): void;
}

interface Props {
  stacks: string[];
  known: string[];
  report: DiffReport | null;
  found: FoundPositions;
  running: { games: number; of: number } | null;
  say: Say;
  calls: CompareCalls;
  merge: Merge;
}

/** Draws two texts with what differs between them. */
export type Merge = (old: string, fresh: string) => ComponentChildren;

export function Compare({ stacks, known, report, found, running, say, calls, merge }: Props) {
  const [wanted, setWanted] = useState(stacks);
  const rest = report?.differences.filter((one) => one.readings.length && !found[one.id]).map((one) => one.id) ?? [];
  return (
    <div class="compare">
      <form
        class="new"
        onSubmit={(event) => {
          event.preventDefault();
          calls.open(wanted.filter((one) => one.trim()));
        }}
      >
        {wanted.map((stack, number) => (
          <label key={number}>
            {say("stack")} {number + 1}{" "}
            <input
              value={stack}
              list="stacks"
              spellcheck={false}
              onInput={(event) => setWanted(wanted.map((one, other) => (other === number ? event.currentTarget.value : one)))}
            />
          </label>
        ))}
        <datalist id="stacks">
          {known.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
        {wanted.length < 6 && (
          <button type="button" onClick={() => setWanted([...wanted, ""])}>
            {say("oneMore")}
          </button>
        )}
        <button class="main">{say("compareThem")}</button>
        {report && rest.length > 0 && !running && (
          <button type="button" onClick={() => calls.look(rest)}>
            {say("lookForAll", { count: rest.length })}
          </button>
        )}
        {running && (
          <>
            <progress max={running.of} value={running.games} aria-label={say("looking")} />
            <button type="button" onClick={calls.stop}>
              {say("stop")}
            </button>
          </>
        )}
        {report && (
          <button type="button" onClick={calls.share}>
            {say("share")}
          </button>
        )}
      </form>
      {report && <Differences key={report.editions.map((one) => one.ruleset).join()} report={report} found={found} busy={running !== null} say={say} calls={calls} merge={merge} />}
      {!report && <p class="hint">{say("compareHint")}</p>}
    </div>
  );
}

interface DifferencesProps {
  report: DiffReport;
  found: FoundPositions;
  busy: boolean;
  say: Say;
  /** None on a page that has no server. */
  calls: CompareCalls | null;
  merge: Merge;
}

/** The list of the differences, and the one that was picked. */
export function Differences({ report, found, busy, say, calls, merge }: DifferencesProps) {
  const [picked, setPicked] = useState(report.differences.find((one) => one.readings.length)?.id ?? report.differences[0]?.id ?? "");
  const kinds = [...new Set(report.differences.map((one) => one.kind))];
  const [kind, setKind] = useState("");
  const listed = report.differences.filter((one) => !kind || one.kind === kind);
  const at = listed.findIndex((one) => one.id === picked);
  const one = listed[at] ?? listed[0];
  const chapters = [...new Set(listed.map((difference) => difference.chapter))];
  const pick = (id: string) => {
    setPicked(id);
    const chosen = report.differences.find((difference) => difference.id === id);
    if (calls && chosen?.readings.length && !found[id] && !busy) calls.look([id]);
  };
  if (!report.differences.length) return <p role="status">{say("theSame")}</p>;
  return (
    <div class="differences">
      <nav aria-label={say("differences")} class="list">
        <label>
          {say("kind")}{" "}
          <select value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
            <option value="">{say("all")}</option>
            {kinds.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        {chapters.map((chapter) => (
          <section key={chapter}>
            <h2>{chapter ? `${chapter === report.chapters[chapter] ? "" : chapter} ${report.chapters[chapter] ?? ""}` : say("noChapter")}</h2>
            <ul>
              {listed
                .filter((difference) => difference.chapter === chapter)
                .map((difference) => (
                  <li key={difference.id}>
                    <button class={difference.id === one?.id ? "here" : ""} aria-current={difference.id === one?.id} onClick={() => pick(difference.id)}>
                      {difference.title || difference.id} <small>{badge(difference, found)}</small>
                    </button>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </nav>
      <section class="difference" aria-label={`${one?.id}: ${one?.title}`}>
        <p class="walk">
          <button disabled={at <= 0} onClick={() => pick(listed[at - 1]?.id ?? "")}>
            ‹ {say("previous")}
          </button>
          <button disabled={at >= listed.length - 1} onClick={() => pick(listed[at + 1]?.id ?? "")}>
            {say("next")} ›
          </button>
          <span>
            {at + 1} / {listed.length}
          </span>
        </p>
        {one && <DifferenceView key={one.id} one={one} report={report} found={found[one.id]?.readings ?? null} busy={busy} say={say} calls={calls} merge={merge} />}
      </section>
    </div>
  );
}

/** Whether a position is known: a board with a small table, a board, none, or nobody looked. */
function badge(one: Difference, found: FoundPositions): string {
  if (!one.readings.length) return "–";
  const readings = found[one.id]?.readings;
  if (!readings) return "";
  return readings.some((reading) => reading.witness) ? "▦" : "∅";
}

interface DifferenceProps {
  one: Difference;
  report: DiffReport;
  found: ReadingView[] | null;
  busy: boolean;
  say: Say;
  calls: CompareCalls | null;
  merge: Merge;
}

function DifferenceView({ one, report, found, busy, say, calls, merge }: DifferenceProps) {
  return (
    <>
      <h2>
        {one.id} · {one.kind}
      </h2>
      <h3>{one.title || one.id}</h3>
      <dl class="says">
        {report.editions.map((edition, number) => {
          const cell = one.cells[number];
          return (
            <div key={edition.ruleset} class={cell?.reading ? `reading${Math.min(cell.reading, 2)}` : ""}>
              <dt>{edition.title}</dt>
              <dd>
                {cell?.says || value(one, cell?.reading ?? 0)}
                <small> {[...(cell?.sections ?? []), ...(cell?.standing ?? [])].join(" · ")}</small>
              </dd>
            </div>
          );
        })}
      </dl>
      {one.idle && <p class="hint">{one.idle}</p>}
      {one.readings.map((reading, number) => {
        const titles = reading.editions.map((edition) => report.editions[edition]?.title).join(" / ");
        const stack = reading.editions[0] ?? 0;
        const shown = found?.[number];
        return (
          <section key={number} aria-label={say("readingOf", { names: titles })}>
            {one.readings.length > 1 && <h3>{titles}</h3>}
            {shown?.witness && <Witness id={one.id} witness={shown.witness} stack={stack} say={say} calls={calls} />}
            {shown && !shown.witness && <p role="status">{shown.search?.why || say("noPosition", { games: shown.search?.games ?? 0 })}</p>}
            {!found && calls && (
              <p role="status">
                {busy ? say("looking") : <button onClick={() => calls.look([one.id])}>{say("lookForIt")}</button>}
              </p>
            )}
            <h3>{say("written")}</h3>
            {reading.units
              .filter((unit) => unit.kind !== "name" || reading.units.length === 1)
              .map((unit) => (
                <div key={unit.target} class="written">
                  <p>
                    <code>{unit.target}</code> {unit.gloss && <em>{unit.gloss}</em>}
                  </p>
                  {merge(unit.old, unit.new)}
                </div>
              ))}
          </section>
        );
      })}
    </>
  );
}

function value(one: Difference, reading: number): string {
  const units = one.readings[Math.max(0, reading - 1)]?.units ?? [];
  const unit = units[0];
  if (units.length !== 1 || !unit || unit.kind !== "value") return "–";
  return (reading ? unit.new : unit.old) || "–";
}

function Witness({ id, witness, stack, say, calls }: { id: string; witness: WitnessView; stack: number; say: Say; calls: CompareCalls | null }) {
  const replay = { players: witness.players, seed: witness.seed, answers: witness.answers };
  const { small, overlay } = witness;
  const buttons = (what: object) =>
    calls && [
      <button key="old" onClick={() => calls.play(what)}>
        {say("playOn")}
      </button>,
      <>
        <button key="new" onClick={() => calls.play({ ...what, overlay, id })}>
          {say("playOn")}
        </button>
        <button key="whole" class="quiet" onClick={() => calls.play({ ...what, stack })}>
          {say("playOnWhole")}
        </button>
      </>,
    ];
  return (
    <>
      {small && (
        <section aria-label={say("smallTable")}>
          <h3>{say("smallTable")}</h3>
          <dl class="setup">
            {small.setup.map(([place, pieces]) => (
              <div key={place}>
                <dt>{place}</dt>
                <dd>{pieces}</dd>
              </div>
            ))}
          </dl>
          {(small.begins || small.answers.length > 0) && (
            <ol class="then">
              {small.begins && <li>{small.begins}</li>}
              {small.answers.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ol>
          )}
          <Sides position={small.position} say={say} buttons={buttons({ scenario: small.scenario })} />
        </section>
      )}
      <section aria-label={say("realPosition")}>
        <h3>{say("realPosition")}</h3>
        <p class="hint">{say("afterMoves", { players: witness.players, seed: witness.seed, count: witness.moves.length })}</p>
        <Sides position={witness.position} say={say} buttons={buttons({ replay })} />
        <details>
          <summary>{say("answers", { count: witness.moves.length })}</summary>
          <ol class="then">
            {witness.moves.map((move, number) => (
              <li key={number}>{move}</li>
            ))}
          </ol>
        </details>
      </section>
    </>
  );
}

const MAX_ONLY = 8;

/** A position under either reading, what differs outlined. */
function Sides({ position, say, buttons }: { position: PositionView; say: Say; buttons: ComponentChildren[] | null }) {
  const [old, fresh] = position.sides;
  const sides: [SideView, SideView][] = [
    [old, fresh],
    [fresh, old],
  ];
  return (
    <>
      <p class="what">{position.what}</p>
      <div class="sides">
        {sides.map(([side, other], number) => (
          <div key={number} class={`side side${number}`}>
            <h4>{side.ruleset}</h4>
            <p>{side.sentence}</p>
            {side.only.length > 0 && (
              <ul class="only">
                {side.only.slice(0, MAX_ONLY).map((line) => (
                  <li key={line}>{line}</li>
                ))}
                {side.only.length > MAX_ONLY && <li>+{side.only.length - MAX_ONLY}</li>}
              </ul>
            )}
            {side.table && <TableView table={side.table} marks={other.table ? changed(other.table, side.table) : new Set()} options={[]} say={say} calls={null} selected="" />}
            <p>{buttons?.[number]}</p>
          </div>
        ))}
      </div>
    </>
  );
}
