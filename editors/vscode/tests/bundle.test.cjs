// The bundled client with a stand-in for VS Code: it loads, starts what the setting names, and says so if it cannot.

const assert = require("node:assert/strict");
const Module = require("node:module");
const { join } = require("node:path");
const { test } = require("node:test");

const told = [];
const registered = [];

/** Something that can be called, made, extended and asked for anything. */
function anything() {
  const target = function () {};
  return new Proxy(target, {
    get: (object, name) => {
      if (name === "prototype") return object.prototype;
      if (name === Symbol.toPrimitive) return () => "";
      if (name === Symbol.iterator) return function* () {};
      if (name === "then") return undefined;
      return anything();
    },
    apply: () => anything(),
    construct: () => anything(),
  });
}

const vscode = new Proxy(
  {
    version: "1.90.0",
    commands: { registerCommand: (name) => (registered.push(name), { dispose() {} }) },
    window: new Proxy({ showErrorMessage: (text) => (told.push(text), Promise.resolve()) }, { get: (own, name) => own[name] ?? anything() }),
    workspace: new Proxy(
      { getConfiguration: () => ({ get: (name, otherwise) => (name === "command" ? ["no-such-program-here"] : otherwise) }) },
      { get: (own, name) => own[name] ?? anything() },
    ),
  },
  { get: (own, name) => own[name] ?? anything() },
);

const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));

test("the bundle loads and starts the server that the setting names", async () => {
  const extension = require(join(__dirname, "..", "dist", "extension.js"));
  assert.equal(typeof extension.activate, "function");
  assert.equal(typeof extension.deactivate, "function");
  const context = { subscriptions: [] };
  await extension.activate(context);
  assert.deepEqual(registered, ["warlock.restart"]);
  assert.equal(context.subscriptions.length, 1);
  const ours = told.filter((text) => /does not start/.test(text)); // the library may have told it, too
  assert.equal(ours.length, 1);
  assert.match(ours[0], /no-such-program-here|ENOENT/);
  assert.match(ours[0], /warlock\.command/);
});
