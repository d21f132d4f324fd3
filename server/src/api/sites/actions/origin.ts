import type { FastifyRequest } from "fastify";
import { contains, parseAddress, type Range, withoutZone } from "../../../platform/network/address.ts";
import { readHead } from "../../client/gate/request-head.ts";
import { sourceAddress } from "../../client/gate/source-address.ts";

export type SiteSettings = {
  /** CORPRAIL_PUBLIC_URL: the address at which browsers reach the service; null: the listening address. */
  readonly publicUrl: string | null;
  readonly trustedProxies: readonly Range[];
};

/** The site's origin as the browser sees it: as configured, or from the Host header. */
export function originOf(settings: SiteSettings, request: FastifyRequest): string {
  if (settings.publicUrl !== null) return new URL(settings.publicUrl).origin;
  const peer = parseAddress(withoutZone(request.socket.remoteAddress ?? ""));
  const trusted = peer !== null && settings.trustedProxies.some((range) => contains(range, peer));
  const secure = trusted && request.headers["x-forwarded-proto"] === "https";
  return `${secure ? "https" : "http"}://${request.headers.host ?? ""}`;
}

/** The source address of a request, by the rules of the client API's gate; null if it cannot be read. */
export function addressOf(settings: SiteSettings, request: FastifyRequest): string | null {
  const peer = parseAddress(withoutZone(request.socket.remoteAddress ?? ""));
  const source = peer === null ? null : sourceAddress(peer, readHead(request.raw.rawHeaders), settings.trustedProxies);
  return source === null ? null : source.toString();
}

/** Whether a change comes from a page of this site. Browsers always send the page's origin with a POST. */
export function isOwnPage(origin: string, request: FastifyRequest): boolean {
  const fetchSite = request.headers["sec-fetch-site"];
  return request.headers.origin === origin && isOrigin(origin) && (fetchSite === undefined || fetchSite === "same-origin");
}

// A client that is not a browser can send any Host and Origin.
function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}
