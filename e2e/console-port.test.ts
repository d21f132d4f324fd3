import { afterAll, beforeAll, expect, test } from "vitest";
import { type Installation, logLines, startInstallation } from "./harness/service.ts";

let installation: Installation;
let console: string;
beforeAll(async () => {
  installation = await startInstallation({ CORPRAIL_CONSOLE_PORT: "0" });
  const line = logLines(installation.service.output()).find(({ message }) => message === "console listening");
  console = String(line?.["address"]).replace(/\/console$/, "");
});
afterAll(() => installation.close());

const status = async (address: string) => (await fetch(address, { redirect: "manual" })).status;

test("on a separate port there are the console and the API references, and nothing else", async () => {
  expect(await status(`${console}/console`)).toBe(200);
  expect(await (await fetch(`${console}/console/api/session`)).json()).toEqual({ signed_in: false, mode: "trial", mail: false });
  expect(await status(`${console}/console/api/accounts`)).toBe(401);
  expect(await status(`${console}/docs/operator`)).toBe(200);
  expect(await status(`${console}/console/api/openapi`)).toBe(401);
  for (const path of ["/portal", "/portal/api/session", "/api/operator/v1/accounts", "/metrics", "/healthz"])
    expect(await status(console + path), path).toBe(404);
});

test("its own address leads to the console", async () => {
  const reply = await fetch(`${console}/`, { redirect: "manual" });
  expect([reply.status, reply.headers.get("location")]).toEqual([302, "/console"]);
});

test("the other port's own address leads to the console's port", async () => {
  const reply = await fetch(`${installation.service.url}/`);
  expect(await reply.json()).toMatchObject({ portal: "/portal", console: `${console}/console`, docs: "/docs" });
});

test("the other port has all but the console", async () => {
  const { url } = installation.service;
  expect(await status(`${url}/portal`)).toBe(200);
  expect(await status(`${url}/console`)).toBe(404);
  expect(await status(`${url}/console/api/session`)).toBe(404);
});

test("invitations lead to the port each site is on", async () => {
  const { url, operatorKey } = installation.service;
  const ask = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${operatorKey}`, "content-type": "application/json" };
    const reply = await fetch(`${url}/api/operator/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    return (await reply.json()) as Record<string, string>;
  };
  const { account_id: accountId } = await ask("/accounts", { name: "Asha Stores" });
  const owner = await ask(`/accounts/${accountId}/portal-invitations`, { email: "owner@shop.example" });
  expect(owner["invitation_url"]).toContain(`:${installation.service.port}/portal/invite#`);
  const staff = await ask("/staff/invitations", { email: "meera@platform.example", role: "admin" });
  expect(staff["invitation_url"]).toContain(`${console.replace("http://127.0.0.1", "")}/console/invite#`);
});

test("the service stops in order with a connection left open there", async () => {
  const open = await fetch(`${console}/console/api/session`, { headers: { connection: "keep-alive" } });
  await open.text();
  expect(await installation.service.stop()).toEqual({ code: 0, signal: null });
});
