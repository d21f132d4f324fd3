import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { parseAst, transformWithEsbuild } from "vite";
import { expect, test } from "vitest";

// A regular expression that takes more than linear time on outside input allows denial of service. All expressions are
// checked, because there is no reliable list of those that see outside input.

// The pure JavaScript engine, because the others need Java or a binary for this platform.
const { checkSync } = createRequire(import.meta.url)("recheck/lib/browser.js") as typeof import("recheck");

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const FOLDERS = ["server/src", "sdk/src", "cli/src", "web/src", "scripts", "examples"];
/** Files that compile a pattern from data, with the reason why that is safe. */
const COMPILING: Readonly<Record<string, string>> = {
  "server/src/domain/catalog/catalogue.ts": "a trigger on operators.account_pattern admits plain patterns only (migration 0027)",
  "server/src/domain/providers/description/check/check-readers.ts": "checks a provider description's pattern when it is saved",
  "server/src/domain/providers/description/read/document.ts": "matches it with boundedMatch, on a text of limited length",
  "server/src/domain/providers/description/read/conditions.ts": "matches it with boundedMatch, on a text of limited length",
  "server/src/domain/providers/description/read/read-value.ts": "matches it with boundedMatch, on a text of limited length",
  "server/src/domain/providers/description/template/dates.ts": "made of fixed parts by a date pattern, without nested repetition",
  "server/src/domain/providers/description/template/parse.ts": "made of our own parts",
  "server/src/api/client/openapi/assemble.ts": "reads our own schemas while the API description is written",
  "server/src/api/operator/openapi/example.ts": "matches our own examples with the patterns of our own schemas",
};

type Node = { readonly type?: string; readonly [key: string]: unknown };
type Found = { readonly pattern: string; readonly flags: string; readonly file: string };

async function readPatterns(): Promise<{ readonly literals: readonly Found[]; readonly compiling: readonly string[] }> {
  const literals: Found[] = [];
  const compiling = new Set<string>();
  for (const file of FOLDERS.flatMap(sourcesIn)) {
    const { code } = await transformWithEsbuild(readFileSync(ROOT + file, "utf8"), file, { target: "esnext" });
    visit(parseAst(code) as unknown as Node, (node) => {
      const regex = node.type === "Literal" ? (node["regex"] as { pattern: string; flags: string } | undefined) : undefined;
      if (regex) literals.push({ ...regex, file });
      if (makesRegExp(node)) compiling.add(file);
    });
  }
  return { literals, compiling: [...compiling] };
}

function sourcesIn(folder: string): readonly string[] {
  const names = readdirSync(ROOT + folder, { recursive: true, encoding: "utf8" });
  const sources = names.filter(
    (name) => /\.(?:ts|tsx|mjs|js)$/.test(name) && !/\.test\.|\.d\.ts$|testing\/|node_modules|dist\//.test(name),
  );
  return sources.map((name) => `${folder}/${name}`);
}

function visit(node: unknown, see: (node: Node) => void): void {
  if (Array.isArray(node)) for (const one of node) visit(one, see);
  else if (typeof node === "object" && node !== null) {
    see(node as Node);
    visit(Object.values(node), see);
  }
}

function makesRegExp({ type, callee }: Node): boolean {
  return (type === "NewExpression" || type === "CallExpression") && (callee as { readonly name?: string }).name === "RegExp";
}

const MAX_STEPS = 4_096;

/** A pattern without unlimited repetition takes a bounded number of steps and needs no analysis. */
function hasFixedCost(pattern: string): boolean {
  const bare = pattern
    .replaceAll(/\\(?:[pP]\{\w+\}|u\{\w+\}|.)/g, "x")
    .replaceAll(/\[[^\]]*\]/g, "x")
    .replaceAll(/\((?:\?(?:<\w+>|:|<?[=!]))?/g, "(");
  if (/[*+]|\{\d+,\}|\)\{/.test(bare)) return false;
  const repeats = [...bare.matchAll(/\{(?:\d+,)?(\d+)\}/g)].map(([, most]) => Number(most));
  const choices = 2 ** (bare.match(/\?/g)?.length ?? 0);
  return repeats.reduce((product, most) => product * (most + 1), choices) <= MAX_STEPS;
}

function faultOf(pattern: string, flags: string): string | null {
  if (hasFixedCost(pattern)) return null;
  // No time limits, so that the result is the same on a busy machine.
  const found = checkSync(pattern, flags, { timeout: null, attackTimeout: null, incubationTimeout: null });
  if (found.status === "safe") return null;
  return found.status === "vulnerable" ? found.complexity.summary : `cannot be analysed: ${found.error.kind}`;
}

test.each([
  ["^[\\t ]+|[\\t ]+$", "g"],
  ['^application\\/json(?:\\s*;\\s*charset\\s*=\\s*(?:"utf-8"|utf-8))?\\s*;?\\s*$', "i"],
  ["%.*$", ""],
  ["\\.?0+$", ""],
  ["(^|&)([^=&]*(?:otp|token)[^=&]*|pid)=[^&]+", "g"],
  ["^(a+)+$", ""],
])("the checker finds what is wrong with /%s/%s", (pattern, flags) => {
  expect(faultOf(pattern, flags)).not.toBeNull();
});

const { literals, compiling } = await readPatterns();

test("every regular expression of server, SDK, CLI, web, scripts and examples takes linear time", () => {
  expect(literals.length).toBeGreaterThan(300);
  const known = new Map<string, string | null>();
  const wrong = literals.flatMap(({ pattern, flags, file }) => {
    const text = `/${pattern}/${flags}`;
    if (!known.has(text)) known.set(text, faultOf(pattern, flags));
    const why = known.get(text);
    return why ? [`${file}: ${text} ${why}`] : [];
  });
  expect(wrong).toEqual([]);
});

test("a pattern is compiled from data only where something bounds it", () => {
  expect(compiling.toSorted()).toEqual(Object.keys(COMPILING).toSorted());
});
