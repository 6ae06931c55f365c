// The editor of one text: colours, errors with fixes, completion, what is known of a word, where it is defined.

import { autocompletion, closeBrackets, completionKeymap, snippetCompletion, type Completion, type CompletionContext } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, bracketMatching, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic as Mark } from "@codemirror/lint";
import { MergeView } from "@codemirror/merge";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, RangeSet, StateEffect, StateField, type Extension, type Range } from "@codemirror/state";
import { EditorView, GutterMarker, drawSelection, gutter, highlightActiveLine, hoverTooltip, keymap, lineNumbers, type Command } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Diagnostic, Edit, MarginRow, Span } from "./types";

export interface EditorCalls {
  changed(text: string): void;
  save(): void;
  complete(line: number, column: number): Promise<{ options: { label: string; detail: string; snippet: string }[] }>;
  hover(line: number, column: number): Promise<{ text: string; span: Span | null }>;
  definition(line: number, column: number): void;
  rename(line: number, column: number): void;
  format(): void;
  apply(edits: Edit[]): void;
}

const colours = HighlightStyle.define([
  { tag: tags.keyword, class: "tok-keyword" },
  { tag: tags.string, class: "tok-string" },
  { tag: tags.number, class: "tok-number" },
  { tag: tags.comment, class: "tok-comment" },
  { tag: tags.propertyName, class: "tok-property" },
]);

