import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { change, newClient, operator } from "./harness/operator.ts";
import { type Installation, ROOT, startInstallation } from "./harness/service.ts";

// Every field that the script looks at is a process of its own.
const SCRIPT_MILLISECONDS = 120_000;

let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation({ CORPRAIL_SIMULATOR_DELAY_MS: "300" });
});
afterAll(() => installation.close());

test(
  "the guide's script pays bills from the catalogue to the receipt, with curl and openssl alone",
  async () => {
    const { service } = installation;
    const client = await newClient(service, { services: { bills: true } });
    await change(service, `/accounts/${client.accountId}/wallet`, { amount: "10000", reference: "guide", note: "guide" });
    const env = { ...process.env, BASE: service.url, TOKEN: client.token, SECRET: client.secret };
    const { stdout } = await promisify(execFile)("bash", [join(ROOT, "docs/guide/scripts/bills.sh")], { env });
    expect(stdout).toContain("== Done");
    expect((await operator(service, "GET", "/ledger/check")).body).toMatchObject({ ok: true });
  },
  SCRIPT_MILLISECONDS,
);

test(
  "the script ends with an error when a step is not as expected",
  async () => {
    const { service } = installation;
    const client = await newClient(service, { services: { bills: true } });
    const env = { ...process.env, BASE: service.url, TOKEN: client.token, SECRET: client.secret };
    // Without money the first payment is refused.
    await expect(promisify(execFile)("bash", [join(ROOT, "docs/guide/scripts/bills.sh")], { env })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Expected status to be SUCCESS"),
    });
  },
  SCRIPT_MILLISECONDS,
);
