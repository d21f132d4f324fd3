import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ensureKeyFile, readKeyFile, replaceKeyFile } from "./key-file.ts";
import { newMasterKey } from "./keyring.ts";
import { createOuterKey, loadOuterKey } from "./outer-key.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "corprail-outer-key-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const newKey = () => randomBytes(32).toString("hex");
const script = (text: string) => {
  const path = join(folder, "key.sh");
  writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o700 });
  return loadOuterKey({ value: null, command: path });
};

test("a key file that is sealed with an outer key holds no key in the clear, and opens with that key only", async () => {
  const path = join(folder, "master-key");
  const outer = createOuterKey(newKey(), "it");
  await ensureKeyFile(path, outer);
  const [key] = await readKeyFile(path, outer);
  expect(readFileSync(path, "utf8")).toMatch(/^mk[0-9a-f]{12} sealed:[A-Za-z0-9_-]{80}\n$/);
  expect(readFileSync(path, "utf8")).not.toContain(key.bytes.toString("base64url"));
  await expect(readKeyFile(path)).rejects.toThrow(/sealed with an outer key.*CORPRAIL_OUTER_KEY/);
  await expect(readKeyFile(path, createOuterKey(newKey(), "it"))).rejects.toThrow(/another outer key/);
});

test("a key file in the clear is still read, and the next rotation seals it", async () => {
  const path = join(folder, "master-key");
  await ensureKeyFile(path);
  const outer = createOuterKey(newKey(), "it");
  const keys = await readKeyFile(path, outer);
  await replaceKeyFile(path, [newMasterKey(), ...keys], outer);
  expect(
    readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line.includes(" sealed:")),
  ).toHaveLength(2);
  expect((await readKeyFile(path, outer))[1]).toEqual(keys[0]);
});

test("after the outer key is replaced, the old one still opens and the new one seals", async () => {
  const path = join(folder, "master-key");
  const [first, second] = [newKey(), newKey()];
  await ensureKeyFile(path, createOuterKey(first, "it"));
  const both = createOuterKey(`${second}\n${first}\n`, "it");
  const keys = await readKeyFile(path, both);
  await replaceKeyFile(path, keys, both);
  expect(await readKeyFile(path, createOuterKey(second, "it"))).toEqual(keys);
});

test("a sealed key that is put under another key's id does not open", async () => {
  const outer = createOuterKey(newKey(), "it");
  expect(outer?.open("mk000000000002", outer.seal("mk000000000001", randomBytes(32)))).toBeNull();
});

test("a command's output is the outer key", async () => {
  const key = newKey();
  const outer = await script(`echo ${key}`);
  const sealed = createOuterKey(key, "it")?.seal("mk1", Buffer.alloc(32, 7)) ?? "";
  expect(outer?.open("mk1", sealed)).toEqual(Buffer.alloc(32, 7));
});

test("a command with spaces in a word has double quotes around it", async () => {
  const key = newKey();
  const path = join(folder, "print it.sh");
  writeFileSync(path, '#!/bin/sh\n[ $# = 2 ] && [ "$2" = "two words" ] && echo "$1"\n', { mode: 0o700 });
  const outer = await loadOuterKey({ value: null, command: `"${path}"  ${key} "two words"` });
  expect(outer?.open("mk1", createOuterKey(key, "it")?.seal("mk1", Buffer.alloc(32, 7)) ?? "")).toEqual(Buffer.alloc(32, 7));
});

test.each([
  ["fails", "echo sh-secret; exit 3", "ended with 3"],
  ["writes no key", "echo sh-secret", "must be 32 bytes"],
  ["writes nothing", "true", "holds no key"],
  ["writes without end", "cat /dev/zero", "too much"],
])("a command that %s is refused, and its output is not shown", async (_, text, words) => {
  const message = await script(text).then(
    () => "",
    (error: Error) => error.message,
  );
  expect(message).toContain(words);
  expect(message).not.toContain("sh-secret");
});

test("a command that does not exist is named", async () => {
  await expect(loadOuterKey({ value: null, command: "/nowhere/key" })).rejects.toThrow(/cannot be started/);
});
