import type { FastifyReply } from "fastify";
import { addProvider } from "../../../domain/providers/settings/add-provider.ts";
import { changeProvider } from "../../../domain/providers/settings/change-provider.ts";
import { trialFaults } from "../../../domain/providers/settings/check-description.ts";
import { describe, type ReadDescribed, readDescribed } from "../../../domain/providers/settings/described-provider.ts";
import type { Fault } from "../../../domain/providers/settings/faults.ts";
import { tryProvider } from "../../../domain/providers/settings/try-provider.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { may, OPERATIONS } from "../access.ts";
import { answerWithApproval } from "../approvals/require-approval.ts";
import { actor } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { notFound, refuse, refuseFields } from "../errors.ts";
import { providerParams } from "../fields.ts";
import type { ZodApp } from "../zod-app.ts";
import { faultFields } from "./faults.ts";
import { newProviderBody, providerBody, testBody } from "./fields.ts";
import { answerProvider, findProvider } from "./provider-routes.ts";
import { requireProviderApproval } from "./require-approval.ts";

/** Provider descriptions, see docs/providers.md. */
export function definitionRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.get("/providers/:provider/definition", { config: may(OPERATIONS), schema: { params: providerParams } }, async (request, reply) => {
    const found = findProvider(deps, request.params.provider);
    return found ? reply.send({ provider: found.row.provider, definition: describe(found.row) }) : notFound(reply, "provider");
  });

  app.post("/providers", { config: may(OPERATIONS, "fresh"), schema: { body: newProviderBody } }, async (request, reply) => {
    const { definition, secrets, reason } = request.body;
    const read = readDescribed(definition);
    if (!read.ok) return refuseFaults(reply, read.faults);
    const input = { ...read.described, secrets, reason, guardSecrets: deps.providerSecrets };
    const known = findProvider(deps, input.provider) !== undefined;
    const held = known ? null : await requireProviderApproval({ deps, request }, "provider", input);
    if (held) return await answerWithApproval({ deps, request }, reply, held);
    const result = await addProvider(deps, actor(request), input);
    if (result.kind === "conflict") return refuse(reply, "conflict", result.reason);
    return result.kind === "invalid" ? refuseFaults(reply, result.faults) : answerProvider(deps, reply, input.provider);
  });

  app.post(
    "/providers/:provider",
    { config: may(OPERATIONS, "fresh"), schema: { params: providerParams, body: providerBody } },
    async (request, reply) => {
      const { provider } = request.params;
      const { definition, secrets, reason } = request.body;
      if (!findProvider(deps, provider)) return notFound(reply, "provider");
      const read = readNamed(definition, provider);
      if (!read.ok) return refuseFaults(reply, read.faults);
      const input = { ...read.described, secrets, reason, guardSecrets: deps.providerSecrets };
      const held = await requireProviderApproval({ deps, request }, "provider", input);
      if (held) return await answerWithApproval({ deps, request }, reply, held);
      const result = await changeProvider(deps, actor(request), input);
      if (result.kind === "not_found") return notFound(reply, "provider");
      return result.kind === "invalid" ? refuseFaults(reply, result.faults) : answerProvider(deps, reply, provider);
    },
  );

  app.post(
    "/providers/:provider/test",
    { config: may(OPERATIONS), schema: { params: providerParams, body: testBody } },
    async (request, reply) => {
      const { provider } = request.params;
      const { definition, sample, answer } = request.body;
      const known = findProvider(deps, provider);
      if (!definition && !known) return notFound(reply, "provider");
      const read = await readTried(deps, definition ? readNamed(definition, provider) : readDescribed(known ? describe(known.row) : {}));
      if (!read.ok) return refuseFaults(reply, read.faults);
      const result = tryProvider({
        described: read.described,
        set: known?.secrets ?? [],
        sample: withoutUndefined(sample),
        answer: answer ? { body: Buffer.from(answer.body), httpStatus: answer.http_status, to: answer.to } : null,
        now: deps.clock.now(),
      });
      if (result.kind === "invalid") return refuseFaults(reply, result.faults);
      const { connector } = read.described;
      return reply.send({ provider, connector, request: null, status: null, reading: null, ...result.fields });
    },
  );
}

/** A description may omit the name that is in the path, but must not contain another one. */
function readNamed(definition: JsonObject, provider: string): ReadDescribed {
  const { name = provider } = definition;
  if (name !== provider) return { ok: false, faults: [{ path: "name", message: `Must be the provider's name, ${provider}.` }] };
  return readDescribed({ ...definition, name });
}

/** A dry run also reports the faults that saving would refuse. */
async function readTried(deps: OperatorApiDependencies, read: ReadDescribed): Promise<ReadDescribed> {
  const faults = read.ok ? await trialFaults(deps, read.described) : [];
  return faults.length === 0 ? read : { ok: false, faults };
}

function refuseFaults(reply: FastifyReply, faults: readonly Fault[]): FastifyReply {
  return refuseFields(reply, faultFields(faults, "definition"));
}

function withoutUndefined(sample: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(sample).filter(([, value]) => value !== undefined));
}
