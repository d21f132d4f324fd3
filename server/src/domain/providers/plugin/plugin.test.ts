import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConnector } from "@corprail/connector";
import { checkPlugin } from "@corprail/connector/host";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { createLog } from "../../../platform/observability/log.ts";
import { type TestSettings, testSettings } from "../../accounts/testing/settings.ts";
import type { ProviderExchange } from "../connector.ts";
import { loadProviders } from "../registry.ts";
import { canServe } from "../settings/capabilities.ts";
import { type ProviderInput, saveProvider } from "../settings/save-provider.ts";
import { testEgress } from "../testing/egress.ts";
import { NEVER, providerRequest } from "../testing/requests.ts";
import { startUnrulyServer } from "../testing/unruly-server.ts";
import { loadPlugins } from "./load-plugins.ts";
import { usePlugins } from "./loaded-plugins.ts";
import { createStateStore } from "./state-store.ts";

const echo = defineConnector({
  ...{ apiVersion: 1, name: "echo", secrets: ["key"], settings: z.strictObject({ base_url: z.url() }) },
  operations: ["recharge.pay"],
  origins: ({ base_url }) => [new URL(base_url).origin],
  open: ({ wire, settings, secrets, store }) => {
    const call = async () => {
      await store.set("token", "t0ken-1");
      const headers = { authorization: `Bearer ${secrets.key} ${await store.get("token")}` };
      const answer = await wire.fetch({ operation: "recharge.pay", method: "PUT", url: `${settings.base_url}/pay`, headers, body: "x" });
      if (answer.kind !== "answered") return answer;
      return { kind: "succeeded", operatorRef: `OP ${answer.status}` } as const;
    };
    return { "recharge.pay": { send: call, status: call } };
  },
});

let settings: TestSettings;
beforeEach(async () => {
  settings = await testSettings();
  const checked = checkPlugin(echo);
  usePlugins(checked.ok ? [checked.plugin] : []);
});
afterEach(async () => {
  usePlugins([]);
  await settings.close();
});

const save = (input: Partial<ProviderInput>) =>
  saveProvider({ ...settings.ctx, egress: testEgress() }, "test", {
    ...{ provider: "acme", connector: "plugin", settings: { plugin: "echo", settings: { base_url: "http://127.0.0.1:1" } } },
    ...input,
  });

test("a saved plug-in carries orders out with the service's wire, and its evidence shows no secret", async () => {
  const server = await startUnrulyServer("success", () => ({ status: 200, body: "fine t0ken-1" }));
  const { sql, vault, clock } = settings.ctx;
  const input = { settings: { plugin: "echo", settings: { base_url: server.origin } }, secrets: { key: "s3cret-key" } };
  expect(await save(input)).toEqual({ kind: "done", created: true });
  const registry = await loadProviders({ sql, vault, clock, log: createLog("silent"), reportTo: () => {}, egress: testEgress() });
  const seen: ProviderExchange[] = [];
  const connector = registry.connector("acme");
  const outcome = await connector?.send(providerRequest(), NEVER, (exchange) => seen.push(exchange));
  expect(outcome).toEqual({ kind: "succeeded", operatorRef: "OP 200" });
  expect(server.received[0]).toMatchObject({ method: "PUT", headers: { authorization: "Bearer s3cret-key t0ken-1" } });
  expect(seen).toMatchObject([{ operation: "recharge.pay", request: expect.stringContaining("PUT ") }]);
  expect(JSON.stringify(seen)).not.toMatch(/s3cret-key|t0ken-1/);
  expect(await connector?.send(providerRequest({ service: "bills" }), NEVER)).toMatchObject({ kind: "not_sent", fault: "order" });
  await registry.close();
  await server.close();
});

