// The table, drawn from data for any game: zones, boards, pieces, and the question with its options.

import { useEffect, useState } from "preact/hooks";
import type { Cell, Choice, Piece, SeatView, Shown, Table, Zone } from "./types";
import type { Say } from "./words";

export interface TableCalls {
  choose(number: number): void;
  /** Something was clicked that no single option is about: under these names it may be a candidate. */
  about(keys: string[]): void;
  hoverOption(option: Choice | null): void;
  score(seat: number): void;
}

interface Props {
  table: Table;
  /** What differs from another table, by `changed`. */
  marks: Set<string>;
  options: Choice[];
  say: Say;
  /** None where the table is a picture and nothing can be done at it. */
  calls: TableCalls | null;
  selected: string;
}

/** The options by the piece, cell or zone that each is about. */
function byKey(options: Choice[]): Map<string, Choice[]> {
  const found = new Map<string, Choice[]>();
  for (const one of options)
    for (const key of [...one.pieces, ...one.cells, ...one.zones]) found.set(key, [...(found.get(key) ?? []), one]);
  return found;
}

/** What can be told apart on a table, to mark what an option would change. */
function contents(table: Table): Map<string, string> {
  const found = new Map<string, string>();
  for (const zone of table.zones) {
    for (const cell of zone.cells)
      found.set(`${zone.key} ${cell.key}`, cell.pieces.map((number) => zone.pieces[number]?.label ?? "").join());
    found.set(zone.key, zone.pieces.map((piece) => `${piece.label} ${piece.figures} ${piece.remarks.join()}`).join() + String(zone.count));
    const many = new Map<string, number>();
    for (const piece of zone.pieces) {
      const label = piece.alike || piece.label;
      many.set(label, (many.get(label) ?? 0) + 1);
      found.set(`${zone.key} ${label} ${many.get(label)}`, "there");
    }
  }
  for (const note of table.notes) found.set(`${note.owner} ${note.name}`, note.value);
  for (const seat of table.seats) found.set(`seat ${seat.number}`, seat.total);
  return found;
}

export function changed(before: Table, after: Table): Set<string> {
  const old = contents(before);
  const fresh = contents(after);
  return new Set([...fresh].filter(([key, value]) => old.get(key) !== value).map(([key]) => key));
}

function hue(text: string): number {
  let sum = 7;
  for (const sign of text) sum = (sum * 31 + (sign.codePointAt(0) ?? 0)) % 360;
  return sum;
}

export function TableView({ table, marks, options: offered, say, calls, selected }: Props) {
  const options = byKey(offered);
  const click = calls && ((...keys: string[]) => {
    const own = keys.flatMap((key) => options.get(key) ?? []);
    const only = own.length === 1 ? own[0] : undefined;
    if (only) calls.choose(only.number);
    else calls.about(keys);
  });
  const draw = (zone: Zone) => (
    <ZoneView key={`${zone.owner} ${zone.key}`} zone={zone} options={options} marks={marks} say={say} click={click} selected={selected} />
  );
  const filled = (zone: Zone) => zone.count !== 0 || [...marks].some((key) => key === zone.key);
  const visible = (zone: Zone) => !zone.holder && (filled(zone) || (calls !== null && zone.cells.length > 0));
  const common = table.zones.filter((zone) => zone.owner < 0 && visible(zone));
  return (
    <div class="board">
      <Notes table={table} owner={-1} marks={marks} />
      <div class="zones">{common.map(draw)}</div>
      {fromOwn(table).map((seat) => {
        const zones = table.zones.filter((zone) => zone.owner === seat.number && visible(zone));
        const toMove = table.to_move === seat.number;
        if (!calls && !toMove && !zones.length && !marks.has(`seat ${seat.number}`)) return null;
        return (
          <section class={`seat${toMove ? " to-move" : ""}`} key={seat.number} aria-label={calls ? seat.name : undefined}>
            <h3>
              {toMove ? "▸ " : ""}
              {seat.name}
              {seat.total !== "" && <Total seat={seat} differs={marks.has(`seat ${seat.number}`)} say={say} calls={calls} />}
            </h3>
            <Notes table={table} owner={seat.number} marks={marks} />
            <div class="zones">{zones.map(draw)}</div>
          </section>
        );
      })}
    </div>
  );
}

/** The seats in their order, the viewer's own first. */
function fromOwn(table: Table): SeatView[] {
  const own = Math.max(0, table.seats.findIndex((seat) => seat.number === table.viewer));
  return [...table.seats.slice(own), ...table.seats.slice(0, own)];
}

function Total({ seat, differs, say, calls }: { seat: SeatView; differs: boolean; say: Say; calls: TableCalls | null }) {
  const look = `score${differs ? " differs" : ""}`;
  if (!calls) return <span class={look}>{seat.total}</span>;
  return (
    <button class={look} onClick={() => calls.score(seat.number)} aria-label={`${say("score")} ${seat.name}: ${seat.total}`}>
      {seat.total}
    </button>
  );
}

