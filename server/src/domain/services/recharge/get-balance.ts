import { z } from "zod";
import { unixSeconds } from "../../../platform/core/clock.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import { type Route, route } from "../../client-api/route.ts";
import { readWallet } from "../../ledger/store.ts";
import { replyAmount } from "../fields.ts";
import { type RechargeContext, SERVICE } from "./context.ts";

export function getBalance(ctx: RechargeContext): Route {
  return route({
    method: "GET",
    path: "/balance",
    service: SERVICE,
    scope: "account",
    kind: "plain",
    summary: "Returns the balance that the account can spend now",
    input: z.object({}),
    reply: z.object({
      ok: z.literal(true),
      status: z.literal("SUCCESS"),
      code: z.literal(0),
      balance: replyAmount,
      held: replyAmount,
      currency: z.literal("INR"),
      wallet: z.enum(["active", "suspended"]),
      as_of: z.number().int(),
    }),
    handle: async ({ account }) => {
      const { available, held } = await readWallet(ctx.sql, account.accountId);
      return {
        kind: "record",
        fields: {
          ok: true,
          status: "SUCCESS",
          code: 0,
          balance: formatMoney(available),
          held: formatMoney(held),
          currency: "INR",
          wallet: account.wallet,
          as_of: unixSeconds(ctx.clock),
        },
      };
    },
  });
}
