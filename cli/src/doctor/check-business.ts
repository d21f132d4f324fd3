import { readOverview } from "@corprail/server/domain/callbacks/queries/read-overview";
import { checkLedger } from "@corprail/server/domain/ledger/invariants";
import { systemClock } from "@corprail/server/platform/core/clock";
import type { Sql } from "@corprail/server/platform/db/connection";
import { counted } from "../shared/counted.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

const LEDGER_SAMPLE = 100;
// Keeps this check quick. `ledger verify` checks large histories.
const LEDGER_MOST_TRANSFERS = 20_000;
const OVERDUE_SECONDS = 10 * 60;
const SHOWN = 5;

/** Checks ledger, orders and callbacks. */
export async function checkBusiness({ config }: CommandContext, sql: Sql): Promise<readonly Finding[]> {
  const now = systemClock(config.clockOffsetSeconds).now();
  return [await checkLedgerSample(sql), ...(await checkOrders(sql, now)), ...(await checkCallbacks(sql, now))];
}

async function checkLedgerSample(sql: Sql): Promise<Finding> {
  const sample = await sql<{ account_id: string }[]>`
    select account_id from wallets where seq <= ${LEDGER_MOST_TRANSFERS} order by random() limit ${LEDGER_SAMPLE}`;
  const results = await checkLedger(
    sql,
    sample.map((row) => row.account_id),
  );
  const broken = results.filter((check) => check.violations > 0);
  const consistent = `${counted(sample.length, "account")} picked at random ${sample.length === 1 ? "is" : "are"} consistent`;
  if (broken.length === 0) return ok("ledger", consistent);
  return fail("ledger", broken.map((check) => `${check.violations} against "${check.name}"`).join("; "), "Run: corprail ledger verify");
}

async function checkOrders(sql: Sql, now: number): Promise<readonly Finding[]> {
  const human = await sql<{ order_id: string }[]>`select order_id from pending_polls where needs_human order by since limit ${SHOWN + 1}`;
  const late = new Date(now - OVERDUE_SECONDS * 1000);
  const [overdue] = await sql<{ count: number }[]>`
    select count(*)::int as count from (select 1 from pending_polls where not needs_human and due_at < ${late} limit 10000) bounded`;
  const count = overdue?.count ?? 0;
  const named = `${human
    .slice(0, SHOWN)
    .map((row) => row.order_id)
    .join(", ")}${human.length > SHOWN ? " and more" : ""}`;
  return [
    human.length === 0
      ? ok("orders in doubt", "none waits for staff")
      : warn("orders in doubt", `staff must settle ${named}`, "Look them up at the provider, then settle them in the console."),
    count === 0
      ? ok("pending orders", "none is overdue")
      : warn("pending orders", `${count} should have been asked about by now`, "Is a service running? Look into its log for the provider."),
  ];
}

async function checkCallbacks(sql: Sql, now: number): Promise<readonly Finding[]> {
  const { targets, waiting, oldest } = await readOverview(sql, now, "live");
  const overdue = oldest.filter(({ seconds }) => seconds > OVERDUE_SECONDS);
  const stuck = targets.parked + targets.paused;
  return [
    overdue.length === 0
      ? ok("callbacks", `${waiting} waiting, none overdue`)
      : warn(
          "callbacks",
          `${waiting} waiting; overdue for account ${overdue
            .slice(0, SHOWN)
            .map((one) => one.accountId)
            .join(", ")}`,
          "Is a service running?",
        ),
    targets.broken === 0
      ? ok("receivers", "every receiver answers")
      : warn(
          "receivers",
          `${targets.broken} do not answer; their callbacks wait`,
          "Tell those clients. The console's Callbacks page shows which.",
        ),
    stuck === 0
      ? ok("parked callbacks", "none")
      : warn(
          "parked callbacks",
          `${targets.parked} receivers without a URL, ${targets.paused} paused`,
          "Set the URL, or resume them, in the console.",
        ),
  ];
}
