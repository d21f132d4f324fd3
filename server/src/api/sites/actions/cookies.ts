import { DEVICE_SECONDS, MAX_DEVICES } from "../../../domain/auth/sessions/devices.ts";
import { REQUEST_MILLISECONDS } from "../../../domain/auth/single-sign-on/requests.ts";
import type { CookieChange } from "./action.ts";

export type SiteName = "portal" | "console";

const SIGN_ON_SECONDS = REQUEST_MILLISECONDS / 1000;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

type CookieKind = "session" | "device" | "sign_on";

// With the __Host- prefix a browser accepts the cookie only over https and only from this host.
function cookieName(site: SiteName, kind: CookieKind, secure: boolean): string {
  const name = kind === "session" ? `corprail_${site}` : `corprail_${site}_${kind}`;
  return secure ? `__Host-${name}` : name;
}

/** The session token in a Cookie header; null if there is none or more than one. */
export function readCookie(site: SiteName, header: string | undefined, secure: boolean): string | null {
  const value = cookieValue(cookieName(site, "session", secure), header);
  return value !== null && TOKEN.test(value) ? value : null;
}

/** The token of a browser that was sent to an identity provider. */
export function readSignOn(site: SiteName, header: string | undefined, secure: boolean): string | null {
  const value = cookieValue(cookieName(site, "sign_on", secure), header);
  return value !== null && TOKEN.test(value) ? value : null;
}

/** The tokens that identify a browser from earlier sign-ins. */
export function readDevices(site: SiteName, header: string | undefined, secure: boolean): readonly string[] {
  const value = cookieValue(cookieName(site, "device", secure), header);
  const tokens = value?.split(".", MAX_DEVICES) ?? [];
  return tokens.every((token) => TOKEN.test(token)) ? tokens : [];
}

function cookieValue(name: string, header: string | undefined): string | null {
  const prefix = `${name}=`;
  const values = (header ?? "")
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(prefix))
    .map((part) => part.slice(prefix.length));
  const [value = ""] = values;
  return values.length === 1 ? value : null;
}

/** The Set-Cookie headers of a change. */
export function writeCookies(site: SiteName, { token, maxAgeSeconds, devices, signOn }: CookieChange, secure: boolean): string[] {
  const cookies: string[] = [];
  const add = (kind: CookieKind, value: string, age: number | undefined) =>
    cookies.push(written(`${cookieName(site, kind, secure)}=${value}`, age, secure));
  if (token !== undefined) add("session", token ?? "", token === null ? 0 : maxAgeSeconds);
  if (devices) add("device", devices.join("."), DEVICE_SECONDS);
  if (signOn !== undefined) add("sign_on", signOn ?? "", signOn === null ? 0 : SIGN_ON_SECONDS);
  return cookies;
}

function written(pair: string, age: number | undefined, secure: boolean): string {
  const parts = [pair, "Path=/", "HttpOnly", "SameSite=Strict"];
  if (age !== undefined) parts.push(`Max-Age=${age}`);
  if (secure) parts.push("Secure");
  return parts.join("; ");
}

const CHANGED = "corprail_console_changed";
// As old as a replica may be that is read.
const CHANGED_SECONDS = 10;

/** Marks a browser that has just changed something. Any process then reads its lists from the primary, so that the change shows. */
export function changedCookie(secure: boolean): string {
  return written(`${CHANGED}=1`, CHANGED_SECONDS, secure);
}

export function hasChanged(header: string | undefined): boolean {
  return cookieValue(CHANGED, header) !== null;
}
