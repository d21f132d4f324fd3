import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { corprail } from "../cli/testing/processes.ts";
import { type CheckingProxy, startCheckingProxy } from "./harness/checking-proxy.ts";
import { until } from "./harness/deadline.ts";
import { type Client, change, newCallbackSecret, newClient, operator } from "./harness/operator.ts";
import { type Installation, type Service, startInstallation } from "./harness/service.ts";

const PACE = { CORPRAIL_SIMULATOR_DELAY_MS: "300", CORPRAIL_SIMULATOR_TIMEOUT_MS: "500", CORPRAIL_CALLBACK_ALLOW: "127.0.0.0/8" };

let provider: Installation;
let reseller: Installation;
let proxy: CheckingProxy;
let there: Client;
let here: Client;

/** One installation sells what it buys from another: ours is a client of theirs. */
beforeAll(async () => {
  [provider, reseller] = await Promise.all([startInstallation(PACE), startInstallation(PACE)]);
  proxy = await startCheckingProxy(provider.service.port);
  there = await newClient(provider.service);
  here = await newClient(reseller.service);
  await change(provider.service, `/accounts/${there.accountId}/wallet`, { amount: "1000.00", reference: "start", note: "" });
  await change(reseller.service, `/accounts/${here.accountId}/wallet`, { amount: "1000.00", reference: "start", note: "" });
  const callbackSecret = await newCallbackSecret(provider.service, there.accountId);
  const callbackUrl = `${reseller.service.url}/upstream/partner/callback`;
  await change(provider.service, `/accounts/${there.accountId}`, { callback_url: callbackUrl, callback_version: 3 });
  await connect(callbackSecret);
});
afterAll(async () => {
  await reseller?.close();
  await proxy?.close();
  await provider?.close();
});

async function connect(callbackSecret: string): Promise<void> {
  const file = join(reseller.service.dataFolder, "partner.json");
  await writeFile(file, JSON.stringify({ name: "partner", connector: "corprail", base_url: proxy.url, plain_http: true }));
  const variables = {
    CORPRAIL_DATABASE_URL: reseller.databaseUrl,
    CORPRAIL_DATA_DIR: reseller.service.dataFolder,
    CORPRAIL_PROVIDER_ALLOW: "127.0.0.0/8",
    CORPRAIL_PROVIDER_PARTNER_TOKEN: there.token,
    CORPRAIL_PROVIDER_PARTNER_SIGNING_SECRET: there.secret,
    CORPRAIL_PROVIDER_PARTNER_CALLBACK_SECRET: callbackSecret,
  };
  for (const words of [
    ["save", file],
    ["route", "recharge", "AT", "partner"],
  ]) {
    expect(await corprail(["provider", ...words], variables)).toMatchObject({ code: 0, stderr: expect.any(String) });
  }
  // The service takes the change from the feed within a second.
  await until(
    "orders go to the partner",
    async () => (await recharge("9876543000"))["operator_ref"]?.toString().startsWith("SIM") && (await soldThere()) > 0,
  );
}

type Reply = Readonly<Record<string, unknown>>;

async function call(service: Service, client: Client, path: string, body?: object): Promise<Reply> {
  const reply = await fetch(`${service.url}/api/corp/v1${path}`, {
    method: body ? "POST" : "GET",
    headers: { "x-api-token": client.token, ...(body ? { "content-type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return (await reply.json()) as Reply;
}

let count = 0;
async function recharge(account: string): Promise<Reply> {
  return await call(reseller.service, here, "/recharge", { account, operator: "AT", amount: "10.00", urid: `resold-${++count}` });
}

async function soldThere(): Promise<number> {
  const { items } = (await call(provider.service, there, "/transactions")) as { items: readonly unknown[] };
  return items.length;
}

test.each([
  ["000", "SUCCESS", "SUCCESS"],
  ["102", "FAILED", "FAILED"],
  ["200", "pending", "SUCCESS"],
  ["202", "pending", "FAILED"],
])(
  "a recharge that ends in %s is answered %s and ends %s in both installations, with both wallets right",
  async (digits, answered, ended) => {
    const before = await balances();
    const first = await recharge(`9876543${digits}`);
    expect(first).toMatchObject({ status: answered });
    const urid = String(first["urid"]);
    const final = await until("it is final", async () => {
      const now = await call(reseller.service, here, `/recharge?urid=${urid}`);
      return now["status"] === "pending" ? null : now;
    });
    expect(final).toMatchObject({ status: ended });
    // Our order's id is the reference there.
    const upstream = await call(provider.service, there, `/recharge?urid=${String(final["order_id"])}`);
    expect(upstream).toMatchObject({ status: ended, operator_ref: final["operator_ref"] });
    const paid = ended === "SUCCESS" ? 10 : 0;
    expect(await balances()).toEqual({ here: before.here - paid, there: before.there - paid });
  },
);

test("a success that the upstream installation reverses is reversed here, and its client gets a callback", async () => {
  const sold = await recharge("9876543001");
  const upstream = await call(provider.service, there, `/recharge?urid=${String(sold["order_id"])}`);
  await change(provider.service, `/orders/${String(upstream["order_id"])}/reverse`, { reason: "the operator took it back" });
  const now = await until("it is taken back", async () => {
    const reply = await call(reseller.service, here, `/recharge?urid=${String(sold["urid"])}`);
    return reply["status"] === "FAILED" ? reply : null;
  });
  expect(now).toMatchObject({ order_id: sold["order_id"] });
  for (const { service } of [provider, reseller])
    expect((await operator(service, "GET", "/ledger/check")).body).toMatchObject({ ok: true });
});

async function balances(): Promise<{ here: number; there: number }> {
  const [ours, theirs] = await Promise.all([call(reseller.service, here, "/balance"), call(provider.service, there, "/balance")]);
  return { here: Number(ours["balance"]), there: Number(theirs["balance"]) };
}
