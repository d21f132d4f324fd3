import { createSecretKey } from "node:crypto";
import { expectMatchesOpenApi } from "../../../../../e2e/harness/openapi-check.ts";
import { exchange, type RawReply, requestText } from "../../../../../e2e/harness/raw-http.ts";
import { signatureHeaders } from "../../../../../e2e/harness/sign.ts";
import type { Account, KnownToken } from "../../../domain/accounts/account.ts";
import { parseAllowlist } from "../../../domain/accounts/allowlist.ts";
import type { Call } from "../../../domain/api-log/call.ts";
import type { Route } from "../../../domain/client-api/route.ts";
import { randomIds } from "../../../platform/core/ids.ts";
import { createLog } from "../../../platform/observability/log.ts";
import { createMetrics } from "../../../platform/observability/metrics.ts";
import { testDatabase } from "../../../testing/database.ts";
import { clientApi } from "../../http/client-api.ts";
import { listen } from "../../http/server.ts";
import { type AdmissionBatcher, createAdmissionBatcher } from "../gate/admission.ts";
import { createCongestion } from "../gate/congestion.ts";
import { accountWith, tokenOf } from "../gate/testing/account.ts";
import { PREFIX, routeTable } from "../route-table.ts";
import { clientRoutes, type RoutesContext } from "../routes.ts";
import { TEST_ROUTES } from "./test-routes.ts";

// The gate refuses most requests of these tests. The others only look up a reference in the fixture's database.
const BEHIND: Partial<RoutesContext> = {};

/** All routes of the client API, and a test route of every other kind. */
export const ALL_ROUTES: readonly Route[] = [...clientRoutes(BEHIND as RoutesContext), ...TEST_ROUTES];

export type Caller = { readonly account: Account; readonly token: string; readonly secret: string };

export type Fixture = {
  readonly port: number;
  readonly admission: AdmissionBatcher;
  /** The simulated wait in seconds. */
  readonly waiting: { seconds: number };
  readonly underWay: () => number;
  readonly log: () => string;
  /** The recorded API log entries. */
  readonly calls: readonly Call[];
  /** Creates an active account that allows loopback and has every service on. */
  readonly caller: (more?: Partial<Account>) => Caller;
  /** Limits the caller's token. */
  readonly limit: (caller: Caller, limits: Partial<KnownToken>) => void;
  readonly close: () => Promise<void>;
};

/** Starts the client API on a real socket and database, with accounts created by the test. */
export async function createFixture(): Promise<Fixture> {
  const database = await testDatabase();
  Object.assign(BEHIND, { sql: database.sql });
  const [ids, clock] = [randomIds(), { now: () => Date.now() }];
  const admission = createAdmissionBatcher(database.sql, clock);
  const [congestion, waiting] = [createCongestion(), { seconds: 0 }];
  congestion.follow(() => waiting.seconds);
  const byToken = new Map<string, Account>();
  const limits = new Map<string, Partial<KnownToken>>();
  const byId = new Map<string, Account>();
  const lines: string[] = [];
  const calls: Call[] = [];
  const gate = {
    clock,
    admission,
    findToken: (token: string) => tokenOf(byToken.get(token), limits.get(token)),
    accountById: (accountId: string) => byId.get(accountId) ?? null,
    ensureFresh: () => undefined,
    congestion,
    trustedProxies: [],
  };
  const log = createLog("info", { write: (line) => void lines.push(line) });
  const api = clientApi({
    table: routeTable(ALL_ROUTES),
    gate,
    ids,
    log,
    metrics: createMetrics(),
    calls: { record: (call) => void calls.push(call) },
  });
  const server = await listen({ host: "127.0.0.1", port: 0, clientApi: api, others: api, ids });
  return {
    port: server.port,
    admission,
    waiting,
    underWay: congestion.underWay,
    log: () => lines.join(""),
    calls,
    caller: (more = {}) => {
      const [token, secret] = [ids.secret("tok_live_"), ids.secret("sig_")];
      const account = accountWith({
        accountId: ids.account(),
        allowlist: allow("127.0.0.1"),
        signingSecrets: [{ credentialId: "C1", key: createSecretKey(Buffer.from(secret)), expiresAt: null }],
        ...more,
      });
      byToken.set(token, account);
      byId.set(account.accountId, account);
      return { account, token, secret };
    },
    limit: ({ token }, changes) => void limits.set(token, changes),
    close: async () => {
      await server.close(100);
      await database.drop();
    },
  };
}

export function allow(...entries: readonly string[]): Account["allowlist"] {
  const parsed = parseAllowlist(entries);
  if (!parsed.ok) throw new Error(`Not an entry: ${parsed.wrong}`);
  return parsed.list;
}

export type Sent = {
  readonly token?: string | null;
  readonly sign?: string;
  readonly timestamp?: string;
  readonly nonce?: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Uint8Array;
  readonly contentType?: string | null;
  readonly query?: readonly (readonly [string, string])[];
};

/** Sends a request to a route. */
export async function send(fixture: Fixture, one: Route, sent: Sent): Promise<RawReply> {
  const path = PREFIX + one.path.replace(/\{[a-z_]+\}$/, "SOMETHING");
  const query = sent.query ?? [];
  const body = typeof sent.body === "string" ? Buffer.from(sent.body) : (sent.body ?? new Uint8Array());
  const signature =
    sent.sign === undefined
      ? []
      : signatureHeaders({
          method: one.method,
          path,
          query,
          body,
          secret: sent.sign,
          ...(sent.timestamp === undefined ? {} : { timestamp: sent.timestamp }),
          ...(sent.nonce === undefined ? {} : { nonce: sent.nonce }),
        });
  const headers: readonly (readonly [string, string])[] = [
    ["Host", "a"],
    ...(sent.token == null ? [] : [["X-Api-Token", sent.token] as const]),
    ...(one.method === "POST" && sent.contentType !== null ? [["Content-Type", sent.contentType ?? "application/json"] as const] : []),
    ...(one.method === "POST" || body.length > 0 ? [["Content-Length", String(body.length)] as const] : []),
    ...signature,
    ...(sent.headers ?? []),
  ];
  const target = query.length === 0 ? path : `${path}?${query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")}`;
  const reply = await exchange(fixture.port, Buffer.concat([Buffer.from(requestText(one.method, target, headers), "latin1"), body]));
  if (!TEST_ROUTES.includes(one)) expectMatchesOpenApi(one.method, target, reply.status, reply.text);
  return reply;
}
