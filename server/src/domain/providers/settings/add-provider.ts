import type { Conflict } from "../../accounts/context.ts";
import type { SaveContext } from "../context.ts";
import { lockProvider } from "../store.ts";
import { type ProviderInput, type SaveProviderResult, savingFaults, writeProvider } from "./save-provider.ts";

/** Adds a provider. It gets orders only after a route to it is added. */
export async function addProvider(ctx: SaveContext, actor: string, input: ProviderInput): Promise<SaveProviderResult | Conflict> {
  const faults = await savingFaults(ctx, input);
  if (faults.length > 0) return { kind: "invalid", faults };
  const result = await ctx.sql.begin(async (tx): Promise<SaveProviderResult | Conflict> => {
    const known = await lockProvider(tx, input.provider);
    if (known) return { kind: "conflict", reason: `The provider ${input.provider} already exists.` };
    return await writeProvider(tx, ctx, actor, input, undefined);
  });
  if (result.kind === "done") await ctx.refresh();
  return result;
}
