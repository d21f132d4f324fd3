import { afterAll, beforeAll, expect, test } from "vitest";
import { changeAccount } from "../../domain/accounts/change-account.ts";
import { buildOrder } from "../../domain/complaints/testing/build-order.ts";
import { createPortalFixture, type PortalFixture, type Visitor } from "./testing/fixture.ts";
import { accountWithOrders, fund } from "./testing/orders.ts";

let fixture: PortalFixture;
beforeAll(async () => {
  fixture = await createPortalFixture();
});
afterAll(() => fixture.close());

async function clientWithBoth(): Promise<{ visitor: Visitor; accountId: string; sandboxId: string; live: string; trial: string }> {
  const [accountId, [live = ""]] = await accountWithOrders(fixture, [{}]);
  const visitor = fixture.as("owner", accountId);
  const { account_id: sandboxId } = (await visitor.post("/sandbox/create")).body;
  await fund(fixture, sandboxId, 100);
  return { visitor, accountId, sandboxId, live, trial: await buildOrder(fixture.ctx.orders, sandboxId, {}) };
}

test("in test mode every page is about the sandbox, and without a mode about the live account", async () => {
  const { visitor, live, trial } = await clientWithBoth();
  const listed = async (mode: string) => {
    const { items } = (await visitor.get(`/transactions${mode}`)).body;
    return items.map((item: { order_id: string }) => item.order_id);
  };
  expect([await listed(""), await listed("?mode=live"), await listed("?mode=test")]).toEqual([[live], [live], [trial]]);
  expect((await visitor.get("/home?mode=test")).body).toMatchObject({ balance: "10090.0000", today: { count: 1 } });
  expect((await visitor.get("/home")).body.balance).not.toBe("10090.0000");
  expect((await visitor.get(`/transactions/${live}?mode=test`)).status).toBe(404);
  expect((await visitor.get(`/transactions/${trial}`)).status).toBe(404);
  expect((await visitor.get("/transactions?mode=both")).body.fields).toEqual({ mode: "Must be live or test." });
});

test("a change in test mode changes the sandbox and nothing of the live account", async () => {
  const { visitor, accountId, sandboxId } = await clientWithBoth();
  await changeAccount(fixture.ctx, "test", { accountId, callbackUrl: "https://8.8.8.8/live" });
  const token = async (id: string) =>
    (
      await fixture.ctx.sql<
        { id: string }[]
      >`select credential_id as id from credentials where account_id = ${id} and kind = 'api_token' and expires_at is null and is_primary`
    )[0]?.id;
  const before = [await token(accountId), await token(sandboxId)];
  expect((await visitor.post("/credentials/token?mode=test")).body.api_token).toMatch(/^tok_test_/);
  expect([(await token(accountId)) === before[0], (await token(sandboxId)) === before[1]]).toEqual([true, false]);
  const taken = await visitor.post("/callback-settings/urls?mode=test", { callback_url: "https://8.8.8.8/live" });
  expect([taken.status, Object.keys(taken.body.fields)]).toEqual([400, ["callback_url"]]);
  expect((await visitor.post("/callback-settings/urls?mode=test", { callback_url: "https://8.8.4.4/test" })).status).toBe(200);
  expect((await visitor.get("/callback-settings")).body.callback_url).toBe("https://8.8.8.8/live");
});

test("the team, the sandbox and the session are the client's in both modes", async () => {
  const { visitor, accountId, sandboxId } = await clientWithBoth();
  for (const path of ["/team", "/sandbox", "/session", "/audit"]) {
    const [live, trial] = [await visitor.get(path), await visitor.get(`${path}?mode=test`)];
    expect([path, trial.status, trial.body]).toEqual([path, 200, live.body]);
  }
  expect((await visitor.get("/session?mode=test")).body.account).toMatchObject({ account_id: accountId, sandbox_id: sandboxId });
});

test("without a sandbox test mode says so, and a sandbox account is its own test data", async () => {
  const alone = fixture.as("owner", (await fixture.newAccount()).accountId);
  expect((await alone.get("/transactions?mode=test")).body.message).toBe("The account has no sandbox yet. Create it first.");
  const { accountId } = await fixture.newAccount({ sandbox: true });
  expect((await fixture.as("owner", accountId).get("/transactions?mode=test")).status).toBe(200);
});
