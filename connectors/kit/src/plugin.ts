import type { z } from "zod";
import type { JsonObject } from "./json.ts";
import type { OperationName, QueryInput, QueryName, QueryValue, TransactionName } from "./operations.ts";
import type { DeclineReason, Outcome, QueryResult, StatusFinding } from "./outcome.ts";
import type { Wire } from "./wire.ts";

/** The version of this interface. A plug-in of another version is refused at the start. */
export const API_VERSION = 1;

/** An order for the provider, or the question what became of one. */
export type TransactionRequest = {
  readonly operation: TransactionName;
  /** Our reference, unique forever. The status operation gets the same one. */
  readonly reference: string;
  /** Our operator or biller code. */
  readonly operator: string;
  /** The number or account to serve. */
  readonly target: string;
  /** In rupees, such as "10.50". */
  readonly amount: string;
  readonly circle: string | null;
  /** When the order was created, in milliseconds since 1970. */
  readonly createdAt: number;
  /** What the service adds. A status question has only what the service stored for the order. */
  readonly details: JsonObject;
  /** The provider's own id of the transaction, if an earlier answer had one. */
  readonly providerRef: string | null;
  /** Aborts when nobody waits any more. `wire` follows it by itself. */
  readonly signal: AbortSignal;
};

/** A transaction: `send` carries it out once, `status` asks what became of it. */
export type Transaction = {
  readonly send: (request: TransactionRequest) => Promise<Outcome>;
  readonly status: (request: TransactionRequest) => Promise<StatusFinding>;
};

export type Query<Name extends QueryName> = (
  input: QueryInput<Name>,
  context: { readonly signal: AbortSignal },
) => Promise<QueryResult<QueryValue<Name>>>;

/** What `open` returns: a function or a pair of functions for every operation that the plug-in declares. */
export type Handlers<Name extends OperationName> = {
  readonly [One in Name]: One extends QueryName ? Query<One> : Transaction;
} & { readonly close?: () => void | Promise<void> };

/**
 * A little state that all processes share, such as a login token: sealed, at most 32 names with at most 4096 characters each.
 * Names are letters, digits, `.`, `_` and `-`. It rejects when the database cannot be reached.
 */
export type StateStore = {
  readonly get: (name: string) => Promise<string | null>;
  readonly set: (name: string, value: string) => Promise<void>;
  readonly delete: (name: string) => Promise<void>;
};

export type LogFields = Readonly<Record<string, string | number | boolean | null>>;
/** Lines for staff. Secrets are masked, long lines are cut, and too many lines a minute are only counted. */
export type PluginLog = {
  readonly info: (text: string, fields?: LogFields) => void;
  readonly warn: (text: string, fields?: LogFields) => void;
  readonly error: (text: string, fields?: LogFields) => void;
};

export type Clock = { readonly now: () => number };

/** What a plug-in gets when a provider that uses it is opened. */
export type OpenParts<Settings, Secret extends string> = {
  readonly wire: Wire;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly secrets: Readonly<Record<Secret, string>>;
  readonly store: StateStore;
  readonly log: PluginLog;
};

/** A message that arrived at /upstream/{provider}/callback. */
export type CallbackMessage = {
  readonly method: string;
  /** What follows the address, such as `/payment/status`; empty for the address itself. */
  readonly path: string;
  /** The sender's address. */
  readonly source: string;
  readonly query: Readonly<Record<string, string>>;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export const CALLBACK_REFUSALS = ["wrong_key", "unreadable", "no_reference", "stale", "replayed", "unknown_status"] as const;

export type CallbackReading =
  | {
      readonly kind: "report";
      /** Our reference, or the provider's id when `referenceIs` says so. */
      readonly reference: string;
      readonly referenceIs?: "provider_ref";
      /** `ask`: the message proves nothing, for example because it is not signed, and only makes us ask the provider. */
      readonly finding: StatusFinding | { readonly kind: "ask" };
    }
  | {
      readonly kind: "refused";
      readonly reason: (typeof CALLBACK_REFUSALS)[number];
      /** Whether the message proved that it comes from the provider. */
      readonly authentic?: boolean;
      readonly reference?: string;
    };

/** The form of references that a provider demands. */
export type PluginReferenceForm = {
  readonly characters: "digits" | "capitals_and_digits";
  readonly length: number;
  readonly date?: "none" | "yyMMdd" | "yyyyMMdd";
  readonly prefix?: string;
};

export type ConnectorDefinition<
  Settings extends z.ZodType = z.ZodType,
  Secret extends string = string,
  Name extends OperationName = OperationName,
> = {
  readonly apiVersion: typeof API_VERSION;
  /** Settings of a provider name the plug-in by it: small letters, digits and `-`. */
  readonly name: string;
  /** Checks a provider's settings when they are saved. */
  readonly settings: Settings;
  /** The names of the secrets, which are stored sealed and are never part of the settings. */
  readonly secrets: readonly Secret[];
  readonly operations: readonly Name[];
  /**
   * The origins (https://host:port) that requests go to. They are checked when the settings are saved, and `wire` refuses
   * others. Without it `wire` reaches any public address, and every change of settings needs the secrets again.
   */
  readonly origins?: (settings: z.output<Settings>) => readonly string[];
  /** Decides before anything is charged whether the order can be written for the provider; null when it can. */
  readonly unsuitable?: (
    request: Omit<TransactionRequest, "signal">,
    settings: z.output<Settings>,
  ) => { readonly why: string; readonly failure?: DeclineReason } | null;
  /** How long one operation may take; 30 seconds unless given, 2 minutes at most. */
  readonly timeoutMs?: number;
  /** How long after a request "not found" may still mean "not received yet"; 5 minutes unless given. */
  readonly quietMs?: number;
  /** Absent: the provider takes our references as they are. */
  readonly referenceForm?: PluginReferenceForm;
  /** When a transaction in doubt is asked about. Absent: the usual schedule. */
  readonly polling?: { readonly firstMs: number; readonly everyMs: number };
  /** Reads a message of the provider. It must prove the sender, or say `ask`. */
  readonly readCallback?: (
    message: CallbackMessage,
    context: {
      readonly settings: z.output<Settings>;
      readonly secrets: Readonly<Record<Secret, string>>;
      readonly clock: Clock;
    },
  ) => CallbackReading;
  /** The query parameter that carries a callback's key, so that it can be masked. */
  readonly callbackKeyName?: string;
  /** What an accepted callback is answered, if the provider expects a certain text. */
  readonly callbackReply?: { readonly status: number; readonly contentType: string; readonly body: string };
  /** Called once for every provider that uses the plug-in, and again after its settings or secrets changed. */
  readonly open: (parts: OpenParts<z.output<Settings>, Secret>) => Handlers<Name> | Promise<Handlers<Name>>;
};

/** Types a plug-in. A module exports the result as its default export. */
export function defineConnector<Settings extends z.ZodType, const Secret extends string, const Name extends OperationName>(
  definition: ConnectorDefinition<Settings, Secret, Name>,
): ConnectorDefinition<Settings, Secret, Name> {
  return definition;
}
