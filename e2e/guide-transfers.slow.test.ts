import { afterAll, beforeAll, expect, test } from "vitest";
import { get } from "./harness/client.ts";
import { runGuide, SCRIPT_MILLISECONDS } from "./harness/guide.ts";
import { change, newCallbackSecret, newClient, operator } from "./harness/operator.ts";
import { type Installation, sharedInstallation } from "./harness/service.ts";

let installation: Installation;
beforeAll(async () => {
  installation = await sharedInstallation();
});
afterAll(() => installation.close());

test(
  "the guide's script sends money, and the operator returns it with its fee, with a version 3 callback",
  async () => {
    const { service } = installation;
    const client = await newClient(service, { services: { transfers: true } });
    const { accountId } = client;
    await change(service, `/accounts/${accountId}/wallet`, { amount: "10000", reference: "guide", note: "guide" });
    const written = await runGuide(installation.service, "transfers", client);
    expect(written).toContain("== Done");
    // Nobody listens there: the deliveries stay, to be looked at.
    await newCallbackSecret(service, accountId);
    await change(service, `/accounts/${accountId}`, { callback_url: "http://127.0.0.1:9/callback", callback_version: 3 });
    const orderId = /"order_id":"([A-Z0-9]+)".*"transfer":\{/.exec(written)?.[1] ?? "";
    const refunded = await change(service, `/orders/${orderId}/refund`, { reason: "The bank sent it back." });
    expect(refunded).toMatchObject({ order: { status: "FAILED" }, callbacks: [{ status: "FAILED", version: 3 }] });
    // The late transfer and its fee, and the penny drop's fee, remain spent.
    expect((await get(service.port, "/balance", { token: client.token })).json()).toMatchObject({ balance: "9887.0000" });
    expect(await operator(service, "POST", `/orders/${orderId}/refund`, { reason: "Again." })).toMatchObject({ status: 409 });
    expect((await operator(service, "GET", "/ledger/check")).body).toMatchObject({ ok: true });
  },
  SCRIPT_MILLISECONDS,
);

test(
  "the script ends with an error when a step is not as expected",
  async () => {
    const client = await newClient(installation.service, { services: { transfers: true } });
    // Without money the penny drop is refused.
    await expect(runGuide(installation.service, "transfers", client)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Expected status to be SUCCESS"),
    });
  },
  SCRIPT_MILLISECONDS,
);
