// The messages of the server, as the page reads them.

export interface Span {
  file: string;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
}

export interface Edit {
  span: Span;
  text: string;
}

export interface Fix {
  title: string;
  edits: Edit[];
}

export interface Diagnostic {
  code: string;
  severity: "error" | "warning" | "note";
  message: string;
  label: string;
  hint: string;
  span: Span;
  fixes: Fix[];
}

export interface FileInfo {
  name: string;
  path: string;
  own: boolean;
  dirty: boolean;
}

export interface Project {
  stack: string;
  folder: string;
  files: FileInfo[];
  lacks: string[];
  keywords: string[];
  stacks: string[];
}

export interface OpenedText {
  name: string;
  text: string;
  known: string;
  own: boolean;
  dirty: boolean;
  unsaved: string | null;
}

export interface Piece {
  key: string;
  kind: string;
  name: string;
  label: string;
  short: string;
  colour: string;
  remarks: string[];
  alike: string;
  figures: string;
}

export interface Cell {
  key: string;
  name: string;
  short: string;
  row: number;
  column: number;
  mark: string;
  pieces: number[];
}

export interface Zone {
  key: string;
  name: string;
  label: string;
  owner: number;
  holder: string;
  count: number | null;
  pieces: Piece[];
  shape: string;
  cells: Cell[];
  rows: string[];
  columns: string[];
  private: boolean;
  unknown?: boolean;
}

export interface Note {
  name: string;
  owner: number;
  label: string;
  value: string;
  seat: number;
  unknown?: boolean;
}

export interface Choice {
  number: number;
  key: string;
  what: string;
  text: string;
  pieces: string[];
  cells: string[];
  zones: string[];
  seats: number[];
}

export interface Question {
  rule: string;
  name: string;
  mode: string;
  may: boolean;
  heading: string;
  text: string;
  chosen: string;
  picked: string[];
  options: Choice[];
}

export interface SeatView {
  number: number;
  name: string;
  total: string;
  parts: [string, string][];
  unknown?: boolean;
}

export interface Table {
  title: string;
  lang: string;
  viewer: number;
  to_move: number;
  over: boolean;
  winners: number[];
  seats: SeatView[];
  notes: Note[];
  zones: Zone[];
  question: Question | null;
  log: string[];
}

export interface Shown {
  table: Table;
  viewer: number;
  at: number;
  length: number;
  branches: number[];
  seed: string;
  players: number;
  range: [number, number];
  seats: string[];
  names: string[];
  kinds: string[];
  langs: string[];
  lang: string;
  ruleset: string;
  foreign: string;
  placed: boolean;
  waits?: boolean;
  stopped?: string;
  error?: string;
}

export interface Cause {
  what: string;
  rule: string;
  span: { file: string; line: number; column: number };
  clause: string;
  overlay: string | null;
  sources: { id: string; standing: string }[];
}

export interface WhyAnswer {
  lines: string[];
  causes: Cause[];
  offered?: boolean;
}

export interface Carried {
  kept: number;
  stopped: string;
  error: string;
  table?: Shown;
}

export interface Interval {
  value: number;
  interval: [number | null, number | null];
  games: number;
}

export interface SimReport {
  games: number;
  of: number;
  enough: boolean;
  broken: string;
  seats: { seat: number; bot: string; wins: Interval; points: Interval }[];
  length: Interval;
  dots: { seed: number; decisions: number; points: number[]; winners: number[]; error: string }[];
}

export interface FuzzReport {
  games: number;
  of: number;
  findings: { law: string; message: string; rule: string; players: number; seed: number; answers: string[] }[];
}

export interface JobReport {
  job: number;
  kind: "sim" | "fuzz" | "compare";
  done?: boolean;
  error?: string;
}

export interface ScenarioResult {
  file: string;
  line: number;
  name: string;
  outcome: string;
  why: string;
  own: boolean;
}

/** The scenarios that use a declaration: how many, how many pass, and which do not. */
export interface MarginRow {
  line: number;
  address: string;
  count: number;
  passed: number;
  failed: { file: string; line: number; name: string }[];
}

export interface ScenarioReport {
  done: boolean;
  results: ScenarioResult[];
  margin: Record<string, MarginRow[]> | null;
}

export interface DiskReport {
  changed: { name: string; text: string; known: string; edited: boolean }[];
  files: FileInfo[];
}

// ------------------------------------------------------------------ comparisons

export interface Change {
  target: string;
  verb: string;
  kind: string;
  old: string;
  new: string;
  gloss?: string;
}

export interface Edition {
  ruleset: string;
  title: string;
  about: string;
}

export interface DifferenceCell {
  reading: number;
  says: string;
  sections: string[];
  standing: string[];
  silent: boolean;
}

export interface Difference {
  id: string;
  title: string;
  kind: string;
  chapter: string;
  cells: DifferenceCell[];
  readings: { editions: number[]; units: Change[] }[];
  idle?: string;
}

export interface DiffReport {
  title: string;
  lang: string;
  editions: Edition[];
  chapters: Record<string, string>;
  differences: Difference[];
}

export interface SideView {
  ruleset: string;
  sentence: string;
  only: string[];
  scores: string[];
  legend: [string, string][];
  table: Table | null;
}

export interface PositionView {
  what: string;
  viewer: number;
  sides: [SideView, SideView];
}

export interface WitnessView {
  position: PositionView;
  players: number;
  seed: number;
  answers: string[];
  moves: string[];
  overlay: Record<string, string>;
  small: {
    position: PositionView;
    setup: [string, string][];
    begins: string;
    answers: string[];
    reached: boolean;
    scenario: string;
  } | null;
}

export interface ReadingView {
  witness: WitnessView | null;
  search: { games: number; decisions: number; why?: string } | null;
}

export type FoundPositions = Record<string, { readings: ReadingView[] }>;

export interface CompareReport {
  games: number;
  of: number;
  found: FoundPositions;
}
