import postgres from "postgres";
import { expect, test } from "vitest";
import { until } from "./harness/deadline.ts";
import { change, newClient, operator } from "./harness/operator.ts";
import { recharge } from "./harness/portal-client.ts";
import { startInstallation } from "./harness/service.ts";

const ORDERS = 120;

// Slow, because the job's lease must end before another process continues it.
test("a bulk settlement whose process is killed is continued by another one, and settles each order once", {
  timeout: 240_000,
}, async () => {
  const installation = await startInstallation({ CORPRAIL_SIMULATOR_DELAY_MS: "0", CORPRAIL_REPLY_WAIT_MS: "200" });
  const sql = postgres(installation.databaseUrl, { max: 2 });
  try {
    const { service } = installation;
    const { accountId, token } = await newClient(service, { settings: { money_per_minute: 100_000 } });
    await change(service, `/accounts/${accountId}/wallet`, { amount: "100000.00", reference: "start", note: "bulk" });
    const ids: string[] = [];
    for (let number = 0; number < ORDERS; number++)
      ids.push(String((await recharge(service.url, token, `bulk-${number}`, "9876543110"))["order_id"]));
    const preview = await until("all orders wait for their provider", async () => {
      const shown = await change(service, "/bulk/settle/preview", { order_ids: ids });
      return shown["count"] === ORDERS ? shown : null;
    });
    const { selection_id, count, amount } = preview as { selection_id: string; count: number; amount: string };
    const body = { selection_id, count, amount, status: "FAILED", reason: "The operator has no such order." };
    const { job } = (await change(service, "/bulk/settle", body)) as { job: { job_id: string } };
    const settled = async () =>
      (await sql`select subject_id from audit_log where action = 'order.settled'`).map((row) => row["subject_id"]);
    await until("some orders are settled", async () => (await settled()).length >= 5);
    await service.kill();
    const before = (await settled()).length;
    expect(before).toBeLessThan(ORDERS);
    const other = await installation.another({ CORPRAIL_OPERATOR_KEY: service.operatorKey });
    const done = await until(
      "the job is done",
      async () => {
        const { body: shown } = await operator(other, "GET", `/jobs/${job.job_id}`);
        return shown["state"] === "done" ? shown : null;
      },
      120_000,
    );
    expect(done).toMatchObject({ result: { done: ORDERS, skipped: 0 } });
    expect((await settled()).toSorted()).toEqual(ids.toSorted());
    expect((await operator(other, "GET", `/accounts/${accountId}/wallet`)).body).toMatchObject({ balance: "100000.0000" });
    expect((await operator(other, "GET", "/ledger/check")).body).toMatchObject({ ok: true });
  } finally {
    await sql.end();
    await installation.close();
  }
});
