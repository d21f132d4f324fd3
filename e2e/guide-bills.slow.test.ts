import { afterAll, beforeAll, expect, test } from "vitest";
import { runGuide, SCRIPT_MILLISECONDS } from "./harness/guide.ts";
import { change, newClient, operator } from "./harness/operator.ts";
import { type Installation, sharedInstallation } from "./harness/service.ts";

let installation: Installation;
beforeAll(async () => {
  installation = await sharedInstallation();
});
afterAll(() => installation.close());

test(
  "the guide's script pays bills from the catalogue to the receipt, with curl and openssl alone",
  async () => {
    const { service } = installation;
    const client = await newClient(service, { services: { bills: true } });
    await change(service, `/accounts/${client.accountId}/wallet`, { amount: "10000", reference: "guide", note: "guide" });
    expect(await runGuide(service, "bills", client)).toContain("== Done");
    expect((await operator(service, "GET", "/ledger/check")).body).toMatchObject({ ok: true });
  },
  SCRIPT_MILLISECONDS,
);

test(
  "the script ends with an error when a step is not as expected",
  async () => {
    const { service } = installation;
    const client = await newClient(service, { services: { bills: true } });
    // Without money the first payment is refused.
    await expect(runGuide(service, "bills", client)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Expected status to be SUCCESS"),
    });
  },
  SCRIPT_MILLISECONDS,
);
