import type { FastifyReply } from "fastify";
import type { Provider } from "../../../domain/providers/provider-directory.ts";
import { setSecret } from "../../../domain/providers/settings/set-secret.ts";
import { switchProvider } from "../../../domain/providers/settings/switch-provider.ts";
import { shortListQuery, shortPage } from "../../sites/lists.ts";
import { EVERYBODY, may, OPERATIONS } from "../access.ts";
import { answerWithApproval } from "../approvals/require-approval.ts";
import { actor } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { notFound, refuseFields, sendPage } from "../errors.ts";
import { providerParams } from "../fields.ts";
import type { ZodApp } from "../zod-app.ts";
import { faultFields } from "./faults.ts";
import { secretBody, switchBody } from "./fields.ts";
import { requireProviderApproval } from "./require-approval.ts";
import { providerDetail, providerView } from "./views.ts";

/** Providers. Their secrets can be set but never read. */
export function providerRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.get("/providers", { config: may(EVERYBODY), schema: { querystring: shortListQuery } }, async (request, reply) => {
    const view = (provider: Provider) => providerView(deps.providerRegistry, provider);
    return sendPage(
      reply,
      shortPage(deps.providerRegistry.providers(), request.query, view, ({ row }) => row.provider),
    );
  });

  app.get("/providers/:provider", { config: may(EVERYBODY), schema: { params: providerParams } }, async (request, reply) =>
    answerProvider(deps, reply, request.params.provider),
  );

  app.post(
    "/providers/:provider/switch",
    { config: may(OPERATIONS), schema: { params: providerParams, body: switchBody } },
    async (request, reply) => {
      const { provider } = request.params;
      const result = await switchProvider(deps, actor(request), { provider, ...request.body });
      return result.kind === "not_found" ? notFound(reply, "provider") : answerProvider(deps, reply, provider);
    },
  );

  app.post(
    "/providers/:provider/secret",
    { config: may(OPERATIONS, "fresh"), schema: { params: providerParams, body: secretBody } },
    async (request, reply) => {
      const { provider } = request.params;
      const { name, value, reason } = request.body;
      const known = findProvider(deps, provider)?.row;
      const input = known && { provider, connector: known.connector, settings: known.settings, secrets: { [name]: value }, reason };
      const held = input ? await requireProviderApproval({ deps, request }, "provider_secret", input) : null;
      if (held) return await answerWithApproval({ deps, request }, reply, held);
      const result = await setSecret(deps, actor(request), { provider, name, value, reason });
      if (result.kind === "invalid") return refuseFields(reply, faultFields(result.faults, ""));
      return result.kind === "not_found" ? notFound(reply, "provider") : answerProvider(deps, reply, provider);
    },
  );
}

export function findProvider(deps: OperatorApiDependencies, name: string): Provider | undefined {
  return deps.providerRegistry.providers().find(({ row }) => row.provider === name);
}

/** Answers a change with the provider as its GET shows it. */
export function answerProvider(deps: OperatorApiDependencies, reply: FastifyReply, name: string): FastifyReply {
  const provider = findProvider(deps, name);
  return provider ? reply.send(providerDetail(deps.providerRegistry, provider, deps.clock.now())) : notFound(reply, "provider");
}
