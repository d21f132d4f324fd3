import { afterEach, expect } from "vitest";

// Test files share their worker and its globals, one after the other: each begins with the fetch that nobody has wrapped.
const bare = globalThis as typeof globalThis & { bareFetch?: typeof fetch };
bare.bareFetch ??= globalThis.fetch;
const { bareFetch } = bare;
globalThis.fetch = bareFetch;

// For every test file: whatever a test or the SDK fetches from the client API is held against contract/openapi.json.
// Elsewhere than in e2e stand-ins answer as well, which nobody described.
if (expect.getState().testPath?.includes("/e2e/")) {
  // Loaded only here: reading the description costs every file a quarter of a second.
  const { noteReply, takeMismatches } = await import("./openapi-check.ts");
  // What came after the last test of the file before is not this one's.
  takeMismatches();
  globalThis.fetch = async (input, init) => {
    const reply = await bareFetch(input, init);
    const { pathname, search } = new URL(reply.url);
    const method = init?.method ?? (input instanceof Request ? input.method : "GET");
    noteReply(method, pathname + search, reply.status, await reply.clone().text());
    return reply;
  };
  afterEach(() => expect(takeMismatches(), "Every reply is as contract/openapi.json says.").toEqual([]));
}
