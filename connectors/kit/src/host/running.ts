import { AsyncLocalStorage } from "node:async_hooks";

/** How one request of an operation ended. */
type Ended = { readonly operation: string; readonly kind: "answered" | "not_sent" | "unknown"; readonly fault?: string };

/** An operation of a plug-in that is under way. What it starts belongs to it, however deep. */
export type Running<Trace> = {
  readonly provider: string;
  readonly operation: string;
  readonly signal: AbortSignal;
  readonly trace: Trace | undefined;
  readonly ended: Ended[];
};

const storage = new AsyncLocalStorage<Running<unknown>>();

export function runAs<Trace, Value>(running: Running<Trace>, work: () => Value): Value {
  return storage.run(running, work);
}

/** Runs code of the host that a plug-in called. What it starts, such as a connection of a pool, is not the plug-in's. */
export function runOutside<Value>(work: () => Value): Value {
  return storage.exit(work);
}

/** The operation that the calling code belongs to, if it belongs to the given provider's plug-in. */
export function currentRun<Trace>(provider: string): Running<Trace> | undefined {
  const running = storage.getStore();
  return running?.provider === provider ? (running as Running<Trace>) : undefined;
}

/** The provider whose plug-in the calling code belongs to. It also works in handlers of errors that nobody caught. */
export function currentProvider(): string | null {
  return storage.getStore()?.provider ?? null;
}
