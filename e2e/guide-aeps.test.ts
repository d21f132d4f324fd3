import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newClient, operator } from "./harness/operator.ts";
import { type Installation, ROOT, startInstallation } from "./harness/service.ts";

// Every field that the script looks at is a process of its own.
const SCRIPT_MILLISECONDS = 120_000;
const SCRIPT = join(ROOT, "docs/guide/scripts/aeps.sh");

let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation({ CORPRAIL_SIMULATOR_DELAY_MS: "300" });
});
afterAll(() => installation?.close());

const run = (token: string, secret: string) =>
  promisify(execFile)("bash", [SCRIPT], { env: { ...process.env, BASE: installation.service.url, TOKEN: token, SECRET: secret } });

test(
  "the guide's script takes an outlet from its registration to a withdrawal, with curl and openssl alone",
  async () => {
    const client = await newClient(installation.service, { services: { aeps: true } });
    expect((await run(client.token, client.secret)).stdout).toContain("== Done");
    expect((await operator(installation.service, "GET", "/ledger/check")).body).toMatchObject({ ok: true });
  },
  SCRIPT_MILLISECONDS,
);

test(
  "the script ends with an error when a step is not as expected",
  async () => {
    const client = await newClient(installation.service);
    await expect(run(client.token, client.secret)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Expected STATUS to be 200"),
    });
  },
  SCRIPT_MILLISECONDS,
);
