import { containPluginErrors } from "../domain/providers/plugin/contain-errors.ts";
import { loadPlugins, refusalText } from "../domain/providers/plugin/load-plugins.ts";
import { usePlugins } from "../domain/providers/plugin/loaded-plugins.ts";
import type { Log } from "../platform/observability/log.ts";
import type { Config } from "../settings/config.ts";

/** Loads the plug-ins before anything else starts, so that a wrong one is noticed at once and not by the first order. */
export async function startPlugins({ connectors, connectorFolder }: Config, log: Log): Promise<() => void> {
  const loaded = await loadPlugins(connectors, connectorFolder);
  if (!loaded.ok) throw new Error(refusalText(loaded.faults));
  usePlugins(loaded.plugins.map(({ plugin }) => plugin));
  for (const { plugin, file } of loaded.plugins) log.info({ plugin: plugin.name, file, operations: plugin.operations }, "plug-in loaded");
  return loaded.plugins.length === 0 ? () => {} : containPluginErrors(log);
}
