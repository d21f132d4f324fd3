import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { SECRET, TOKEN } from "./scripted-fetch.js";

export type Seen = {
  readonly call: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
};

export type Answering = (seen: Seen) => { readonly status?: number; readonly body: unknown };

export type ContractServer = {
  readonly url: string;
  readonly seen: readonly Seen[];
  /** Answers one call, such as `POST /bills/pay`. */
  readonly on: (call: string, answer: Answering) => void;
  readonly close: () => Promise<void>;
};

/** A service by the contract's gate, sharing no code with the SDK: token, then signature over what really arrived. */
export async function contractServer(): Promise<ContractServer> {
  const seen: Seen[] = [];
  const nonces = new Set<string>();
  const answers = new Map<string, Answering>();
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk as Uint8Array);
    const { status = 200, body } = reply(request, Buffer.concat(chunks));
    response.writeHead(status, { "content-type": "application/json", "x-request-id": "REQ1" }).end(JSON.stringify(body));
  });
  const reply = (request: IncomingMessage, bytes: Buffer): ReturnType<Answering> => {
    if (request.headers["x-api-token"] !== TOKEN) return refusal(401, "token_invalid", 102);
    const nonce = String(request.headers["x-api-nonce"]);
    if (nonces.has(nonce) || request.headers["x-api-signature"] !== expectedSignature(request, bytes)) {
      return refusal(401, "invalid_signature", 113);
    }
    nonces.add(nonce);
    const one = read(request, bytes);
    seen.push(one);
    return answers.get(one.call)?.(one) ?? refusal(404, "not_found", 125);
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    on: (call, answer) => void answers.set(call, answer),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function refusal(status: number, error: string, code: number) {
  return { status, body: { status: "rejected", error, code, message: error } };
}

function split(request: IncomingMessage): readonly [path: string, query: string] {
  const [path = "", query = ""] = String(request.url).split("?");
  return [path, query];
}

// The SDK writes its query canonically, so that the text on the wire is line 3 as it stands.
function expectedSignature(request: IncomingMessage, bytes: Buffer): string {
  const [path, query] = split(request);
  const body = createHash("sha256").update(bytes).digest("hex");
  const lines = [request.method, path, query, body, request.headers["x-api-timestamp"], request.headers["x-api-nonce"]];
  return createHmac("sha256", SECRET).update(lines.join("\n")).digest("hex");
}

function read(request: IncomingMessage, bytes: Buffer): Seen {
  const [path, query] = split(request);
  const body: unknown = bytes.length === 0 ? null : JSON.parse(bytes.toString("utf8"));
  const isJson = request.headers["content-type"] === "application/json";
  return {
    call: `${request.method} ${path.replace("/api/corp/v1", "")}`,
    query: Object.fromEntries(new URLSearchParams(query)),
    body: bytes.length === 0 || isJson ? body : "not declared as JSON",
  };
}
