import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { recharge } from "./harness/browser/portal-client.ts";
import { until } from "./harness/deadline.ts";
import { change, newClient, operator } from "./harness/operator.ts";
import { type Installation, launch, logLines, type Service, startInstallation } from "./harness/service.ts";

// A stand-in for a real provider, which says yes to everything.
let partner: Server;
let installation: Installation;
beforeAll(async () => {
  partner = createServer((request, response) => {
    request.resume().on("end", () => response.end("OK|OP42"));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => partner.once("listening", resolve));
  installation = await startInstallation({ NODE_ENV: "production", CORPRAIL_ALLOW_INSECURE: "1" });
});
afterAll(async () => {
  await installation?.close();
  partner?.close();
});

const modeOf = async (service: Service) => (await operator(service, "GET", "/system")).body["mode"];
const said = (service: Service) => logLines(service.output()).map((line) => String(line["message"]));

/** The start's own way, so that every process of this file has one key for the operator API. */
const another = (environment: Readonly<Record<string, string>>) =>
  installation.another({
    CORPRAIL_OPERATOR_KEY: installation.service.operatorKey,
    CORPRAIL_PROVIDER_ALLOW: "127.0.0.0/8",
    ...environment,
  });

function definition() {
  const { port } = partner.address() as AddressInfo;
  const outcome = [
    { when: { "0": "OK", $count: 2 }, means: "success" },
    { when: { "0": "NO", $count: 2 }, means: "declined" },
  ];
  const call = { request: { url: "/pay", query: { ref: "{reference}", number: "{target}", amount: "{amount}" } }, outcome };
  return {
    version: 2,
    name: "partner",
    base_url: `http://127.0.0.1:${port}`,
    plain_http: true,
    read: { format: "text", separator: "|", operator_ref: "1", unmarked_end: true },
    operations: { "recharge.pay": { ...call, status: call } },
  };
}

test("CORPRAIL_MODE takes trial or live, and anything else stops the start with its name", async () => {
  const process = launch({ CORPRAIL_MODE: "test", CORPRAIL_DATABASE_URL: installation.databaseUrl });
  expect((await process.exited).code).toBe(1);
  expect(process.errors()).toContain("CORPRAIL_MODE must be trial or live");
});

test("a production installation starts live: the demo account is a sandbox, and other accounts' orders are refused", async () => {
  const { service } = installation;
  expect(said(service)).toContain("live");
  expect(await modeOf(service)).toBe("live");
  const text = await readFile(join(service.dataFolder, "first-run.txt"), "utf8");
  expect(text).toContain("live (the demo account is a sandbox account)");
  const [token = ""] = /tok_test_\S{43}/.exec(text) ?? [];
  expect(await recharge(service.url, token, "demo", "9876543000")).toMatchObject({ status: "SUCCESS" });
  const client = await newClient(service);
  await change(service, `/accounts/${client.accountId}/wallet`, { amount: "100.00", reference: "start", note: "" });
  expect(await recharge(service.url, client.token, "live-1", "9876543000")).toMatchObject({ status: "failed", code: 331, order_id: "" });
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  const alert = await until("the alert names what has no provider", async () => {
    const { items } = (await operator(service, "GET", "/alerts")).body as { items: readonly { kind: string; message: string }[] };
    return items.find((one) => one.kind === "no_provider");
  });
  for (const name of ["TP", "AT", "bills", "transfers", "bus", "aeps"]) expect(alert.message).toContain(name);
});

test("set to trial, a process of the same installation stays live while a live one runs", async () => {
  const second = await another({ CORPRAIL_MODE: "trial" });
  expect(await modeOf(second)).toBe("live");
  expect(said(second).some((message) => message.includes("another process of this installation runs as live"))).toBe(true);
  await second.stop();
});

test("set to trial in production it is in trial, until the first real route: then every process is live within a second, for good", async () => {
  await installation.service.stop();
  const trial = { NODE_ENV: "production", CORPRAIL_ALLOW_INSECURE: "1", CORPRAIL_MODE: "trial" };
  const [first, second] = [await another(trial), await another({})];
  expect(said(first)).toContain("trial: no real money moves");
  expect([await modeOf(first), await modeOf(second)]).toEqual(["trial", "trial"]);
  const client = await newClient(first);
  await change(first, `/accounts/${client.accountId}/wallet`, { amount: "100.00", reference: "start", note: "" });
  expect(await recharge(first.url, client.token, "trial-1", "9876543000")).toMatchObject({ status: "SUCCESS" });
  await change(first, "/providers", { definition: definition() });
  const saved = await change(first, "/routes", { service: "recharge", operator: "AT", provider: "partner" });
  expect(saved).toMatchObject({ mode: "live", went_live: true, notice: expect.stringContaining("live from now on") });
  await until("the other process is live too", async () => (await modeOf(second)) === "live");
  expect(await recharge(second.url, client.token, "real-1", "9876543000")).toMatchObject({ status: "SUCCESS", operator_ref: "OP42" });
  await change(first, "/routes/delete", { service: "recharge", operator: "AT", provider: "partner" });
  await until("the other process has no route", async () => {
    const reply = await recharge(second.url, client.token, `gone-${Date.now()}`, "9876543000");
    return (reply as { status: string }).status === "failed";
  });
  await Promise.all([first.stop(), second.stop()]);
  const third = await another(trial);
  expect(await modeOf(third)).toBe("live");
  expect(said(third).some((message) => message.includes("went live when a route to a real provider was saved"))).toBe(true);
  expect((await operator(third, "GET", "/ledger/check")).body).toMatchObject({ ok: true });
});
