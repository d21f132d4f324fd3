import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { systemClock } from "../../../../platform/core/clock.ts";
import type { Connector } from "../../connector.ts";
import { defined } from "../../testing/definitions.ts";
import { testEgress } from "../../testing/egress.ts";
import { createDescriptionConnector } from "../connector.ts";

export type Heard = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
};
export type Reply = { readonly status?: number; readonly body?: unknown; readonly hangUp?: boolean };

const SECRETS = { key: "much-secret-key-of-ours" };

/** A provider that answers by a function, and its connector; both go away with the test. A function describes it by its origin. */
export async function describedProvider(
  describe: object | ((origin: string) => object),
  answer: (heard: Heard) => Reply | Promise<Reply>,
  now: () => number = () => systemClock().now(),
  secrets: Readonly<Record<string, string>> = SECRETS,
): Promise<{ readonly connector: Connector; readonly heard: Heard[] }> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const url = new URL(request.url ?? "/", "http://x");
      const one = {
        method: request.method ?? "",
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      heard.push(one);
      const { status = 200, body = "", hangUp = false } = await answer(one);
      if (hangUp) return response.socket?.destroy();
      const text = typeof body === "string" ? body : JSON.stringify(body);
      return response.writeHead(status, { "content-length": Buffer.byteLength(text) }).end(text);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const usual = { version: 2, name: "acme", base_url: origin, plain_http: true, secrets: ["key"] };
  const definition = defined(typeof describe === "function" ? describe(origin) : { ...usual, ...describe });
  const connector = createDescriptionConnector({
    definition,
    secrets,
    clock: { now },
    egress: testEgress(),
  });
  onTestFinished(async () => {
    await connector.close();
    server.closeAllConnections();
    await new Promise<void>((done) => void server.close(() => done()));
  });
  return { connector, heard };
}
