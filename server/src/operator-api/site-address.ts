import type { FastifyRequest } from "fastify";
import type { OperatorApiDependencies } from "./dependencies.ts";

/** The service as the caller has named it: the host they asked. */
export function siteAddress(request: FastifyRequest): string {
  return `${request.protocol}://${request.headers.host ?? ""}`;
}

/** The same for the portal, which may be on another port than what was asked. */
export function portalAddress(
  { publicUrl, portalPort }: Pick<OperatorApiDependencies, "publicUrl" | "portalPort">,
  request: FastifyRequest,
) {
  const port = portalPort();
  return publicUrl ?? (port === null ? siteAddress(request) : `${request.protocol}://${request.hostname}:${port}`);
}
