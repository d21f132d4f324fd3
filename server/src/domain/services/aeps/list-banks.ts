import { z } from "zod";
import { type Route, route } from "../../client-api/route.ts";
import { pageInput, pageOf } from "../page.ts";
import { listedBanks } from "./ask-provider.ts";
import { type AepsContext, SERVICE } from "./context.ts";
import { okReply } from "./fields.ts";

const bankItem = z.object({
  bank_iin: z.string(),
  name: z.string(),
  status: z.enum(["live", "not_live"]),
  txn_auth_required: z.boolean().describe("cash_withdrawal and aadhaar_pay need the auth_ref of a TXN authentication"),
});

export function listBanks(ctx: AepsContext): Route {
  return route({
    method: "GET",
    path: "/aeps/banks",
    service: SERVICE,
    kind: "plain",
    summary: "Lists the banks whose customers can be served",
    input: z.object(pageInput),
    reply: okReply.extend({ items: z.array(bankItem), next: z.string().nullable() }),
    handle: async ({ account, input }) => {
      const banks = await listedBanks(ctx, account);
      if (banks.kind === "refused") return banks;
      const page = pageOf(banks.value, input, (bank) => bank.iin);
      if (page.kind === "refused") return page;
      const items = page.items.map(({ iin, name, live, perTransaction }) => ({
        bank_iin: iin,
        name,
        status: live ? "live" : "not_live",
        txn_auth_required: perTransaction,
      }));
      return { kind: "list", items, next: page.next };
    },
  });
}
