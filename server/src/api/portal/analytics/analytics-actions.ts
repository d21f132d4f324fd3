import { z } from "zod";
import { Refusal } from "../../sites/actions/refusal.ts";
import { analyticsCsv, analyticsFilter, analyticsOutput, labelOf, periodOf, readAnalytics } from "../../sites/analytics.ts";
import { EVERYBODY } from "../access.ts";
import { action, type PortalAction, type PortalCall, streamAction } from "../action.ts";

// Which provider carried an order out is the platform's own matter.
const BY = ["operator", "circle", "service", "reason"] as const;
const input = analyticsFilter.extend({ by: z.enum(BY).default("operator") });

const showAnalytics = action({
  path: "GET /analytics",
  summary: "Shows success, time and value of transactions in a period and in the one before, over time and by one dimension.",
  roles: EVERYBODY,
  input,
  output: analyticsOutput,
  handler: async (call) => await read(call),
});

const exportAnalytics = streamAction({
  path: "GET /analytics/file",
  summary: "Sends the figures by one dimension as a CSV file.",
  roles: EVERYBODY,
  input,
  mediaType: "text/csv",
  handler: async (call) => {
    const found = await read(call);
    if (found instanceof Refusal) return found;
    const name = `analytics-${found.from}-to-${found.to}-by-${call.input.by}.csv`;
    return { kind: "file", name, content: once(analyticsCsv(call.input.by, found)) };
  },
});

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

async function read({
  deps: { sql, clock, catalogue },
  session: { accountId },
  input: { from, to, by, ...filters },
}: PortalCall<z.output<typeof input>>): Promise<z.output<typeof analyticsOutput> | Refusal> {
  const period = periodOf({ from, to }, clock.now());
  if (!("days" in period)) return period;
  const labels = async () => (name: string) => labelOf(catalogue, by, name);
  return await readAnalytics([sql], { accountId, mode: null, filters }, period, by, labels);
}

/** Analytics from the roll-ups of the account's orders. */
export const analyticsActions: readonly PortalAction[] = [showAnalytics, exportAnalytics];
