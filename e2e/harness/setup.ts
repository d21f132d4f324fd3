import { afterEach, expect } from "vitest";

// Test files run one after the other in a worker and share its globals, so each file begins with the original fetch.
const bare = globalThis as typeof globalThis & { bareFetch?: typeof fetch };
bare.bareFetch ??= globalThis.fetch;
const { bareFetch } = bare;
globalThis.fetch = bareFetch;

// Whatever an e2e test or the SDK fetches from the client API is compared with contract/openapi.json. Other tests also call
// stand-ins, which the description does not cover.
if (expect.getState().testPath?.includes("/e2e/")) {
  // Loaded only here: reading the description costs every file a quarter of a second.
  const { noteReply, takeMismatches } = await import("./openapi-check.ts");
  // Drops replies that arrived after the last test of the previous file.
  takeMismatches();
  globalThis.fetch = async (input, init) => {
    const reply = await bareFetch(input, init);
    const { pathname, search } = new URL(reply.url);
    const method = init?.method ?? (input instanceof Request ? input.method : "GET");
    noteReply(method, pathname + search, reply.status, await reply.clone().text());
    return reply;
  };
  afterEach(() => expect(takeMismatches(), "Every reply matches contract/openapi.json.").toEqual([]));
}
