import type { Done, NotFound, WithReason } from "../../accounts/context.ts";
import { secretNames } from "../connector-setup.ts";
import type { ProvidersContext } from "../context.ts";
import { lockProvider } from "../store.ts";
import type { Fault } from "./faults.ts";
import { writeProvider } from "./save-provider.ts";

export type SecretInput = WithReason & {
  readonly provider: string;
  readonly name: string;
  /** Null removes the secret. */
  readonly value: string | null;
};
export type SetSecretResult = Done | NotFound | { readonly kind: "invalid"; readonly faults: readonly Fault[] };

/** Sets one secret of a provider and leaves everything else unchanged. */
export async function setSecret(ctx: ProvidersContext, actor: string, input: SecretInput): Promise<SetSecretResult> {
  const { provider, name, value, reason } = input;
  const result = await ctx.sql.begin(async (tx): Promise<SetSecretResult> => {
    const before = await lockProvider(tx, provider);
    if (!before) return { kind: "not_found" };
    const { connector, settings } = before;
    if (!secretNames(connector, settings).includes(name))
      return { kind: "invalid", faults: [{ path: "name", message: "This provider has no such secret." }] };
    await writeProvider(tx, ctx, actor, { provider, connector, settings, secrets: { [name]: value }, reason }, before);
    return { kind: "done" };
  });
  if (result.kind === "done") await ctx.refresh();
  return result;
}
