import type { z } from "zod";
import type { JsonObject } from "../kernel/strict-json.ts";
import type { Role, Session } from "./session.ts";

/** What every handler is given: who asks, from where, and what they sent, validated. */
export type Visit<Input, Who> = {
  readonly session: Who;
  readonly input: Input;
  readonly requestId: string;
  /** The address the request comes from. */
  readonly address: string;
  readonly userAgent: string;
  /** The site as the browser sees it, such as https://pay.example. */
  readonly origin: string;
};

export type FaultName =
  | "invalid_request"
  | "unauthorized"
  | "forbidden"
  | "step_up_required"
  | "not_found"
  | "conflict"
  | "too_many_tries"
  | "internal_error";

export type Fault = {
  readonly kind: "fault";
  readonly error: FaultName;
  readonly message: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly retryAfterSeconds?: number;
};

/** A token becomes the visitor's cookie; null takes the cookie away. */
export type CookieChange = { readonly token: string | null; readonly maxAgeSeconds?: number };

export type PortalAnswer =
  | Fault
  | { readonly kind: "json"; readonly body: JsonObject; readonly cookie?: CookieChange }
  | { readonly kind: "file"; readonly name: string; readonly type: string; readonly content: AsyncIterable<string | Uint8Array> }
  /** Server-sent events, until the visitor leaves (the signal) or the iterator ends. */
  | { readonly kind: "events"; readonly events: (left: AbortSignal) => AsyncIterable<JsonObject> };

type Common = {
  readonly method: "GET" | "POST";
  /** Below /portal/api; a segment in braces is a parameter, as in `/callbacks/{callback_id}`. */
  readonly path: string;
  /** Shown to readers of the route table only. */
  readonly does: string;
};

export type OpenRoute<Input = never> = Common & {
  /** Anybody, signed in or not; `half` needs the password's session at least. */
  readonly who: "anyone";
  readonly input: z.ZodType<Input>;
  readonly handle: (visit: Visit<Input, Session | null>) => Promise<PortalAnswer>;
};

export type MemberRoute<Input = never> = Common & {
  /** The roles that may; all others are refused before the handler sees anything. */
  readonly who: readonly Role[];
  /** Secrets, addresses, URLs, versions, money: who they are must have been proved within five minutes. */
  readonly stepUp?: true;
  readonly input: z.ZodType<Input>;
  readonly handle: (visit: Visit<Input, Session>) => Promise<PortalAnswer>;
};

export type PortalRoute = OpenRoute | MemberRoute;

/** Keeps the handler's types while the table holds routes of every kind. */
export function openRoute<Input>(route: OpenRoute<Input>): PortalRoute {
  return route as unknown as PortalRoute;
}

export function memberRoute<Input>(route: MemberRoute<Input>): PortalRoute {
  return route as unknown as PortalRoute;
}

export const EVERYBODY: readonly Role[] = ["owner", "developer", "operations", "read_only"];
/** Credentials, addresses, callbacks: the integration. */
export const BUILDERS: readonly Role[] = ["owner", "developer"];
/** Complaints, resends, exports: the daily work. */
export const WORKERS: readonly Role[] = ["owner", "developer", "operations"];
export const OWNERS: readonly Role[] = ["owner"];

export function fault(error: FaultName, message: string, more: Pick<Fault, "fields" | "retryAfterSeconds"> = {}): Fault {
  return { kind: "fault", error, message, ...more };
}

export function json(body: JsonObject, cookie?: CookieChange): PortalAnswer {
  return cookie === undefined ? { kind: "json", body } : { kind: "json", body, cookie };
}
