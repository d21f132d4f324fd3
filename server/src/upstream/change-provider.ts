import type { NotFound } from "../accounts/context.ts";
import type { UpstreamContext } from "./context.ts";
import { type ProviderInput, type SaveProviderResult, writeProvider } from "./save-provider.ts";
import { lockProvider } from "./store.ts";

/** Describes a provider anew that is there already. What was sent to it before is asked about in the new way. */
export async function changeProvider(ctx: UpstreamContext, actor: string, input: ProviderInput): Promise<SaveProviderResult | NotFound> {
  const result = await ctx.sql.begin(async (tx): Promise<SaveProviderResult | NotFound> => {
    const known = await lockProvider(tx, input.provider);
    return known ? await writeProvider(tx, ctx, actor, input, known) : { kind: "not_found" };
  });
  if (result.kind === "done") await ctx.refresh();
  return result;
}
