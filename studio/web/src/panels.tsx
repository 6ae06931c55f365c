// What stands below: problems, scenarios, why.

import type { Cause, Diagnostic, Edit, ScenarioResult, WhyAnswer } from "./types";
import type { Say } from "./words";

export interface ScoreAnswer {
  parts: { name: string; value: string; terms: { text: string; value: string; items: [string, string][] }[] }[];
}

export function WhyView({ answer, open }: { answer: WhyAnswer; open(cause: Cause): void }) {
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

export function ScoreView({ score, name, say }: { score: ScoreAnswer; name: string; say: Say }) {
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


interface ProblemsProps {
  found: Record<string, Diagnostic[]>;
  say: Say;
  open(file: string, at: { line: number; column: number }): void;
  apply(files: Record<string, Edit[]>): void;
}

export function Problems({ found, say, open, apply }: ProblemsProps) {
  const problems = Object.entries(found).flatMap(([file, list]) => list.map((one) => ({ file, one })));
  return (
    <section aria-label={say("problems")} class="problems">
      <h2>
        {say("problems")} {problems.length || ""}
      </h2>
      <ul aria-live="polite">
        {problems.length === 0 && <li>{say("noProblems")}</li>}
        {problems.map(({ file, one }, number) => (
          <li key={number} class={one.severity}>
            <button onClick={() => open(file, one.span)}>
              {one.severity} {one.code} {file}:{one.span.line} {one.message}
            </button>
            {one.hint && <small> {one.hint}</small>}
            {one.fixes.map((fix) => (
              <button
                class="fix"
                key={fix.title}
                onClick={() => {
                  const files: Record<string, Edit[]> = {};
                  for (const edit of fix.edits) files[edit.span.file] = [...(files[edit.span.file] ?? []), edit];
                  apply(files);
                }}
              >
                {fix.title}
              </button>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ScenariosProps {
  results: ScenarioResult[];
  running: boolean;
  say: Say;
  /** Those of one declaration alone, or none. */
  only: string[] | null;
  clear(): void;
  open(one: ScenarioResult): void;
  text(one: ScenarioResult): void;
}

/** How the scenarios of the stack come out; each can be opened as a table. Those that fail stand first. */
export function Scenarios({ results, running, say, only, clear, open, text }: ScenariosProps) {
  const listed = only ? results.filter((one) => only.includes(`${one.file}:${one.line}`)) : results;
  const failing = listed.filter((one) => one.outcome !== "passed");
  const rest = listed.filter((one) => one.outcome === "passed");
  const passed = (own: boolean) => {
    const all = results.filter((one) => one.own === own);
    return all.length ? `${all.filter((one) => one.outcome === "passed").length}/${all.length}` : "";
  };
  return (
    <section aria-label={say("scenarios")} class="scenarios">
      <h2>
        {[say("scenarios"), passed(true), passed(false) && say("ofTheGame", { count: passed(false) }), running ? "…" : ""].filter(Boolean).join(" ")}
      </h2>
      {only && (
        <button class="quiet" onClick={clear}>
          {say("all")} ({results.length})
        </button>
      )}
      {listed.length > 0 && (
        <label>
          {say("openScenario")}{" "}
          <select
            value=""
            onChange={(event) => {
              const one = listed[Number(event.currentTarget.value)];
              if (event.currentTarget.value && one) open(one);
            }}
          >
            <option value="">–</option>
            {[...failing, ...rest].map((one) => (
              <option key={`${one.file}:${one.line}`} value={listed.indexOf(one)}>
                {one.outcome === "passed" ? "✓" : one.outcome === "failed" ? "✗" : "–"} {one.name || one.file}
              </option>
            ))}
          </select>
        </label>
      )}
      <ul aria-live="polite">
        {failing.map((one) => (
          <li key={`${one.file}:${one.line}`} class={one.outcome === "failed" && one.own ? "error" : ""}>
            <button onClick={() => (one.own ? text(one) : open(one))}>
              {one.own ? one.outcome : say("otherwise")}: {one.file}:{one.line} {one.name}
            </button>{" "}
            <small>{one.why}</small>
            {one.own && one.name && (
              <button class="fix" onClick={() => open(one)}>
                {say("asTable")}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
