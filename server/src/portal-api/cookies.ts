import type { CookieChange } from "./route.ts";

// With the prefix a browser takes the cookie over https only, for this host only, whatever a neighbour host sets.
const SECURE_NAME = "__Host-corprail_portal";
const PLAIN_NAME = "corprail_portal";
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

function cookieName(secure: boolean): string {
  return secure ? SECURE_NAME : PLAIN_NAME;
}

/** The session's token in a Cookie header; null when it holds none or several. */
export function readCookie(header: string | undefined, secure: boolean): string | null {
  const prefix = `${cookieName(secure)}=`;
  const values = (header ?? "")
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(prefix))
    .map((part) => part.slice(prefix.length));
  const [value = ""] = values;
  return values.length === 1 && TOKEN.test(value) ? value : null;
}

export function writeCookie({ token, maxAgeSeconds }: CookieChange, secure: boolean): string {
  const age = token === null ? 0 : maxAgeSeconds;
  const parts = [`${cookieName(secure)}=${token ?? ""}`, "Path=/", "HttpOnly", "SameSite=Strict"];
  if (age !== undefined) parts.push(`Max-Age=${age}`);
  if (secure) parts.push("Secure");
  return parts.join("; ");
}
