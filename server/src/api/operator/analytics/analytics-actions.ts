import { z } from "zod";
import { readNames } from "../../../domain/accounts/read-names.ts";
import { analyticsCsv, analyticsFilter, analyticsOutput, labelOf, periodOf, readAnalytics } from "../../sites/analytics.ts";
import { EVERYBODY } from "../access.ts";
import { type Action, action, streamAction } from "../action.ts";
import type { Caller } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { CSV, download } from "../download.ts";
import { word } from "../filters.ts";
import { Refusal } from "../refusal.ts";

const BY = ["operator", "circle", "service", "provider", "account", "reason"] as const;
const query = analyticsFilter.extend({ provider: word, account_id: word, by: z.enum(BY).default("operator") });

const showAnalytics = action({
  path: "GET /analytics",
  summary: "Shows success, time and value of orders in a period and in the one before, over time and by one dimension.",
  roles: EVERYBODY,
  query,
  output: analyticsOutput,
  handler: async ({ deps, caller, query: asked }) => await read(deps, caller, asked),
});

const exportAnalytics = streamAction({
  path: "GET /analytics/file",
  summary: "Sends the figures by one dimension as a CSV file.",
  roles: EVERYBODY,
  query,
  mediaType: "text/csv",
  handler: async ({ deps, caller, query: asked }, reply) => {
    const found = await read(deps, caller, asked);
    if (found instanceof Refusal) return found;
    const name = `analytics-${found.from}-to-${found.to}-by-${asked.by}.csv`;
    return download(deps, caller, reply, { name, mediaType: CSV, content: once(analyticsCsv(asked.by, found)) });
  },
});

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

type Found = z.output<typeof analyticsOutput> | Refusal;

async function read(deps: OperatorApiDependencies, { mode }: Caller, asked: z.output<typeof query>): Promise<Found> {
  const { from, to, by, account_id: accountId, ...filters } = asked;
  const period = periodOf({ from, to }, deps.clock.now());
  if (!("days" in period)) return period;
  if ((deps.cells?.missing() ?? []).length > 0) return new Refusal("busy", "A cell of the installation does not answer. Try again later.");
  const databases = (deps.cells?.all() ?? [deps]).map(({ sql, longWork = sql }) => longWork);
  return await readAnalytics(databases, { accountId: accountId ?? null, mode, filters }, period, by, async (lines) => {
    if (by !== "account") return (name) => labelOf(deps.catalogue, by, name);
    const ids = lines.map((line) => line.name);
    const names = new Map((await Promise.all(databases.map((sql) => readNames(sql, ids)))).flatMap((found) => [...found]));
    return (name) => names.get(name) ?? name;
  });
}

/** Analytics from the roll-ups of orders. */
export const analyticsActions: readonly Action[] = [showAnalytics, exportAnalytics];