function Notes({ table, owner, marks }: { table: Table; owner: number; marks: Set<string> }) {
  const notes = table.notes.filter((note) => note.owner === owner);
  if (!notes.length) return null;
  return (
    <p class="notes">
      {notes.map((note) => (
        <span key={note.name} class={marks.has(`${note.owner} ${note.name}`) ? "differs" : ""}>
          {note.label} {note.value}
        </span>
      ))}
    </p>
  );
}

interface ZoneProps {
  zone: Zone;
  options: Map<string, Choice[]>;
  marks: Set<string>;
  say: Say;
  click: Click | null;
  selected: string;
}

type Click = (...keys: string[]) => void;

function ZoneView({ zone, options, marks, say, click, selected }: ZoneProps) {
  const differs = marks.has(zone.key) ? " differs" : "";
  const count = zone.count === null ? "" : ` · ${zone.count}`;
  const offered = options.has(zone.key);
  const title = offered && click ? (
    <button class="offered zone-name" onClick={() => click(zone.key)}>
      {zone.label}
      {count}
    </button>
  ) : (
    <h3 class="zone-title">
      {zone.label}
      {count}
    </h3>
  );
  return (
    <div class={`zone${differs}`}>
      {title}
      {zone.unknown && <p class="unknown">{say("unforeseen")}</p>}
      {zone.cells.length > 0 ? (
        <Grid zone={zone} options={options} marks={marks} say={say} click={click} selected={selected} />
      ) : (
        <Pile zone={zone} options={options} marks={marks} click={click} say={say} selected={selected} />
      )}
    </div>
  );
}

const MAX_SHOWN = 24;

function Pile({ zone, options, marks, click, say, selected }: ZoneProps) {
  const unseen = zone.pieces.filter((piece) => piece.name === "" && !options.has(piece.key)).length;
  const rest = zone.pieces.filter((piece) => piece.name !== "" || options.has(piece.key));
  const offered = rest.filter((piece) => options.has(piece.key));
  const groups = grouped(rest, options);
  const listed = groups.length > MAX_SHOWN ? [...new Set([...groups.filter(([piece]) => offered.includes(piece)), ...groups.slice(-MAX_SHOWN)])] : groups;
  const seen = new Map<string, number>();
  const differs = (piece: Piece, count: number) => {
    const label = piece.alike || piece.label;
    const before = seen.get(label) ?? 0;
    seen.set(label, before + count);
    return Array.from({ length: count }, (_, more) => before + more + 1).some((number) => marks.has(`${zone.key} ${label} ${number}`));
  };
  const left = rest.length - listed.reduce((sum, [, count]) => sum + count, 0);
  return (
    <ul class="pile">
      {unseen > 0 && (
        <li>
          <span class="card back" aria-label={say("cards", { count: unseen })}>
            {unseen}
          </span>
        </li>
      )}
      {left > 0 && <li class="more">+{left}</li>}
      {listed.map(([piece, count]) => (
        <li key={piece.key}>
          <PieceView piece={piece} count={count} offered={options.has(piece.key)} differs={differs(piece, count)} click={click} say={say} selected={selected === piece.key} />
        </li>
      ))}
    </ul>
  );
}

/** Pieces that nothing tells apart, once with their number, where none of them can be chosen. */
function grouped(pieces: Piece[], options: Map<string, Choice[]>): [Piece, number][] {
  const found: [Piece, number][] = [];
  for (const piece of pieces) {
    const label = piece.alike || piece.label;
    const same = found.find(([one]) => (one.alike || one.label) === label && one.kind === piece.kind && !options.has(one.key) && !one.remarks.length);
    if (same && !options.has(piece.key) && !piece.remarks.length) same[1] += 1;
    else found.push([piece, 1]);
  }
  return found;
}

interface PieceProps {
  piece: Piece;
  count: number;
  offered: boolean;
  differs: boolean;
  click: Click | null;
  say: Say;
  selected: boolean;
}

function PieceView({ piece, count, offered, differs, click, say, selected }: PieceProps) {
  const name = (count > 1 && piece.alike) || piece.label || piece.short || "?";
  const label = count > 1 ? `${name} ×${count}` : name;
  const more = [piece.figures, ...piece.remarks].filter(Boolean);
  const words = [label, ...more, offered ? say("mayChoose") : ""].filter(Boolean).join(", ");
  const look = `card hue${Math.floor(hue(piece.colour || piece.kind) / 30)}${offered ? " offered" : ""}${selected ? " selected" : ""}${differs ? " differs" : ""}`;
  const inside = (
    <>
      <span>{label}</span>
      {more.length > 0 && <small>{more.join(" · ")}</small>}
    </>
  );
  if (!click) return <span class={look}>{inside}</span>;
  return (
    <button class={look} aria-label={words} title={words} onClick={() => click(piece.key)}>
      {inside}
    </button>
  );
}

