import { afterAll, beforeAll, expect, test } from "vitest";
import { runGuide, SCRIPT_MILLISECONDS } from "./harness/guide.ts";
import { change, newCallbackSecret, newClient, operator } from "./harness/operator.ts";
import { type Installation, startInstallation } from "./harness/service.ts";

let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation({ CORPRAIL_SIMULATOR_DELAY_MS: "300", CORPRAIL_CALLBACK_ALLOW: "127.0.0.0/8" });
});
afterAll(() => installation.close());

test(
  "the guide's script buys and cancels tickets; the operator cancels the last one, with a version 3 callback",
  async () => {
    const { service } = installation;
    const client = await newClient(service, { services: { bus: true } });
    const { accountId } = client;
    await change(service, `/accounts/${accountId}/wallet`, { amount: "10000", reference: "guide", note: "guide" });
    const written = await runGuide(installation.service, "bus", client);
    const orderId = /== Done: ticket TKT[A-Z0-9]{12} of order ([A-Z0-9]+)/.exec(written)?.[1] ?? "";
    // Nobody listens there: the deliveries stay, to be looked at.
    await newCallbackSecret(service, accountId);
    await change(service, `/accounts/${accountId}`, { callback_url: "http://127.0.0.1:9/callback", callback_version: 3 });
    expect(await operator(service, "POST", `/orders/${orderId}/cancel`, {})).toMatchObject({ status: 400 });
    const cancelled = await change(service, `/orders/${orderId}/cancel`, { reason: "Asked for by telephone." });
    expect(cancelled).toMatchObject({
      order: { status: "FAILED", reason: "Asked for by telephone." },
      callbacks: [{ status: "FAILED", version: 3, kind: "status" }],
    });
    const kinds = (cancelled["postings"] as { kind: string }[]).map((posting) => posting.kind);
    expect(kinds).toEqual(["hold", "capture", "refund"]);
    expect(await operator(service, "POST", `/orders/${orderId}/cancel`, { reason: "Again." })).toMatchObject({ status: 409 });
    expect(await operator(service, "POST", "/orders/NOBODY/cancel", { reason: "None." })).toMatchObject({ status: 404 });
    const { body } = await operator(service, "GET", "/audit?limit=1");
    expect(body["items"]).toMatchObject([
      { action: "order.cancelled", subject_id: orderId, details: { reason: "Asked for by telephone." } },
    ]);
    expect((await operator(service, "GET", "/ledger/check")).body).toMatchObject({ ok: true });
  },
  SCRIPT_MILLISECONDS,
);

test(
  "the script ends with an error when a step is not as expected",
  async () => {
    const client = await newClient(installation.service, { services: { bus: true } });
    // Without money the booking is refused.
    await expect(runGuide(installation.service, "bus", client)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Expected STATUS to be 200"),
    });
  },
  SCRIPT_MILLISECONDS,
);
