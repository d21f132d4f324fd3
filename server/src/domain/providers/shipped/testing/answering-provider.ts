import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { systemClock } from "../../../../platform/core/clock.ts";
import type { JsonObject } from "../../../../platform/core/strict-json.ts";
import type { Connector } from "../../connector.ts";
import { createDescriptionConnector } from "../../description/connector.ts";
import { defined } from "../../testing/definitions.ts";
import { testEgress } from "../../testing/egress.ts";
import { localDescription } from "../../twin/local-description.ts";
import { readShippedFile, type ShippedSubject } from "./shipped-suite.ts";

export type HeardCall = {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
};
type Reply = { readonly http?: number; readonly body: unknown };

/** The connector of a shipped description, and a provider that answers by a function: for answers that no sample has. */
export async function connectAnswering(
  { name, secrets }: Pick<ShippedSubject, "name" | "secrets">,
  answer: (call: HeardCall) => Reply,
  settings: JsonObject = readShippedFile(name),
): Promise<{ readonly connector: Connector; readonly heard: readonly HeardCall[] }> {
  const heard: HeardCall[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request.setEncoding("utf8")) body += part;
    const call = { method: request.method ?? "", path: request.url ?? "", headers: request.headers, body };
    heard.push(call);
    const reply = answer(call);
    const text = JSON.stringify(reply.body);
    response.writeHead(reply.http ?? 200, { "content-length": Buffer.byteLength(text) }).end(text);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const definition = defined(localDescription(settings, origin));
  const connector = createDescriptionConnector({ definition, secrets, clock: systemClock(), egress: testEgress() });
  onTestFinished(async () => {
    await connector.close();
    server.closeAllConnections();
    await new Promise<void>((done) => void server.close(() => done()));
  });
  return { connector, heard };
}
