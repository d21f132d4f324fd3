import { Agent, fetch as send } from "undici";
import { type DialRules, guardedConnector } from "./guarded-connector.ts";

const CONNECT_MILLISECONDS = 5_000;
const WHOLE_MILLISECONDS = 10_000;
const MAX_ANSWER_BYTES = 512 * 1024;
const CONNECTIONS = 4;

export type GuardedFetch = { readonly fetch: typeof globalThis.fetch; readonly close: () => Promise<void> };

/**
 * The fetch of libraries that call addresses which users have entered. It connects to allowed addresses only, follows no
 * redirect, and limits the time and the size of an answer.
 */
export function guardedFetch(rules: Omit<DialRules, "connectMilliseconds">): GuardedFetch {
  const agent = new Agent({
    connections: CONNECTIONS,
    connect: guardedConnector({ ...rules, connectMilliseconds: CONNECT_MILLISECONDS }),
    maxResponseSize: MAX_ANSWER_BYTES,
  });
  // undici's types of fetch differ from the global ones only in names.
  const plain = send as unknown as (input: unknown, init: object) => Promise<Response>;
  return {
    fetch: async (input, init = {}) => {
      const limit = AbortSignal.timeout(WHOLE_MILLISECONDS);
      const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit;
      return await plain(input, { ...init, signal, redirect: "manual", dispatcher: agent });
    },
    close: () => agent.destroy(),
  };
}
