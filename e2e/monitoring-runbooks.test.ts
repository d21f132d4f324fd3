import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Installation, ROOT, startInstallation } from "./harness/service.ts";

let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation.close());

test("every query in the runbooks runs on a database of the service", async () => {
  const folder = join(ROOT, "docs/runbooks");
  const pages = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), "utf8")));
  const queries = pages.flatMap((page) => [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, query = ""]) => query));
  expect(queries.length).toBeGreaterThanOrEqual(3);
  const sql = postgres(installation.databaseUrl, { max: 1 });
  try {
    for (const query of queries) expect(Array.isArray(await sql.unsafe(query))).toBe(true);
  } finally {
    await sql.end();
  }
});
