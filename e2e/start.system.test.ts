import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectAnswered, get, getText, PREFIX } from "./harness/client.ts";
import { until, within } from "./harness/deadline.ts";
import { change, newClient, operator } from "./harness/operator.ts";
import { connect } from "./harness/raw-http.ts";
import { processesIn } from "./harness/servers/processes.ts";
import { launch, ROOT, type Service, startService, temporaryFolder } from "./harness/service.ts";

// As the README says: npm start, which runs this.
const START = join(ROOT, "scripts", "start.mjs");
const run = promisify(execFile);

describe("a first start, on a folder with a space in its name", () => {
  let folder: string;
  let dataFolder: string;
  let service: Service;
  beforeAll(async () => {
    folder = await temporaryFolder("corprail e2e ");
    dataFolder = join(folder, "my data");
    service = await startService({ CORPRAIL_DATA_DIR: dataFolder }, START);
  });
  afterAll(async () => {
    if (service && !service.hasExited()) await service.kill();
    await until("nothing is left running", () => processesIn(folder).length === 0);
    await rm(folder, { recursive: true });
  });

  async function firstRun(): Promise<string> {
    return readFile(join(dataFolder, "first-run.txt"), "utf8");
  }

  test("writes the demo account's credentials to a file of the owner's, and only there", async () => {
    const text = await firstRun();
    expect((await stat(join(dataFolder, "first-run.txt"))).mode & 0o777).toBe(0o600);
    const [token = "", secret = "", key = ""] = [/tok_live_\S{43}/, /sig_\S{43}/, /opk_\S{43}/].map((form) => form.exec(text)?.[0] ?? "");
    expect([token, secret, key].every((credential) => credential.length > 40)).toBe(true);
    expect(service.output()).toContain(join(dataFolder, "first-run.txt"));
    for (const credential of [token, secret, key]) expect(service.output()).not.toContain(credential);
  });

  test("shows a curl line that works as it stands", async () => {
    const line = /^curl .*$/m.exec(await firstRun())?.[0] ?? "";
    const { stdout } = await run("/bin/sh", ["-c", line]);
    expect(JSON.parse(stdout)).toMatchObject({ status: "SUCCESS", code: 0 });
  });

  test("shows an operator key that works", async () => {
    const key = /opk_\S{43}/.exec(await firstRun())?.[0] ?? "";
    const reply = await operator({ ...service, operatorKey: key }, "GET", "/accounts");
    expect(reply).toMatchObject({ status: 200, body: { items: [{ name: "Demo", allowlist: ["127.0.0.1", "::1"] }] } });
  });

  test("keeps its other secrets in files of the owner's too", async () => {
    for (const name of ["master-key", "database-url"]) expect((await stat(join(dataFolder, name))).mode & 0o777).toBe(0o600);
    expect((await stat(dataFolder)).mode & 0o077).toBe(0o011 & (await stat(dataFolder)).mode);
  });

  test("a second start on the same folder ends, names the holder and leaves it alone", async () => {
    const second = launch({ CORPRAIL_DATA_DIR: dataFolder, CORPRAIL_PORT: "0" });
    const exit = await within("the second start ends", second.exited);
    expect(exit.code).toBe(1);
    expect(second.errors()).toContain(`process ${service.pid}`);
    expect(second.errors()).toContain("CORPRAIL_DATA_DIR");
    expect(second.errors().trim().split("\n")).toHaveLength(1);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  });

  test("another process joins with the database's address alone, knows the tokens, and each follows the other within a second", async () => {
    const client = await newClient(service);
    const databaseUrl = (await readFile(join(dataFolder, "database-url"), "utf8")).trim();
    const joined = await startService({ CORPRAIL_DATABASE_URL: databaseUrl });
    try {
      expectAnswered(await get(joined.port, "/services", { token: client.token }));
      expect(existsSync(join(joined.dataFolder, "first-run.txt"))).toBe(false);
      await change(joined, `/accounts/${client.accountId}`, { standing: "paused" });
      await until(
        "the first process obeys",
        async () => (await get(service.port, "/services", { token: client.token })).status === 403,
        1_000,
      );
      await change(service, `/accounts/${client.accountId}`, { standing: "active" });
      await until(
        "the joined process obeys",
        async () => (await get(joined.port, "/services", { token: client.token })).status === 200,
        1_000,
      );
      const made = await newClient(joined);
      await until(
        "the first process knows the new account",
        async () => (await get(service.port, "/services", { token: made.token })).status === 200,
        1_000,
      );
      const off = await operator(joined, "POST", "/operators/AT", { enabled: false });
      expect(off.status).toBe(200);
      const isOff = async () => (await get(service.port, "/operators", { token: made.token })).text.includes(`"status":"off"`);
      await until("the first process shows the operator off", isOff);
    } finally {
      expect((await joined.stop()).code).toBe(0);
      await rm(joined.dataFolder, { recursive: true });
    }
  });

  test("after kill -9 nothing stays behind, and a start on the same folder has everything again", async () => {
    const client = await newClient(service);
    const before = await firstRun();
    await service.kill();
    service = await startService({ CORPRAIL_DATA_DIR: dataFolder });
    expectAnswered(await get(service.port, "/services", { token: client.token }));
    expect(await firstRun()).toBe(before);
    const { body } = await operator(service, "GET", "/accounts");
    expect((body["items"] as { name: string }[]).filter((account) => account.name === "Demo")).toHaveLength(1);
  });

  test("SIGTERM answers what is in flight, drops what is idle, and ends with 0 and nothing left running", async () => {
    const client = await newClient(service);
    const body = JSON.stringify({ urid: "IN-FLIGHT" });
    const [slow, idle, silent] = await Promise.all([connect(service.port), connect(service.port), connect(service.port)]);
    idle?.send(getText("/services", { token: client.token }));
    expect((await idle?.next())?.status).toBe(200);
    slow?.send(
      `POST ${PREFIX}/services HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    );
    const startedAt = performance.now();
    service.signal("SIGTERM");
    await Promise.all([idle?.closed, silent?.closed]);
    await until("nobody new is let in", () =>
      connect(service.port).then(
        (connection) => connection.destroy(),
        () => true,
      ),
    );
    expect(service.hasExited()).toBe(false);
    slow?.send(body.slice(5));
    const reply = await slow?.next();
    expect(reply?.json()).toMatchObject({ error: "method_not_allowed", urid: "IN-FLIGHT" });
    expect(reply?.headers.get("connection")).toEqual(["close"]);
    expect(await within("the service ends", service.exited)).toEqual({ code: 0, signal: null });
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect(processesIn(dataFolder)).toEqual([]);
    expect(existsSync(join(dataFolder, "database-url"))).toBe(false);
    expect(service.output()).toContain(`"message":"stopped"`);
  });

  test("a request that never ends does not hold the stop up beyond ten seconds", async () => {
    service = await startService({ CORPRAIL_DATA_DIR: dataFolder });
    const endless = await connect(service.port);
    endless.send(`POST ${PREFIX}/services HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`);
    const startedAt = performance.now();
    expect((await service.stop()).code).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    await endless.closed;
    expect(processesIn(dataFolder)).toEqual([]);
  });
});
