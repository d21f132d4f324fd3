import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { REFUSAL_CODES } from "../server/src/domain/shared/refusals.ts";
import { ROOT } from "./harness/service.ts";

type Row = { readonly error: string; readonly code: number; readonly http: string };

// What is documented for every refusal in docs/gaps.md is what the guide must say too.
async function rowsOf(file: string, code: RegExp): Promise<readonly Row[]> {
  const text = await readFile(join(ROOT, file), "utf8");
  return [...text.matchAll(code)].map(([, error = "", number = "", http = ""]) => ({ error, code: Number(number), http }));
}

test("the decision table has every refusal that the service can answer, once, with its code", async () => {
  const rows = await rowsOf("docs/guide/errors.md", /^\| `([a-z_]+)` \| ([0-9]+) \| ([0-9, ]+) \|/gm);
  const account = await rowsOf("docs/guide/errors.md", /^\| `([a-z_]+)` \| [a-z]/gm);
  const listed = [...rows, ...account.map((row) => ({ ...row, code: 331 }))].map((row) => [row.error, row.code] as const);
  expect(listed.length).toBe(new Set(listed.map(([error]) => error)).size);
  expect(Object.fromEntries(listed)).toEqual(REFUSAL_CODES);
});

test("its HTTP statuses are those of the gaps decided", async () => {
  const numbers = (text: string) => text.match(/[0-9]{3}/g) ?? [];
  const rows = await rowsOf("docs/guide/errors.md", /^\| `([a-z_]+)` \| ([0-9]+) \| ([0-9, ]+) \|/gm);
  const decided = await rowsOf("docs/gaps.md", /^\| `([a-z_]+)`[^|]*\| ([0-9]+) \| ([^|]+) \|$/gm);
  const statuses = (all: readonly Row[]) =>
    Object.fromEntries(all.filter((row) => row.code !== 331).map((row) => [row.error, numbers(row.http)]));
  expect(statuses(rows)).toEqual(statuses(decided));
});
