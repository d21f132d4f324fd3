import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { call, openFundedAccount } from "../testing/accounts.ts";
import { corprail, serving, temporaryFolder, type Variables } from "../testing/processes.ts";

const SCRIPTS = fileURLToPath(new URL("../../deploy/outer-key/", import.meta.url));
const MODULE = "/usr/lib/softhsm/libsofthsm2.so";
const HAS_HSM = existsSync(MODULE) && existsSync("/usr/bin/pkcs11-tool");
const MINUTES = 60_000;

/** A service whose key file is sealed: its clients' tokens work, also after a rotation and a restart. */
async function useSealed(outer: Variables): Promise<void> {
  const data = temporaryFolder();
  const variables = { ...outer, CORPRAIL_DATA_DIR: data };
  const keyFile = () => readFileSync(join(data, "master-key"), "utf8");
  const first = await serving(variables);
  const { token } = await openFundedAccount(first, "100.00");
  expect(keyFile()).toMatch(/^mk[0-9a-f]{12} sealed:\S+\n$/);
  const before = keyFile();
  const rotated = await corprail(["rotate-key", "--json"], variables);
  expect(rotated.code, rotated.stderr).toBe(0);
  expect(keyFile()).toMatch(/^mk[0-9a-f]{12} sealed:\S+\n$/);
  expect(keyFile()).not.toBe(before);
  expect(await call(first, token)).toBe(200);
  await first.stop();
  const second = await serving(variables);
  expect(await call(second, token)).toBe(200);
  await second.stop();
  // Without the outer key the files on the disk are of no use.
  await expect(serving({ CORPRAIL_DATA_DIR: data })).rejects.toThrow(/sealed with an outer key/);
}

test("a service with an outer key from a command keeps no key in the clear", { timeout: 5 * MINUTES }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "corprail-outer-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "key.sh"), `#!/bin/sh\necho ${"5a".repeat(32)}\n`, { mode: 0o755 });
  await useSealed({ CORPRAIL_OUTER_KEY_COMMAND: join(folder, "key.sh") });
});

test.skipIf(!HAS_HSM)("a key in an HSM opens the key file by PKCS#11", { timeout: 5 * MINUTES }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "corprail-hsm-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "tokens"));
  writeFileSync(join(folder, "softhsm2.conf"), `directories.tokendir = ${join(folder, "tokens")}\nobjectstore.backend = file\n`);
  const hsm = {
    SOFTHSM2_CONF: join(folder, "softhsm2.conf"),
    PKCS11_MODULE: MODULE,
    PKCS11_PIN: "4321",
    OUTER_KEY_FILE: join(folder, "outer-key.enc"),
  };
  const env = { PATH: process.env["PATH"] ?? "", ...hsm };
  execFileSync("softhsm2-util", ["--init-token", "--free", "--label", "corprail", "--so-pin", "1234", "--pin", "4321"], { env });
  execFileSync(join(SCRIPTS, "make-outer-key.sh"), [], { env, stdio: "ignore" });
  await useSealed({ ...hsm, CORPRAIL_OUTER_KEY_COMMAND: `"${join(SCRIPTS, "pkcs11.sh")}"` });
});
