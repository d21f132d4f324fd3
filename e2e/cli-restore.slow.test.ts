import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { call, type FundedAccount, openFundedAccount, recharge } from "../cli/testing/accounts.ts";
import { scratchFolder } from "../cli/testing/client.ts";
import { corprail, type Serving, serving, temporaryFolder } from "../cli/testing/processes.ts";

async function balanceOf({ base }: Serving, token: string): Promise<unknown> {
  const reply = await fetch(`${base}/api/corp/v1/balance`, { headers: { "X-Api-Token": token } });
  const { balance, held } = (await reply.json()) as { balance: string; held: string };
  return { status: reply.status, balance, held };
}

async function lookUp({ base }: Serving, token: string, orderId: string): Promise<unknown> {
  const reply = await fetch(`${base}/api/corp/v1/recharge?order_id=${orderId}`, { headers: { "X-Api-Token": token } });
  return await reply.json();
}

/** Accounts with orders that succeeded, failed and are pending. */
async function doBusiness(service: Serving): Promise<{ readonly accounts: readonly FundedAccount[]; readonly orders: readonly string[] }> {
  const accounts = [await openFundedAccount(service, "1000.00"), await openFundedAccount(service, "77.7700")];
  const orders: string[] = [];
  for (const account of accounts)
    for (const target of ["9876543000", "9876543102", "9876543110"])
      orders.push((await recharge(service, account, { operator: "AT", account: target, amount: "10.5" })).order_id);
  return { accounts, orders };
}

test("what was backed up under a running service is all there in a fresh folder: balances, tokens, orders, ledger, audit log", async () => {
  const [folder, kept] = [temporaryFolder(), scratchFolder()];
  const variables = { CORPRAIL_DATA_DIR: folder };
  const service = await serving(variables);
  const { accounts, orders } = await doBusiness(service);
  const before = await Promise.all(accounts.map(({ token }) => balanceOf(service, token)));
  expect(before[0]).toEqual({ status: 200, balance: "979.0000", held: "10.5000" });
  const file = join(kept, "one.backup");
  const backedUp = await corprail(["backup", file, "--json"], variables);
  expect(backedUp).toMatchObject({ code: 0, stderr: expect.stringContaining("master key is not in it") });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  // Afterwards, so it is not in the backup.
  const later = await openFundedAccount(service, "5.00");
  expect(await service.stop()).toBe(0);
  const keyCopy = join(kept, "key");
  writeFileSync(keyCopy, readFileSync(join(folder, "master-key")));
  rmSync(folder, { recursive: true });

  const fresh = join(temporaryFolder(), "data");
  const restored = await corprail(["restore", file, "--master-key", keyCopy, "--json"], { CORPRAIL_DATA_DIR: fresh });
  expect(restored).toMatchObject({ code: 0 });
  expect(JSON.parse(restored.stdout)).toMatchObject({ ok: true, ledger_ok: true, audit_ok: true, master_key: "write" });
  expect(statSync(join(fresh, "master-key")).mode & 0o777).toBe(0o600);

  const again = await serving({ CORPRAIL_DATA_DIR: fresh });
  expect(await Promise.all(accounts.map(({ token }) => balanceOf(again, token)))).toEqual(before);
  for (const [place, orderId] of orders.entries())
    expect(await lookUp(again, accounts[place < 3 ? 0 : 1]?.token ?? "", orderId)).toMatchObject({ order_id: orderId });
  expect(await call(again, later.token)).toBe(401);
  const more = await recharge(again, accounts[0] as FundedAccount, { operator: "AT", account: "9876543000", amount: "11" });
  expect(more.status).toBe("SUCCESS");
  expect(existsSync(join(fresh, "first-run.txt"))).toBe(false);
  expect(await corprail(["ledger", "verify"], { CORPRAIL_DATA_DIR: fresh })).toMatchObject({ code: 0 });
  expect(await corprail(["audit", "verify"], { CORPRAIL_DATA_DIR: fresh })).toMatchObject({ code: 0 });
  expect(await again.stop()).toBe(0);
});

test("a backup with the master key in it, made without a service, needs nothing else; a folder that is not empty is refused", async () => {
  const [folder, kept, fresh] = [temporaryFolder(), scratchFolder(), temporaryFolder()];
  const service = await serving({ CORPRAIL_DATA_DIR: folder });
  const account = await openFundedAccount(service, "12.34");
  expect(await service.stop()).toBe(0);
  const file = join(kept, "two.backup");
  const backedUp = await corprail(["backup", file, "--with-master-key"], { CORPRAIL_DATA_DIR: folder });
  expect(backedUp).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/starting its database.*\nBacking up .*\n.*whoever has the file has every token/),
  });

  const before = readFileSync(join(folder, "master-key"), "utf8");
  expect(await corprail(["restore", file], { CORPRAIL_DATA_DIR: folder })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("is not empty"),
  });
  expect(readFileSync(join(folder, "master-key"), "utf8")).toBe(before);

  expect(await corprail(["restore", file], { CORPRAIL_DATA_DIR: fresh })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("The ledger is consistent"),
  });
  const again = await serving({ CORPRAIL_DATA_DIR: fresh });
  expect(await balanceOf(again, account.token)).toEqual({ status: 200, balance: "12.3400", held: "0.0000" });
  expect(await again.stop()).toBe(0);
});
