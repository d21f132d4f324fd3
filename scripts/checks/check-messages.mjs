// node scripts/checks/check-messages.mjs: finds words that the portal's pages show but that are not in a message file, and
// messages that no page uses. The console's own pages are in English and are not checked.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";

const WEB = fileURLToPath(new URL("../../web/src/", import.meta.url));
const SKIPPED = /^console\/|^messages\/|\.test\.ts$|(?:^|\/)(?:operator-api|portal-api|common-api|vite-env)\.ts$/;

// Attributes and properties that hold words; every other one is checked only for whole phrases.
const WORDS = new Set(
  ["label", "title", "hint", "header", "placeholder", "note", "alt", "aria-label", "noun", "action", "codeTitle", "xLabel", "what"].concat([
    "description",
    "text",
    "message",
    "required",
    "example",
  ]),
);
// Attributes and properties that never hold words.
const TECHNICAL = new Set([
  "className",
  "to",
  "href",
  "d",
  "viewBox",
  "code",
  "value",
  "queryKey",
  "path",
  "border",
  "accept",
  "strokeDasharray",
]);
const TECHNICAL_CALLS = new Set([
  "classes",
  "matchMedia",
  "addEventListener",
  "includes",
  "startsWith",
  "replace",
  "querySelector",
  "lazyRouteComponent",
]);
// Names, keys of the keyboard, units and values of the API are the same in every language.
const NAMES = new Set(
  ["Corprail", "IST", "UTC", "API", "Ctrl K", "J  K", "Esc", "Edge", "Opera", "Firefox", "Chrome", "Safari", "Android", "Windows"].concat([
    "Mac OS X",
    "macOS",
    "Linux",
    "iPhone",
    "iPad",
    "Reversed",
    "ApiError",
    "InvalidStateError",
    "AbortError",
    "DTH",
    "FASTag",
    "AEPS",
  ]),
);
// Shell commands, headers, addresses, user agents and style sheets.
const CODE =
  /^\s*(?:-[HdX] |\d\/api\/|curl |node |https?:|X-|HTTP|METHOD\n|LINES=)|HTTP\/1|[a-z]\/$|var\(--|"X-Api|(?:^|\s)[a-z-]+[-:[][a-z0-9[(]\S*(?:\s|$)/;

const hasLetters = (text) => /\p{L}{2}/u.test(text);
const isPhrase = (text) => (/^\P{L}*\p{Lu}\p{Ll}+/u.test(text) && !/^\S*[-_./]\S*$/.test(text)) || /\p{L}{2}\S* +\p{L}/u.test(text);
const isFree = (text) =>
  /^[A-Z]+$|^[a-z]+_[a-z_]+$|^\/[a-z/-]+$/.test(text) || NAMES.has(text.trim()) || CODE.test(text) || !hasLetters(text);
const nameOf = (key) => key?.name?.name ?? key?.name ?? key?.value;

function faultsOf(file) {
  const source = readFileSync(join(WEB, file), "utf8");
  const faults = [];
  const report = (node, text) => {
    const line = source.slice(0, node.start).split("\n").length;
    faults.push(`web/src/${file}:${line}: ${JSON.stringify(text.trim())}`);
  };
  const literal = (node, text, shown) => {
    if (!isFree(text) && (shown || isPhrase(text))) report(node, text);
  };
  // `shown`: the value is a child of an element or of an attribute that holds words.
  const visit = (node, shown) => {
    const handler = HANDLERS[node.type];
    if (handler !== undefined) return handler(node, shown, { visit, literal, report });
    for (const child of childrenOf(node)) visit(child, false);
  };
  for (const statement of parseSync(file, source).program.body) visit(statement, false);
  return faults;
}

function childrenOf(node) {
  return Object.entries(node)
    .filter(([name]) => name !== "parent")
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter((value) => typeof value?.type === "string");
}

const nothing = () => undefined;
const valueOfName = (name, value, { visit }) => {
  if (TECHNICAL.has(name)) {
    if (!["Literal", "TemplateLiteral"].includes((value.expression ?? value).type) && name !== "className") visit(value, false);
  } else visit(value, WORDS.has(name));
};

const HANDLERS = {
  ImportDeclaration: nothing,
  TSTypeAliasDeclaration: nothing,
  TSTypeAnnotation: nothing,
  TSTypeParameterInstantiation: nothing,
  // Errors of programming, which are not shown in a page.
  ThrowStatement: (node, _, { visit }) => node.argument.callee?.name !== "Error" && visit(node.argument, false),
  TSAsExpression: (node, shown, { visit }) => visit(node.expression, shown),
  TSSatisfiesExpression: (node, shown, { visit }) => visit(node.expression, shown),
  JSXText: (node, _, { report }) => !isFree(node.value) && report(node, node.value),
  JSXExpressionContainer: (node, shown, { visit }) => visit(node.expression, shown),
  ConditionalExpression: (node, shown, { visit }) => {
    visit(node.test, false);
    visit(node.consequent, shown);
    visit(node.alternate, shown);
  },
  LogicalExpression: (node, shown, { visit }) => {
    visit(node.left, false);
    visit(node.right, shown);
  },
  BinaryExpression: (node, _, { visit }) => {
    for (const side of [node.left, node.right]) if (side.type !== "Literal" || node.operator === "+") visit(side, false);
  },
  SwitchCase: (node, _, { visit }) => {
    for (const statement of node.consequent) visit(statement, false);
  },
  JSXAttribute: (node, _, context) => node.value !== null && valueOfName(nameOf(node.name), node.value, context),
  Property: (node, _, context) => valueOfName(nameOf(node.key), node.value, context),
  CallExpression: (node, _, { visit, literal }) => {
    const called = nameOf(node.callee.property ?? node.callee);
    visit(node.callee, false);
    // The keys of such an object are the labels of a list of facts.
    const facts = called === "entries" ? (node.arguments[0]?.properties ?? []) : [];
    for (const { key, computed } of facts) if (key !== undefined && !computed) literal(key, nameOf(key), false);
    for (const argument of node.arguments) if (!TECHNICAL_CALLS.has(called)) visit(argument, false);
  },
  Literal: (node, shown, { literal }) => typeof node.value === "string" && literal(node, node.value, shown),
  TemplateLiteral: (node, shown, { visit, literal }) => {
    literal(node, node.quasis.map(({ value }) => value.cooked).join("0"), shown);
    for (const part of node.expressions) visit(part, false);
  },
  JSXElement: (node, _, { visit }) => {
    visit(node.openingElement, false);
    for (const child of node.children) visit(child, true);
  },
  JSXFragment: (node, _, { visit }) => {
    for (const child of node.children) visit(child, true);
  },
};

const files = readdirSync(WEB, { recursive: true }).filter((file) => /\.tsx?$/.test(file));
const pages = files.filter((file) => !SKIPPED.test(file));
const sources = pages.map((file) => readFileSync(join(WEB, file), "utf8"));

function unusedIn(file) {
  const text = readFileSync(join(WEB, file), "utf8");
  const [, name = ""] = /export const (\w+) = /.exec(text) ?? [];
  const keys = [...text.matchAll(/^ {2}(\w+):/gm)].map(([, key]) => key);
  const used = new Set(sources.flatMap((source) => usesOf(name, source)));
  return keys.filter((key) => !used.has(key)).map((key) => `${basename(file)}: ${key} is unused.`);
}

/** The keys of an area that a source uses, also under another name (`import { walletText as text }`). */
function usesOf(name, source) {
  const [, local = name] = new RegExp(`\\b${name} as (\\w+)`).exec(source) ?? [];
  return source.includes(name) ? [...source.matchAll(new RegExp(`\\b${local}\\.(\\w+)`, "g"))].map(([, key]) => key) : [];
}

const words = pages.flatMap(faultsOf);
const unused = files.filter((file) => file.startsWith("messages/en/") && !file.endsWith("number-words.ts")).flatMap(unusedIn);
if (words.length > 0) console.error(`Words outside the message files (CONTRIBUTING.md, "Messages and languages"):\n${words.join("\n")}`);
if (unused.length > 0) console.error(`Messages that no page uses:\n${unused.join("\n")}`);
process.exitCode = words.length + unused.length > 0 ? 1 : 0;
