import type { Clock } from "../plugin.ts";
import type { CheckedPlugin } from "./check-plugin.ts";
import { runAs } from "./running.ts";

type AnyFunction = (...given: readonly unknown[]) => unknown;
type AnyTransaction = { readonly send: AnyFunction; readonly status: AnyFunction };

/** The functions that a plug-in's `open` returned. Asking for one that is missing throws. */
export type Opened = {
  readonly transaction: (name: string) => AnyTransaction;
  readonly query: (name: string) => AnyFunction;
  readonly close: AnyFunction | null;
};

const RETRY_MS = 5000;

/** Opens a plug-in with the first operation, and again later if that failed. */
export function openOnDemand(plugin: CheckedPlugin, parts: object, provider: string, clock: Clock) {
  let current: Promise<Opened> | null = null;
  let failedAt = Number.NEGATIVE_INFINITY;

  function opened(): Promise<Opened> {
    if (current && clock.now() - failedAt < RETRY_MS) return current;
    if (current && failedAt === Number.NEGATIVE_INFINITY) return current;
    failedAt = Number.NEGATIVE_INFINITY;
    const never = new AbortController().signal;
    current = runAs({ provider, operation: "open", signal: never, trace: undefined, ended: [] }, async () =>
      handlersOf(plugin, await plugin.open(parts)),
    );
    current.catch(() => {
      failedAt = clock.now();
    });
    return current;
  }

  async function close(graceMs: number): Promise<void> {
    const closer = current?.then(
      async (one) => await one.close?.(),
      () => {},
    );
    if (!closer) return;
    const late = new Promise((resolve) => setTimeout(resolve, graceMs).unref());
    await Promise.race([closer, late]).catch(() => {});
    closer.catch(() => {});
  }
  return { opened, close };
}

function handlersOf(plugin: CheckedPlugin, value: unknown): Opened {
  const fields = isRecord(value) ? value : {};
  const missing = plugin.operations.filter((name) => typeof fields[name] !== "function" && !isTransaction(fields[name]));
  if (missing.length > 0) throw new Error(`open returned nothing for ${missing.join(", ")}`);
  return {
    transaction: (name) => {
      const handler = plugin.operations.some((one) => one === name) ? fields[name] : undefined;
      if (!isTransaction(handler)) throw new Error(`the plug-in has no transaction ${name}`);
      return { send: (...given) => handler.send(...given), status: (...given) => handler.status(...given) };
    },
    query: (name) => {
      const handler = plugin.operations.some((one) => one === name) ? fields[name] : undefined;
      if (typeof handler !== "function") throw new Error(`the plug-in has no query ${name}`);
      return (...given) => handler(...given);
    },
    close: typeof fields["close"] === "function" ? (fields["close"] as AnyFunction) : null,
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isTransaction(value: unknown): value is AnyTransaction {
  return isRecord(value) && typeof value["send"] === "function" && typeof value["status"] === "function";
}
