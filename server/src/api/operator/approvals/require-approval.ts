import type { FastifyReply, FastifyRequest } from "fastify";
import type { AskResult } from "../../../domain/approvals/ask-approval.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { caller } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { refuse } from "../errors.ts";
import { approvalDetail } from "./view.ts";

export type Call = { readonly deps: OperatorApiDependencies; readonly request: FastifyRequest };

/** Answers with the pending approval. `shown` adds fields to the reply. */
export async function answerWithApproval(
  { deps, request }: Call,
  reply: FastifyReply,
  held: AskResult,
  shown: JsonObject = {},
): Promise<FastifyReply> {
  if (held.kind === "conflict") return refuse(reply, "conflict", held.reason);
  const approval = await approvalDetail(deps.sql, held.approval, { caller: caller(request), now: deps.clock.now() });
  return reply.code(202).send({ approval, ...shown });
}
