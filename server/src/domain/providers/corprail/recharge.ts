import { z } from "zod";
import { formatMoney } from "../../../platform/core/money.ts";
import { type Queries, read, readAll, resultOf } from "./ask.ts";
import type { CorprailSettings } from "./settings.ts";
import { type Transactions, written } from "./transaction.ts";

type Operators = Pick<CorprailSettings, "operators">;

/** The other installation's code of one of our operators; null if the map has none. */
export function remoteOperatorCode({ operators }: Operators, ours: string): string | null {
  if (!operators) return ours;
  return Object.hasOwn(operators, ours) ? (operators[ours] ?? null) : null;
}

/** Our code of one of the other installation's operators; null if the map has none. */
function localOperatorCode({ operators }: Operators, theirs: string): string | null {
  if (!operators) return theirs;
  return Object.entries(operators).find(([, code]) => code === theirs)?.[0] ?? null;
}

export function rechargeTransactions(settings: Operators): Transactions {
  return {
    "recharge.pay": {
      statusPath: "/recharge",
      referenceName: "urid",
      write: async (_session, request) =>
        written("/recharge", {
          account: request.target,
          operator: remoteOperatorCode(settings, request.operator) ?? "",
          amount: formatMoney(request.amount),
          urid: request.reference,
          ...(request.circle === null ? {} : { circle: request.circle }),
        }),
    },
  };
}

const PAGE = 200;
const balance = z.object({ balance: z.string() });
const origin = z.object({ operator: z.string(), circle: z.string().nullable(), ported: z.boolean() });
const plan = z.object({
  amount: z.string(),
  validity: z.string(),
  data: z.string(),
  talktime: z.string(),
  category: z.string(),
  description: z.string(),
});

export function rechargeQueries(settings: Operators): Queries {
  return {
    balance: async (session) => resultOf(await read(session.get("/balance"), balance), (value) => value),
    lookup: async (session, { number }) => {
      const found = await read(session.get("/lookup", [["account", number]]), origin);
      if (found.kind !== "answered") return resultOf(found, () => ({}));
      const operator = localOperatorCode(settings, found.value.operator);
      if (operator === null)
        return { kind: "refused", code: "not_found", reason: `no operator of ours has the code ${found.value.operator.slice(0, 40)}` };
      return { kind: "answered", value: { ...found.value, operator } };
    },
    plans: async (session, { operator, circle }) => {
      const theirs = remoteOperatorCode(settings, operator);
      if (theirs === null) return { kind: "refused", code: "not_found", reason: `this provider has no code for the operator ${operator}` };
      const query = [["operator", theirs] as const, ...(circle === null ? [] : [["circle", circle] as const])];
      return resultOf(await readAll(session, { path: "/plans", query, limit: PAGE, item: plan }), (plans) => ({ plans: [...plans] }));
    },
  };
}
