import { createHmac, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonRecord } from "../operator.ts";

// A provider's side, written from its own manual: it shares nothing with the service.

/** What becomes of the next transaction. `cut`: it is carried out, but the connection ends before the answer. */
export type Behaviour = "done" | "queued" | "refused" | "customer" | "cut" | "odd" | "huge";
export type Asked = { readonly path: string; readonly body: JsonRecord };
export type Answering = (asked: JsonRecord) => JsonRecord;
export type Transaction = { readonly id: string; readonly ref: string; readonly path: string; readonly body: JsonRecord; state: string };

export type FakeProvider = {
  readonly url: string;
  readonly keys: { readonly client_key: string; readonly signing_key: string; readonly callback_key: string };
  /** Every authenticated request, the newest last. */
  readonly asked: readonly Asked[];
  /** The same requests as they came, with their headers. */
  readonly seen: readonly Pick<IncomingMessage, "headers">[];
  readonly transactions: readonly Transaction[];
  readonly logins: () => number;
  /** Sets what happens to the next transaction only. */
  readonly next: (behaviour: Behaviour) => void;
  /** Answers a query at a path. */
  readonly on: (path: string, answering: Answering) => void;
  /** From now on requests are carried out, but their answers wait until the returned function is called. */
  readonly holdAnswers: () => () => void;
  /** The current token is not accepted any more. */
  readonly expireToken: () => void;
  /** A signed message about a transaction, as this provider sends it. */
  readonly message: (of: Transaction, at?: number) => { readonly body: string; readonly headers: Readonly<Record<string, string>> };
  readonly close: () => Promise<void>;
};

const HUGE_BYTES = 20 * 1024 * 1024;
const STATES: Readonly<Record<Behaviour, string>> = {
  done: "DONE",
  queued: "QUEUED",
  refused: "REFUSED",
  customer: "REFUSED",
  cut: "DONE",
  odd: "PARTLY",
  huge: "DONE",
};

class ProviderState {
  readonly keys = { client_key: secret(), signing_key: secret(), callback_key: secret() };
  readonly asked: Asked[] = [];
  readonly seen: IncomingMessage[] = [];
  readonly transactions: Transaction[] = [];
  readonly queries = new Map<string, Answering>();
  token = secret();
  logins = 0;
  behaviour: Behaviour = "done";
  held: Promise<void> | null = null;
  walletPaise = 100_000_000;

  answer(method: string, url: URL, text: string): JsonRecord | null {
    const body = text === "" ? {} : (JSON.parse(text) as JsonRecord);
    this.asked.push({ path: url.pathname, body });
    if (url.pathname.startsWith("/pay/")) return null;
    if (method === "GET" && url.pathname === "/transactions") return this.found(url.searchParams);
    const query = this.queries.get(url.pathname);
    return query ? { ok: true, ...query(body) } : { ok: false, code: "NO_SUCH_CALL", words: `nothing at ${url.pathname}` };
  }

  /** By this provider's own id; by the client's reference only when that is all the client has. */
  found(query: URLSearchParams): JsonRecord {
    const id = query.get("id");
    const one = this.transactions.find((each) => (id === null ? each.ref === query.get("ref") : each.id === id));
    return one ? this.view(one) : { state: "NONE", ref: query.get("ref") };
  }

  view({ id, ref, state, body }: Transaction): JsonRecord {
    const more = state === "DONE" ? { rrn: `77${id.slice(-10)}`, name: "ASHA VERMA", customer_paise: 1_234_550 } : {};
    return { state, id, ref, words: `${state} of ${String(body["account"] ?? "")}`, wallet_paise: this.walletPaise, ...more };
  }

  carryOut(path: string, body: JsonRecord): Transaction {
    const made = { id: `FP${String(this.transactions.length + 1).padStart(12, "0")}`, ref: String(body["ref"]), path, body };
    const transaction = { ...made, state: STATES[this.behaviour] };
    this.transactions.push(transaction);
    return transaction;
  }
}

const secret = () => randomBytes(18).toString("hex");
const signature = (key: string, text: string) => createHmac("sha256", key).update(text).digest("hex");

/** Starts a provider with a JSON API: a login, signed requests, its own ids and signed callbacks. */
export async function startFakeProvider(): Promise<FakeProvider> {
  const state = new ProviderState();
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => void respond(state, request, reply, Buffer.concat(chunks).toString()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys: state.keys,
    asked: state.asked,
    seen: state.seen,
    transactions: state.transactions,
    logins: () => state.logins,
    next: (behaviour) => {
      state.behaviour = behaviour;
    },
    on: (path, answering) => void state.queries.set(path, answering),
    holdAnswers: () => {
      let release = () => {};
      state.held = new Promise((resolve) => {
        release = resolve;
      });
      return () => release();
    },
    expireToken: () => {
      state.token = secret();
    },
    message: (of, at = Date.now()) => {
      const body = JSON.stringify(state.view(of));
      const time = String(Math.floor(at / 1000));
      const headers = { "content-type": "application/json", "x-time": time };
      return { body, headers: { ...headers, "x-signature": `v1=${signature(state.keys.callback_key, `${time}.${body}`)}` } };
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

type Reply = { readonly status: number; readonly body: JsonRecord };

async function respond(state: ProviderState, request: IncomingMessage, reply: ServerResponse, text: string): Promise<void> {
  const answer = answerTo(state, request, text);
  await state.held;
  // A client that has read enough may close first.
  reply.on("error", () => {});
  if (answer === "cut") request.socket.destroy();
  else reply.writeHead(answer.status, { "content-type": "application/json" }).end(JSON.stringify(answer.body));
}

function answerTo(state: ProviderState, request: IncomingMessage, text: string): Reply | "cut" {
  const url = new URL(request.url ?? "/", "http://provider");
  const method = request.method ?? "";
  if (url.pathname === "/login") return logIn(state, text);
  const signed = signature(state.keys.signing_key, [method, url.pathname, url.search.slice(1), text].join("\n"));
  if (request.headers.authorization !== `Bearer ${state.token}`) return { status: 401, body: { words: "token" } };
  if (request.headers["x-signature"] !== signed) return { status: 403, body: { words: "signature" } };
  state.seen.push(request);
  const answer = state.answer(method, url, text);
  return answer === null ? carryOut(state, url.pathname, text) : { status: 200, body: answer };
}

function carryOut(state: ProviderState, path: string, text: string): Reply | "cut" {
  const transaction = state.carryOut(path, JSON.parse(text) as JsonRecord);
  const { behaviour } = state;
  state.behaviour = "done";
  if (behaviour === "cut") return "cut";
  const why = behaviour === "customer" ? { why: "CUSTOMER" } : {};
  const padding = behaviour === "huge" ? { padding: "x".repeat(HUGE_BYTES) } : {};
  return { status: 200, body: { ...state.view(transaction), ...why, ...padding } };
}

function logIn(state: ProviderState, text: string): Reply {
  state.logins++;
  const { key } = JSON.parse(text) as { readonly key?: string };
  return key === state.keys.client_key
    ? { status: 200, body: { access_token: state.token, expires_in: 3600 } }
    : { status: 401, body: { words: "key" } };
}
