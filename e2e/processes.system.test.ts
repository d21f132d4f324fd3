import { rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { emptyDatabase, migratedDatabase } from "../server/src/testing/database.ts";
import { expectAnswered, get } from "./harness/client.ts";
import { until, within } from "./harness/deadline.ts";
import { type Client, newClient, operator } from "./harness/operator.ts";
import {
  type Environment,
  type Installation,
  launch,
  listeningPort,
  logLines,
  startInstallation,
  startService,
  temporaryFolder,
} from "./harness/service.ts";

async function refusedStart(environment: Environment): Promise<string> {
  const launched = launch({ CORPRAIL_PORT: "0", ...environment });
  const exit = await within("the start is refused", launched.exited);
  expect(exit.code).toBe(1);
  expect(launched.output()).not.toContain("    at ");
  return launched.errors();
}

describe("a start that cannot be", () => {
  test("names every wrong variable in one message", async () => {
    const wrong = {
      CORPRAIL_PORT: "high",
      CORPRAIL_DATABASE_URL: "mysql://u:hunter2@h/d",
      CORPRAIL_OPERATOR_KEY: "hunter2",
      CORPRAIL_TRUSTED_PROXIES: "everybody",
      CORPRAIL_LOG_LEVEL: "loud",
    };
    const message = await refusedStart(wrong);
    for (const name of Object.keys(wrong)) expect(message).toContain(name);
    expect(message).not.toContain("hunter2");
  });

  test("in production names what is for trials only", async () => {
    const message = await refusedStart({
      NODE_ENV: "production",
      CORPRAIL_CALLBACK_ALLOW: "127.0.0.0/8",
      CORPRAIL_CLOCK_OFFSET_SECONDS: "60",
    });
    expect(message).toContain("CORPRAIL_CALLBACK_ALLOW");
    expect(message).toContain("CORPRAIL_CLOCK_OFFSET_SECONDS");
  });

  test("says in one line that its port is in use, and which", async () => {
    const holder = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => holder.once("listening", resolve));
    const { port } = holder.address() as AddressInfo;
    const [database, folder] = [await migratedDatabase(), await temporaryFolder()];
    const message = await refusedStart({ CORPRAIL_PORT: String(port), CORPRAIL_DATABASE_URL: database.url, CORPRAIL_DATA_DIR: folder });
    expect(message.trim().split("\n")).toHaveLength(1);
    expect(message).toContain(`127.0.0.1:${port}`);
    expect(message).toContain("CORPRAIL_PORT");
    holder.close();
    await database.drop();
    await rm(folder, { recursive: true });
  });

  test("says in one line that its database is not there, without the password", async () => {
    const folder = await temporaryFolder();
    const url = new URL(inject("databaseUrl"));
    url.pathname = "/nowhere_at_all";
    const message = await refusedStart({ CORPRAIL_DATABASE_URL: url.href, CORPRAIL_DATA_DIR: folder });
    expect(message.trim().split("\n")).toHaveLength(1);
    expect(message).toContain("nowhere_at_all");
    expect(message).not.toContain(url.password);
    const refused = await refusedStart({ CORPRAIL_DATABASE_URL: "postgres://u:hunter2@127.0.0.1:1/d", CORPRAIL_DATA_DIR: folder });
    expect(refused).toContain("127.0.0.1:1");
    expect(refused).not.toContain("hunter2");
    await rm(folder, { recursive: true });
  });
});

