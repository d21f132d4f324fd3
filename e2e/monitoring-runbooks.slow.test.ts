import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commandTree } from "../cli/src/completion/tree.ts";
import { buildProgram } from "../cli/src/program.ts";
import { operator } from "./harness/operator.ts";
import { type Installation, ROOT, startInstallation } from "./harness/service.ts";

let installation: Installation;
let runbooks: readonly Page[];
let pages: readonly Page[];
beforeAll(async () => {
  installation = await startInstallation();
  [runbooks, pages] = await Promise.all([pagesIn("docs/runbooks"), pagesIn("docs")]);
});
afterAll(() => installation.close());

type Page = { readonly name: string; readonly text: string };

async function pagesIn(folder: string): Promise<readonly Page[]> {
  const names = (await readdir(join(ROOT, folder), { recursive: true })).filter((name) => /^[^/]*(\/[^/]*)?\.md$/.test(name));
  return await Promise.all(
    names.map(async (name) => ({ name: `${folder}/${name}`, text: await readFile(join(ROOT, folder, name), "utf8") })),
  );
}

test("no page asks for a database client, but where the reader has a PostgreSQL of their own", () => {
  const asking = pages.filter(({ text }) => /\bpsql\b|update \w+ set /i.test(text)).map(({ name }) => name);
  expect(asking).toEqual(["docs/guide/self-hosting.md"]);
  expect(runbooks.filter(({ text }) => text.includes("```sql")).map(({ name }) => name)).toEqual([]);
});

test("every command that a page names is one of the program", () => {
  const nodes = commandTree(buildProgram());
  const named = pages.flatMap(({ name, text }) =>
    [...text.matchAll(/(?:npx |`)corprail ((?:[a-z][a-z-]*)(?: [a-z][a-z-]*)?)/g)].map(([, words = ""]) => ({
      name,
      words: words.split(" "),
    })),
  );
  expect(named.length).toBeGreaterThan(40);
  const isKnown = (words: readonly string[]) => {
    const node = nodes.find((one) => one.words.join(" ") === words[0]);
    return node !== undefined && (node.commands.length === 0 || words.length === 1 || node.commands.some((one) => one.name === words[1]));
  };
  expect(named.filter(({ words }) => !isKnown(words))).toEqual([]);
});

test("every call of the operator API that a runbook names is one of the service", async () => {
  const calls = runbooks.flatMap(({ name, text }) =>
    [...text.matchAll(/`(GET|POST) (\/[a-z/_{}-]+)/g)].map(([, method = "", path = ""]) => ({ name, method, path })),
  );
  expect(calls.length).toBeGreaterThan(20);
  // Calls of the client API, which a runbook has a client make.
  const ours = calls.filter(({ path }) => !["/transactions", "/healthz", "/readyz"].includes(path));
  for (const { name, method, path } of ours) {
    const filled = path.replaceAll(/\{[a-z_]+\}/g, "X1");
    const { status, body } = await operator(installation.service, method as "GET" | "POST", filled, method === "POST" ? {} : undefined);
    expect({ name, path, known: status !== 405 && body["message"] !== "There is no such path." }).toEqual({ name, path, known: true });
  }
});
