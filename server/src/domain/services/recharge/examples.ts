import type { ExampleValues } from "../../client-api/route.ts";

export const EXAMPLES: Readonly<Record<string, ExampleValues>> = {
  "/operators": { name: "Airtel" },
  "/services": { name: "Recharge" },
  "/plans": { category: "Unlimited", description: "Unlimited calls and 1.5 GB a day" },
  "/statement": { type: "debit", amount: "-199.0000" },
  "/transactions": { message: "The recharge succeeded." },
};
