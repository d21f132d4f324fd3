import { expect, test } from "vitest";
import { testEgress } from "../testing/egress.ts";
import { NEVER, providerRequest } from "../testing/requests.ts";
import { type Received, startUnrulyServer } from "../testing/unruly-server.ts";
import { createCorprailConnector } from "./corprail.ts";
import { readCorprailSettings } from "./settings.ts";
import { signature } from "./sign-call.ts";

const SECRETS = { token: "tok_live_x", signingSecret: "sig_x", callbackSecret: "cbk_x" };
const clock = { now: () => 1_750_000_000_999 };

async function received(
  run: (connector: ReturnType<typeof createCorprailConnector>) => Promise<unknown>,
  more: object = {},
): Promise<readonly Received[]> {
  const server = await startUnrulyServer("server error", () => ({ status: 200, body: "" }));
  const read = readCorprailSettings({ base_url: server.origin, plain_http: true, ...more });
  if (!read.ok) throw new Error("The settings are wrong.");
  const connector = createCorprailConnector({ settings: read.settings, secrets: SECRETS, clock, egress: testEgress() });
  await run(connector);
  await connector.close();
  await server.close();
  return server.received;
}

test("a request carries our reference as urid and is signed over the bytes that are sent", async () => {
  const request = providerRequest({ amount: "199.5", target: "9876543210", circle: "DL" });
  const [post, get] = await received(async (connector) => {
    await connector.send(request, NEVER);
    await connector.ask(request, NEVER);
  });
  expect(JSON.parse(post?.body ?? "")).toEqual({
    account: "9876543210",
    operator: "AT",
    amount: "199.5000",
    urid: request.reference,
    circle: "DL",
  });
  expect(post?.headers).toMatchObject({ "x-api-token": "tok_live_x", "x-api-timestamp": "1750000000", "content-type": "application/json" });
  expect(get?.url).toBe(`/api/corp/v1/recharge?urid=${request.reference}`);
  for (const [call, query] of [
    [post, []],
    [get, [["urid", request.reference]]],
  ] as const) {
    const stamp = { timestamp: "1750000000", nonce: String(call?.headers["x-api-nonce"]) };
    const signed = { method: call?.method as "GET" | "POST", path: "/api/corp/v1/recharge", query, body: call?.body ?? "" };
    expect(call?.headers["x-api-signature"]).toBe(signature(signed, stamp, "sig_x"));
  }
  expect(post?.headers["x-api-nonce"]).not.toBe(get?.headers["x-api-nonce"]);
});

test("what it cannot carry is not sent", async () => {
  const seen = await received(
    async (connector) => {
      expect((await connector.send(providerRequest({ service: "bills" }), NEVER)).kind).toBe("not_sent");
      expect((await connector.send(providerRequest({ operator: "JO" }), NEVER)).kind).toBe("not_sent");
    },
    { operators: { AT: "AIRTEL" } },
  );
  expect(seen).toEqual([]);
});

test.each([
  [{ base_url: "https://x.example/api" }, "base_url"],
  [{ base_url: "https://u:p@x.example" }, "base_url"],
  [{ base_url: "http://x.example" }, "base_url"],
  [{ base_url: "https://x.example", token: "tok" }, "token"],
  [{}, "base_url"],
])("settings %j are refused at %s", (value, path) => {
  const read = readCorprailSettings(value);
  expect(read.ok ? [] : read.faults.map((fault) => fault.path)).toContain(path);
});
