import { readAccount } from "../../../domain/accounts/read-account.ts";
import { readDayTotal } from "../../../domain/ledger/store.ts";
import { unixSeconds } from "../../../platform/core/clock.ts";
import { indiaDate } from "../../../platform/core/india-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import { readBudgets } from "../../client/gate/admission-store.ts";
import { notFound, nothing } from "../answers.ts";
import type { PortalContext } from "../context.ts";
import { EVERYBODY, json, memberRoute, type PortalRoute } from "../route.ts";

export function limitRoutes(ctx: PortalContext): readonly PortalRoute[] {
  return [
    memberRoute({
      method: "GET",
      path: "/limits",
      does: "Shows the use of the limits per minute and of the daily limit.",
      who: EVERYBODY,
      input: nothing,
      handle: async ({ session: { accountId } }) => {
        const [detail, used, day] = await Promise.all([
          readAccount(ctx, accountId),
          readBudgets(ctx.sql, accountId, unixSeconds(ctx.clock)),
          readDayTotal(ctx.sql, accountId, indiaDate(ctx.clock.now())),
        ]);
        if (!detail) return notFound("account");
        const { money_per_minute: money, get_per_minute: get, daily_limit: daily } = detail.account;
        return json({
          money: { used: used.money, limit: money },
          // Spec, Limits: never larger than the account's limit.
          get: { used: used.get, limit: Math.min(get, money) },
          daily: { used: formatMoney(day), limit: daily === null ? null : formatMoney(daily) },
        });
      },
    }),
  ];
}