test("what a plug-in does to an order's details stays with the plug-in", async () => {
  const spoil = ({ details }: { readonly details: object }) => {
    Object.assign(details, { account: "other" });
    return null;
  };
  const checked = checkPlugin({ ...echo, unsuitable: spoil, open: () => ({ "recharge.pay": { send: spoil, status: spoil } }) });
  usePlugins(checked.ok ? [checked.plugin] : []);
  await save({ secrets: { key: "s3cret-key" } });
  const { sql, vault, clock } = settings.ctx;
  const registry = await loadProviders({ sql, vault, clock, log: createLog("silent"), reportTo: () => {}, egress: testEgress() });
  const request = providerRequest({ details: { account: "1234" } });
  expect(registry.connector("acme")?.unsuitable?.(request)).toBeNull();
  await registry.connector("acme")?.send(request, NEVER);
  await registry.connector("acme")?.ask(request, NEVER);
  expect(request.details).toEqual({ account: "1234" });
  await registry.close();
});

test("settings are refused with each fault named, and so are an unknown plug-in and a private address", async () => {
  const faultsOf = async (value: object) => await save({ settings: value as ProviderInput["settings"] });
  expect(await faultsOf({ plugin: "echo", settings: { base_url: 7, colour: 1 } })).toMatchObject({
    kind: "invalid",
    faults: [{ path: "settings.base_url" }, { path: "settings" }],
  });
  expect(await faultsOf({ plugin: "other" })).toMatchObject({
    faults: [{ path: "plugin", message: expect.stringContaining("Loaded plug-ins: echo") }],
  });
  expect(await faultsOf({ plugin: "echo", settings: { base_url: "http://10.0.0.1" } })).toMatchObject({ faults: [{ path: "settings" }] });
});

test("a plug-in serves only services of which it has every operation", () => {
  const row = { provider: "acme", connector: "plugin", settings: { plugin: "echo" } } as const;
  expect(["recharge", "bills", "bus"].filter((service) => canServe(row, service, "AT"))).toEqual(["recharge"]);
});

test("state is sealed, shared, bounded, and forgotten when the provider changes", async () => {
  await save({});
  const { sql } = settings.ctx;
  const version = { provider: "acme", version: 1 };
  const [one, other] = [createStateStore(settings.ctx, version), createStateStore(settings.ctx, version)];
  await one.set("token", "t0ken-1");
  await one.set("token", "t0ken-2");
  expect(await other.get("token")).toBe("t0ken-2");
  const [row] = await sql<{ sealed: Buffer }[]>`select sealed from provider_state`;
  expect(row?.sealed.toString("latin1")).not.toContain("t0ken");
  for (let place = 1; place < 32; place++) await one.set(`n${place}`, "x");
  await expect(one.set("n32", "x")).rejects.toThrow("32 names");
  await save({ secrets: { key: "new-key" } });
  expect(await other.get("token")).toBeNull();
});

test("entries that cannot be used are named, each with its reason", async () => {
  const folder = mkdtempSync(join(tmpdir(), "corprail-plugins-"));
  const write = (name: string, text: string) => {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, "package.json"), JSON.stringify({ type: "module", exports: { import: "./main.js" } }));
    if (text !== "") writeFileSync(join(folder, name, "main.js"), text);
  };
  const good = (name: string) =>
    `export default { apiVersion: 1, name: "${name}", settings: { safeParse() {} }, secrets: [], operations: ["balance"], open() {} };`;
  write("good", good("a"));
  write("node_modules/packaged", good("b"));
  expect(await loadPlugins(["./good", "packaged"], folder)).toMatchObject({
    ok: true,
    plugins: [{ plugin: { name: "a" } }, { plugin: { name: "b" } }],
  });
  write("twice", good("a"));
  write("unbuilt", "");
  write("newer", "export default { apiVersion: 2 };");
  write("throws", "throw new Error('broken');");
  write("empty", "export const nothing = 1;");
  const entries = ["./good", "./twice", "./unbuilt", "./newer", "./throws", "./empty", "./missing", "absent"];
  const loaded = await loadPlugins(entries, folder);
  const text = loaded.ok ? "" : loaded.faults.join("\n");
  for (const words of [
    "same name, a",
    "Build it first",
    "version 2",
    "broken",
    "not a connector",
    "no file or folder",
    "no package absent",
  ])
    expect(text).toContain(words);
});
