import type { CookieChange } from "./route.ts";

export type SiteName = "portal" | "console";

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

// With the prefix a browser takes the cookie over https only, for this host only, whatever a neighbour host sets.
function cookieName(site: SiteName, secure: boolean): string {
  return secure ? `__Host-corprail_${site}` : `corprail_${site}`;
}

/** The session's token in a Cookie header; null when it holds none or several. */
export function readCookie(site: SiteName, header: string | undefined, secure: boolean): string | null {
  const prefix = `${cookieName(site, secure)}=`;
  const values = (header ?? "")
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(prefix))
    .map((part) => part.slice(prefix.length));
  const [value = ""] = values;
  return values.length === 1 && TOKEN.test(value) ? value : null;
}

export function writeCookie(site: SiteName, { token, maxAgeSeconds }: CookieChange, secure: boolean): string {
  const age = token === null ? 0 : maxAgeSeconds;
  const parts = [`${cookieName(site, secure)}=${token ?? ""}`, "Path=/", "HttpOnly", "SameSite=Strict"];
  if (age !== undefined) parts.push(`Max-Age=${age}`);
  if (secure) parts.push("Secure");
  return parts.join("; ");
}
