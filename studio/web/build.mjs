// Bundles the page, and writes down the licences of what is in it.
import { build } from "esbuild";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const out = "../warlock_studio/page";
mkdirSync(out, { recursive: true });
const result = await build({
  entryPoints: { main: "src/main.tsx", export: "src/export.tsx" }, // the page, and what a page without a server needs
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  outdir: out,
  metafile: true,
  legalComments: "none",
});

/** The licences of the npm packages among some inputs. */
function licences(inputs) {
  const names = new Set();
  for (const file of Object.keys(inputs)) {
    const found = file.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//);
    if (found) names.add(found[1]);
  }
  const texts = [...names].sort().map((name) => {
    const folder = join("node_modules", name);
    const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    const text = file && existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8") : about.license;
    return `${name} ${about.version}\n\n${text}\n`;
  });
  return texts.join("\n----\n\n");
}

writeFileSync(`${out}/licences.txt`, licences(result.metafile.inputs));
const [, own] = Object.entries(result.metafile.outputs).find(([name]) => name.endsWith("export.js"));
writeFileSync(`${out}/export-licences.txt`, licences(own.inputs));
