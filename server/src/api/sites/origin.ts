import type { FastifyRequest } from "fastify";
import { contains, parseAddress, type Range, withoutZone } from "../../platform/network/address.ts";
import { readHead } from "../client/gate/request-head.ts";
import { sourceAddress } from "../client/gate/source-address.ts";

export type SiteSettings = {
  /** CORPRAIL_PUBLIC_URL: how browsers reach the service; null when they reach it as it listens. */
  readonly publicUrl: string | null;
  readonly trustedProxies: readonly Range[];
};

/** The site as the browser sees it: configured, or by the Host it asked for. */
export function originOf(settings: SiteSettings, request: FastifyRequest): string {
  if (settings.publicUrl !== null) return new URL(settings.publicUrl).origin;
  const peer = parseAddress(withoutZone(request.socket.remoteAddress ?? ""));
  const trusted = peer !== null && settings.trustedProxies.some((range) => contains(range, peer));
  const secure = trusted && request.headers["x-forwarded-proto"] === "https";
  return `${secure ? "https" : "http"}://${request.headers.host ?? ""}`;
}

/** Where a request comes from, found as the gate of the client API finds it; null when that cannot be read. */
export function addressOf(settings: SiteSettings, request: FastifyRequest): string | null {
  const peer = parseAddress(withoutZone(request.socket.remoteAddress ?? ""));
  const source = peer === null ? null : sourceAddress(peer, readHead(request.raw.rawHeaders), settings.trustedProxies);
  return source === null ? null : source.toString();
}

/** Whether a change was asked for by a page of this site. A browser always names the page's origin on a POST. */
export function isOwnPage(origin: string, request: FastifyRequest): boolean {
  const fetchSite = request.headers["sec-fetch-site"];
  return request.headers.origin === origin && isOrigin(origin) && (fetchSite === undefined || fetchSite === "same-origin");
}

// Whoever is no browser can write anything into the Host header, and into the Origin the same.
function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}
