import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createLog } from "../../../platform/observability/log.ts";
import type { Client, ServiceFixture } from "../testing/service-fixture.ts";
import type { TransfersContext } from "./context.ts";
import { newOtp, sendCode, senderOtp } from "./otp.ts";
import type { TransfersProviderService } from "./provider-service.ts";
import { SIMULATOR_BANKS } from "./simulator/simulated-transfers.ts";
import {
  askQuote,
  balanceOf,
  beneficiaryBody,
  createFixture,
  newMobile,
  newParties,
  newQuote,
  OTP,
  ok,
  refusalOf,
  senderBody,
  sendTransfer,
} from "./testing/flow.ts";

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

async function whileDown<Result>(bank: string, run: () => Promise<Result>): Promise<Result> {
  const one = SIMULATOR_BANKS.find((candidate) => candidate.bank === bank) as { status: "up" | "down" };
  one.status = "down";
  try {
    return await run();
  } finally {
    one.status = "up";
  }
}

test("a bank that goes down after the quote refuses the transfer, which goes through once the bank is back", async () => {
  const client = await fixture.newClient(1_000);
  const transfer_ref = await newQuote(client, await newParties(client, { ifsc: "FDRL0001234" }), { amount: "100" });
  const refused = await whileDown("FDRL", () => sendTransfer(client, transfer_ref, { request_id: "t" }));
  expect(refused).toEqual(refusalOf("t", 503, "bank_down", 4213));
  expect(await balanceOf(client)).toBe("1000.0000");
  await ok(sendTransfer(client, transfer_ref, { request_id: "t" }));
});

test("a beneficiary of a bank that is down can be added all the same", async () => {
  const client = await fixture.newClient(1_000);
  const { sender } = await newParties(client);
  await ok(client.signed.post("/transfers/beneficiaries", beneficiaryBody(sender, { ifsc: "LAVB0001234" })));
});

/** A refusal that says the service has no provider; of a GET and of calls without a reference it echoes none. */
const off = { status: 403, body: { status: "rejected", error: "service_off", code: 331 } };

async function withoutProvider(client: Client, run: (client: Client) => Promise<void>): Promise<void> {
  vi.spyOn(fixture.ctx.providerRegistry, "providersFor").mockReturnValue([]);
  await run(client);
  vi.restoreAllMocks();
}

test("without a provider nothing is made, and what was made before is still answered", async () => {
  const client = await fixture.newClient(1_000);
  const parties = await newParties(client);
  const [mobile, otherMobile] = [newMobile(), newMobile()];
  const sender = senderBody(mobile);
  const registered = await ok(client.signed.post("/transfers/senders", sender));
  const quote = { request_id: "q-known", amount: "100" };
  const quoted = await ok(askQuote(client, parties, quote));
  await withoutProvider(client, async ({ signed }) => {
    expect(await signed.get("/transfers/banks")).toMatchObject(off);
    expect(await signed.post("/transfers/senders", senderBody(otherMobile))).toMatchObject(off);
    expect(await signed.post("/transfers/senders/verify", { mobile, otp_ref: registered["otp_ref"], otp: OTP })).toMatchObject(off);
    expect(await signed.post("/transfers/senders/otp", { mobile, otp_ref: registered["otp_ref"] })).toMatchObject(off);
    const added = await signed.post("/transfers/beneficiaries", beneficiaryBody(parties.sender, { account: "123456789" }));
    expect(added).toMatchObject(off);
    const { beneficiary_id } = parties;
    expect(await signed.post("/transfers/beneficiaries/delete", { beneficiary_id })).toMatchObject(off);
    expect(await signed.post("/transfers/beneficiaries/verify", { request_id: "pd", beneficiary_id })).toMatchObject(off);
    expect(await askQuote(client, parties, { amount: "100" })).toMatchObject(off);
    const unsent = await sendTransfer(client, String(quoted["transfer_ref"]));
    expect(unsent).toMatchObject({ status: 200, body: { ok: false, status: "failed", error: "service_off", code: 331, order_id: "" } });
    expect(await ok(signed.post("/transfers/senders", sender))).toEqual(registered);
    expect(await ok(askQuote(client, parties, quote))).toEqual(quoted);
  });
  expect(await client.signed.get("/transfers/senders", { mobile: otherMobile })).toMatchObject({ status: 404 });
  expect(await balanceOf(client)).toBe("1000.0000");
  await ok(client.signed.post("/transfers/senders/verify", { mobile, otp_ref: registered["otp_ref"], otp: OTP }));
  await ok(sendTransfer(client, String(quoted["transfer_ref"])));
});

test("a one-time password is six random digits unless the provider has its own, and one that cannot be sent is logged without it", async () => {
  const failing: TransfersProviderService = {
    sendOtp: async () => {
      throw new Error("the gateway is away");
    },
    banks: async () => [],
    checkSender: async () => "VERIFIED",
  };
  const error = vi.fn();
  const ctx = { ...fixture.ctx, log: { ...createLog("silent"), error } } as unknown as TransfersContext;
  const codes = Array.from({ length: 50 }, () => newOtp(ctx, failing, senderOtp("A1", "9812345678"), "9812345678"));
  for (const { code } of codes) expect(code).toMatch(/^[0-9]{6}$/);
  expect(new Set(codes.map((one) => one.code)).size).toBeGreaterThan(40);
  const [otp] = codes;
  if (!otp) throw new Error("There is no password.");
  await sendCode(ctx, failing, otp);
  expect(error).toHaveBeenCalledOnce();
  expect(JSON.stringify(error.mock.calls)).not.toContain(otp.code);
});
