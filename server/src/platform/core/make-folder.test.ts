import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeFolder } from "./make-folder.ts";

describe("making a folder", () => {
  let base: string;
  beforeAll(() => {
    base = mkdtempSync(join(tmpdir(), "corprail-folders-"));
  });
  afterAll(() => rmSync(base, { recursive: true }));

  test("creates the missing folders above it, with the mode, and may be repeated", () => {
    const path = join(base, "one", "two", "three");
    for (let time = 0; time < 2; time++) makeFolder(path, 0o700);
    for (const folder of [path, join(base, "one")]) expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test("an existing folder is not changed", () => {
    const { mode } = statSync(base);
    makeFolder(base, 0o755);
    expect(statSync(base).mode).toBe(mode);
  });

  test("a file in the way is an error", () => {
    writeFileSync(join(base, "file"), "");
    expect(() => makeFolder(join(base, "file", "folder"), 0o700)).toThrow("ENOTDIR");
  });

  // Node's recursive mkdir does not return here.
  test.skipIf(!existsSync("/proc/self"))("a file system that takes no folders is an error", () => {
    expect(() => makeFolder("/proc/corprail/data", 0o700)).toThrow(/ENOENT|EACCES|EPERM/);
  });
});
