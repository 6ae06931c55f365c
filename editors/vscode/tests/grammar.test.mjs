// The grammars as VS Code reads them, over every file of the shipped games: what each word is coloured as.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const textmate = require("vscode-textmate");
const oniguruma = require("vscode-oniguruma");
const here = join(dirname(fileURLToPath(import.meta.url)), "..");
const games = process.env.WARLOCK_GAMES ?? join(here, "..", "..");
const files = (ending) =>
  ["rules", "variants"].flatMap((folder) =>
    readdirSync(join(games, folder), { recursive: true })
      .filter((name) => name.endsWith(ending))
      .map((name) => join(games, folder, name)),
  );

await oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scope) => {
    const path = join(here, "syntaxes", `${scope.replace("source.", "")}.tmLanguage.json`);
    return textmate.parseRawGrammar(readFileSync(path, "utf8"), path);
  },
});

/** Every word of a text with the innermost scope it has. */
function* tokens(grammar, text) {
  let state = textmate.INITIAL;
  for (const [number, line] of text.split("\n").entries()) {
    const found = grammar.tokenizeLine(line, state);
    state = found.ruleStack;
    for (const token of found.tokens) {
      yield { number, text: line.slice(token.startIndex, token.endIndex), scope: token.scopes.at(-1) };
    }
  }
}

test("every word of every rule has a colour", async () => {
  const grammar = await registry.loadGrammar("source.warlock");
  let count = 0;
  for (const file of files(".warlock")) {
    for (const token of tokens(grammar, readFileSync(file, "utf8"))) {
      count += 1;
      assert.ok(token.scope !== "source.warlock" || !/[\w"@]/.test(token.text), `${file}:${token.number + 1} '${token.text}'`);
    }
  }
  assert.ok(count > 10_000, `${count} tokens`);
});

test("words are what they are", async () => {
  const grammar = await registry.loadGrammar("source.warlock");
  const text = '@printed "a.b: why" # so\nrule deed[rest](x: number) after g(y) where not x is 3:\n    move top(deck) to my.hand\n';
  const scopes = Object.fromEntries([...tokens(grammar, text)].map((token) => [token.text.trim(), token.scope]));
  const wanted = {
    printed: "storage.modifier.standing", '"a.b: why"': "string.quoted.double", "# so": "comment.line.number-sign",
    rule: "keyword.declaration", deed: "entity.name.function", rest: "entity.name.function.member",
    number: "support.type", after: "keyword.other", not: "keyword.operator.word", 3: "constant.numeric",
    move: "keyword.control", top: "support.function", my: "variable.language", hand: "variable.other.property",
    deck: "variable.other", g: "entity.name.function.call",
  };
  for (const [word, scope] of Object.entries(wanted)) assert.equal(scopes[word], scope, word);
});

test("tables", async () => {
  const grammar = await registry.loadGrammar("source.warlock-table");
  const text = '[zone]\ndeck = { holds = "card", printed = "a.b" } # x\n"piece.card" = "card"\n';
  const scopes = Object.fromEntries([...tokens(grammar, text)].map((token) => [token.text.trim(), token.scope]));
  assert.equal(scopes.zone, "keyword.declaration.section");
  assert.equal(scopes.deck, "variable.other.key");
  assert.equal(scopes.holds, "support.type.property-name");
  assert.equal(scopes.printed, "keyword.other.standing");
  assert.equal(scopes['"piece.card"'], "variable.other.key");
  for (const file of files(".toml")) {
    for (const token of tokens(grammar, readFileSync(file, "utf8"))) assert.ok(token.scope, file);
  }
});
