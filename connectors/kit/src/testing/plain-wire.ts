import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { RawAnswer, RawWire } from "../host/bounded-wire.ts";
import type { WireRequest } from "../wire.ts";

/** One exchange as it would be kept as evidence. */
export type TestEvidence = { readonly operation: string; readonly request: string; readonly reply: string | null };

// As the service does: what such a field holds is hidden, because a token in the answer to a login is not known before.
const SECRET_FIELD = /("?\w*(?:token|secret|password)"?\s*[:=]\s*"?)[^"&,\s}]+/gi;
const MAX_BYTES = 64 * 1024;

/** A wire for tests: the same rules as the service's, but without its address guard. Each request has its own connection. */
export function plainWire(timeoutMs: number): RawWire<(evidence: TestEvidence) => void> {
  return async (request, { signal, trace, hide }) => {
    const answer = await exchange(request, signal, request.timeoutMs ?? timeoutMs);
    const masked = (text: string) =>
      hide
        .flatMap(formsOf)
        .reduce((rest, secret) => (secret === "" ? rest : rest.replaceAll(secret, "[hidden]")), text)
        .replace(SECRET_FIELD, "$1[hidden]");
    const sent = [`${request.method} ${request.url}`, ...headerLines(request.headers), "", bodyText(request.body)].join("\n");
    trace?.({
      operation: request.operation,
      request: masked(sent),
      reply: answer.kind === "answered" ? masked(`${answer.status}\n${answer.text}`) : null,
    });
    return answer;
  };
}

function formsOf(secret: string): readonly string[] {
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
}

function headerLines(headers: WireRequest["headers"]): readonly string[] {
  return Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`);
}

function bodyText(body: WireRequest["body"]): string {
  return typeof body === "string" ? body : Buffer.from(body ?? []).toString("latin1");
}

function exchange(request: WireRequest, signal: AbortSignal, timeoutMs: number): Promise<RawAnswer> {
  return new Promise((resolve) => {
    let isConnected = false;
    const end = (answer: RawAnswer) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      resolve(answer);
      outgoing.destroy();
    };
    const giveUp = (why: string) => end({ kind: isConnected ? "unknown" : "not_sent", why });
    const onAbort = () => giveUp("the request was aborted");
    const send = request.url.startsWith("https:") ? requestHttps : requestHttp;
    const headers = { "accept-encoding": "identity", ...request.headers };
    const outgoing = send(request.url, { method: request.method, headers, agent: false });
    const timer = setTimeout(() => giveUp(`no answer within ${timeoutMs} ms`), timeoutMs);
    signal.addEventListener("abort", onAbort, { once: true });
    outgoing.once("socket", (socket) => socket.once("connect", () => (isConnected = true)));
    outgoing.on("error", () => giveUp("the connection failed"));
    outgoing.on("response", (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > (request.maxBytes ?? MAX_BYTES)) giveUp("the answer is too large");
        else chunks.push(chunk);
      });
      response.on("error", () => giveUp("the answer broke off"));
      response.on("end", () => {
        if (!response.complete) return giveUp("the answer broke off");
        if (response.headers["content-encoding"] !== undefined) return giveUp("the answer is compressed");
        end(answered(response.statusCode ?? 0, response.headers, Buffer.concat(chunks)));
      });
    });
    outgoing.end(request.body ?? undefined);
  });
}

function answered(status: number, headers: NodeJS.Dict<string | string[]>, body: Buffer): RawAnswer {
  const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value ?? "")]));
  const endMarked = "content-length" in plain || "transfer-encoding" in plain;
  return { kind: "answered", status, headers: plain, body, text: body.toString("utf8"), endMarked };
}
