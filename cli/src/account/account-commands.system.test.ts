import { tmpdir } from "node:os";
import { readConfig } from "@corprail/server/settings/config";
import { expect, test } from "vitest";
import { testInstallation } from "../../testing/installation.ts";
import { corprail, serving, temporaryFolder, type Variables } from "../../testing/processes.ts";
import { failed, type Outcome, UsageFault } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { allowAddresses, disallowAddresses } from "./allow-address.ts";
import { createOne } from "./create-account.ts";
import { listAll } from "./list-accounts.ts";
import { showAccount } from "./show-account.ts";
import { switchService } from "./switch-service.ts";
import { topUpWallet } from "./top-up.ts";

const MINUTES = 60_000;

type Work = (ctx: CommandContext) => Promise<Outcome>;

/** A command's own work, in this process: one for each of them would take most of the test's time. */
function runner(variables: Variables) {
  const read = readConfig(variables, tmpdir());
  if (!read.ok) throw new Error(read.message);
  const ctx: CommandContext = { config: read.config, environment: variables, note: () => {}, mayAsk: false };
  return async (work: Work) => {
    const outcome = await work(ctx).catch((error: unknown): Outcome => {
      if (error instanceof UsageFault) return { ...failed(error.message), exitCode: 2 };
      throw error;
    });
    return { code: outcome.exitCode, body: outcome.fields, report: outcome.report };
  };
}

async function newInstallation(name = "Acme Ltd") {
  const { variables, database } = await testInstallation();
  const run = runner(variables);
  const { body } = await run((ctx) => createOne(ctx, name, { allow: ["10.0.0.1"] }));
  return { run, database, accountId: String(body["account_id"]) };
}

test("accounts are listed and shown as the operator API shows them, without a secret", async () => {
  const { run, accountId } = await newInstallation();
  await run((ctx) => createOne(ctx, "Basil", {}));
  const listed = await run((ctx) => listAll(ctx, { search: "acme" }));
  expect(listed).toMatchObject({ code: 0, body: { more: false, accounts: [{ account_id: accountId, balance: "0.0000" }] } });
  expect((await run((ctx) => listAll(ctx, { most: 1 }))).body).toMatchObject({ more: true, accounts: [{ name: "Basil" }] });
  const shown = await run((ctx) => showAccount(ctx, accountId));
  expect(shown.body["account"]).toMatchObject({ name: "Acme Ltd", standing: "active", services: { recharge: true, bills: false } });
  expect(shown.report).toMatch(/^addresses +10\.0\.0\.1$/m);
  expect(JSON.stringify(shown)).not.toMatch(/tok_|sig_|cbk_/);
});

test("addresses are added and removed; one that lets everybody in has to be confirmed", async () => {
  const { run, database, accountId } = await newInstallation();
  const allow = (addresses: readonly string[], yes = false) => run((ctx) => allowAddresses(ctx, accountId, addresses, { yes }));
  const disallow = (addresses: readonly string[]) => run((ctx) => disallowAddresses(ctx, accountId, addresses));
  expect((await allow(["198.51.100.77/24", "::1"])).body["allowlist"]).toEqual(["10.0.0.1", "198.51.100.0/24", "::1"]);
  expect(await allow(["0.0.0.0/0"])).toMatchObject({ code: 2, body: { error: expect.stringMatching(/every address.*--yes/) } });
  expect((await allow(["0.0.0.0/0"], true)).code).toBe(0);
  expect((await disallow(["0.0.0.0/0", "10.0.0.1"])).body["allowlist"]).toEqual(["198.51.100.0/24", "::1"]);
  expect((await disallow(["10.9.9.9"])).code).toBe(1);
  expect((await allow(["nonsense"])).code).toBe(2);
  const actors = await database.sql<{ actor: string }[]>`select distinct actor from audit_log`;
  expect(actors).toEqual([{ actor: expect.stringMatching(/^cli:./) }]);
});

