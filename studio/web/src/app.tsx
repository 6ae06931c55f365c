// The page: files and editor on the left, the table on the right, what was found below.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Compare, type CompareCalls } from "./compare";
import { Controls, FOLLOW } from "./controls";
import { Editor, mergeView, type EditorCalls } from "./editor";
import { Lab, type LabCalls } from "./lab";
import { Problems, Scenarios, ScoreView, WhyView, type ScoreAnswer } from "./panels";
import { RefusedError, type Rpc } from "./rpc";
import { changed, QuestionView, TableView, type TableCalls } from "./table";
import type {
  Carried,
  Choice,
  CompareReport,
  Diagnostic,
  DiffReport,
  DiskReport,
  Edit,
  FileInfo,
  FoundPositions,
  FuzzReport,
  JobReport,
  MarginRow,
  OpenedText,
  Project,
  ScenarioReport,
  ScenarioResult,
  Shown,
  SimReport,
  Span,
  Table,
  WhyAnswer,
} from "./types";
import { LANGUAGES, phrasesOf, refusal, speaker, type Lang } from "./words";

const PREVIEW_PAUSE = 120; // milliseconds

interface Opened {
  name: string;
  own: boolean;
  known: string;
  dirty: boolean;
  unsaved: string | null;
  disk: string | null;
}

const SCREENS = ["edit", "compare", "lab"] as const;

function firstLanguage(): Lang {
  const wanted = navigator.language.slice(0, 2);
  return wanted in LANGUAGES ? (wanted as Lang) : "en";
}

