import { z } from "zod";
import { type Route, route } from "../../../client-api/route.ts";
import { pageInput, pageOf } from "../../page.ts";
import { type BillsContext, SERVICE } from "../context.ts";
import type { Biller } from "./biller.ts";
import { readBillers } from "./read-billers.ts";

const categoryItem = z.object({ category: z.string(), name: z.string(), billers: z.number().int() });

export function listCategories(ctx: BillsContext): Route {
  return route({
    method: "GET",
    path: "/bills/categories",
    service: SERVICE,
    kind: "plain",
    summary: "Lists the categories of billers",
    input: z.object(pageInput),
    reply: z.object({ ok: z.literal(true), items: z.array(categoryItem), next: z.string().nullable() }),
    handle: async ({ account, input }) => {
      const read = await readBillers(ctx, account);
      if (read.kind === "refused") return read;
      const page = pageOf(categoriesOf(read.items), input, (one) => one.category);
      return page.kind === "refused" ? page : { ...page, kind: "list" };
    },
  });
}

type Category = z.infer<typeof categoryItem>;

function categoriesOf(billers: readonly Biller[]): readonly Category[] {
  const counts = new Map<string, number>();
  for (const { category } of billers) counts.set(category, (counts.get(category) ?? 0) + 1);
  return [...counts].map(([category, count]) => ({ category, name: nameOf(category), billers: count }));
}

// Names with abbreviations and brands; all others follow from the code.
const NAMES: ReadonlyMap<string, string> = new Map([
  ["lpg", "LPG"],
  ["dth", "DTH"],
  ["fastag", "FASTag"],
]);

function nameOf(category: string): string {
  const words = category.replaceAll("_", " ");
  return NAMES.get(category) ?? words.charAt(0).toUpperCase() + words.slice(1);
}
