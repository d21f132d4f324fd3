import type { z } from "zod";
import type { PersonSession } from "../../../domain/auth/sessions/find-session.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { Refusal } from "./refusal.ts";

/** A session at the portal or the console. */
export type SiteSession = PersonSession;

/** One call of an action: its validated input, its caller and where it came from. */
export type SiteCall<Deps, Who, Input> = {
  readonly deps: Deps;
  readonly session: Who;
  readonly input: Input;
  readonly requestId: string;
  /** The source address of the request. */
  readonly address: string;
  readonly userAgent: string;
  /** Tokens that identify the browser from earlier sign-ins. */
  readonly devices: readonly string[];
  /** The token of a browser that comes back from an identity provider. */
  readonly signOn: string | null;
  /** The site as the browser sees it, such as https://pay.example. */
  readonly origin: string;
};

/** Sets the session cookie, or removes it if the token is null. With `devices` the browser is recognised later. */
export type CookieChange = {
  readonly token?: string | null;
  /** Marks a browser that is sent to an identity provider; null removes the mark. */
  readonly signOn?: string | null;
  readonly maxAgeSeconds?: number;
  readonly devices?: readonly string[] | null;
};

/** A reply that also changes the session cookie. A class, so that it cannot be confused with an action's output. */
export class WithCookie<Body> {
  readonly body: Body;
  readonly cookie: CookieChange;

  constructor(body: Body, cookie: CookieChange) {
    this.body = body;
    this.cookie = cookie;
  }
}

/** The reply of an action to a site: its output, with or without a cookie, or a refusal. */
export type Reply<Output extends z.ZodType> = Readonly<z.output<Output>> | WithCookie<Readonly<z.output<Output>>> | Refusal;

/** The content of a reply that is not JSON. */
export type Streamed =
  | { readonly kind: "file"; readonly name: string; readonly content: AsyncIterable<string | Uint8Array> }
  /** Server-sent events, until the visitor leaves (the signal) or the iterator ends. */
  | { readonly kind: "events"; readonly events: (left: AbortSignal) => AsyncIterable<JsonObject> };

type Common<Input extends z.ZodType> = {
  /** Method and path below the site's API, such as `POST /callbacks/:callback_id/resend`. */
  readonly path: `${"GET" | "POST"} /${string}`;
  /** One sentence for readers of the definition. */
  readonly summary: string;
  /** The query of a GET or the body of a POST, with the path's parameters. */
  readonly input: Input;
};

type MemberAccess<Roles> = {
  /** Roles that may call it. All others are refused before the handler runs. */
  readonly roles: Roles;
  /** For secrets, addresses, URLs, versions and users: requires a proof of identity within the last five minutes. */
  readonly proof?: "recent";
  /** About the client as a whole, such as its team: the same in live and in test mode. */
  readonly ofClient?: true;
  /** Also available to users who must first set up a second factor. */
  readonly enrolling?: true;
};

/** An action that needs no session, such as signing in. */
export type PublicAction<Deps, Who, Input extends z.ZodType, Output extends z.ZodType, Result = Reply<Output>> = Common<Input> & {
  readonly roles: "anyone";
  readonly output: Output;
  readonly handler: (call: SiteCall<Deps, Who | null, z.output<Input>>) => Promise<Result>;
};

/** An action of signed-in users. */
export type MemberAction<Deps, Who, Roles, Input extends z.ZodType, Output extends z.ZodType, Result = Reply<Output>> = Common<Input> &
  MemberAccess<Roles> & {
    readonly output: Output;
    readonly handler: (call: SiteCall<Deps, Who, z.output<Input>>) => Promise<Result>;
  };

/** An action of signed-in users whose reply is not JSON: a file, or a stream of events. */
export type StreamAction<Deps, Who, Roles, Input extends z.ZodType> = Common<Input> &
  MemberAccess<Roles> & {
    readonly mediaType: "text/csv" | "text/event-stream" | "application/x-ndjson";
    readonly handler: (call: SiteCall<Deps, Who, z.output<Input>>) => Promise<Streamed | Refusal>;
  };

/** Any action of a site. The types of input and output are only known inside the definition. */
export type SiteAction<Deps, Who extends SiteSession, Roles = readonly Who["role"][]> =
  // biome-ignore lint/suspicious/noExplicitAny: a list of actions with different inputs has no common type.
  PublicAction<Deps, Who, any, any> | MemberAction<Deps, Who, Roles, any, any> | StreamAction<Deps, Who, Roles, any>;

/** The method and the path of an action. */
export function splitPath({ path }: { readonly path: string }): { readonly method: string; readonly url: string } {
  const [method = "GET", url = "/"] = path.split(" ");
  return { method, url };
}