test("two processes started at once on an empty database both get ready, with one demo account and each migration once", async () => {
  const database = await emptyDatabase();
  const folders = [await temporaryFolder(), await temporaryFolder()];
  const both = folders.map((folder) => launch({ CORPRAIL_PORT: "0", CORPRAIL_DATABASE_URL: database.url, CORPRAIL_DATA_DIR: folder }));
  const ports = await Promise.all(both.map(listeningPort));
  for (const port of ports) expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  const sql = postgres(database.url, { max: 1, onnotice: () => {} });
  const accounts = await sql`select name from accounts`;
  expect(accounts.map((row) => row["name"])).toEqual(["Demo"]);
  const applied = both.flatMap((one) => logLines(one.output()).flatMap((line) => (line["applied"] as string[] | undefined) ?? []));
  const [row] = await sql`select count(*)::int as count from schema_migrations`;
  expect(applied).toHaveLength(Number(row?.["count"]));
  expect(new Set(applied).size).toBe(applied.length);
  await sql.end();
  for (const one of both) one.signal("SIGTERM");
  expect(await Promise.all(both.map((one) => one.exited))).toEqual([0, 0].map((code) => ({ code, signal: null })));
  await database.drop();
  for (const folder of folders) await rm(folder, { recursive: true });
});

describe("a database that goes away", () => {
  let installation: Installation;
  let admin: postgres.Sql;
  let client: Client;
  beforeAll(async () => {
    installation = await startInstallation();
    admin = postgres(inject("databaseUrl"), { max: 1, onnotice: () => {} });
    client = await newClient(installation.service);
  });
  afterAll(async () => {
    await admin?.end();
    await installation?.close();
  });

  const name = () => new URL(installation.databaseUrl).pathname.slice(1);
  const ready = async () => (await fetch(`${installation.service.url}/readyz`)).status;
  const cut = () => admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name()}`;

  test("cut connections are restored automatically", async () => {
    for (let time = 0; time < 3; time++) {
      await cut();
      await until("the service is ready", async () => (await ready()) === 200);
      await until(
        "requests are answered",
        async () => (await get(installation.service.port, "/services", { token: client.token })).status === 200,
      );
    }
  });

  test("while it is gone nothing is ready and nothing passes, and both are as before when it is back", async () => {
    await admin.unsafe(`alter database ${name()} allow_connections false`);
    await cut();
    await until("the service is not ready", async () => (await ready()) === 503);
    expect((await fetch(`${installation.service.url}/healthz`)).status).toBe(200);
    // Settings a second old are no longer believed.
    const reply = await until("requests are refused", async () => {
      const one = await get(installation.service.port, "/services", { token: client.token, query: "urid=U-1" });
      return one.status === 503 && one;
    });
    // Contract, section 9b.
    expect(reply.json()).toEqual({ status: "rejected", error: "busy", code: 140, message: expect.any(String), urid: "U-1" });
    const bad = await operator(installation.service, "GET", "/accounts");
    expect(bad).toMatchObject({ status: 503, body: { error: "busy" } });
    expect(JSON.stringify(bad.body)).not.toContain(name());
    await admin.unsafe(`alter database ${name()} allow_connections true`);
    await until("the service is ready", async () => (await ready()) === 200);
    await until(
      "requests are answered",
      async () => (await get(installation.service.port, "/services", { token: client.token })).status === 200,
    );
  });

  test("a stop while it is gone still ends in time", async () => {
    const doomed = await installation.another();
    await admin.unsafe(`alter database ${name()} allow_connections false`);
    await cut();
    await until("it has noticed", async () => (await fetch(`${doomed.url}/readyz`)).status === 503);
    const startedAt = performance.now();
    const exit = await doomed.stop();
    expect(exit.code, doomed.errors()).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    await admin.unsafe(`alter database ${name()} allow_connections true`);
    await until("the other is ready again", async () => (await ready()) === 200);
    expectAnswered(await get(installation.service.port, "/services", { token: client.token }));
  });
});

test("metrics are shown to an operator only", async () => {
  const database = await migratedDatabase();
  const service = await startService({ CORPRAIL_DATABASE_URL: database.url });
  expect((await fetch(`${service.url}/metrics`)).status).toBe(401);
  const reply = await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${service.operatorKey}` } });
  expect(await reply.text()).toContain("corprail_http_request_seconds");
  await service.stop();
  await database.drop();
  await rm(service.dataFolder, { recursive: true });
});
