import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createPlainServer, type Server as PlainServer, type Socket } from "node:net";

/** Behaviours of a test provider, good and bad. */
export const BEHAVIOURS = [
  "success",
  "failure",
  "pending",
  "not found",
  "another reference",
  "undeclared status",
  "no status",
  "slow success",
  "late success",
  "server error",
  "success with 500",
  "success with 202",
  "garbage",
  "empty",
  "success, then more",
  "success twice over",
  "redirect",
  "huge",
  "truncated",
  "broken chunk",
  "compressed",
  "hangs up before reading",
  "hangs up after reading",
  "never answers",
  "stops in the middle",
  "refuses the connection",
  "echoes the request",
] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

export type Received = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
};

/** A complete answer of a kind in the format of the connector under test. */
export type Words = (kind: Word, request: Received) => { readonly status: number; readonly body: string };
export type Word = "success" | "failure" | "pending" | "not found" | "another reference" | "undeclared status" | "no status";

export type UnrulyServer = {
  readonly origin: string;
  /** What arrived, apart from logins. */
  readonly received: readonly Received[];
  readonly close: () => Promise<void>;
};

export type UnrulyOptions = {
  /** Requests for a token. They are always answered well, with the words of a success. */
  readonly isLogin?: (request: Received) => boolean;
  /** Answers the first request that is no login with 401, as if its token had just expired. */
  readonly expiresToken?: boolean;
  /** The answer to an expired token; 401 without a body unless given. */
  readonly expiredAnswer?: ReturnType<Words>;
};

export const SLOW_MILLISECONDS = 150;
/** Longer than the time-out of a connector whose patience is tested. */
export const LATE_MILLISECONDS = 900;

/** A provider on this machine that behaves in one way for all requests. */
export async function startUnrulyServer(behaviour: Behaviour, words: Words, options: UnrulyOptions = {}): Promise<UnrulyServer> {
  if (behaviour === "refuses the connection") return refusingServer();
  if (behaviour === "hangs up before reading") return hangingUpServer();
  const received: Received[] = [];
  const expired = options.expiredAnswer ?? { status: 401, body: "" };
  const server = createServer((request, response) => {
    void readAll(request).then((whole) => {
      if (options.isLogin?.(whole)) return answer("success", words, whole, response);
      received.push(whole);
      if (options.expiresToken && received.length === 1) return finish(response, expired.status, expired.body);
      answer(behaviour, words, whole, response);
    });
  });
  const origin = await listening(server);
  return { origin, received, close: () => closed(server, () => server.closeAllConnections()) };
}

async function refusingServer(): Promise<UnrulyServer> {
  // A port that was just released, so that nothing listens on it.
  const server = createPlainServer();
  const origin = await listening(server);
  await closed(server, () => {});
  return { origin, received: [], close: async () => {} };
}

async function hangingUpServer(): Promise<UnrulyServer> {
  const sockets = new Set<Socket>();
  const server = createPlainServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).once("readable", () => socket.destroy());
  });
  const origin = await listening(server);
  return { origin, received: [], close: () => closed(server, () => sockets.forEach((socket) => void socket.destroy())) };
}

const PLAIN: Partial<Record<Behaviour, Word>> = {
  success: "success",
  failure: "failure",
  pending: "pending",
  "not found": "not found",
  "another reference": "another reference",
  "undeclared status": "undeclared status",
  "no status": "no status",
};

function answer(behaviour: Behaviour, words: Words, request: Received, response: ServerResponse): void {
  const word = PLAIN[behaviour];
  const said = words(word ?? "success", request);
  if (word) finish(response, said.status, said.body);
  const half = said.body.slice(0, Math.floor(said.body.length / 2));
  const bad: Partial<Record<Behaviour, () => unknown>> = {
    "slow success": () => setTimeout(() => finish(response, said.status, said.body), SLOW_MILLISECONDS),
    "late success": () => setTimeout(() => finish(response, said.status, said.body), LATE_MILLISECONDS),
    "echoes the request": () => finish(response, 200, JSON.stringify(request)),
    "server error": () => finish(response, 502, "<html>Bad Gateway</html>"),
    "success with 500": () => finish(response, 500, said.body),
    "success with 202": () => finish(response, 202, said.body),
    garbage: () => finish(response, 200, "\u0000\u0001<{[ SUCCESS ]}>\ufffd"),
    empty: () => finish(response, 200, ""),
    "success, then more": () => finish(response, 200, `${said.body}${said.body}`),
    "success twice over": () => finish(response, 200, `${said.body}\n${said.body}`),
    redirect: () => response.writeHead(302, { location: "/elsewhere" }).end(said.body),
    huge: () => finish(response, 200, said.body + " ".repeat(200_000)),
    truncated: () => response.writeHead(200, { "content-length": said.body.length }).write(half, () => response.socket?.end()),
    "broken chunk": () => response.writeHead(200).write(said.body, () => setImmediate(() => response.socket?.destroy())),
    compressed: () => response.writeHead(200, { "content-encoding": "gzip" }).end(said.body),
    "hangs up after reading": () => response.socket?.destroy(),
    "never answers": () => {},
    "stops in the middle": () => response.writeHead(200, { "content-length": said.body.length + 10 }).write(said.body),
  };
  bad[behaviour]?.();
}

function finish(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { "content-length": Buffer.byteLength(body) }).end(body);
}

async function readAll(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return { method: request.method ?? "", url: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks).toString() };
}

function listening(server: Server | PlainServer): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

function closed(server: Server | PlainServer, cut: () => void): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    cut();
  });
}
