import { z } from "zod";
import { type Route, route } from "../../../client-api/route.ts";
import { refused } from "../../../shared/refusals.ts";
import { exactlyOne, exactlyOneError, requestIdField } from "../../signed/fields.ts";
import { type BillsContext, SERVICE } from "../context.ts";
import { fetchRefField } from "../fields.ts";
import { fetchAnswer, fetchReply } from "./fetch-answer.ts";
import { refreshFetch } from "./refresh-fetch.ts";
import { findFetch, findFetchOfRequest } from "./store.ts";

const NAMES = ["fetch_ref", "request_id"] as const;
const input = z
  .object({ fetch_ref: fetchRefField.optional(), request_id: requestIdField.optional() })
  .refine(exactlyOne(NAMES), exactlyOneError(NAMES));

export function getFetch(ctx: BillsContext): Route {
  return route({
    method: "GET",
    path: "/bills/fetch",
    service: SERVICE,
    kind: "lookup",
    summary: "Returns the current state of a fetch, by fetch_ref or request_id",
    input,
    reply: fetchReply,
    refusals: ["fetch_not_found"],
    handle: async ({ account: { accountId }, input: asked }) => {
      const fetch =
        asked.fetch_ref === undefined
          ? await findFetchOfRequest(ctx.sql, accountId, asked.request_id ?? "")
          : await findFetch(ctx.sql, accountId, asked.fetch_ref);
      if (!fetch) return refused("fetch_not_found", "There is no fetch with this reference.");
      return fetchAnswer(await refreshFetch(ctx, fetch), ctx.clock.now());
    },
  });
}
