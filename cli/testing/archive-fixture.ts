import { join } from "node:path";
import { expect } from "vitest";
import { sumAllTransfers } from "../../server/src/domain/ledger/month-sums.ts";
import {
  createOrdersFixture,
  ids,
  newOrder,
  type OrdersFixture,
  type OrdersProcess,
} from "../../server/src/domain/orders/testing/fixture.ts";
import { accept, settle, topUp } from "../../server/src/domain/orders/testing/operations.ts";
import type { Sql } from "../../server/src/platform/db/connection.ts";
import { makePartitions } from "../../server/src/platform/db/partitions/make-partitions.ts";
import { detachMonth, freezeMonth, type LeavingMonth, monthsBefore } from "../src/archive/leave-database.ts";
import { manifestPath } from "../src/archive/manifest.ts";
import { sha256Of } from "../src/archive/parquet.ts";
import { rollUpAll } from "../src/archive/rolled-up.ts";
import { readClosingsOf } from "../src/archive/verify-archive.ts";
import { corprail, type Variables } from "./processes.ts";

const OLD_MILLISECONDS = 190 * 24 * 3_600_000;

/** An installation with one process, whose months can be archived. */
export async function createArchiveFixture(): Promise<{ readonly fixture: OrdersFixture; readonly process: OrdersProcess }> {
  const fixture = await createOrdersFixture();
  await fixture.owner`
    insert into installation (installation_id, created_at, master_key_file, master_key_id) values ('I1', now(), '/nowhere', 'K1')`;
  return { fixture, process: fixture.startProcess() };
}

type ArchiveResult = { readonly code: number | null; readonly stderr: string } & Readonly<Record<string, unknown>>;

/** Runs archive commands on an installation, each with the JSON that it prints. `more`: further environment variables. */
export function archiveCommands(fixture: OrdersFixture, more: Variables = {}): (...given: readonly string[]) => Promise<ArchiveResult> {
  const variables = { CORPRAIL_DATABASE_URL: fixture.database.url, CORPRAIL_DATA_DIR: "/nowhere", ...more };
  return async (...given) => {
    const ended = await corprail(["archive", ...given, "--json"], variables);
    return { code: ended.code, stderr: ended.stderr, ...JSON.parse(ended.stdout) };
  };
}

/** Makes an account with a finished order of six months ago, in a month that has partitions. */
export async function addOldMonth(fixture: OrdersFixture, { ctx }: OrdersProcess): Promise<LeavingMonth> {
  fixture.clock.advance(-OLD_MILLISECONDS);
  const accountId = ids.account();
  await ctx.writer.write(topUp(accountId, 1000, "start"));
  const order = newOrder(accountId, { createdAt: fixture.clock.now() });
  await ctx.writer.write(accept(order));
  await ctx.writer.write(settle(order, "SUCCESS"));
  fixture.clock.advance(OLD_MILLISECONDS);
  await makePartitions(fixture.owner, Date.now());
  const [oldest] = await monthsBefore(fixture.owner, Date.now());
  if (!oldest) throw new Error("There is no old month.");
  return oldest;
}

/** Archives and detaches a month, as a run that is killed before it drops the tables leaves it. */
export async function detachAsKilledRun(owner: Sql, one: LeavingMonth, folder: string, variables: Variables): Promise<void> {
  await sumAllTransfers(owner);
  await rollUpAll(owner, Date.now());
  await freezeMonth(owner, one);
  expect(await corprail(["archive", "make", one.month, folder], variables)).toMatchObject({ code: 0 });
  const target = join(folder, one.month);
  expect(await detachMonth(owner, one, await sha256Of(manifestPath(target)), await readClosingsOf(target))).toEqual([]);
}
