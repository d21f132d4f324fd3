import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { migratedDatabase } from "../server/src/testing/database.ts";
import { recharge } from "./harness/browser/portal-client.ts";
import { until } from "./harness/deadline.ts";
import { change, newClient, operator } from "./harness/operator.ts";
import { startInstallation } from "./harness/service.ts";

const ORDERS = 120;
const CLIENTS = 3;

// Slow, because the job's lease must end before another process continues it.
test.each([0, 2])(
  "a bulk settlement with %i cells beside home whose process is killed is continued, and settles each order once",
  async (others) => {
    const databases = await Promise.all(Array.from({ length: others }, () => migratedDatabase()));
    const cells = databases.map(({ url }, place) => `${place + 1}=${url}`).join(" ");
    const environment = { CORPRAIL_SIMULATOR_DELAY_MS: "0", CORPRAIL_REPLY_WAIT_MS: "200", CORPRAIL_CELLS: cells };
    const installation = await startInstallation(environment);
    const connections = [installation.databaseUrl, ...databases.map(({ url }) => url)].map((url) => postgres(url, { max: 2 }));
    onTestFinished(async () => {
      await Promise.all(connections.map((sql) => sql.end()));
      await installation.close();
      await Promise.all(databases.map(({ drop }) => drop()));
    });
    const { service } = installation;
    const clients = [];
    for (let number = 0; number < CLIENTS; number++) {
      const client = await newClient(service, { settings: { money_per_minute: 100_000 } });
      await change(service, `/accounts/${client.accountId}/wallet`, { amount: "100000.00", reference: "start", note: "bulk" });
      clients.push(client);
    }
    const ids: string[] = [];
    for (let number = 0; number < ORDERS; number++) {
      const token = clients[number % CLIENTS]?.token ?? "";
      ids.push(String((await recharge(service.url, token, `bulk-${number}`, "9876543110"))["order_id"]));
    }
    // A new account goes to the cell with the fewest, so every cell has one of the three.
    expect(new Set(ids.map((id) => id.slice(18))).size).toBe(others + 1);
    const preview = await until("all orders wait for their provider", async () => {
      const shown = await change(service, "/bulk/settle/preview", { order_ids: ids });
      return shown["count"] === ORDERS ? shown : null;
    });
    const { selection_id, count, amount } = preview as { selection_id: string; count: number; amount: string };
    const body = { selection_id, count, amount, status: "FAILED", reason: "The operator has no such order." };
    const { job } = (await change(service, "/bulk/settle", body)) as { job: { job_id: string } };
    const settled = async () => {
      const found = await Promise.all(connections.map((sql) => sql`select subject_id from audit_log where action = 'order.settled'`));
      return found.flat().map((row) => row["subject_id"]);
    };
    await until("some orders are settled", async () => (await settled()).length >= 5);
    await service.kill();
    expect((await settled()).length).toBeLessThan(ORDERS);
    const other = await installation.another({ ...environment, CORPRAIL_OPERATOR_KEY: service.operatorKey });
    const done = await until(
      "the job is done",
      async () => {
        const { body: shown } = await operator(other, "GET", `/jobs/${job.job_id}`);
        return shown["state"] === "done" ? shown : null;
      },
      120_000,
    );
    expect(done).toMatchObject({ result: { done: ORDERS, skipped: 0, waiting: 0 } });
    expect((await settled()).toSorted()).toEqual(ids.toSorted());
    for (const { accountId } of clients)
      expect((await operator(other, "GET", `/accounts/${accountId}/wallet`)).body).toMatchObject({ balance: "100000.0000" });
    expect((await operator(other, "GET", "/ledger/check")).body).toMatchObject({ ok: true });
  },
);
