import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { expectUnchanged, formatRevision, parseRevision } from "../../domain/audit/expect-unchanged.ts";
import { splitPath } from "../sites/actions/action.ts";
import { assertOutput } from "../sites/actions/check-reply.ts";
import { createTurns, type RunInTurn, SESSION_LIMITS, TOO_MANY_REQUESTS } from "../sites/actions/session-limits.ts";
import { type Asset, CACHING, createAsset, sendAsset } from "../sites/asset.ts";
import { may } from "./access.ts";
import type { Action, ActionCall, ActionDefinition } from "./action.ts";
import { Held } from "./approvals/held.ts";
import { heldOutput } from "./approvals/outputs.ts";
import { approvalDetail } from "./approvals/view.ts";
import { caller } from "./caller.ts";
import type { OperatorApiDependencies } from "./dependencies.ts";
import { refuse } from "./errors.ts";
import { Refusal, wrongFields } from "./refusal.ts";
import { type Addressed, onReplica, runInCells } from "./run-in-cells.ts";

const BUSY_SESSION = new Refusal("too_many_requests", TOO_MANY_REQUESTS.message, TOO_MANY_REQUESTS);

/** A Fastify app whose handlers are typed by their zod schemas. */
type ZodApp = FastifyInstance<RawServerDefault, RawRequestDefaultExpression, RawReplyDefaultExpression, FastifyBaseLogger, ZodTypeProvider>;

// biome-ignore lint/suspicious/noExplicitAny: the schemas of an action validated its input.
type AnyCall = ActionCall<any, any, any>;

/** Makes HTTP routes of actions: roles, input, approval, handler and reply, in this order. */
export function registerActions(app: ZodApp, deps: OperatorApiDependencies, actions: readonly Action[]): void {
  const runInTurn = createTurns(deps.sessionLimits ?? SESSION_LIMITS);
  const registerAction = (one: ZodApp, action: Action) => registerRoute(one, deps, action, runInTurn);
  for (const action of actions) {
    const upload = "upload" in action ? action.upload : undefined;
    if (upload === undefined) registerAction(app, action);
    // Only this route accepts a file. The handler reads it as a stream.
    else
      app.register(async (scope) => {
        scope.addContentTypeParser(upload, (_request, payload, done) => done(null, payload));
        registerAction(scope.withTypeProvider<ZodTypeProvider>(), action);
      });
  }
}

function registerRoute(app: ZodApp, deps: OperatorApiDependencies, action: Action, runInTurn: RunInTurn): void {
  const respond = "constant" in action && action.constant ? respondOnce(action) : respondAnew;
  app.route({
    ...splitPath(action),
    config: { ...may(action.roles, action.proof === "recent" ? "fresh" : undefined), inTestMode: action.inTestMode === true },
    schema: schemasOf(action),
    handler: async (request, reply) => {
      // Downloads and live views have limits of their own.
      const staff = "output" in action ? caller(request).staff : null;
      const run = () => respond(action, deps, request, reply);
      return staff === null ? await run() : await runInTurn(staff.sessionId, run, () => sendRefusal(reply, BUSY_SESSION));
    },
  });
}

function schemasOf(action: Action) {
  const body = "body" in action ? action.body : undefined;
  return {
    ...(action.params ? { params: action.params } : {}),
    ...(action.query ? { querystring: action.query } : {}),
    ...(body ? { body } : {}),
  };
}

function toCall(deps: OperatorApiDependencies, request: FastifyRequest): AnyCall {
  const { params, query, body } = request;
  return { deps, caller: caller(request), actor: caller(request).actor, params, query, body, request };
}

/** For a constant reply: the first call makes it. */
function respondOnce({ handler }: ActionDefinition): typeof respondAnew {
  let made: Promise<Asset> | null = null;
  return async (_action, deps, request, reply) => {
    made ??= makeAsset(handler(toCall(deps, request)));
    return await sendAsset(request, reply, await made, CACHING.revalidatePrivately);
  };
}

async function makeAsset(result: Promise<unknown>): Promise<Asset> {
  return createAsset("application/json; charset=utf-8", Buffer.from(JSON.stringify(await result)));
}

async function respondAnew(
  action: Action,
  home: OperatorApiDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const addressed = {
    method: request.method,
    params: request.params as Addressed["params"],
    query: request.query as object,
    body: request.body,
  };
  if (!("output" in action)) {
    const { result } = await runInCells(home, action.cells, addressed, (deps) => action.handler(toCall(deps, request), reply));
    return result instanceof Refusal ? sendRefusal(reply, result) : (result as FastifyReply);
  }
  const runOnce = async (own: OperatorApiDependencies) => {
    const call = toCall(own, request);
    const asked = typeof action.approval?.ask === "function" ? await action.approval.ask(call) : null;
    return asked ?? (await action.handler(call));
  };
  const run = (own: OperatorApiDependencies) => runIfUnchanged(request, reply, () => runOnce(own));
  const isList = typeof action.cells === "object" && action.cells.kind === "list" && !action.cells.fromPrimary;
  const chosen = isList && caller(request).mayReadReplica ? onReplica(run) : run;
  const { result, deps, missing } = await runInCells(home, action.cells, addressed, chosen);
  if (missing) reply.header("corprail-missing-cells", missing.length === 0 ? "none" : missing.join(", "));
  if (result instanceof Refusal) return sendRefusal(reply, result);
  if (result instanceof Held) return await sendHeld(toCall(deps, request), reply, result);
  if (deps.checkReplies) assertOutput(action.path, action.output, result);
  return reply.code(action.status ?? 200).send(result);
}

/** A change with the header corprail-expected-revision is refused if its object was changed after that revision. */
async function runIfUnchanged(request: FastifyRequest, reply: FastifyReply, run: () => Promise<unknown>): Promise<unknown> {
  const header = request.method === "POST" ? request.headers["corprail-expected-revision"] : undefined;
  if (header === undefined) return await run();
  const expected = typeof header === "string" ? parseRevision(header) : null;
  if (expected === null) return wrongFields({ "corprail-expected-revision": "Must be the revision of GET /configuration." });
  const { result, revision } = await expectUnchanged(expected, run);
  reply.header("corprail-revision", formatRevision(revision));
  return result;
}

function sendRefusal(reply: FastifyReply, { error, message, fields, retryAfterSeconds }: Refusal): FastifyReply {
  if (retryAfterSeconds !== undefined) reply.header("retry-after", String(retryAfterSeconds));
  return refuse(reply, error, message, fields);
}

async function sendHeld({ deps, caller: viewer }: AnyCall, reply: FastifyReply, held: Held): Promise<FastifyReply> {
  const approval = await approvalDetail(deps.sql, held.approval, { caller: viewer, now: deps.clock.now(), usersSql: deps.staff.sql });
  const result = { approval, ...held.shown };
  if (deps.checkReplies) assertOutput("202", heldOutput, result);
  return reply.code(202).send(result);
}
