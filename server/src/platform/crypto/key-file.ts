import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { link, open, readFile, rename, rm } from "node:fs/promises";
import { createKeyring, type Keyring, type MasterKey, newMasterKey } from "./keyring.ts";

const LINE = /^(mk[0-9a-f]{12}) ([A-Za-z0-9_-]{43})$/;

/** Reads the keys, one per line, the current one first. Throws if the file is not a key file. */
export async function readKeyFile(path: string): Promise<readonly [MasterKey, ...MasterKey[]]> {
  const lines = (await readFile(path, "utf8")).split("\n").filter((line) => line.trim() !== "");
  const keys = lines.map((line) => {
    const match = LINE.exec(line.trim());
    if (!match) throw new Error(`${path} is not a Corprail master key file.`);
    return { keyId: match[1] ?? "", bytes: Buffer.from(match[2] ?? "", "base64url") };
  });
  const [first, ...others] = keys;
  if (!first) throw new Error(`${path} holds no master key.`);
  return [first, ...others];
}

/** Creates the file with a new key unless it exists. Of two concurrent processes, one creates it. */
export async function ensureKeyFile(path: string): Promise<void> {
  // A key that a platform provides, such as a secret of Kubernetes, is in a folder that cannot be written.
  if (existsSync(path)) return;
  const draft = await writeDraft(path, [newMasterKey()]);
  try {
    await link(draft, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    await rm(draft);
  }
}

export async function replaceKeyFile(path: string, keys: readonly MasterKey[]): Promise<void> {
  await rename(await writeDraft(path, keys), path);
}

export async function loadKeyring(path: string): Promise<Keyring> {
  return createKeyring(await readKeyFile(path));
}

async function writeDraft(path: string, keys: readonly MasterKey[]): Promise<string> {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(keys.map((key) => `${key.keyId} ${key.bytes.toString("base64url")}\n`).join(""));
    await file.sync();
  } finally {
    await file.close();
  }
  return draft;
}
