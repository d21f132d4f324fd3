import { type ExampleValues, type Route, withExamples } from "../../client-api/route.ts";
import type { RechargeContext } from "./context.ts";
import { createRecharge } from "./create-recharge.ts";
import { getBalance } from "./get-balance.ts";
import { getRecharge } from "./get-recharge.ts";
import { listOperators } from "./list-operators.ts";
import { listPlans } from "./list-plans.ts";
import { listServices } from "./list-services.ts";
import { listStatement } from "./list-statement.ts";
import { listTransactions } from "./list-transactions.ts";
import { lookUpNumber } from "./look-up-number.ts";

/** The routes whose signature is optional: recharge, and what every account may read. */
export function rechargeRoutes(ctx: RechargeContext): readonly Route[] {
  return withExamples(
    [
      createRecharge(ctx),
      getRecharge(ctx),
      getBalance(ctx),
      listOperators(ctx),
      listServices(ctx),
      lookUpNumber(ctx),
      listPlans(ctx),
      listStatement(ctx),
      listTransactions(ctx),
    ],
    EXAMPLES,
  );
}

const EXAMPLES: Readonly<Record<string, ExampleValues>> = {
  "/operators": { name: "Airtel" },
  "/services": { name: "Recharge" },
  "/plans": { category: "Unlimited", description: "Unlimited calls and 1.5 GB a day" },
  "/statement": { type: "debit", amount: "-199.0000" },
  "/transactions": { message: "The recharge succeeded." },
};
