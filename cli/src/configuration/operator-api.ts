import type { JsonObject } from "@corprail/server/platform/core/strict-json";
import { UsageFault } from "../shared/outcome.ts";
import type { ClientContext } from "../shared/run-command.ts";

/** A refusal of the operator API. */
export class ApiRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A change was sent and no answer came, so it is unknown whether it was made. */
export class NoAnswer extends Error {}

export type Made = {
  /** The request for approval that the change waits for; null if it was made. */
  readonly approvalId: string | null;
  /** The revision after it. */
  readonly revision: string;
};

export type OperatorApi = {
  readonly baseUrl: string;
  readonly get: <Reply>(path: string) => Promise<Reply>;
  /** A call that changes nothing, such as an impact preview. */
  readonly ask: <Reply>(path: string, body: JsonObject) => Promise<Reply>;
  /** A change, refused by the service if its object was changed after the revision. */
  readonly change: (path: string, body: JsonObject, revision: string) => Promise<Made>;
};

const PREFIX = "/api/operator/v1";
const TIMEOUT_MILLISECONDS = 60_000;
const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

/** The operator API at CORPRAIL_BASE_URL, called with CORPRAIL_OPERATOR_KEY. */
export function connectOperatorApi({ environment }: ClientContext): OperatorApi {
  const baseUrl = addressOf(environment["CORPRAIL_BASE_URL"]?.trim());
  const key = environment["CORPRAIL_OPERATOR_KEY"]?.trim();
  if (!key) throw new UsageFault("Set CORPRAIL_OPERATOR_KEY to an operator key. The console creates one under Keys.");
  const send = async (method: "GET" | "POST", path: string, body?: JsonObject, revision?: string): Promise<Response> =>
    await fetch(`${baseUrl}${PREFIX}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(revision === undefined ? {} : { "corprail-expected-revision": revision }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    });
  const reach = async (response: Promise<Response>): Promise<Response> =>
    await response.catch((error: unknown) => {
      throw new Error(`${baseUrl} does not answer: ${reasonOf(error)}`);
    });
  return {
    baseUrl,
    get: async (path) => (await readReply(await reach(send("GET", path)))) as never,
    ask: async (path, body) => (await readReply(await reach(send("POST", path, body)))) as never,
    change: async (path, body, revision) => {
      const response = await send("POST", path, body, revision).catch((error: unknown) => {
        throw new NoAnswer(`No answer: ${reasonOf(error)}. It is unknown whether the change was made.`);
      });
      const reply = (await readReply(response)) as { readonly approval?: { readonly approval_id: string } };
      const approvalId = response.status === 202 ? (reply.approval?.approval_id ?? "unknown") : null;
      return { approvalId, revision: response.headers.get("corprail-revision") ?? revision };
    },
  };
}

function addressOf(text: string | undefined): string {
  if (!text) throw new UsageFault("Set CORPRAIL_BASE_URL to the address of the service, such as https://api.example.in.");
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol))
    throw new UsageFault("CORPRAIL_BASE_URL must be an http or https address.");
  // Every call carries the key.
  if (url.protocol === "http:" && !LOCAL.includes(url.hostname))
    throw new UsageFault("CORPRAIL_BASE_URL must be an https address; plain http is accepted for this machine only.");
  return text.replace(/\/$/, "");
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== "" ? error.cause.message : error.message;
}

async function readReply(response: Response): Promise<unknown> {
  const text = await response.text();
  const body = parsed(text);
  if (response.ok && body !== null) return body;
  const { message, fields } = (body ?? {}) as { readonly message?: unknown; readonly fields?: Readonly<Record<string, string>> };
  const wrong = Object.entries(fields ?? {}).map(([name, why]) => ` ${name}: ${why}`);
  const said = typeof message === "string" ? message : `The reply has the status ${response.status} and is not of the operator API.`;
  const about = response.status === 401 ? "The key in CORPRAIL_OPERATOR_KEY was refused. " : "";
  throw new ApiRefusal(response.status, `${about}${said}${wrong.join("")}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
