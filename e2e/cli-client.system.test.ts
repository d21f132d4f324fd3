import { afterAll, beforeAll, expect, test } from "vitest";
import { deadAddress, scratchFolder, standIn } from "../cli/testing/client.ts";
import { corprail, type Running, running } from "../cli/testing/processes.ts";
import { until } from "./harness/deadline.ts";
import { type Client, change, newCallbackSecret, newClient } from "./harness/operator.ts";
import { type CheckingProxy, startCheckingProxy } from "./harness/servers/checking-proxy.ts";
import { type Installation, sharedInstallation } from "./harness/service.ts";

let installation: Installation;
let proxy: CheckingProxy;
beforeAll(async () => {
  installation = await sharedInstallation();
  proxy = await startCheckingProxy(installation.service.port);
});
afterAll(async () => {
  await proxy?.close();
  await installation?.close();
});

type Variables = Readonly<Record<string, string>>;

async function funded(): Promise<{ readonly client: Client; readonly variables: Variables }> {
  const client = await newClient(installation.service);
  await change(installation.service, `/accounts/${client.accountId}/wallet`, { amount: "1000.00", reference: "start", note: "" });
  return { client, variables: { CORPRAIL_BASE_URL: proxy.url, CORPRAIL_TOKEN: client.token, CORPRAIL_SIGNING_SECRET: client.secret } };
}

const create = (account: string, urid: string, more: readonly string[] = []) =>
  ["recharge", "create", "--account", account, "--operator", "AT", "--amount", "10.00", "--urid", urid, "--json", ...more] as const;

test("a recharge's exit code says what became of it", async () => {
  const { client, variables } = await funded();
  const ended = async (given: readonly string[]) => {
    const { code, stdout } = await corprail(given, variables);
    return { exit: code, ...JSON.parse(stdout) };
  };
  expect(await ended(create("9876543000", "S1"))).toMatchObject({ exit: 0, ok: true, outcome: "succeeded", customer_refund: "not_due" });
  expect(await ended(create("9876543102", "F1"))).toMatchObject({ exit: 3, ok: false, outcome: "failed", customer_refund: "due" });
  expect(await ended(create("9876543110", "P1"))).toMatchObject({ exit: 4, ok: false, outcome: "pending", customer_refund: "wait" });
  expect(await ended(create("12", "X1"))).toMatchObject({ exit: 1, reason: "invalid_request", fields: { account: expect.anything() } });
  const dear = create("9876543000", "B1").map((word) => (word === "10.00" ? "5000.00" : word));
  expect(await ended(dear)).toMatchObject({ exit: 3, reason: "insufficient_balance", customer_refund: "due" });
  expect(await ended(["recharge", "get", "--urid", "S1", "--json"])).toMatchObject({ exit: 0, outcome: "succeeded" });
  expect(await ended(["recharge", "get", "--urid", "F1", "--json"])).toMatchObject({ exit: 3 });
  expect(await ended(["recharge", "get", "--urid", "P1", "--json"])).toMatchObject({ exit: 4 });
  expect(await ended(["recharge", "get", "--urid", "NONE", "--json"])).toMatchObject({ exit: 1, reason: "not_found" });
  expect(await ended(["balance", "--json"])).toMatchObject({ exit: 0, balance: "980.0000", held: "10.0000" });
  await change(installation.service, `/accounts/${client.accountId}`, { kyc: "pending" });
  expect(await ended(create("9876543000", "N1"))).toMatchObject({ exit: 3, outcome: "not_created", error: "kyc_not_verified" });
  const wrong = { ...variables, CORPRAIL_TOKEN: `tok_live_${"x".repeat(43)}` };
  expect(await corprail(["balance"], wrong)).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("token_invalid") });
});

test("waiting ends with the result, and with 4 when it does not come in time", async () => {
  const { variables } = await funded();
  const pace = ["--first-after", "0.2", "--every", "0.2", "--give-up-after", "20"];
  const waited = await corprail(create("9876543200", "W1", ["--wait", ...pace]), variables);
  expect(waited).toMatchObject({ code: 0, stderr: expect.stringContaining("asking again") });
  await corprail(create("9876543110", "W2"), variables);
  const short = ["recharge", "wait", "--urid", "W2", "--every", "0.1", "--give-up-after", "0.5"];
  expect(await corprail(short, variables)).toMatchObject({ code: 4, stderr: expect.stringContaining("corprail recharge wait --urid W2") });
});

