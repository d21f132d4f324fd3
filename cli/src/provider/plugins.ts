import { loadPlugins, refusalText } from "@corprail/server/domain/providers/plugin/load-plugins";
import { usePlugins } from "@corprail/server/domain/providers/plugin/loaded-plugins";
import { UsageFault } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";

/** Loads the plug-ins that a service with this environment has. The names that were loaded, or why that is not possible. */
export async function pluginsOf({ config }: CommandContext): Promise<{ readonly names: readonly string[]; readonly fault: string | null }> {
  const loaded = await loadPlugins(config.connectors, config.connectorFolder);
  if (!loaded.ok) return { names: [], fault: refusalText(loaded.faults) };
  const plugins = loaded.plugins.map(({ plugin }) => plugin);
  usePlugins(plugins);
  return { names: plugins.map(({ name }) => name), fault: null };
}

/** The same for commands that cannot go on without them. */
export async function usePluginsOf(ctx: CommandContext): Promise<void> {
  const { fault } = await pluginsOf(ctx);
  if (fault !== null) throw new UsageFault(fault);
}
