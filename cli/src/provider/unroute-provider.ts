import { deleteRoute } from "@corprail/server/domain/providers/routing/delete-route";
import { actor } from "../actor.ts";
import { withInstallation } from "../load-installation.ts";
import { done, failed, type Outcome } from "../outcome.ts";
import type { CommandContext } from "../run-command.ts";
import { planOf, planText, readInstalled } from "./installed-providers.ts";

/** Deletes a route and shows where its orders go now. */
export async function unrouteProvider(ctx: CommandContext, service: string, operator: string, provider: string): Promise<Outcome> {
  const key = { service, operator, provider };
  return await withInstallation(ctx, async (installation) => {
    const result = await deleteRoute(installation, actor(), key);
    if (result.kind === "not_found") return failed(`No route leads from ${service} ${operator} to ${provider}.`);
    const plan = planOf(await readInstalled(ctx, installation), key);
    return done(`The route is gone. ${planText(plan)}`, { ...key, plan });
  });
}
