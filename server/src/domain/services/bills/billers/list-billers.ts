import { z } from "zod";
import { formatMoney } from "../../../../platform/core/money.ts";
import type { JsonObject } from "../../../../platform/core/strict-json.ts";
import { type Route, route } from "../../../client-api/route.ts";
import { replyAmount } from "../../fields.ts";
import { pageInput, pageOf } from "../../page.ts";
import { type BillsContext, SERVICE } from "../context.ts";
import { type Biller, EXACTNESSES, FLOWS } from "./biller.ts";
import { readBillers } from "./read-billers.ts";

const text = z.string().max(64, "is too long").optional();
const input = z.object({ ...pageInput, category: text, search: text.describe("Part of a name or biller_id"), biller_id: text });
type Input = z.infer<typeof input>;

const billerItem = z.object({
  biller_id: z.string(),
  name: z.string(),
  category: z.string(),
  flow: z.enum(FLOWS),
  exactness: z.enum(EXACTNESSES),
  min_amount: replyAmount,
  max_amount: replyAmount,
  params: z.array(z.object({ name: z.string(), label: z.string(), pattern: z.string(), example: z.string(), optional: z.boolean() })),
  fee: z.object({ flat: replyAmount, percent: z.string().describe("Of the amount, with two places") }),
  payment_modes: z.array(z.string()),
  status: z.enum(["active", "inactive"]),
});

export function listBillers(ctx: BillsContext): Route {
  return route({
    method: "GET",
    path: "/bills/billers",
    service: SERVICE,
    kind: "plain",
    summary: "Lists the billers with the parameters, amounts and payment modes they accept",
    input,
    reply: z.object({ ok: z.literal(true), items: z.array(billerItem), next: z.string().nullable() }),
    handle: async ({ account, input: asked }) => {
      const read = await readBillers(ctx, account);
      if (read.kind === "refused") return read;
      const page = pageOf(read.items.filter(isWanted(asked)), asked, (one) => one.billerId);
      return page.kind === "refused" ? page : { kind: "list", items: page.items.map(billerFields), next: page.next };
    },
  });
}

function isWanted({ category, search, biller_id: billerId }: Input): (biller: Biller) => boolean {
  const sought = search?.toLowerCase() ?? "";
  return (biller) =>
    (category === undefined || biller.category === category) &&
    (billerId === undefined || biller.billerId === billerId) &&
    (biller.name.toLowerCase().includes(sought) || biller.billerId.toLowerCase().includes(sought));
}

function billerFields(biller: Biller): JsonObject {
  return {
    biller_id: biller.billerId,
    name: biller.name,
    category: biller.category,
    flow: biller.flow,
    exactness: biller.exactness,
    min_amount: formatMoney(biller.minAmount),
    max_amount: formatMoney(biller.maxAmount),
    params: biller.params.map(({ name, label, pattern, example, optional }) => ({
      name,
      label,
      pattern: pattern.source,
      example,
      optional,
    })),
    fee: { flat: formatMoney(biller.fee.flat), percent: percentText(biller.fee.basisPoints) },
    payment_modes: biller.paymentModes,
    status: biller.active ? "active" : "inactive",
  };
}

function percentText(basisPoints: bigint): string {
  return `${basisPoints / 100n}.${(basisPoints % 100n).toString().padStart(2, "0")}`;
}
