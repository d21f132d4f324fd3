import { afterAll, beforeAll, expect, test } from "vitest";
import { changeAccount } from "../../../domain/accounts/change-account.ts";
import { parseMoney } from "../../../platform/core/money.ts";
import { createAdmissionBatcher } from "../../client/gate/admission.ts";
import { createPortalFixture, type PortalFixture } from "../testing/fixture.ts";

let fixture: PortalFixture;
beforeAll(async () => {
  fixture = await createPortalFixture();
});
afterAll(() => fixture.close());

test("the gauges show what the gate has counted in the last minute, and fall back when it is over", async () => {
  const { accountId } = await fixture.newAccount();
  const visitor = fixture.as("read_only", accountId);
  expect((await visitor.get("/limits")).body).toMatchObject({
    money: { used: 0 },
    get: { used: 0 },
    daily: { used: "0.0000", limit: null },
  });
  await changeAccount(fixture.ctx, "test", { accountId, moneyPerMinute: 50, getPerMinute: 80, dailyLimit: parseMoney("2500.00") });
  const admission = createAdmissionBatcher(fixture.ctx.sql, fixture.ctx.clock);
  const admit = (budget: "money" | "get") => admission.admit({ accountId, budget, cap: 50, nonce: null });
  await Promise.all([admit("money"), admit("money"), admit("get")]);
  fixture.settings.clock.advance(30_000);
  await admit("money");
  expect((await visitor.get("/limits")).body).toEqual({
    money: { used: 3, limit: 50 },
    get: { used: 1, limit: 50 },
    daily: { used: "0.0000", limit: "2500.0000" },
  });
  fixture.settings.clock.advance(31_000);
  expect((await visitor.get("/limits")).body).toMatchObject({ money: { used: 1 }, get: { used: 0 } });
  fixture.settings.clock.advance(60_000);
  expect((await visitor.get("/limits")).body).toMatchObject({ money: { used: 0 }, get: { used: 0 } });
});
