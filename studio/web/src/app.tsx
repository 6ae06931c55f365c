// The page: files and editor on the left, the table on the right, what was found below.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Editor, type EditorCalls } from "./editor";
import { Lab, type LabCalls } from "./lab";
import { RefusedError, type Rpc } from "./rpc";
import { QuestionView, TableView, type TableCalls } from "./table";
import type { Carried, Cause, Choice, Diagnostic, Edit, FuzzReport, JobReport, OpenedText, Project, ScenarioResult, Shown, SimReport, Span, Table, WhyAnswer } from "./types";
import { LANGUAGES, speaker, type Lang, type Say } from "./words";

const PREVIEW_PAUSE = 120; // milliseconds
const FOLLOW = -2; // through the eyes of whoever is asked

interface Opened {
  name: string;
  own: boolean;
  known: string;
  dirty: boolean;
  unsaved: string | null;
  disk: string | null;
}

interface ScoreAnswer {
  parts: { name: string; value: string; terms: { text: string; value: string; items: [string, string][] }[] }[];
}

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
  const [results, setResults] = useState<ScenarioResult[]>([]);
  const [message, setMessage] = useState("");
  const [running, setRunning] = useState(false);
  const [screen, setScreen] = useState<"edit" | "lab">("edit");
  const [sim, setSim] = useState<{ report: SimReport; running: boolean; seats: string[] } | null>(null);
  const [fuzz, setFuzz] = useState<{ report: FuzzReport; running: boolean } | null>(null);
  const jobs = useRef<Record<string, number>>({});
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | null>(null);
  const live = useRef({ opened, project, shown, running });
  live.current = { opened, project, shown, running };

  useEffect(() => {
    document.documentElement.lang = lang;
    if (live.current.shown) void table("table/show", { lang });
  }, [lang]);

  // ---------------------------------------------------------------- asking the server

  async function ask<T>(method: string, params: object = {}): Promise<T | null> {
    try {
      return await rpc.ask<T>(method, params);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      setMessage(text);
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
      setOpened({ name, own: answer.own, known: answer.known, dirty: false, unsaved: answer.unsaved, disk: null });
      live.current.opened = { name, own: answer.own, known: answer.known, dirty: false, unsaved: answer.unsaved, disk: null };
      editor.current?.show(name, answer.text, answer.own, keywords);
      void refreshOutline(name);
    }
    if (at) editor.current?.goTo(at.line, at.column);
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
      setOpened((old) => (old ? { ...old, known: answer.known, dirty: false, disk: null, unsaved: null } : old));
      setMessage(say("saved"));
    } catch (error) {
      const disk = error instanceof RefusedError ? error.data?.text : undefined;
      if (typeof disk === "string") setOpened((old) => (old ? { ...old, disk } : old));
      setMessage(error instanceof Error ? error.message : String(error));
    }
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
        setOpened((old) => (old ? { ...old, dirty: true, unsaved: null } : old));
        void ask("document/edit", { name: name(), text });
      },
      save: () => void save(),
      complete: (line, column) => rpc.ask("document/complete", { name: name(), line, column }),
      hover: (line, column) => rpc.ask("document/hover", { name: name(), line, column }),
      async definition(line, column) {
        const answer = await ask<{ places: Span[] }>("document/definition", { name: name(), line, column });
        const first = answer?.places[0];
        if (first) await openFile(first.file, first);
      },
      async rename(line, column) {
        const to = window.prompt(say("renameTo"));
        if (!to) return;
        const answer = await ask<{ files: Record<string, Edit[]> }>("document/rename", { name: name(), line, column, to });
        if (answer) await applyEdits(answer.files);
      },
      async format() {
        const answer = await ask<{ text: string }>("document/format", { name: name() });
        if (answer) editor.current?.replace(answer.text);
      },
      apply(edits) {
        const files: Record<string, Edit[]> = {};
        for (const one of edits) files[one.span.file] = [...(files[one.span.file] ?? []), one];
        void applyEdits(files);
      },
    };
    if (host.current) editor.current = new Editor(host.current, calls, nonce, say("editor"));
    rpc.on<{ wave: string; files: Record<string, Diagnostic[]> }>("document/diagnostics", (told) => {
      setFound((old) => ({ ...old, ...told.files }));
      if (told.wave === "lints") void refreshOutline(name());
    });
    rpc.on<{ results: ScenarioResult[] }>("scenarios/results", (told) => setResults(told.results));
    rpc.on<{ sound: boolean }>("table/rules", (told) => setSound(told.sound));
    rpc.on<Carried>("table/carried", (told) => {
      if (told.table) setShown(told.table);
      setPreview(null);
      const stop = { kept: told.kept, stopped: told.stopped };
      setMessage(told.error || (told.stopped ? say("carriedStop", stop) : say("carriedOn")));
    });
    rpc.on<JobReport & SimReport & FuzzReport>("job/report", (told) => {
      if (told.error) setMessage(told.error);
      const running = !told.done;
      if (told.kind === "sim") setSim((old) => old && { ...old, running, report: told.done ? old.report : told });
      else setFuzz((old) => old && { running, report: told.done ? old.report : told });
    });
    rpc.on<{ message: string }>("worker/restarted", (told) => {
      setMessage(say("restarted", told));
      const stack = live.current.project?.stack ?? "";
      void openStack(stack, name());
    });
    void rpc.ready.then(() => openStack("")).catch(() => onError(say("closed")));
    const beforeLeaving = (event: BeforeUnloadEvent) => {
      if (live.current.opened?.dirty) event.preventDefault();
    };
    window.addEventListener("beforeunload", beforeLeaving);
    return () => window.removeEventListener("beforeunload", beforeLeaving);
  }, []);

  useEffect(() => {
    if (opened) editor.current?.mark(found[opened.name] ?? []);
  }, [found, opened?.name]);

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
    const name = window.prompt(say("keep")) ?? "";
    if (!name) return;
    const answer = await ask<{ path: string }>("table/keep", { name });
    if (answer) setMessage(say("kept", { path: answer.path }));
  }

  async function download(): Promise<void> {
    const answer = await ask<{ replay: object }>("table/save");
    if (!answer) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(answer.replay, null, 1)], { type: "application/json" }));
    link.download = "game.json";
    link.click();
    URL.revokeObjectURL(link.href);
  }

  async function upload(file: File | undefined): Promise<void> {
    if (!file) return;
    try {
      await table("table/load", { replay: JSON.parse(await file.text()) });
    } catch {
      setMessage("JSON?");
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

  // ---------------------------------------------------------------- drawing

  async function newOverlay(): Promise<void> {
    const name = window.prompt(say("overlayName"));
    if (!name) return;
    const answer = await ask<{ stack: string; file: string }>("overlay/new", { name });
    if (answer) await openStack(answer.stack, answer.file);
  }

  const problems = Object.entries(found).flatMap(([file, list]) => list.map((one) => ({ file, one })));
  return (
    <>
      <header>
        <h1>Warlock Studio</h1>
        <nav aria-label="Warlock Studio" class="screens">
          {(["edit", "lab"] as const).map((one) => (
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
            {say("stack")} <input name="stack" key={project?.stack} defaultValue={project?.stack ?? ""} spellcheck={false} />
          </label>
          <button>{say("openStack")}</button>
        </form>
        <button onClick={() => void newOverlay()}>{say("newOverlay")}</button>
        <span class="status">{opened?.own ? say(opened.dirty ? "unsaved" : "saved") : ""}</span>
        <button disabled={!opened?.own} onClick={() => void save()}>
          {say("save")}
        </button>
        <button disabled={!opened?.own} onClick={() => void ask<{ text: string }>("document/format", { name: opened?.name }).then((answer) => answer && editor.current?.replace(answer.text))}>
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
          {opened && !opened.own && (
            <p class="bar">
              {say("readOnly")} <button onClick={() => void newOverlay()}>{say("newOverlay")}</button>
            </p>
          )}
          {opened?.unsaved !== null && opened && (
            <p class="bar">
              <button onClick={() => editor.current?.replace(opened.unsaved ?? "")}>{say("restore")}</button>
              <button onClick={() => setOpened({ ...opened, unsaved: null })}>{say("discard")}</button>
            </p>
          )}
          {opened?.disk !== null && opened && (
            <p class="bar" role="alert">
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
            </p>
          )}
          <div class="editor" ref={host} />
          <p class="hint">{say("escape")}</p>
        </section>
        {screen === "lab" && <Lab shown={shown} sim={sim} fuzz={fuzz} say={say} calls={lab} />}
        <section class="play" aria-label={say("table")}>
          <Controls shown={shown} say={say} running={running} table={table} bots={bots} stop={() => (live.current.running = false)} keep={keep} download={download} upload={upload} />
          {!sound && (
            <p class="bar" role="status">
              {say("otherRules")}
            </p>
          )}
          {shown && (
            <>
              <QuestionView shown={shown} say={say} calls={calls} about={about} clear={() => setAbout("")} ask={(option) => void askWhy(option)} />
              {preview && <p class="preview">{say("preview")}</p>}
              <TableView shown={shown} preview={preview} say={say} calls={calls} selected={about} />
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
      <footer>
        <section aria-label={say("problems")} class="problems">
          <h2>{say("problems")}</h2>
          <ul aria-live="polite">
            {problems.length === 0 && <li>{say("noProblems")}</li>}
            {problems.map(({ file, one }, number) => (
              <li key={number} class={one.severity}>
                <button onClick={() => void openFile(file, one.span)}>
                  {one.severity} {one.code} {file}:{one.span.line} {one.message}
                </button>
                {one.hint && <small> {one.hint}</small>}
                {one.fixes.map((fix) => (
                  <button class="fix" key={fix.title} onClick={() => void applyEdits({ [file]: fix.edits })}>
                    {fix.title}
                  </button>
                ))}
              </li>
            ))}
          </ul>
        </section>
        <section aria-label={say("scenarios")} class="scenarios">
          <h2>
            {say("scenarios")} {results.filter((one) => one.outcome === "passed").length}/{results.length}
          </h2>
          <ul aria-live="polite">
            {results
              .filter((one) => one.outcome !== "passed")
              .map((one) => (
                <li key={`${one.file}:${one.line}`} class="error">
                  {one.outcome}: {one.file}:{one.line} {one.name} <small>{one.why}</small>
                </li>
              ))}
          </ul>
        </section>
        <section aria-label={say("why")} class="why-panel">
          <h2>{why?.title ?? say("why")}</h2>
          {why ? <WhyView answer={why.answer} open={(cause) => void openFile(cause.span.file, cause.span)} /> : <p>{say("whyHint")}</p>}
          {score && <ScoreView score={score.answer} name={shown?.names[score.seat] ?? ""} say={say} />}
        </section>
        <p class="message" role="status">
          {message}
        </p>
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

function WhyView({ answer, open }: { answer: WhyAnswer; open(cause: Cause): void }) {
  return (
    <>
      <ul class="why-lines">
        {answer.lines.map((line, number) => (
          <li key={number}>{line}</li>
        ))}
      </ul>
      {answer.causes.map((cause, number) => (
        <button class="fix" key={number} onClick={() => open(cause)}>
          {cause.span.file}:{cause.span.line} {cause.rule}
        </button>
      ))}
    </>
  );
}

function ScoreView({ score, name, say }: { score: ScoreAnswer; name: string; say: Say }) {
  return (
    <div class="score-view">
      <h3>
        {say("score")}: {name}
      </h3>
      <ul>
        {score.parts.map((part) => (
          <li key={part.name}>
            {part.name}: {part.value}
            <ul>
              {part.terms.map((term, number) => (
                <li key={number}>
                  {term.text}: {term.value}
                  {term.items.length > 0 && <small> ({term.items.map(([of, adds]) => `${of}: ${adds}`).join(", ")})</small>}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface ControlProps {
  shown: Shown | null;
  say: Say;
  running: boolean;
  table(method: string, params?: object): Promise<Shown | null>;
  bots(params?: object): Promise<void>;
  stop(): void;
  keep(): Promise<void>;
  download(): Promise<void>;
  upload(file: File | undefined): Promise<void>;
}

function Controls({ shown, say, running, table, bots, stop, keep, download, upload }: ControlProps) {
  if (!shown) return null;
  const go = (at: number) => void table("table/go", { at });
  const kindName = (kind: string) => (kind === "person" ? say("person") : kind);
  return (
    <div class="controls">
      <div class="seats">
        {shown.names.map((name, seat) => (
          <label key={seat}>
            {name}{" "}
            <select
              value={shown.seats[seat]}
              onChange={(event) => {
                const seats = [...shown.seats];
                seats[seat] = event.currentTarget.value;
                void bots({ seats });
              }}
            >
              {shown.kinds.map((kind) => (
                <option key={kind} value={kind}>
                  {kindName(kind)}
                </option>
              ))}
            </select>
          </label>
        ))}
        <label>
          {say("view")}{" "}
          <select value={shown.viewer} onChange={(event) => void table("table/show", { viewer: Number(event.currentTarget.value) })}>
            <option value={FOLLOW}>{say("follow")}</option>
            {shown.names.map((name, seat) => (
              <option key={seat} value={seat}>
                {name}
              </option>
            ))}
            <option value={shown.players}>{say("bystander")}</option>
            <option value={-1}>{say("everybody")}</option>
          </select>
        </label>
      </div>
      <div class="timeline">
        <button onClick={() => go(0)} disabled={shown.at === 0} aria-label={say("first")}>
          «
        </button>
        <button onClick={() => go(shown.at - 1)} disabled={shown.at === 0} aria-label={say("previous")}>
          ‹
        </button>
        <input type="range" min={0} max={shown.length} value={shown.at} aria-label={say("move", { at: shown.at, length: shown.length })} onChange={(event) => go(Number(event.currentTarget.value))} />
        <button onClick={() => go(shown.at + 1)} disabled={shown.at === shown.length} aria-label={say("next")}>
          ›
        </button>
        <button onClick={() => go(shown.length)} disabled={shown.at === shown.length} aria-label={say("last")}>
          »
        </button>
        <span>{say("move", { at: shown.at, length: shown.length })}</span>
        {shown.branches.map((length, branch) => (
          <button key={branch} onClick={() => void table("table/branch", { branch })}>
            {say("branch", { length })}
          </button>
        ))}
      </div>
      <form
        class="new"
        onSubmit={(event) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          const seed = String(data.get("seed") ?? "");
          void table("table/new", { players: Number(data.get("players")), seed: /^\d{1,15}$/.test(seed) ? Number(seed) : null, seats: shown.seats });
        }}
      >
        <label>
          {say("players")} <input type="number" name="players" min={shown.range[0]} max={shown.range[1]} defaultValue={String(shown.players)} />
        </label>
        <label>
          {say("seed")} <input name="seed" defaultValue={shown.seed} size={10} key={shown.seed} />
        </label>
        <button>{say("newTable")}</button>
        <button type="button" onClick={() => void bots({ step: true, as: "greedy" })}>
          {say("botStep")}
        </button>
        {running ? (
          <button type="button" onClick={stop}>
            {say("stop")}
          </button>
        ) : (
          <button type="button" onClick={() => void bots({ as: "random" })}>
            {say("botRun")}
          </button>
        )}
        <button type="button" onClick={() => void keep()}>
          {say("keep")}
        </button>
        <button type="button" onClick={() => void download()}>
          {say("download")}
        </button>
        <label class="button">
          {say("upload")} <input type="file" accept=".json" onChange={(event) => void upload(event.currentTarget.files?.[0])} />
        </label>
      </form>
    </div>
  );
}
