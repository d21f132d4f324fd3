import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ensureKeyFile, readKeyFile, replaceKeyFile } from "./key-file.ts";
import { newMasterKey } from "./keyring.ts";
import { createOuterKey, loadOuterKey, type OuterKeySource } from "./outer-key.ts";
import { loadVault, type Vault } from "./vault.ts";

const [OLD, NEW] = ["5a".repeat(32), "6b".repeat(32)];

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "corprail-vault-"));
  path = join(folder, "master-key");
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A program that notes each run. */
function program(text: string): OuterKeySource {
  const command = join(folder, "key.sh");
  writeFileSync(command, `#!/bin/sh\necho run >> ${join(folder, "runs")}\n${text}\n`, { mode: 0o700 });
  return { value: null, command };
}

const runs = () => readFileSync(join(folder, "runs"), "utf8").trim().split("\n").length;

async function started(source: OuterKeySource): Promise<Vault> {
  const outer = await loadOuterKey(source);
  await ensureKeyFile(path, outer);
  return await loadVault(path, outer, () => loadOuterKey(source));
}

/** What a rotation in another process does to the file, with the new outer key. Returns the new master key's id. */
async function rotateElsewhere(): Promise<string> {
  const outer = createOuterKey(`${NEW}\n${OLD}`, "it");
  const added = newMasterKey();
  await replaceKeyFile(path, [added, ...(await readKeyFile(path, outer))], outer);
  return added.keyId;
}

test("a running process runs the program again, once, when the file is sealed with a new outer key", async () => {
  const vault = await started(program(`echo ${OLD}`));
  const sealed = vault.keyring().seal("sh-secret", "it");
  program(`printf '${NEW}\\n${OLD}\\n'`);
  const keyId = await rotateElsewhere();
  await Promise.all([vault.reload(), vault.reload(), vault.reload()]);
  expect(vault.keyring().currentKeyId).toBe(keyId);
  expect(await vault.open(sealed, "it")).toBe("sh-secret");
  await vault.reload();
  expect(runs()).toBe(2);
  // What this process would write opens with the new outer key alone.
  const written = vault.outer()?.seal("mk1", Buffer.alloc(32, 7)) ?? "";
  expect(createOuterKey(NEW, "it")?.open("mk1", written)).toEqual(Buffer.alloc(32, 7));
});

test("a process whose outer key is a variable says that it must be restarted", async () => {
  const vault = await started({ value: OLD, command: null });
  await rotateElsewhere();
  await expect(vault.reload()).rejects.toThrow(/another outer key.*restart every process/);
});

test("a program that fails is tried again by the next reload, and the known keys stay until then", async () => {
  const vault = await started(program(`echo ${OLD}`));
  const before = vault.keyring().currentKeyId;
  program("exit 3");
  const keyId = await rotateElsewhere();
  await expect(vault.reload()).rejects.toThrow("ended with 3");
  expect(vault.keyring().currentKeyId).toBe(before);
  program(`echo ${NEW}`);
  await vault.reload();
  expect(vault.keyring().currentKeyId).toBe(keyId);
});
