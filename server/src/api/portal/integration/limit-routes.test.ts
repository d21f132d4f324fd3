import { afterAll, beforeAll, expect, test } from "vitest";
import { changeAccount } from "../../../domain/accounts/change-account.ts";
import { parseMoney } from "../../../platform/core/money.ts";
import { openAdmissionDesk } from "../../client/gate/admission.ts";
import { openPortalHouse, type PortalHouse } from "../testing/house.ts";

let house: PortalHouse;
beforeAll(async () => {
  house = await openPortalHouse();
});
afterAll(() => house.close());

test("the gauges show what the gate has counted in the last minute, and fall back when it is over", async () => {
  const { accountId } = await house.newAccount();
  const visitor = house.as("read_only", accountId);
  expect((await visitor.get("/limits")).body).toMatchObject({
    money: { used: 0 },
    get: { used: 0 },
    daily: { used: "0.0000", limit: null },
  });
  await changeAccount(house.ctx, "test", { accountId, moneyPerMinute: 50, getPerMinute: 80, dailyLimit: parseMoney("2500.00") });
  const desk = openAdmissionDesk(house.ctx.sql, house.ctx.clock);
  const admit = (budget: "money" | "get") => desk.admit({ accountId, budget, cap: 50, nonce: null });
  await Promise.all([admit("money"), admit("money"), admit("get")]);
  house.settings.clock.advance(30_000);
  await admit("money");
  expect((await visitor.get("/limits")).body).toEqual({
    money: { used: 3, limit: 50 },
    get: { used: 1, limit: 50 },
    daily: { used: "0.0000", limit: "2500.0000" },
  });
  house.settings.clock.advance(31_000);
  expect((await visitor.get("/limits")).body).toMatchObject({ money: { used: 1 }, get: { used: 0 } });
  house.settings.clock.advance(60_000);
  expect((await visitor.get("/limits")).body).toMatchObject({ money: { used: 0 }, get: { used: 0 } });
});