test("money is added once for each reference, and only after somebody agreed", async () => {
  const { run, database, accountId } = await newInstallation();
  const topUp = (amount: string, reference: string, yes = true) =>
    run((ctx) => topUpWallet(ctx, accountId, amount, { reference, yes, note: "By bank" }));
  expect(await topUp("500", "B-1", false)).toMatchObject({
    code: 2,
    body: { error: expect.stringMatching(/adds 500\.0000 rupees .*--yes/) },
  });
  expect((await topUp("500", "B-1")).body).toMatchObject({ balance: "500.0000", already_done: false });
  expect((await topUp("500.00", "B-1")).body).toMatchObject({ balance: "500.0000", already_done: true });
  expect(await topUp("600", "B-1")).toMatchObject({ code: 1, body: { error: expect.stringContaining("another amount") } });
  for (const wrong of ["0", "1e3", "1,000", "-5"]) expect((await topUp(wrong, "B-2")).code).toBe(2);
  expect((await topUp("1", "B 3")).code).toBe(2);
  const trail = await database.sql<{ actor: string; details: string }[]>`
    select actor, details from audit_log where action = 'wallet.topped_up'`;
  expect(trail.map(({ actor, details }) => ({ actor, ...JSON.parse(details) }))).toMatchObject([
    { actor: expect.stringMatching(/^cli:./), amount: "500.0000", reference: "B-1", note: "By bank" },
  ]);
});

test("with four eyes on for wallets no command moves money, however little", async () => {
  const { run, database, accountId } = await newInstallation();
  await database.sql`update approval_rules set wallet_threshold = 10000000`;
  const ended = await run((ctx) => topUpWallet(ctx, accountId, "1", { reference: "B-1", yes: true }));
  expect(ended).toMatchObject({ code: 1, body: { error: expect.stringMatching(/Four eyes are on.*console/) } });
  expect((await run((ctx) => showAccount(ctx, accountId))).body["account"]).toMatchObject({ balance: "0.0000" });
});

test("an account or a service that is not there is named, with how to find one", async () => {
  const { run, accountId } = await newInstallation();
  const works: readonly Work[] = [
    (ctx) => showAccount(ctx, "ANOBODY"),
    (ctx) => allowAddresses(ctx, "ANOBODY", ["10.0.0.1"], {}),
    (ctx) => disallowAddresses(ctx, "ANOBODY", ["10.0.0.1"]),
    (ctx) => switchService(ctx, "ANOBODY", "bills", "on"),
    (ctx) => topUpWallet(ctx, "ANOBODY", "1", { reference: "R", yes: true }),
  ];
  for (const work of works)
    expect(await run(work)).toMatchObject({ code: 1, body: { error: expect.stringMatching(/ANOBODY.*corprail account list/) } });
  const gas = await run((ctx) => switchService(ctx, accountId, "gas", "on"));
  expect(gas).toMatchObject({ code: 1, body: { error: "There is no service gas; there are recharge, bills, transfers, bus, aeps." } });
});

test("a service that runs knows every change within a second", { timeout: 3 * MINUTES }, async () => {
  const variables = { CORPRAIL_DATA_DIR: temporaryFolder() };
  const service = await serving(variables);
  const json = async (...given: readonly string[]) => JSON.parse((await corprail([...given, "--json"], variables)).stdout);
  const { account_id: accountId, api_token: token } = await json("account", "create", "Acme Ltd");
  const ask = async (path: string) => await fetch(`${service.base}/api/corp/v1${path}`, { headers: { "X-Api-Token": token } });
  await expect.poll(async () => (await ask("/balance")).status).toBe(403);
  expect(await json("account", "allow", accountId, "127.0.0.1")).toMatchObject({ ok: true });
  await expect.poll(async () => (await ask("/balance")).status, { interval: 50 }).toBe(200);
  expect(await json("account", "topup", accountId, "75.50", "--reference", "B-1", "--yes")).toMatchObject({ ok: true });
  expect(await (await ask("/balance")).json()).toMatchObject({ balance: "75.5000" });
  expect((await json("account", "service", accountId, "bills", "on")).services).toMatchObject({ bills: true });
  const bills = async () => {
    const { items } = (await (await ask("/services")).json()) as { items: { service: string; enabled: boolean }[] };
    return items.find((one) => one.service === "bills")?.enabled;
  };
  await expect.poll(bills, { interval: 50 }).toBe(true);
  expect(await service.stop()).toBe(0);
});
