import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseAst, transformWithEsbuild } from "vite";
import { expect, test } from "vitest";
import { patternFault } from "../../testing/patterns/pattern-fault.ts";

// A regular expression that takes more than linear time on outside input allows denial of service. All expressions are
// checked, because there is no reliable list of those that see outside input.

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
/** The folders that are not checked, with the reason. Every other folder is, also one that is new. */
const NOT_CHECKED: Readonly<Record<string, string>> = {
  bench: "measures this installation, and reads only its own output",
  contract: "holds no programs that the service runs",
  deploy: "holds no programs that the service runs",
  docs: "builds the pages of the documentation from our own files",
  e2e: "holds tests",
  testing: "runs tests",
};
/** Files that compile a pattern from data, with the reason why that is safe. */
const COMPILING: Readonly<Record<string, string>> = {
  "scripts/checks/check-messages.mjs": "puts names of our own sources into fixed patterns",
  "server/src/api/client/openapi/assemble.ts": "reads our own schemas while the API description is written",
  "server/src/api/operator/openapi/example.ts": "matches our own examples with the patterns of our own schemas",
  "server/src/domain/catalog/catalogue.ts": "a trigger on operators.account_pattern admits plain patterns only (migration 0027)",
  "server/src/domain/providers/description/check/definite.ts": "tries a pattern on texts of three characters at most",
  "server/src/domain/providers/description/check/check-readers.ts": "checks a provider description's pattern when it is saved",
  "server/src/domain/providers/description/language/samples.ts": "made of the fixed names of results",
  "server/src/domain/providers/description/read/conditions.ts": "matches it with boundedMatch, on a text of limited length",
  "server/src/domain/providers/description/read/document.ts": "matches it with boundedMatch, on a text of limited length",
  "server/src/domain/providers/description/read/read-value.ts": "matches it with boundedMatch, on a text of limited length",
  "server/src/domain/providers/description/template/dates.ts": "made of fixed parts by a date pattern, without nested repetition",
  "server/src/domain/providers/description/template/parse.ts": "made of our own parts",
  "server/src/domain/providers/masking/mask-secrets.ts": "made of the ways to write one secret, each of which has a fixed length",
  "server/src/domain/providers/masking/mask-value.ts": "made of literal texts",
  "server/src/domain/providers/recording/mask-recording.ts": "made of a literal text",
  "server/src/domain/providers/twin/recorded-service.ts": "made of literal texts and of values that end at the next slash",
  "server/src/domain/providers/wire/evidence.ts": "adds a flag to a pattern that is checked here",
  "server/src/domain/services/bills/connected-bills.ts": "find-biller.ts matches it with boundedMatch, on a text of limited length",
  "server/src/platform/db/upgrade/examine-statement.ts": "reads our own migrations",
  "vendor/postgres/src/types.js": "reads the text of our own queries",
  "web/src/console/providers/form/names.ts": "takes a pattern of our own schemas, which are checked here",
};

/** Patterns that take more than linear time, on texts that nobody else can write. */
const ON_OWN_TEXT: Readonly<Record<string, string>> = {
  "scripts/checks/check-messages.mjs /^\\S*[-_./]\\S*$/": "reads the texts of our own pages",
  "scripts/checks/check-messages.mjs /\\p{L}{2}\\S* +\\p{L}/u": "reads the texts of our own pages",
  "scripts/package/programs.mjs /\\/(?:server|cli)\\/dist\\/.*\\.js$/": "esbuild matches it with the paths of our own modules",
  "vendor/postgres/src/connection.js /.*\\n/": "reads the stack trace of our own call",
  "web/src/messages/rich.tsx /<(\\w+)>(.*?)<\\/\\1>|\\{(\\w+)\\}/gs": "reads our own messages before their placeholders are filled",
};

type Node = { readonly type?: string; readonly [key: string]: unknown };
type Found = { readonly pattern: string; readonly flags: string; readonly file: string };

async function readPatterns(): Promise<{ readonly literals: readonly Found[]; readonly compiling: readonly string[] }> {
  const literals: Found[] = [];
  const compiling = new Set<string>();
  for (const file of sources()) {
    const { code } = await transformWithEsbuild(readFileSync(ROOT + file, "utf8"), file, { target: "esnext" });
    visit(parseAst(code) as unknown as Node, (node) => {
      const regex = node.type === "Literal" ? (node["regex"] as { pattern: string; flags: string } | undefined) : undefined;
      if (regex) literals.push({ ...regex, file });
      if (makesRegExp(node) || matchesText(node)) compiling.add(file);
    });
  }
  return { literals, compiling: [...compiling] };
}

function sources(): readonly string[] {
  const folders = readdirSync(ROOT, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const names = folders.map(({ name }) => name).filter((name) => !/^\.|^node_modules$/.test(name) && NOT_CHECKED[name] === undefined);
  return names.flatMap(sourcesIn);
}

const SOURCE = /\.(?:[cm]?[jt]s|tsx)$/;
const TEST_OR_BUILT = /\.test\.|\.d\.ts$|(?:^|\/)(?:testing|node_modules|dist)\//;

function sourcesIn(folder: string): readonly string[] {
  const names = readdirSync(ROOT + folder, { recursive: true, encoding: "utf8" });
  const isSource = (name: string) => SOURCE.test(name) && !TEST_OR_BUILT.test(name);
  return names.filter(isSource).map((name) => `${folder}/${name}`);
}

function visit(node: unknown, see: (node: Node) => void): void {
  if (Array.isArray(node)) for (const one of node) visit(one, see);
  else if (typeof node === "object" && node !== null) {
    see(node as Node);
    visit(Object.values(node), see);
  }
}

function makesRegExp({ type, callee }: Node): boolean {
  const { name, property } = (callee ?? {}) as { readonly name?: string; readonly property?: { readonly name?: string } };
  return (type === "NewExpression" || type === "CallExpression") && (name === "RegExp" || property?.name === "RegExp");
}

/** text.match("…") compiles its argument. */
function matchesText({ type, callee, arguments: given }: Node): boolean {
  const method = ((callee ?? {}) as { readonly property?: { readonly name?: string } }).property?.name ?? "";
  const [first] = (given ?? []) as readonly { readonly type: string; readonly value?: unknown }[];
  const isText = first?.type === "TemplateLiteral" || (first?.type === "Literal" && typeof first.value === "string");
  return type === "CallExpression" && ["match", "matchAll", "search"].includes(method) && isText;
}

const { literals, compiling } = await readPatterns();

test("every regular expression of the programs takes linear time", () => {
  expect(literals.length).toBeGreaterThan(600);
  const faults = new Map(literals.map(({ pattern, flags }) => [`/${pattern}/${flags}`, { pattern, flags }]));
  for (const [text, { pattern, flags }] of faults) if (patternFault(pattern, flags) === null) faults.delete(text);
  const wrong = literals.map(({ pattern, flags, file }) => ({ file, text: `/${pattern}/${flags}` })).filter(({ text }) => faults.has(text));
  expect([...new Set(wrong.map(({ file, text }) => `${file} ${text}`))].toSorted()).toEqual(Object.keys(ON_OWN_TEXT).toSorted());
});

test("a pattern is compiled from data only where something bounds it", () => {
  expect(compiling.toSorted()).toEqual(Object.keys(COMPILING).toSorted());
});