test("a complaint is raised, shown and listed", async () => {
  const { variables } = await funded();
  await corprail(create("9876543000", "C1"), variables);
  const raise = ["complaint", "raise", "--urid", "C1", "--reason", "not_credited", "--description", "Nothing has come.", "--json"];
  const raised = JSON.parse((await corprail(raise, variables)).stdout);
  expect(raised).toMatchObject({ ok: true, status: "OPEN", urid: "C1", reason_code: "not_credited" });
  const got = await corprail(["complaint", "get", raised.complaint_ref, "--json"], variables);
  expect(JSON.parse(got.stdout)).toMatchObject({ complaint_ref: raised.complaint_ref, status: "OPEN" });
  const list = await corprail(["complaint", "list", "--status", "OPEN"], variables);
  expect(list).toMatchObject({ code: 0, stdout: expect.stringMatching(new RegExp(`${raised.complaint_ref} +OPEN +not_credited`)) });
  expect(await corprail(raise, variables)).toMatchObject({ code: 1, stderr: expect.stringContaining("complaint_exists") });
});

test("what the service must have signed is signed", async () => {
  const { client, variables } = await funded();
  await change(installation.service, `/accounts/${client.accountId}/services`, { bus: true });
  expect(await corprail(["request", "GET", "/bus/cities", "--query", "search=new delhi & more"], variables)).toMatchObject({ code: 0 });
  const { CORPRAIL_SIGNING_SECRET: _, ...unsigned } = variables;
  expect(await corprail(["request", "GET", "/bus/cities"], unsigned)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("invalid_signature"),
  });
});

async function addressOf(receiver: Running): Promise<string> {
  return await until("it listens", () => {
    if (receiver.hasEnded()) throw new Error(`It ended before it listened:\n${receiver.said()}`);
    return /Listening on (http:\S+?)[,.] /.exec(receiver.said())?.[1];
  });
}

test.each([2, 3] as const)(
  "version %d: what the service sends is verified, printed, forwarded, and answered as the receiver answers",
  async (version) => {
    const { client, variables } = await funded();
    const callbackSecret = await newCallbackSecret(installation.service, client.accountId);
    const receiver = await standIn(() => ({ status: 202, body: "{}" }));
    const keys = version === 2 ? { CORPRAIL_TOKEN: client.token } : { CORPRAIL_CALLBACK_SECRET: callbackSecret };
    const listener = running(["listen", "--port", "0", "--forward", `${receiver.base}/corprail`, "--json"], {
      ...keys,
      HOME: scratchFolder(),
    });
    const address = `${await addressOf(listener)}/cb?shop=a+b`;
    const urls = { callback_url: address, complaint_callback_url: address, callback_version: version };
    await change(installation.service, `/accounts/${client.accountId}`, urls);
    expect(await corprail(create("9876543200", `L${version}`), variables)).toMatchObject({ code: 4 });
    const line = JSON.parse((await listener.lines.next()).value);
    expect(line).toMatchObject({
      verified: true,
      version,
      kind: "status",
      callback: { urid: `L${version}`, status: "SUCCESS" },
      forwarded: true,
      answered: 202,
    });
    expect(receiver.arrived[0]).toMatchObject({
      method: version === 2 ? "GET" : "POST",
      url: expect.stringMatching(/^\/corprail\?shop=a/),
    });
    expect(await change(installation.service, `/accounts/${client.accountId}/test-complaint`)).toMatchObject({
      delivered: true,
      http_status: 202,
    });
    await listener.lines.next();

    const forged = await fetch(address, { method: "POST", body: "{}", headers: { "x-callback-signature": "0".repeat(64) } });
    expect(forged.status).toBe(403);
    expect(JSON.parse((await listener.lines.next()).value)).toMatchObject({ verified: false, forwarded: false, answered: 403 });
    expect(receiver.arrived).toHaveLength(2);
    expect(await listener.interrupt()).toMatchObject({ code: 0, stdout: expect.stringContaining('"verified":2,"refused":1') });
  },
);

test("a receiver behind it that does not answer is reported to the service as 502", async () => {
  const { client } = await funded();
  const listener = running(["listen", "--port", "0", "--forward", `${await deadAddress()}/`], {
    CORPRAIL_TOKEN: client.token,
    HOME: scratchFolder(),
  });
  await change(installation.service, `/accounts/${client.accountId}`, { complaint_callback_url: `${await addressOf(listener)}/` });
  expect(await change(installation.service, `/accounts/${client.accountId}/test-complaint`)).toMatchObject({
    delivered: false,
    http_status: 502,
  });
  expect((await listener.lines.next()).value).toMatch(/complaint .* -> 502 \(not forwarded: .*ECONNREFUSED/);
  expect(await listener.interrupt()).toMatchObject({ code: 0 });
});
