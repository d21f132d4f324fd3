import { afterAll, beforeAll, expect, test } from "vitest";
import { runGuide, SCRIPT_MILLISECONDS } from "./harness/guide.ts";
import { newClient, operator } from "./harness/operator.ts";
import { type Installation, sharedInstallation } from "./harness/service.ts";

let installation: Installation;
beforeAll(async () => {
  installation = await sharedInstallation();
});
afterAll(() => installation?.close());

test(
  "the guide's script takes an outlet from its registration to a withdrawal, with curl and openssl alone",
  async () => {
    const client = await newClient(installation.service, { services: { aeps: true } });
    expect(await runGuide(installation.service, "aeps", client)).toContain("== Done");
    expect((await operator(installation.service, "GET", "/ledger/check")).body).toMatchObject({ ok: true });
  },
  SCRIPT_MILLISECONDS,
);

test(
  "the script ends with an error when a step is not as expected",
  async () => {
    const client = await newClient(installation.service);
    await expect(runGuide(installation.service, "aeps", client)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Expected STATUS to be 200"),
    });
  },
  SCRIPT_MILLISECONDS,
);
