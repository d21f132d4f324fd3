import { switchProvider } from "@corprail/server/domain/providers/settings/switch-provider";
import { actor } from "../shared/actor.ts";
import { withInstallation } from "../shared/load-installation.ts";
import { done, failed, type Outcome } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { planOf, planText, readInstalled } from "./installed-providers.ts";

export const enableProvider = (ctx: CommandContext, provider: string) => switchTo(ctx, provider, true);
export const disableProvider = (ctx: CommandContext, provider: string) => switchTo(ctx, provider, false);

async function switchTo(ctx: CommandContext, provider: string, enabled: boolean): Promise<Outcome> {
  return await withInstallation(ctx, async (installation) => {
    const result = await switchProvider(installation, actor(), { provider, enabled });
    if (result.kind === "not_found") return failed(`There is no provider ${provider}.`);
    const installed = await readInstalled(ctx, installation);
    const plans = installed.routes.filter((route) => route.provider === provider).map((route) => planOf(installed, route));
    const words = enabled ? `The provider ${provider} is switched on.` : `The provider ${provider} is switched off and gets no new orders.`;
    return done([words, ...plans.map(planText)].join("\n"), { provider, enabled, plans });
  });
}