/** A board as a grid that the arrow keys walk through: one stop for the Tab key. */
function Grid({ zone, options, marks, say, click, selected }: ZoneProps) {
  const [at, setAt] = useState(0);
  const rows = [...new Set(zone.cells.map((cell) => cell.row))].sort((a, b) => a - b);
  const columns = [...new Set(zone.cells.map((cell) => cell.column))].sort((a, b) => a - b);
  const cellAt = (row: number, column: number) => zone.cells.find((cell) => cell.row === row && cell.column === column);
  const move = (event: KeyboardEvent) => {
    const steps: Record<string, [number, number]> = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const step = steps[event.key];
    const here = zone.cells[at];
    if (!step || !here) return;
    event.preventDefault();
    let row = here.row;
    let column = here.column;
    for (let tries = 0; tries < 40; tries++) {
      row += step[0];
      column += step[1];
      const next = zone.cells.findIndex((cell) => cell.row === row && cell.column === column);
      if (next >= 0) {
        setAt(next);
        const box = event.currentTarget as HTMLElement;
        box.querySelector<HTMLElement>(`[data-cell="${next}"]`)?.focus();
        return;
      }
    }
  };
  const draw = (cell: Cell) => {
    const number = zone.cells.indexOf(cell);
    const top = cell.pieces.length ? zone.pieces[cell.pieces[cell.pieces.length - 1] ?? -1] : undefined;
    const key = options.has(cell.key) || !top ? cell.key : top.key;
    const offered = options.has(cell.key) || (top !== undefined && options.has(top.key));
    const what = top ? [top.label || top.short, top.figures, ...top.remarks].filter(Boolean).join(", ") : say("free");
    const words = [cell.name, what, offered ? say("mayChoose") : ""].filter(Boolean).join(", ");
    const look = top ? ` taken hue${Math.floor(hue(top.colour || top.kind) / 30)}` : "";
    const differs = marks.has(`${zone.key} ${cell.key}`) ? " differs" : "";
    const inside = (
      <>
        {top ? top.short || top.label : cell.mark}
        {top?.figures && <small>{top.figures}</small>}
        {cell.pieces.length > 1 && <sup>{cell.pieces.length}</sup>}
      </>
    );
    if (!click)
      return (
        <span class={`cell${look}${differs}`} role="img" aria-label={words}>
          {inside}
        </span>
      );
    return (
      <button
        class={`cell${look}${offered ? " offered" : ""}${differs}${selected === key ? " selected" : ""}`}
        data-cell={number}
        tabIndex={number === at ? 0 : -1}
        aria-label={words}
        title={words}
        onFocus={() => setAt(number)}
        onClick={() => click(...(top ? [key, cell.key === key ? top.key : cell.key] : [key]))}
      >
        {inside}
      </button>
    );
  };
  return (
    <div class={`grid ${zone.shape}`} role="grid" aria-label={zone.label} onKeyDown={move}>
      {rows.map((row) => (
        <div role="row" class="row" key={row}>
          {columns.map((column) => {
            const cell = cellAt(row, column);
            return (
              <div role="gridcell" key={column}>
                {cell ? draw(cell) : <span class="cell none" />}
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

interface QuestionProps {
  shown: Shown;
  say: Say;
  calls: TableCalls;
  about: string;
  clear(): void;
  ask(option: Choice): void;
}

/** The question that waits, and the options as a list: numbers choose, typing filters. */
export function QuestionView({ shown, say, calls, about, clear, ask }: QuestionProps) {
  const [filter, setFilter] = useState("");
  const { table } = shown;
  const question = table.question;
  useEffect(() => setFilter(""), [shown.at]);
  if (table.over) {
    const names = table.winners.map((seat) => shown.names[seat] ?? "").join(", ");
    return (
      <p class="question" role="status">
        {say("over")} {names ? say("won", { names }) : say("nobodyWon")}
      </p>
    );
  }
  const name = shown.names[table.to_move] ?? "";
  if (!question)
    return (
      <p class="question" role="status">
        {name ? say("asked", { name }) : say("nobodyAsked")}
      </p>
    );
  const fits = (one: Choice) =>
    one.text.toLowerCase().includes(filter.toLowerCase()) &&
    (!about || one.pieces.includes(about) || one.cells.includes(about) || one.zones.includes(about));
  const options = question.options.filter(fits);
  return (
    <div class="question">
      <p role="status">
        <strong>{question.text}</strong>
        {question.chosen && <span class="chosen"> {question.chosen}</span>}
      </p>
      {question.options.length > 9 && (
        <input value={filter} onInput={(event) => setFilter(event.currentTarget.value)} placeholder={say("filter")} aria-label={say("filter")} />
      )}
      {about && (
        <button class="quiet" onClick={clear}>
          {say("all")} ({question.options.length})
        </button>
      )}
      <ol class="options" aria-label={say("options")}>
        {options.map((one) => (
          <li key={one.key}>
            <button
              class="option"
              onClick={() => calls.choose(one.number)}
              onMouseEnter={() => calls.hoverOption(one)}
              onMouseLeave={() => calls.hoverOption(null)}
              onFocus={() => calls.hoverOption(one)}
              onBlur={() => calls.hoverOption(null)}
            >
              <kbd>{one.number}</kbd> {one.text}
            </button>
            <button class="quiet why" onClick={() => ask(one)} aria-label={`${say("why")}: ${one.text}`}>
              ?
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}
