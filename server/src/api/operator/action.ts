import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { ApprovalKind } from "../../domain/approvals/approval.ts";
import type { StaffRole } from "../../domain/auth/user.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { OnlyDeclared } from "../sites/actions/only-declared.ts";
import type { Held } from "./approvals/held.ts";
import type { Caller } from "./caller.ts";
import type { OperatorApiDependencies } from "./dependencies.ts";
import type { Refusal } from "./refusal.ts";

/**
 * Where an action runs in an installation with several cells, if not in the cell of the account or record that its path or
 * body names, nor at home. A list is merged from the cells that answer; a sum needs all cells.
 * A list may be read from a replica, unless it is `fromPrimary`.
 */
export type CellRule =
  | "new account"
  | "account of body"
  // biome-ignore lint/suspicious/noExplicitAny: the results and the query are of the action that declares the rule.
  | { readonly kind: "list" | "sum"; readonly merge: (results: readonly any[], query: any) => unknown; readonly fromPrimary?: true };

/** The definition of one action of staff. The operator API, the console, the API description and its tests are made from it. */
export type ActionDefinition<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  Result = ActionResult<Output>,
> = {
  /** Method and path, such as `POST /orders/:order_id/settle`. */
  readonly path: `${"GET" | "POST"} /${string}`;
  /** One sentence for the API description. */
  readonly summary: string;
  /** Roles of staff and of operator keys that may call it. A key without a role may call every action. */
  readonly roles: readonly StaffRole[];
  /** For money, secrets, addresses and users: requires a proof of identity within the last five minutes. */
  readonly proof?: "recent";
  /** A change that names no account and is allowed in test mode, because it only affects accounts of the caller's mode. */
  readonly inTestMode?: true;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** The request body is a file of this type instead of JSON. The handler reads it from `request`. */
  readonly upload?: "text/csv" | "application/octet-stream";
  readonly output: Output;
  /** The status of a success, if it is not 200. */
  readonly status?: 201;
  /** The reply is the same for every caller until the next start. It is made once, and sent with an ETag. */
  readonly constant?: true;
  readonly approval?: ApprovalStep<ActionCall<Params, Query, Body>>;
  readonly cells?: CellRule;
  readonly handler: (call: ActionCall<Params, Query, Body>) => Promise<Result>;
};

/** What a handler returns: the action's output, a refusal, or the approval that it waits for. */
type ActionResult<Output extends z.ZodType> = Readonly<z.output<Output>> | Refusal | Held;

/** The approval that an action needs while approvals are on. */
export type ApprovalStep<Call> = {
  readonly kinds: readonly ApprovalKind[];
  /**
   * Runs before every call of the handler. Returns an approval to wait for; null lets the handler run. It also refuses
   * what cannot be done, so that an impossible action never waits. "handler": the change and its approval are one transaction.
   */
  readonly ask: "handler" | ((call: Call) => Promise<Held | Refusal | null>);
};

/** One call of an action: its validated input and its caller. */
export type ActionCall<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> = {
  readonly deps: OperatorApiDependencies;
  readonly caller: Caller;
  /** The actor for the audit log. */
  readonly actor: string;
  readonly params: z.output<Params>;
  readonly query: z.output<Query>;
  readonly body: z.output<Body>;
  /** Only for the address that the caller used and for streams. */
  readonly request: FastifyRequest;
};

/** An action whose reply is not JSON: a file, or a stream of events. */
export type StreamDefinition<Params extends z.ZodType = z.ZodType, Query extends z.ZodType = z.ZodType> = Omit<
  ActionDefinition<Params, Query, z.ZodType, z.ZodType>,
  "output" | "approval" | "handler" | "status" | "body" | "upload" | "constant"
> & {
  readonly mediaType: "text/csv" | "text/event-stream" | "application/x-ndjson" | "application/octet-stream";
  readonly handler: (call: ActionCall<Params, Query, z.ZodType>, reply: FastifyReply) => Promise<FastifyReply | Refusal>;
};

// The types of input and output are only known inside the definition.
// biome-ignore lint/suspicious/noExplicitAny: a list of actions with different inputs has no common type.
export type Action = ActionDefinition<any, any, any, any> | StreamDefinition<any, any>;

/** Defines an action with a JSON reply. */
export function action<
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Output extends z.ZodType = z.ZodType<JsonObject>,
  Result extends ActionResult<Output> = ActionResult<Output>,
>(definition: ActionDefinition<Params, Query, Body, Output, Result & OnlyDeclared<Exclude<Result, Held>, Output>>): Action {
  return definition;
}

/** Defines an action that sends a file or a stream of events. */
export function streamAction<Params extends z.ZodType = z.ZodUndefined, Query extends z.ZodType = z.ZodUndefined>(
  definition: StreamDefinition<Params, Query>,
): Action {
  return definition;
}