/** The words of the language come from the server, so that they cannot be others than its own. */
function rules(keywords: Set<string>) {
  return StreamLanguage.define<null>({
    token(stream) {
      if (stream.match(/^#.*/)) return "comment";
      if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
      if (stream.match(/^@\w+/)) return "propertyName";
      if (stream.match(/^\d+(?:\.\d+)?/)) return "number";
      const word = stream.match(/^[A-Za-z_]\w*/);
      if (word) return keywords.has((word as RegExpMatchArray)[0]) ? "keyword" : null;
      stream.next();
      return null;
    },
    languageData: { commentTokens: { line: "#" } },
  });
}

const tables = StreamLanguage.define<null>({
  token(stream) {
    if (stream.match(/^#.*/)) return "comment";
    if (stream.sol() && stream.match(/^\s*\[+[^\]]*\]+/)) return "keyword";
    if (stream.match(/^"(?:[^"\\]|\\.)*"?(?=\s*=)/) || stream.match(/^[\w.-]+(?=\s*=)/)) return "propertyName";
    if (stream.match(/^"""/) || stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'[^']*'?/)) return "string";
    if (stream.match(/^-?\d+(?:\.\d+)?/)) return "number";
    stream.next();
    return null;
  },
});

/** The place in a text of a line and a column, which count characters from 1, not units of sixteen bits. */
export function offsetOf(state: EditorState, line: number, column: number): number {
  const found = state.doc.line(Math.max(1, Math.min(line, state.doc.lines)));
  let offset = 0;
  let left = column - 1;
  for (const sign of found.text) {
    if (left-- <= 0) break;
    offset += sign.length;
  }
  return found.from + offset;
}

export function placeOf(state: EditorState, offset: number): { line: number; column: number } {
  const line = state.doc.lineAt(offset);
  return { line: line.number, column: [...line.text.slice(0, offset - line.from)].length + 1 };
}

function rangeOf(state: EditorState, span: Span): { from: number; to: number } {
  const from = offsetOf(state, span.line, span.column);
  const to = offsetOf(state, span.endLine, span.endColumn);
  return { from, to: Math.max(from, to) };
}

/** Results of scenarios beside the declarations they use; they move with the text. */
class Result extends GutterMarker {
  constructor(
    readonly row: MarginRow,
    readonly words: string,
  ) {
    super();
  }
  override eq(other: Result): boolean {
    return this.words === other.words && this.row.passed === other.row.passed;
  }
  override toDOM(): HTMLElement {
    const dom = document.createElement("span");
    const all = this.row.passed === this.row.count;
    dom.className = all ? "passed" : "failed";
    dom.textContent = all ? `✓${this.row.count}` : `✗${this.row.count - this.row.passed}`;
    dom.title = this.words;
    return dom;
  }
}

const setResults = StateEffect.define<RangeSet<GutterMarker>>();
const results = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setResults)) return effect.value;
    return transaction.docChanged ? value.map(transaction.changes) : value;
  },
});

export interface EditorWords {
  label: string;
  /** What CodeMirror's own panels say. */
  phrases: Record<string, string>;
}

/** Two texts side by side, what differs marked; nothing in it can be changed. */
export function mergeView(parent: HTMLElement, old: string, fresh: string, nonce: string, labels: [string, string]): () => void {
  const extensions = (label: string): Extension => [
    EditorView.cspNonce.of(nonce),
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": label, role: "textbox", "aria-readonly": "true", tabindex: "0" }),
  ];
  const view = new MergeView({
    parent,
    a: { doc: old, extensions: extensions(labels[0]) },
    b: { doc: fresh, extensions: extensions(labels[1]) },
    collapseUnchanged: { margin: 3, minSize: 8 },
    gutter: true,
  });
  return () => view.destroy();
}

export class Editor {
  readonly view: EditorView;
  private texts = new Compartment();
  private states = new Map<string, EditorState>();
  private shown = "";
  private quiet = false;
  private extensions: Extension;

  constructor(parent: HTMLElement, private calls: EditorCalls, nonce: string, private words: EditorWords, onResult: (row: MarginRow) => void) {
    const at = (run: (line: number, column: number) => void): Command => (view) => {
      const { line, column } = placeOf(view.state, view.state.selection.main.head);
      run(line, column);
      return true;
    };
    this.extensions = [
          EditorView.cspNonce.of(nonce),
          lineNumbers(),
          history(),
          drawSelection(),
          highlightActiveLine(),
          bracketMatching(),
          closeBrackets(),
          highlightSelectionMatches(),
          indentUnit.of("    "),
          lintGutter(),
          syntaxHighlighting(colours),
          results,
          gutter({
            class: "cm-results",
            markers: (view) => view.state.field(results),
            domEventHandlers: {
              click(view, line) {
                let row: MarginRow | null = null;
                view.state.field(results).between(line.from, line.from, (_from, _to, marker) => {
                  row = (marker as Result).row;
                });
                if (row) onResult(row);
                return row !== null;
              },
            },
          }),
          autocompletion({ override: [(context) => this.complete(context)] }),
          hoverTooltip((view, offset) => this.hover(view, offset)),
          keymap.of([
            { key: "Mod-s", run: () => (this.calls.save(), true), preventDefault: true },
            { key: "F12", run: at((line, column) => this.calls.definition(line, column)) },
            { key: "F2", run: at((line, column) => this.calls.rename(line, column)) },
            { key: "Shift-Alt-f", run: () => (this.calls.format(), true) },
            indentWithTab,
            ...completionKeymap,
            ...lintKeymap,
            ...searchKeymap,
            ...historyKeymap,
            ...defaultKeymap,
          ]),
          EditorView.domEventHandlers({
            mousedown: (event, view) => {
              if (!event.ctrlKey && !event.metaKey) return false;
              const offset = view.posAtCoords({ x: event.clientX, y: event.clientY });
              if (offset === null) return false;
              const { line, column } = placeOf(view.state, offset);
              this.calls.definition(line, column);
              return true;
            },
          }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && !this.quiet) this.calls.changed(this.text);
          }),
    ];
    this.view = new EditorView({ parent, state: this.state("", "", new Set()) });
  }

  private state(name: string, text: string, keywords: Set<string>): EditorState {
    const mode = name.endsWith(".warlock") ? rules(keywords) : name.endsWith(".toml") ? tables : [];
    return EditorState.create({ doc: text, extensions: [this.extensions, mode, this.texts.of(this.spoken())] });
  }

  private spoken(): Extension {
    return [EditorState.phrases.of(this.words.phrases), EditorView.contentAttributes.of({ "aria-label": this.words.label, tabindex: "0" })];
  }

  /** Speak another language. */
  say(words: EditorWords): void {
    this.words = words;
    this.view.dispatch({ effects: this.texts.reconfigure(this.spoken()) });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Show another text. What was done to one that was shown before can still be undone. */
  show(name: string, text: string, keywords: Set<string>): void {
    if (this.shown) this.states.set(this.shown, this.view.state);
    const known = this.states.get(name);
    const state = known && known.doc.toString() === text ? known : this.state(name, text, keywords);
    this.shown = name;
    this.view.setState(state);
    this.view.dispatch({ effects: this.texts.reconfigure(this.spoken()) });
  }

  /** Forget every text: another stack is open. */
  forget(): void {
    this.states.clear();
    this.shown = "";
  }

  /** The scenarios that use the declarations of this text. */
  results(rows: MarginRow[], words: (row: MarginRow) => string): void {
    const { doc } = this.view.state;
    const found: Range<GutterMarker>[] = rows
      .filter((row) => row.line >= 1 && row.line <= doc.lines)
      .map((row) => new Result(row, words(row)).range(doc.line(row.line).from));
    this.view.dispatch({ effects: setResults.of(RangeSet.of(found, true)) });
  }

  /** Put a text in the place of this one, as an edit that can be undone. */
  replace(text: string): void {
    if (text !== this.text) this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  /** Put a text in the place of this one that nobody has to be told of. */
  reset(text: string): void {
    this.quiet = true;
    this.replace(text);
    this.quiet = false;
  }

  edit(edits: Edit[]): void {
    const changes = edits.map((one) => ({ ...rangeOf(this.view.state, one.span), insert: one.text }));
    this.view.dispatch({ changes });
  }

  goTo(line: number, column: number): void {
    const offset = offsetOf(this.view.state, line, column);
    this.view.dispatch({ selection: { anchor: offset }, effects: EditorView.scrollIntoView(offset, { y: "center" }) });
    this.view.focus();
  }

  mark(diagnostics: Diagnostic[]): void {
    const state = this.view.state;
    const marks: Mark[] = diagnostics.map((one) => {
      const { from, to } = rangeOf(state, one.span);
      return {
        from,
        to: to > from ? to : Math.min(from + 1, state.doc.length),
        severity: one.severity === "note" ? "info" : one.severity,
        source: one.code,
        message: [one.message, one.label, one.hint].filter(Boolean).join("\n"),
        actions: one.fixes.map((fix) => ({ name: fix.title, apply: () => this.calls.apply(fix.edits) })),
      };
    });
    this.view.dispatch(setDiagnostics(state, marks));
  }

  private async complete(context: CompletionContext) {
    const word = context.matchBefore(/[\w.]*/);
    if (!word || (word.from === word.to && !context.explicit)) return null;
    const { line, column } = placeOf(context.state, context.pos);
    const found = await this.calls.complete(line, column).catch(() => ({ options: [] }));
    const dot = word.text.lastIndexOf(".");
    const options: Completion[] = found.options.map((one) =>
      one.snippet
        ? snippetCompletion(one.snippet.replace(/\$\{?(\d)(?::([^}]*))?\}?/g, (_, __, text) => "${" + (text ?? "") + "}"), {
            label: one.label,
            detail: one.detail,
          })
        : { label: one.label, detail: one.detail },
    );
    return { from: word.from + dot + 1, options, validFor: /^\w*$/ };
  }

  private async hover(view: EditorView, offset: number) {
    const { line, column } = placeOf(view.state, offset);
    const found = await this.calls.hover(line, column).catch(() => null);
    if (!found || !found.text) return null;
    return {
      pos: offset,
      create: () => {
        const dom = document.createElement("div");
        dom.className = "hover";
        for (const part of found.text.split("\n")) {
          const paragraph = document.createElement("p");
          paragraph.textContent = part.replace(/[*`]/g, "");
          if (paragraph.textContent && !part.startsWith("```")) dom.append(paragraph);
        }
        return { dom };
      },
    };
  }
}
