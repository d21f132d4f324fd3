import { Agent, fetch as send } from "undici";
import { type DialRules, guardedConnector } from "./guarded-connector.ts";

const CONNECT_MILLISECONDS = 5_000;
const WHOLE_MILLISECONDS = 10_000;
const MAX_ANSWER_BYTES = 512 * 1024;
const CONNECTIONS = 4;

export type GuardedFetch = { readonly fetch: typeof globalThis.fetch; readonly close: () => Promise<void> };

/** The answer is encoded although that was declined. Its decoded size would have no limit. */
class EncodedAnswer extends Error {
  readonly code = "ENCODED_ANSWER";
}

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
      const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined));
      headers.set("accept-encoding", "identity");
      const whole = { ...init, headers: [...headers], signal, redirect: "manual", dispatcher: agent };
      return await unencoded(await plain(input, whole));
    },
    close: () => agent.destroy(),
  };
}

/** The agent counts the bytes on the wire, so a small compressed answer could become very large in memory. */
async function unencoded(answer: Response): Promise<Response> {
  const encoding = answer.headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (encoding === "" || encoding === "identity") return answer;
  await answer.body?.cancel();
  throw new EncodedAnswer("The answer has a content encoding.");
}
