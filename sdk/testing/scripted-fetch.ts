import { Corprail } from "../src/corprail.js";
import type { CorprailOptions } from "../src/settings.js";
import { type TestClock, testClock } from "./test-clock.js";

export type Sent = {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  readonly json: Readonly<Record<string, unknown>>;
};

/** One answer of the script: a reply, a failing connection, or silence until the time-out. */
export type Step =
  | { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
  | { readonly fails: string; readonly code?: string }
  | "silence";

export type Script = {
  readonly fetch: typeof globalThis.fetch;
  readonly sent: readonly Sent[];
  /** What was sent, in words: `POST /recharge`. */
  readonly requested: () => readonly string[];
};

/** A fetch that answers by a script, in order; a request that the script does not expect fails the test. */
export function scripted(steps: readonly Step[]): Script {
  const sent: Sent[] = [];
  const left = [...steps];
  const fetch = async (input: unknown, init: RequestInit = {}) => {
    sent.push(record(String(input), init));
    const step = left.shift();
    if (step === undefined) throw new Error(`The script has no answer for ${sent.at(-1)?.path}.`);
    return await play(step);
  };
  return { fetch: fetch as typeof globalThis.fetch, sent, requested: () => sent.map((one) => `${one.method} ${one.path}`) };
}

async function play(step: Step): Promise<Response> {
  if (step === "silence") return await new Promise<never>(() => {});
  if ("fails" in step) throw Object.assign(new TypeError(step.fails), step.code === undefined ? {} : { cause: { code: step.code } });
  const text = typeof step.body === "string" ? step.body : JSON.stringify(step.body);
  const headers = new Headers({ "x-request-id": "REQ0000000000000000A", ...step.headers });
  // Not a real Response: reading one takes turns of the event loop, and the test clock would take that for waiting.
  return { status: step.status, headers, text: async () => text } as Response;
}

function record(address: string, init: RequestInit): Sent {
  const url = new URL(address);
  const body = init.body instanceof Uint8Array ? init.body : null;
  return {
    method: String(init.method),
    path: url.pathname.replace("/api/corp/v1", ""),
    query: url.search.slice(1),
    headers: init.headers as Record<string, string>,
    body,
    json: body === null ? {} : (JSON.parse(Buffer.from(body).toString("utf8")) as Record<string, unknown>),
  };
}

export const TOKEN = "tok_test_FAKE-TOKEN-OF-THE-SDK-TESTS";
export const SECRET = "sig_FAKE-SECRET-OF-THE-SDK-TESTS";

export type Bench = Script & { readonly corprail: Corprail; readonly clock: TestClock };

/** A client before a script, with time and chance of its own. */
export function bench(steps: readonly Step[], options: Partial<CorprailOptions> = {}): Bench {
  const script = scripted(steps);
  const clock = testClock();
  let count = 0;
  const randomBytes = (bytes: number) => new Uint8Array(bytes).fill(++count % 256);
  const given = { baseUrl: "https://api.example.in", token: TOKEN, signingSecret: SECRET, fetch: script.fetch, clock, randomBytes };
  return { ...script, clock, corprail: new Corprail({ ...given, ...options }) };
}
