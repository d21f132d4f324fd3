import { z } from "zod";
import { readAccount } from "../../../domain/accounts/read-account.ts";
import { readDayTotal } from "../../../domain/ledger/store.ts";
import { unixSeconds } from "../../../platform/core/clock.ts";
import { indiaDate } from "../../../platform/core/india-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import { readBudgets } from "../../client/gate/admission-store.ts";
import { noSuch } from "../../sites/actions/refusal.ts";
import { moneyText } from "../../sites/outputs/output-fields.ts";
import { EVERYBODY } from "../access.ts";
import { action, type PortalAction } from "../action.ts";
import { nothing } from "../answers.ts";

const perMinute = z.strictObject({ used: z.int(), limit: z.int() }).describe("Requests of the current minute.");

const showLimits = action({
  path: "GET /limits",
  summary: "Shows the use of the limits per minute and of the daily limit.",
  roles: EVERYBODY,
  input: nothing,
  output: z
    .strictObject({ money: perMinute, get: perMinute, daily: z.strictObject({ used: moneyText, limit: moneyText.nullable() }) })
    .meta({ id: "Limits" }),
  handler: async ({ deps, session: { accountId } }) => {
    const [detail, used, day] = await Promise.all([
      readAccount(deps, accountId),
      readBudgets(deps.sql, accountId, unixSeconds(deps.clock)),
      readDayTotal(deps.sql, accountId, indiaDate(deps.clock.now())),
    ]);
    if (!detail) return noSuch("account");
    const { money_per_minute: money, get_per_minute: get, daily_limit: daily } = detail.account;
    return {
      money: { used: used.money, limit: money },
      // Spec, Limits: never larger than the account's limit.
      get: { used: used.get, limit: Math.min(get, money) },
      daily: { used: formatMoney(day), limit: daily === null ? null : formatMoney(daily) },
    };
  },
});

export const limitActions: readonly PortalAction[] = [showLimits];
