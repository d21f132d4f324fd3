import type { FastifyRequest } from "fastify";
import type { OperatorApiDependencies } from "./dependencies.ts";

type Addresses = Pick<OperatorApiDependencies, "publicUrl" | "consoleUrl" | "ports">;

/** The address of a site: as configured, or the request's host with the site's port. */
export function siteAddress(deps: Addresses, site: "portal" | "console", request: FastifyRequest): string {
  const configured = site === "portal" ? deps.publicUrl : deps.consoleUrl;
  const ports = deps.ports();
  const host = ports === null ? (request.headers.host ?? "") : `${request.hostname}:${ports[site]}`;
  return configured ?? `${request.protocol}://${host}`;
}
