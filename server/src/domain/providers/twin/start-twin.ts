import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { listenOn } from "../../../platform/network/listen-on.ts";
import type { Description } from "../description/definition.ts";
import type { Secrets } from "../description/request/scope.ts";
import type { Chosen } from "./behaviour.ts";
import { createService, type Served, type TwinEvent } from "./service.ts";
import { unservable } from "./unservable.ts";
import { writeAnswer } from "./write-answer.ts";

export type TwinOptions = Chosen & {
  /** 0 for any free port. */
  readonly port?: number;
  readonly host?: string;
  /** Where callbacks go, such as http://127.0.0.1:8080/upstream/quickpay/callback. Without it none are sent. */
  readonly callbackUrl?: string;
  /** The secrets that callbacks are signed and request bodies are encrypted with. */
  readonly secrets?: Secrets;
  /** When later results are there. */
  readonly delayMilliseconds?: number;
  /** How long a slow answer takes. */
  readonly slowMilliseconds?: number;
  readonly now?: () => number;
  readonly onEvent?: (event: TwinEvent) => void;
};

/** A provider's API on this machine, made from its description. */
export type Twin = {
  readonly origin: string;
  readonly orders: Served["orders"];
  /** Every token that was issued stops being accepted. */
  readonly expireTokens: () => void;
  readonly close: () => Promise<void>;
};

export class UnservableDescription extends Error {}

const DELAY_MILLISECONDS = 3000;
const SLOW_MILLISECONDS = 10_000;
const MOST_BYTES = 1024 * 1024;

/** Serves a provider's API from its description and samples. State is in memory. Throws when the samples do not suffice. */
export async function startTwin(definition: Description, options: TwinOptions = {}): Promise<Twin> {
  const why = unservable(definition, options);
  if (why !== null) throw new UnservableDescription(why);
  const service = createService(definition, {
    chosen: { fault: options.fault, answer: options.answer },
    callbackUrl: options.callbackUrl ?? null,
    secrets: options.secrets ?? {},
    delayMilliseconds: options.delayMilliseconds ?? DELAY_MILLISECONDS,
    now: options.now ?? Date.now,
    newToken: () => `twin-${randomBytes(12).toString("hex")}`,
    onEvent: options.onEvent ?? (() => {}),
  });
  const { origin, close } = await startAnswering(service.answer, options);
  return {
    origin,
    orders: service.orders,
    expireTokens: service.expireTokens,
    close: async () => {
      service.close();
      await close();
    },
  };
}

export type AnsweringServer = { readonly origin: string; readonly close: () => Promise<void> };

/** Listens on this machine and writes what `answer` says, with what goes wrong on the way. */
export async function startAnswering(
  answer: Served["answer"],
  options: Pick<TwinOptions, "port" | "host" | "slowMilliseconds">,
): Promise<AnsweringServer> {
  const server = createServer((request, response) => {
    serve(answer, request, response, options.slowMilliseconds ?? SLOW_MILLISECONDS).catch(() => response.destroy());
  });
  return { origin: await listenOn(server, { port: options.port ?? 0, host: options.host ?? "127.0.0.1" }), close: () => closed(server) };
}

async function serve(
  answerTo: Served["answer"],
  request: IncomingMessage,
  response: ServerResponse,
  slowMilliseconds: number,
): Promise<void> {
  const body = await readBody(request);
  const { method = "", url = "" } = request;
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );
  const { answer, wire, done } = answerTo({ method, url, headers, body });
  await writeAnswer(response, answer, wire, slowMilliseconds);
  done?.();
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MOST_BYTES) throw new Error("The request is too large.");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
