import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { link, open, readFile, rename, rm } from "node:fs/promises";
import { createKeyring, type Keyring, type MasterKey, newMasterKey } from "./keyring.ts";
import type { OuterKey } from "./outer-key.ts";

const LINE = /^(mk[0-9a-f]{12}) (?:([A-Za-z0-9_-]{43})|sealed:([A-Za-z0-9_-]{80}))$/;

/** The file was sealed with an outer key that this process does not have. */
export class OtherOuterKey extends Error {}

/** Reads the keys, one per line, the current one first. Throws if the file is not a key file. */
export async function readKeyFile(path: string, outer: OuterKey = null): Promise<readonly [MasterKey, ...MasterKey[]]> {
  const lines = (await readFile(path, "utf8")).split("\n").filter((line) => line.trim() !== "");
  const keys = lines.map((line) => {
    const match = LINE.exec(line.trim());
    if (!match) throw new Error(`${path} is not a Corprail master key file.`);
    const [, keyId = "", clear, sealed = ""] = match;
    return { keyId, bytes: clear === undefined ? unsealed(path, outer, keyId, sealed) : Buffer.from(clear, "base64url") };
  });
  const [first, ...others] = keys;
  if (!first) throw new Error(`${path} holds no master key.`);
  return [first, ...others];
}

function unsealed(path: string, outer: OuterKey, keyId: string, sealed: string): Buffer {
  if (outer === null)
    throw new Error(
      `The keys in ${path} are sealed with an outer key. Set CORPRAIL_OUTER_KEY_COMMAND or CORPRAIL_OUTER_KEY as the service has it.`,
    );
  const bytes = outer.open(keyId, sealed);
  if (bytes === null)
    throw new OtherOuterKey(
      `The key ${keyId} in ${path} was sealed with another outer key than the configured one. After CORPRAIL_OUTER_KEY is replaced, restart every process.`,
    );
  return bytes;
}

/** Creates the file with a new key unless it exists. Of two concurrent processes, one creates it. */
export async function ensureKeyFile(path: string, outer: OuterKey = null): Promise<void> {
  // A key that a platform provides, such as a secret of Kubernetes, is in a folder that cannot be written.
  if (existsSync(path)) return;
  const draft = await writeDraft(path, [newMasterKey()], outer);
  try {
    await link(draft, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    await rm(draft);
  }
}

export async function replaceKeyFile(path: string, keys: readonly MasterKey[], outer: OuterKey = null): Promise<void> {
  await rename(await writeDraft(path, keys, outer), path);
}

export async function loadKeyring(path: string, outer: OuterKey = null): Promise<Keyring> {
  return createKeyring(await readKeyFile(path, outer));
}

async function writeDraft(path: string, keys: readonly MasterKey[], outer: OuterKey): Promise<string> {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  const file = await open(draft, "wx", 0o600);
  try {
    const written = ({ keyId, bytes }: MasterKey) => (outer === null ? bytes.toString("base64url") : `sealed:${outer.seal(keyId, bytes)}`);
    await file.writeFile(keys.map((key) => `${key.keyId} ${written(key)}\n`).join(""));
    await file.sync();
  } finally {
    await file.close();
  }
  return draft;
}
