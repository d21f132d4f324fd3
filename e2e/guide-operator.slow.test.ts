import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newClient } from "./harness/operator.ts";
import { type Installation, ROOT, startInstallation, temporaryFolder } from "./harness/service.ts";

const run = promisify(execFile);

let installation: Installation;
let folder: string;
beforeAll(async () => {
  installation = await startInstallation();
  folder = await temporaryFolder("corprail-guide-");
});
afterAll(async () => {
  await installation?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a page's blocks that call the operator API, as they are printed, and answers each line of JSON that came back. */
async function answers(page: string, replace: readonly (readonly [string, string])[] = []): Promise<readonly Record<string, unknown>[]> {
  const { url, operatorKey } = installation.service;
  const text = await readFile(join(ROOT, "docs", page), "utf8");
  const blocks = [...text.matchAll(/```(?:bash)?\n([^`]*\/api\/operator\/v1[^`]*)```/g)].map(([, block = ""]) => block);
  expect(blocks.length, page).toBeGreaterThan(0);
  const script = [["http://127.0.0.1:8080", url] as const, ...replace].reduce(
    (whole, [was, is]) => whole.replaceAll(was, is),
    blocks.join("\necho\n"),
  );
  const env = { ...process.env, BASE: url, OPERATOR_KEY: operatorKey };
  const { stdout } = await run("bash", ["-euo", "pipefail", "-c", script.replaceAll(/\ncurl/g, "\necho; curl")], { cwd: folder, env });
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("limits and fees of transfers are shown and set", async () => {
  const [before, after] = await answers("guide/transfers.md");
  expect(before).toMatchObject({ max_amount: "5000.0000", fee_percent: "1.00" });
  expect(after).toMatchObject({ max_amount: "10000.0000", month_limit: "50000.0000", fee_percent: "0.80", fee_least: "10.0000" });
});

test("the first person of a client is invited to the portal", async () => {
  const { accountId } = await newClient(installation.service);
  const [invited] = await answers("guide/portal.md", [["A1B2C3D4E5F6", accountId]]);
  expect(invited).toMatchObject({ invitation_url: expect.stringContaining("/portal/invite#") });
});

test("staff are invited to the console", async () => {
  const [invited] = await answers("guide/console.md");
  expect(invited).toMatchObject({ invitation_url: expect.stringContaining("/console/invite#") });
});

test("a provider's file is compared with the orders of its day", async () => {
  await writeFile(join(folder, "day.csv"), "reference,amount,status\nORDER1,10.00,SUCCESS\n");
  const [begun] = await answers("guide/reconciliation.md");
  expect(begun).not.toHaveProperty("error");
});

test("the runbooks' example and the list of orders in doubt are answered", async () => {
  expect(await answers("runbooks/README.md")).toMatchObject([{ ok: true }]);
  expect(await answers("runbooks/in-doubt-orders.md")).toMatchObject([{ ok: true, items: [] }]);
});