export function App({ rpc, nonce, onError }: { rpc: Rpc; nonce: string; onError(text: string): void }) {
  const [lang, setLang] = useState<Lang>(firstLanguage);
  const say = useMemo(() => speaker(lang), [lang]);
  const [project, setProject] = useState<Project | null>(null);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [outline, setOutline] = useState<{ name: string; what: string; span: Span }[]>([]);
  const [found, setFound] = useState<Record<string, Diagnostic[]>>({});
  const [sound, setSound] = useState(true);
  const [shown, setShown] = useState<Shown | null>(null);
  const [preview, setPreview] = useState<Table | null>(null);
  const [about, setAbout] = useState("");
  const [why, setWhy] = useState<{ title: string; answer: WhyAnswer } | null>(null);
  const [score, setScore] = useState<{ seat: number; answer: ScoreAnswer } | null>(null);
  const [results, setResults] = useState<ScenarioReport>({ done: true, results: [], margin: null });
  const [only, setOnly] = useState<string[] | null>(null);
  const [message, setMessage] = useState("");
  const [running, setRunning] = useState(false);
  const [screen, setScreen] = useState<(typeof SCREENS)[number]>("edit");
  const [diff, setDiff] = useState<DiffReport | null>(null);
  const [positions, setPositions] = useState<FoundPositions>({});
  const [looking, setLooking] = useState<{ games: number; of: number } | null>(null);
  const [sim, setSim] = useState<{ report: SimReport; running: boolean; seats: string[] } | null>(null);
  const [fuzz, setFuzz] = useState<{ report: FuzzReport; running: boolean } | null>(null);
  const jobs = useRef<Record<string, number>>({});
  const read = useRef(""); // what was said of a file read again: it stays beside what becomes of the table
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | null>(null);
  const live = useRef({ opened, project, shown, running });
  live.current = { opened, project, shown, running };

  useEffect(() => {
    document.documentElement.lang = lang;
    editor.current?.say({ label: say("editor"), phrases: phrasesOf(lang) });
    if (live.current.shown) void table("table/show", { lang });
  }, [lang]);

  // ---------------------------------------------------------------- asking the server

  async function ask<T>(method: string, params: object = {}): Promise<T | null> {
    try {
      return await rpc.ask<T>(method, params);
    } catch (error) {
      setMessage(refusal(lang, error));
      return null;
    }
  }

  async function table(method: string, params: object = {}): Promise<Shown | null> {
    const answer = await ask<Shown>(method, params);
    if (answer) {
      setShown(answer);
      setPreview(null);
      setAbout("");
      if (answer.error) setMessage(say("breaksAt", { key: answer.stopped ?? "", error: answer.error }));
      else if (answer.stopped) setMessage(say("stoppedAt", { key: answer.stopped }));
    }
    return answer;
  }

  async function openStack(stack: string, file?: string): Promise<void> {
    const answer = await ask<Project>("project/open", { stack });
    if (!answer) return;
    setProject(answer);
    setFound({});
    setWhy(null);
    setOnly(null);
    editor.current?.forget();
    live.current.opened = null;
    if (answer.lacks.length) setMessage(answer.lacks.join(" "));
    const rules = answer.files.filter((one) => one.name.endsWith(".warlock"));
    const first = answer.files.find((one) => one.name === file) ?? rules.find((one) => one.own) ?? rules[0] ?? answer.files[0];
    if (first) await openFile(first.name);
    await table("table/new", { lang, viewer: FOLLOW });
  }

  async function openFile(name: string, at?: { line: number; column: number }): Promise<void> {
    if (live.current.opened?.name !== name) {
      const answer = await ask<OpenedText>("document/open", { name });
      if (!answer) return;
      const keywords = new Set(live.current.project?.keywords ?? []);
      const { own, known, dirty, unsaved } = answer;
      live.current.opened = { name, own, known, dirty, unsaved, disk: null };
      setOpened(live.current.opened);
      editor.current?.show(name, answer.text, keywords);
      void refreshOutline(name);
    }
    if (at) editor.current?.goTo(at.line, at.column);
  }

  /** Note whether a file has what is not saved, here and in the list. */
  function mark(name: string, more: Partial<Opened>): void {
    setOpened((old) => (old?.name === name ? { ...old, ...more } : old));
    const { dirty } = more;
    if (dirty === undefined) return;
    setProject((old) => old && { ...old, files: old.files.map((one) => (one.name === name ? { ...one, dirty } : one)) });
  }

  async function refreshOutline(name: string): Promise<void> {
    const answer = await rpc.ask<{ items: { name: string; what: string; span: Span }[] }>("document/outline", { name }).catch(() => null);
    if (answer && live.current.opened?.name === name) setOutline(answer.items);
  }

  async function save(): Promise<void> {
    const now = live.current.opened;
    if (!now?.own) return;
    try {
      const answer = await rpc.ask<{ known: string }>("document/save", { name: now.name, known: now.known });
      mark(now.name, { known: answer.known, dirty: false, disk: null, unsaved: null });
      setMessage(say("saved"));
    } catch (error) {
      const disk = error instanceof RefusedError ? error.data?.text : undefined;
      if (typeof disk === "string") setOpened((old) => (old ? { ...old, disk } : old));
      setMessage(refusal(lang, error));
    }
  }

  /** Forget what was typed into a file that cannot be written. */
  async function takeBack(): Promise<void> {
    const now = live.current.opened;
    const answer = now && (await ask<OpenedText>("document/discard", { name: now.name }));
    if (!answer) return;
    mark(answer.name, { dirty: false, known: answer.known });
    editor.current?.reset(answer.text);
  }

  async function keepAsOverlay(): Promise<void> {
    const name = window.prompt(say("overlayName"), "mine");
    if (!name) return;
    const answer = await ask<{ stack: string; file: string }>("overlay/keep", { name });
    if (!answer) return;
    await openStack(answer.stack, answer.file);
    setMessage(say("keptAsOverlay", { name }));
  }

  async function applyEdits(files: Record<string, Edit[]>): Promise<void> {
    for (const [name, edits] of Object.entries(files)) {
      await openFile(name);
      editor.current?.edit(edits);
    }
  }

  // ---------------------------------------------------------------- beginning

  useEffect(() => {
    const name = () => live.current.opened?.name ?? "";
    const calls: EditorCalls = {
      changed(text) {
        mark(name(), { dirty: true, unsaved: null });
        void ask("document/edit", { name: name(), text });
      },
      save: () => void save(),
      complete: (line, column) => rpc.ask("document/complete", { name: name(), line, column }),
      hover: (line, column) => rpc.ask("document/hover", { name: name(), line, column }),
      async definition(line, column) {
        const answer = await ask<{ places: Span[] }>("document/definition", { name: name(), line, column });
        const first = answer?.places[0];
        if (first) await openFile(first.file, first);
        else setMessage(say("noDefinition"));
      },
      async rename(line, column) {
        const to = window.prompt(say("renameTo"));
        if (!to) return;
        const answer = await ask<{ files: Record<string, Edit[]> }>("document/rename", { name: name(), line, column, to });
        if (answer) await applyEdits(answer.files);
      },
      async format() {
        await format();
      },
      apply(edits) {
        const files: Record<string, Edit[]> = {};
        for (const one of edits) files[one.span.file] = [...(files[one.span.file] ?? []), one];
        void applyEdits(files);
      },
    };
    if (host.current) editor.current = new Editor(host.current, calls, nonce, { label: say("editor"), phrases: phrasesOf(lang) }, showResult);
    rpc.on<{ wave: string; files: Record<string, Diagnostic[]> }>("document/diagnostics", (told) => {
      setFound((old) => ({ ...old, ...told.files }));
      if (told.wave === "lints") void refreshOutline(name());
    });
    rpc.on<ScenarioReport>("scenarios/results", (told) => setResults((old) => ({ ...told, margin: told.margin ?? old.margin })));
    rpc.on<DiskReport>("disk/changed", (told) => changedOnDisk(told));
    rpc.on<{ sound: boolean }>("table/rules", (told) => setSound(told.sound));
    rpc.on<Carried>("table/carried", (told) => {
      if (told.table) setShown(told.table);
      setPreview(null);
      const stop = { kept: told.kept, stopped: told.stopped };
      const carried = told.error || (told.stopped ? say("carriedStop", stop) : say("carriedOn"));
      setMessage(`${read.current} ${carried}`.trim());
      read.current = "";
    });
    rpc.on<JobReport & SimReport & FuzzReport & CompareReport>("job/report", (told) => {
      if (told.error) setMessage(told.error);
      const running = !told.done;
      if (told.kind === "compare") {
        if (told.job !== jobs.current.compare) return;
        setLooking(running ? { games: told.games, of: told.of } : null);
        if (told.found) setPositions((old) => ({ ...old, ...told.found }));
      } else if (told.kind === "sim") setSim((old) => old && { ...old, running, report: told.done ? old.report : told });
      else setFuzz((old) => old && { running, report: told.done ? old.report : told });
    });
    rpc.on<{ message: string }>("worker/restarted", (told) => {
      setMessage(say("restarted", told));
      const stack = live.current.project?.stack ?? "";
      live.current.running = false;
      void openStack(stack, name());
    });
    void rpc.ready.then(() => openStack("")).catch(() => onError(say("closed")));
    const beforeLeaving = (event: BeforeUnloadEvent) => {
      if (live.current.project?.files.some((one) => one.dirty)) event.preventDefault();
    };
    window.addEventListener("beforeunload", beforeLeaving);
    return () => window.removeEventListener("beforeunload", beforeLeaving);
  }, []);

  useEffect(() => {
    if (opened) editor.current?.mark(found[opened.name] ?? []);
  }, [found, opened?.name]);

  useEffect(() => {
    if (!opened || !results.margin) return;
    const own = results.results.filter((one) => one.file === opened.name);
    const lines = own.map((one) => ({
      line: one.line,
      address: one.name,
      count: 1,
      passed: one.outcome === "passed" ? 1 : 0,
      failed: [],
    }));
    const words = (row: MarginRow) => say("marginSays", { passed: row.passed, count: row.count, name: row.address });
    editor.current?.results([...(results.margin[opened.name] ?? []), ...lines], words);
  }, [results.margin, opened?.name, lang]);

  /** The scenarios of a declaration were clicked: those that fail, if any do. */
  function showResult(row: MarginRow): void {
    setOnly(row.failed.length ? row.failed.map((one) => `${one.file}:${one.line}`) : null);
    setMessage(say("marginSays", { passed: row.passed, count: row.count, name: row.address }));
  }

  /** Somebody else has written files. One that is edited here is not touched: what the disk has is shown beside it. */
  function changedOnDisk(told: DiskReport): void {
    setProject((old) => old && { ...old, files: told.files });
    for (const one of told.changed) {
      if (one.name !== live.current.opened?.name) continue;
      if (one.edited) mark(one.name, { disk: one.text });
      else {
        mark(one.name, { known: one.known, dirty: false, disk: null });
        editor.current?.reset(one.text);
        read.current = say("readAgain", { name: one.name });
        setMessage(read.current);
      }
    }
  }

  async function format(): Promise<void> {
    const answer = await ask<{ text: string }>("document/format", { name: live.current.opened?.name });
    if (answer) editor.current?.replace(answer.text);
  }

  // ---------------------------------------------------------------- the table

  const timer = useRef(0);
  const calls: TableCalls = {
    choose: (number) => {
      window.clearTimeout(timer.current);
      void table("table/choose", { number }).then((answer) => answer && void bots());
    },
    about(keys) {
      const offered = live.current.shown?.table.question?.options.flatMap((one) => [...one.pieces, ...one.cells, ...one.zones]) ?? [];
      const key = keys.find((one) => offered.includes(one));
      if (key) setAbout(key);
      else void askWhyNot(keys);
    },
    hoverOption(option) {
      window.clearTimeout(timer.current);
      if (!option) {
        setPreview(null);
        return;
      }
      timer.current = window.setTimeout(() => {
        void rpc
          .ask<{ table: Table }>("table/preview", { number: option.number })
          .then((answer) => setPreview(answer.table))
          .catch(() => setPreview(null));
      }, PREVIEW_PAUSE);
    },
    score: (seat) => void ask<ScoreAnswer>("table/score", { seat }).then((answer) => answer && setScore({ seat, answer })),
  };

  async function askWhy(option: Choice): Promise<void> {
    const answer = await ask<WhyAnswer>("table/why", { key: option.key });
    if (answer) setWhy({ title: `${say("why")}: ${option.text}`, answer });
  }

  async function askWhyNot(keys: string[]): Promise<void> {
    for (const key of keys) {
      const answer = await ask<WhyAnswer>("table/whyNot", { key });
      if (!answer) continue;
      setMessage("");
      setWhy({ title: `${say("whyNot")} ${key}`, answer });
      return;
    }
  }

  /** Bots answer until a person is asked, a few answers at a time, so that the page can stop them. */
  async function bots(params: object = {}): Promise<void> {
    setRunning(true);
    live.current.running = true;
    let more = true;
    while (more && live.current.running) {
      const answer = await table("table/bots", params);
      more = Boolean(answer?.waits) && !("step" in params);
      if ("as" in params) more = Boolean(answer && !answer.table.over) && !("step" in params);
    }
    setRunning(false);
  }

  async function keep(): Promise<void> {
    const now = live.current.shown;
    const name = window.prompt(say("keep"), now ? say("move", { at: now.at, length: now.length }) : "") ?? "";
    if (!name) return;
    const answer = await ask<{ path: string; files: FileInfo[] }>("table/keep", { name });
    if (!answer) return;
    setProject((old) => old && { ...old, files: answer.files });
    setMessage(say("kept", { path: answer.path }));
  }

  /** Give a person a file. */
  function give(text: string, type: string, name: string): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  async function download(): Promise<void> {
    const answer = await ask<{ replay: object }>("table/save");
    if (answer) give(JSON.stringify(answer.replay, null, 1), "application/json", "game.json");
  }

  /** The game, or the comparison, as a page that needs no server. */
  async function share(method: string, params: object, name: string): Promise<void> {
    const answer = await ask<{ page: string }>(method, params);
    if (answer) give(answer.page, "text/html", name);
  }

  async function openScenario(one: ScenarioResult): Promise<void> {
    await table("scenarios/open", { file: one.file, line: one.line });
    setMessage(say("fromScenario", { name: one.name }));
  }

  async function upload(file: File | undefined): Promise<void> {
    if (!file) return;
    try {
      await table("table/load", { replay: JSON.parse(await file.text()) });
    } catch {
      setMessage(say("noReplay"));
    }
  }

  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      const place = event.target as HTMLElement;
      if (place.closest(".cm-editor, input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
      const now = live.current.shown;
      if (!now) return;
      const number = Number(event.key);
      if (number >= 1 && number <= (now.table.question?.options.length ?? 0)) calls.choose(number);
      else if (event.key === "[") void table("table/go", { at: now.at - 1 });
      else if (event.key === "]") void table("table/go", { at: now.at + 1 });
    };
    window.addEventListener("keydown", key);
    return () => window.removeEventListener("keydown", key);
  }, []);

  // ---------------------------------------------------------------- the lab

  const lab: LabCalls = {
    async start(kind, params) {
      const answer = await ask<{ job: number }>("job/start", { kind, ...params });
      if (!answer) return;
      jobs.current[kind] = answer.job;
      const of = Number((params as { games: number }).games);
      const nothing = { value: 0, interval: [null, null] as [null, null], games: 0 };
      const report = { games: 0, of, enough: false, broken: "", seats: [], length: nothing, dots: [], findings: [] };
      if (kind === "sim") setSim({ report, running: true, seats: (params as { seats: string[] }).seats });
      else setFuzz({ report, running: true });
    },
    stop: (kind) => void ask("job/stop", { job: jobs.current[kind] ?? -1 }),
    openGame: (seed, seats) => void table("table/game", { seed, seats }),
    openFinding: (players, seed, answers) => void table("table/load", { replay: { players, seed, answers } }),
  };

  // ---------------------------------------------------------------- comparing

  const comparing: CompareCalls = {
    async open(stacks) {
      comparing.stop();
      const answer = await ask<DiffReport>("compare/open", { stacks, lang });
      if (!answer) return;
      setPositions({});
      setDiff(answer);
      const first = answer.differences.find((one) => one.readings.length);
      if (first) comparing.look([first.id]);
    },
    async look(wanted) {
      setLooking({ games: 0, of: wanted.length });
      const answer = await ask<{ job: number }>("job/start", { kind: "compare", wanted });
      if (answer) jobs.current.compare = answer.job;
      else setLooking(null);
    },
    stop: () => void ask("job/stop", { job: jobs.current.compare ?? -1 }),
    async play(params) {
      if (await table("compare/play", { ...params, viewer: FOLLOW, lang })) setScreen("edit");
    },
    share: () => void share("compare/export", { found: positions }, "comparison.html"),
  };
  const merge = (old: string, fresh: string) => <MergedTexts old={old} fresh={fresh} nonce={nonce} labels={[say("before"), say("after")]} />;

  // ---------------------------------------------------------------- drawing

  async function newOverlay(): Promise<void> {
    const name = window.prompt(say("overlayName"), "mine");
    if (!name) return;
    const answer = await ask<{ stack: string; file: string }>("overlay/new", { name });
    if (answer) await openStack(answer.stack, answer.file);
  }

  const foreignEdits = project?.files.some((one) => one.dirty && !one.own) ?? false;
  return (
    <>
      <header>
        <h1>Warlock Studio</h1>
        <nav aria-label="Warlock Studio" class="screens">
          {SCREENS.map((one) => (
            <button key={one} aria-current={screen === one ? "page" : undefined} onClick={() => setScreen(one)}>
              {say(one)}
            </button>
          ))}
        </nav>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void openStack(String(new FormData(event.currentTarget).get("stack") ?? ""));
          }}
        >
          <label>
            {say("stack")} <input name="stack" key={project?.stack} defaultValue={project?.stack ?? ""} spellcheck={false} list="known" />
          </label>
          <datalist id="known">
            {project?.stacks.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
          <button>{say("openStack")}</button>
        </form>
        <button onClick={() => void newOverlay()}>{say("newOverlay")}</button>
        <span class="status">{opened?.own ? say(opened.dirty ? "unsaved" : "saved") : ""}</span>
        <button disabled={!opened?.own} onClick={() => void save()}>
          {say("save")}
        </button>
        <button disabled={!opened?.name.endsWith(".warlock")} onClick={() => void format()}>
          {say("format")}
        </button>
        <label>
          {say("language")}{" "}
          <select value={lang} onChange={(event) => setLang(event.currentTarget.value as Lang)}>
            {Object.keys(LANGUAGES).map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <p class="message" role="status">
          {message}
        </p>
      </header>
      <main class={`screen-${screen}`}>
        <nav aria-label={say("files")} hidden={screen !== "edit"}>
          <h2>{say("files")}</h2>
          <ul>
            {project?.files.map((file) => {
              const errors = (found[file.name] ?? []).filter((one) => one.severity === "error").length;
              return (
                <li key={file.name}>
                  <button class={`${file.name === opened?.name ? "here" : ""}${file.own ? "" : " locked"}`} title={file.own ? "" : say("locked")} aria-current={file.name === opened?.name} onClick={() => void openFile(file.name)}>
                    {file.name}
                    {file.dirty && <span aria-label={say("unsaved")}> •</span>}
                    {errors ? <b class="errors"> ●{errors}</b> : ""}
                  </button>
                </li>
              );
            })}
          </ul>
          <h2>{say("outline")}</h2>
          <ul class="outline">
            {outline.map((one) => (
              <li key={`${one.what} ${one.name} ${one.span.line}`}>
                <button onClick={() => editor.current?.goTo(one.span.line, one.span.column)}>
                  <small>{one.what}</small> {one.name}
                </button>
              </li>
            ))}
          </ul>
        </nav>
        <section class="edit" aria-label={say("editor")} hidden={screen !== "edit"}>
          {foreignEdits && (
            <p class="bar" role="status">
              {say("foreignEdits")} <button onClick={() => void keepAsOverlay()}>{say("keepAsOverlay")}</button>{" "}
              {opened && !opened.own && opened.dirty && <button onClick={() => void takeBack()}>{say("takeBack")}</button>}
            </p>
          )}
          {opened && !opened.own && !foreignEdits && (
            <p class="bar">
              {say("readOnly")} <button onClick={() => void newOverlay()}>{say("newOverlay")}</button>
            </p>
          )}
          {opened && opened.unsaved !== null && (
            <p class="bar" role="status">
              <button onClick={() => editor.current?.replace(opened.unsaved ?? "")}>{say("restore")}</button>{" "}
              <button onClick={() => void takeBack().then(() => mark(opened.name, { unsaved: null }))}>{say("discard")}</button>
            </p>
          )}
          {opened && opened.disk !== null && (
            <div class="bar" role="alert">
              {say("changedOnDisk")}{" "}
              <button
                onClick={() => {
                  editor.current?.replace(opened.disk ?? "");
                  void rediscover();
                }}
              >
                {say("takeDisk")}
              </button>
              <button onClick={() => void rediscover()}>{say("keepMine")}</button>
              <MergedTexts old={opened.disk} fresh={editor.current?.text ?? ""} nonce={nonce} labels={[say("onDisk"), say("mine")]} />
            </div>
          )}
          <div class="editor" ref={host} />
          <p class="hint">{say("escape")}</p>
        </section>
        {screen === "lab" && <Lab shown={shown} sim={sim} fuzz={fuzz} say={say} calls={lab} />}
        {screen === "compare" && (
          <Compare
            stacks={diff?.editions.map((one) => one.ruleset) ?? [project?.stacks[0] ?? "", project?.stack ?? ""]}
            known={project?.stacks ?? []}
            report={diff}
            found={positions}
            running={looking}
            say={say}
            calls={comparing}
            merge={merge}
          />
        )}
        <section class="play" aria-label={say("table")} hidden={screen === "compare"}>
          <Controls shown={shown} say={say} running={running} table={table} bots={bots} stop={() => (live.current.running = false)} keep={keep} download={download} upload={upload} share={() => share("table/export", {}, "game.html")} />
          {shown?.foreign && (
            <p class="bar" role="status">
              {say("foreignTable", { name: shown.foreign })}
            </p>
          )}
          {!sound && (
            <p class="bar" role="status">
              {say("otherRules")}
            </p>
          )}
          {shown && (
            <>
              <QuestionView shown={shown} say={say} calls={calls} about={about} clear={() => setAbout("")} ask={(option) => void askWhy(option)} />
              {preview && <p class="preview">{say("preview")}</p>}
              <TableView
                table={preview ?? shown.table}
                marks={preview ? changed(shown.table, preview) : new Set()}
                options={preview ? [] : (shown.table.question?.options ?? [])}
                say={say}
                calls={calls}
                selected={about}
              />
              <h2>{say("log")}</h2>
              <ol class="log" tabIndex={0} aria-label={say("log")}>
                {[...shown.table.log].reverse().map((line, number) => (
                  <li key={number}>{line}</li>
                ))}
              </ol>
            </>
          )}
        </section>
      </main>
      <footer hidden={screen === "compare"}>
        <Problems found={found} say={say} open={(file, at) => void openFile(file, at)} apply={(files) => void applyEdits(files)} />
        <Scenarios
          results={results.results}
          running={!results.done}
          say={say}
          only={only}
          clear={() => setOnly(null)}
          open={(one) => void openScenario(one)}
          text={(one) => void openFile(one.file, { line: one.line, column: 1 })}
        />
        <section aria-label={say("why")} class="why-panel">
          <h2>{why?.title ?? say("why")}</h2>
          {why ? <WhyView answer={why.answer} open={(cause) => void openFile(cause.span.file, cause.span)} /> : <p>{say("whyHint")}</p>}
          {score && <ScoreView score={score.answer} name={shown?.names[score.seat] ?? ""} say={say} />}
        </section>
      </footer>
    </>
  );

  /** Take note of what the disk has now, so that the next save may replace it. */
  async function rediscover(): Promise<void> {
    const now = live.current.opened;
    if (!now || now.disk === null) return;
    const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(now.disk));
    const known = [...new Uint8Array(bytes)].map((one) => one.toString(16).padStart(2, "0")).join("").slice(0, 16);
    setOpened({ ...now, known, disk: null });
  }
}

/** Two texts with what differs between them. */
function MergedTexts({ old, fresh, nonce, labels }: { old: string; fresh: string; nonce: string; labels: [string, string] }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => (host.current ? mergeView(host.current, old, fresh, nonce, labels) : undefined), [old, fresh, ...labels]);
  return <div class="merged" ref={host} />;
}
