import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER } from "./harness/browser/browser.ts";
import { type Console, consoleUrl, signedInStaff, startConsole } from "./harness/browser/console.ts";
import { type ConsoleClient, newConsoleClient } from "./harness/browser/console-client.ts";
import { changeInSession, readInSession } from "./harness/browser/site-session.ts";
import { until } from "./harness/deadline.ts";
import { type JsonRecord, operator } from "./harness/operator.ts";
import { type Replicated, startReplicated } from "./harness/servers/standby.ts";
import type { Service } from "./harness/service.ts";

describe.skipIf(NO_BROWSER !== null)(`a replica for lists and exports${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let database: Replicated;
  let site: Console;
  let service: Service;
  let client: ConsoleClient;
  let page: Page;
  let made = 0;
  beforeAll(async () => {
    database = await startReplicated();
    site = await startConsole({ CORPRAIL_DATABASE_URL: database.leaderUrl, CORPRAIL_REPLICA_URL: database.standbyUrl });
    ({ service } = site.installation);
    client = await newConsoleClient(service, "Asha Stores");
    ({ page } = await site.visitor());
    await signedInStaff(site, page, "operations");
  });
  afterAll(async () => {
    await site?.close();
    await database?.close();
  });

  const payNext = () => client.pay(`replica-${++made}`, "9876543000");
  const ordersIn = (list: JsonRecord) => (list["items"] as readonly JsonRecord[]).map((order) => order["order_id"]);
  const listAtConsole = async () => ordersIn(await readInSession(page, service, "console", "/orders"));
  const listByKey = async () => ordersIn((await operator(service, "GET", "/orders")).body);
  const replicaPart = async () => {
    const parts = (await operator(service, "GET", "/system")).body["parts"] as readonly JsonRecord[];
    return parts.find((part) => part["name"] === "Replica");
  };
  const untilReplicaIs = (state: string) =>
    until(`the replica is ${state}`, async () => (await replicaPart())?.["state"] === state || null);
  const untilNoOwnChange = () =>
    until("the own change is old", async () => {
      const cookies = await page.context().cookies(consoleUrl(service));
      return cookies.every((cookie) => cookie.name !== "corprail_console_changed") || null;
    });

  /** On a slow machine the paused replica may be too old already, and the list right to come from the primary: then again. */
  async function orderThatTheReplicaLacks(): Promise<string> {
    return await until("the console's list is the replica's", async () => {
      await database.resumeReplay();
      await database.caughtUp();
      await untilReplicaIs("good");
      await database.pauseReplay();
      const orderId = await payNext();
      expect(await listByKey()).toContain(orderId);
      return (await listAtConsole()).includes(orderId) ? null : orderId;
    });
  }

  test("the console's lists are the replica's, a key's lists and a person's own changes are not", async () => {
    const first = await payNext();
    await untilNoOwnChange();
    const missing = await orderThatTheReplicaLacks();
    expect(await listAtConsole()).toContain(first);
    const today = new Date(Date.now() + 5.5 * 3_600_000).toISOString().slice(0, 10);
    const { job } = await changeInSession(page, service, "console", "/orders/export", { from: today, to: today });
    expect(await listAtConsole()).toContain(missing);
    const { job_id: jobId } = job as JsonRecord;
    const isDone = async () => (await operator(service, "GET", `/jobs/${jobId}`)).body["state"] === "done" || null;
    await until("the export is done", isDone);
    const file = await page.context().request.get(`${consoleUrl(service)}/api/jobs/${jobId}/file`);
    expect(await file.text()).toContain(missing);
  });

  test("a replica that is too far behind is not read until it has caught up, and the system page says so", async () => {
    await database.pauseReplay();
    const orderId = await payNext();
    await untilReplicaIs("attention");
    expect((await replicaPart())?.["says"]).toMatch(
      /^The replica is [0-9.]+ s behind the primary\. Lists and exports are read from the primary/,
    );
    await untilNoOwnChange();
    expect(await listAtConsole()).toContain(orderId);
    const metrics = await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${service.operatorKey}` } });
    expect(Number(/^corprail_replica_lag_seconds (.+)$/m.exec(await metrics.text())?.[1])).toBeGreaterThan(10);
    await database.resumeReplay();
    await untilReplicaIs("good");
  });

  test("a replica that becomes a primary is not read", async () => {
    await database.promoteStandby();
    await untilReplicaIs("attention");
    const orderId = await payNext();
    expect(await listAtConsole()).toContain(orderId);
  });
});
