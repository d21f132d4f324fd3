import { z } from "zod";
import { type Route, route } from "../../client-api/route.ts";
import { pageInput, pageOf } from "../page.ts";
import { SERVICE, type TransfersContext } from "./context.ts";
import { findUnlisting, readBanks } from "./find-provider.ts";
import { MODES } from "./transactions/quote-store.ts";

const bankItem = z.object({
  bank: z.string(),
  name: z.string(),
  ifsc_prefix: z.string().describe("How the bank's IFSCs begin"),
  modes: z.array(z.enum(MODES)),
  status: z.enum(["up", "down"]),
});

export function listBanks(ctx: TransfersContext): Route {
  return route({
    method: "GET",
    path: "/transfers/banks",
    service: SERVICE,
    kind: "plain",
    summary: "Lists the banks to which money can be sent",
    input: z.object(pageInput),
    reply: z.object({ ok: z.literal(true), items: z.array(bankItem), next: z.string().nullable() }),
    handle: async ({ account, input }) => {
      const banks = await readBanks(ctx, account);
      if (banks.kind === "refused") return banks;
      const page = pageOf(banks.items, input, (one) => one.bank);
      if (page.kind === "refused") return page;
      const isReached = (bank: string) => findUnlisting(ctx, account, account.accountId, bank).length > 0;
      const items = page.items.map(({ bank, name, status }) => ({
        ...{ bank, name, ifsc_prefix: `${bank}0`, modes: MODES },
        status: status === "down" && isReached(bank) ? "up" : status,
      }));
      return { kind: "list", items, next: page.next };
    },
  });
}
