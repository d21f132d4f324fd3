import { orderIdAt } from "../../../platform/core/ids.ts";
import { indiaMidnight } from "../../../platform/core/india-time.ts";
import { createLog } from "../../../platform/observability/log.ts";
import { buildOrder } from "../../complaints/testing/build-order.ts";
import type { Job } from "../../jobs/job.ts";
import type { JobContext, JobKinds } from "../../jobs/kind.ts";
import { createJobRunner, type JobRunner } from "../../jobs/runner.ts";
import { findJob } from "../../jobs/store.ts";
import { createOrdersFixture, ids, type OrdersFixture, type OrdersProcess } from "../../orders/testing/fixture.ts";
import type { Mapping } from "../file/mapping.ts";
import { uploadFile } from "../file/upload-file.ts";
import { type Item, listItems } from "../item.ts";
import type { Reconciliation } from "../reconciliation.ts";
import { runReconciliation } from "../run-reconciliation.ts";
import { startRun } from "../start-run.ts";
import { findReconciliation } from "../store.ts";

export const DAY = "2026-03-05";
export const NOON = (indiaMidnight(DAY) ?? 0) + 12 * 3_600_000;

export const MAPPING: Mapping = {
  reference: "Client Ref",
  provider_reference: "Txn ID",
  amount: "Amount",
  status: "Status",
  success: ["SUCCESS"],
  failed: ["FAILED"],
  pending: ["PENDING"],
};

export type Line = { readonly ref: string; readonly txn?: string; readonly amount?: string; readonly status?: string };

/** A provider's file. Lines have ten rupees and success by default. */
export function fileOf(lines: readonly Line[]): string {
  const rows = lines.map(({ ref, txn = "", amount = "10.00", status = "SUCCESS" }) => `${txn},${ref},05/03/2026,${amount},${status}`);
  return `${["Txn ID,Client Ref,Date,Amount,Status", ...rows].join("\r\n")}\r\n`;
}

export type Fixture = {
  readonly orders: OrdersFixture;
  readonly process: OrdersProcess;
  readonly ctx: JobContext;
  readonly accountId: string;
  /** Creates an order at the simulator on that day. */
  readonly order: (wanted?: Parameters<typeof buildOrder>[2]) => Promise<string>;
  readonly upload: (file: string | Uint8Array, name?: string) => Promise<Reconciliation>;
  readonly start: (id: string, mapping?: Mapping) => Promise<string>;
  /** Runs the waiting jobs, with these kinds in addition to the run itself. */
  readonly work: (kinds?: JobKinds<JobContext>) => Promise<void>;
  readonly runner: (kinds?: JobKinds<JobContext>) => JobRunner;
  readonly job: (jobId: string) => Promise<Job>;
  /** Uploads and runs a file, and returns the result. */
  readonly reconcile: (file: string, mapping?: Mapping) => Promise<Reconciliation>;
  readonly read: (id: string) => Promise<Reconciliation>;
  readonly items: (id: string) => Promise<readonly Item[]>;
  readonly close: () => Promise<void>;
};

async function* inChunks(file: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(file);
  for (let at = 0; at < bytes.length; at += 60_000) yield bytes.subarray(at, at + 60_000);
}

/** Reconciliation on a separate database, with its clock at noon of that day. */
export async function createFixture(): Promise<Fixture> {
  const orders = await createOrdersFixture();
  orders.clock.advance(NOON - orders.clock.now());
  const process = orders.startProcess();
  const { sql } = orders.database;
  const ctx: JobContext = { sql, clock: orders.clock, ids, log: createLog("silent") };
  const accountId = await orders.newAccount(process, 100_000);
  const runner: Fixture["runner"] = (kinds = {}) =>
    createJobRunner(ctx, { owner: "staff", kinds: { reconcile: runReconciliation, ...kinds } });
  const read = async (id: string) => present(await findReconciliation(sql, id));
  const fixture: Fixture = {
    orders,
    process,
    ctx,
    accountId,
    order: (wanted = {}) => buildOrder(process.ctx, accountId, wanted),
    upload: async (file, name = "simulator.csv") => {
      const done = await uploadFile(ctx, "staff:S1", { provider: "simulator", day: DAY, name, content: inChunks(file) });
      if (done.kind !== "done") throw new Error(JSON.stringify(done));
      return done.reconciliation;
    },
    start: async (id, mapping = MAPPING) => {
      const started = await startRun(ctx, "staff:S1", id, mapping);
      if (started.kind !== "done") throw new Error(JSON.stringify(started));
      return started.job.jobId;
    },
    runner,
    work: async (kinds) => {
      const one = runner(kinds);
      await one.look();
      await one.idle();
    },
    job: async (jobId) => present(await findJob(sql, { owner: "staff", jobId })),
    reconcile: async (file, mapping) => {
      const { reconciliationId } = await fixture.upload(file);
      await fixture.start(reconciliationId, mapping);
      await fixture.work();
      return await read(reconciliationId);
    },
    read,
    items: (id) => listItems(sql, id, { after: 0, limit: 1_000_000 }),
    close: orders.close,
  };
  return fixture;
}

function present<Value>(value: Value | null): Value {
  if (value === null) throw new Error("The value is missing.");
  return value;
}

/** Creates finished orders without transfers, a millisecond apart, for tests that only read them. Returns their ids. */
export async function manyOrders(fixture: Fixture, count: number): Promise<readonly string[]> {
  const orderIds = Array.from({ length: count }, (_, place) => `${orderIdAt(NOON + place)}ZZZZZZZZ`);
  await fixture.ctx.sql`
    insert into orders (account_id, order_id, service, reference, fingerprint, state, amount, amount_text, target, operator, provider,
      process_id, created_at, updated_at)
    select ${fixture.accountId}, o.order_id, 'recharge', o.order_id, '', 1, 100000, '10', '9876543210', 'AT', 'simulator', 'P', ${new Date(NOON)},
      ${new Date(NOON)}
    from unnest(${orderIds}::text[]) as o (order_id)`;
  return orderIds;
}
