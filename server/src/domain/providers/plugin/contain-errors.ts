import { currentProvider } from "@corprail/connector/host";
import type { Log } from "../../../platform/observability/log.ts";

const MESSAGE = "a plug-in failed outside its operations; only its own provider is affected";

/**
 * Keeps the process alive when a plug-in leaves a promise or a timer that fails. Every other uncaught error ends the process
 * as it would without this. Returns a function that takes the handlers away again.
 */
export function containPluginErrors(log: Log): () => void {
  const onError = (error: unknown) => {
    const provider = currentProvider();
    if (provider !== null) {
      log.error({ provider, error: error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 500) : typeof error }, MESSAGE);
      return;
    }
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  };
  process.on("unhandledRejection", onError).on("uncaughtException", onError);
  return () => process.off("unhandledRejection", onError).off("uncaughtException", onError);
}
