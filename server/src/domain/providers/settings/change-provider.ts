import type { NotFound } from "../../accounts/context.ts";
import type { SaveContext } from "../context.ts";
import { lockProvider } from "../store.ts";
import { type ProviderInput, type SaveProviderResult, savingFaults, writeProvider } from "./save-provider.ts";

/** Replaces the description of an existing provider. Orders sent before are polled with the new description. */
export async function changeProvider(ctx: SaveContext, actor: string, input: ProviderInput): Promise<SaveProviderResult | NotFound> {
  const faults = await savingFaults(ctx, input);
  if (faults.length > 0) return { kind: "invalid", faults };
  const result = await ctx.sql.begin(async (tx): Promise<SaveProviderResult | NotFound> => {
    const known = await lockProvider(tx, input.provider);
    return known ? await writeProvider(tx, ctx, actor, input, known) : { kind: "not_found" };
  });
  if (result.kind === "done") await ctx.refresh();
  return result;
}
