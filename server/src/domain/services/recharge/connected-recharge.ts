import type { QueryValue } from "@corprail/connector";
import { requireMoney } from "../../../platform/core/money.ts";
import type { Plan } from "../../catalog/numbering.ts";
import { convertedOnce, type ProviderLists } from "../signed/provider-lists.ts";
import type { ProviderQueries } from "../signed/provider-queries.ts";
import type { RechargeProviderService } from "./provider-service.ts";

/** The plans and the number lookup of a real provider, as far as it has them. */
export function connectedRecharge(queries: ProviderQueries, lists: ProviderLists): RechargeProviderService {
  return {
    plans: queries.has("plans")
      ? async (operator, circle) => await toPlans((await lists(queries, "plans", { operator, circle })).plans)
      : null,
    lookUp: queries.has("lookup")
      ? async (number) => {
          const asked = await queries.ask("lookup", { number });
          return asked.kind === "answered" ? asked.value : null;
        }
      : null,
  };
}

const toPlans = convertedOnce(toPlan);

function toPlan({ amount, validity, data, talktime, category, description }: QueryValue<"plans">["plans"][number]): Plan {
  return { amount: requireMoney(amount), validity, data, talktime, category, description };
}
