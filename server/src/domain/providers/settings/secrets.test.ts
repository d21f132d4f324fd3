import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { secretsBeside, secretVariable } from "./secrets.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "corprail-secrets-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function file(text: string, mode: number): Promise<string> {
  await writeFile(join(folder, "acme.secrets"), text);
  await chmod(join(folder, "acme.secrets"), mode);
  return join(folder, "acme.json");
}

test("a secret's variable is named after provider and secret", () => {
  expect(secretVariable("acme-pay", "api_key")).toBe("CORPRAIL_PROVIDER_ACME_PAY_API_KEY");
});

test("secrets come from the environment, else from the file beside, and what is missing is named", async () => {
  const path = await file("# ours\ntoken=from=file\r\npin=1234\nother=x\n", 0o600);
  const found = await secretsBeside(path, "acme", ["token", "pin", "key"], { CORPRAIL_PROVIDER_ACME_PIN: "9999" });
  expect(found).toEqual({ secrets: { token: "from=file", pin: "9999" }, missing: ["key"] });
});

test("a file that others may read is refused, and so is a line that is none; neither shows a secret", async () => {
  await expect(secretsBeside(await file("token=hunter2", 0o644), "acme", ["token"], {})).rejects.toThrow(/chmod 600/);
  const refused = secretsBeside(await file("hunter2\n", 0o600), "acme", ["token"], {});
  await expect(refused).rejects.toThrow(/not name=value/);
  await expect(refused).rejects.not.toThrow(/hunter2/);
});

test("without a file everything is missing", async () => {
  expect(await secretsBeside(join(folder, "none.json"), "acme", ["token"], {})).toEqual({ secrets: {}, missing: ["token"] });
});
