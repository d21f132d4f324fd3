import { expect, test } from "vitest";
import { queueRequests } from "./fast-path/fast-path.ts";

type Queued = Parameters<ReturnType<typeof queueRequests>>[0];

test("the end of a connection does not make its account's requests count as late", async () => {
  const served: string[] = [];
  const refused: string[] = [];
  const options = { shed: () => {}, ownerOf: () => "one account", lateMilliseconds: 60_000 };
  const queue = queueRequests(
    (all, serve) => (serve === options.shed ? refused : served).push(...all.map(({ chunk }) => String(chunk))),
    { noteAccepted: () => {}, maxItemsNow: () => 1, budgetMilliseconds: () => Number.POSITIVE_INFINITY },
    options,
  );
  const connection = { owner: "one account" } as Queued["connection"];
  queue({ connection, chunk: null, at: Number.NEGATIVE_INFINITY });
  queue({ connection, chunk: Buffer.from("first"), at: performance.now() });
  await new Promise((resolve) => setImmediate(resolve));
  expect(served).toEqual(["null", "first"]);
  expect(refused).toEqual([]);
});
