import { execFileSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { change, newClient, operator } from "./harness/operator.ts";
import { startService, temporaryFolder } from "./harness/service.ts";

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function newFolder(): Promise<string> {
  const folder = await temporaryFolder("corprail-backup-");
  folders.push(folder);
  return folder;
}

// docs/guide/self-hosting.md, Backups: the data folder of a stopped service, packed with tar, is the whole of it.
test("a data folder packed with tar while the service is stopped starts elsewhere with its money and credentials", async () => {
  const [one, other, tables] = [await newFolder(), await newFolder(), await newFolder()];
  const before = await startService({ CORPRAIL_DATA_DIR: join(one, "data") });
  const client = await newClient(before);
  await change(before, `/accounts/${client.accountId}/wallet`, { amount: "77.50", reference: "start", note: "" });
  await before.stop();
  const archive = join(tables, "corprail.tar.gz");
  execFileSync("tar", ["-C", one, "-czf", archive, "data"]);
  await rm(join(one, "data"), { recursive: true });

  execFileSync("tar", ["-C", other, "-xzpf", archive]);
  const after = await startService({ CORPRAIL_DATA_DIR: join(other, "data") });
  const reply = await fetch(`${after.url}/api/corp/v1/balance`, { headers: { "x-api-token": client.token } });
  expect(await reply.json()).toMatchObject({ ok: true, balance: "77.5000" });
  expect((await operator(after, "GET", "/ledger/check")).body).toMatchObject({ ok: true });
  await after.stop();
});
