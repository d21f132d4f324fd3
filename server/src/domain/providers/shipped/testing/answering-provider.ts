import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { systemClock } from "../../../../platform/core/clock.ts";
import { createDescriptionConnector } from "../../description/connector.ts";
import { defined } from "../../testing/definitions.ts";
import { testEgress } from "../../testing/egress.ts";
import { localDescription } from "../../twin/local-description.ts";
import { readShippedFile } from "./shipped-suite.ts";

/** A request as the provider received it. */
export type HeardRequest = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
};
export type GivenAnswer = { readonly http?: number; readonly body: unknown };

/** The connector of a shipped description, connected to a provider that answers what the test says and keeps what it received. */
export async function answeringProvider(
  { name, secrets }: { readonly name: string; readonly secrets: Readonly<Record<string, string>> },
  answer: (heard: HeardRequest) => GivenAnswer,
) {
  const heard: HeardRequest[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request.setEncoding("utf8")) body += part;
    const one = { path: request.url ?? "", headers: request.headers, body };
    heard.push(one);
    const { http = 200, body: given } = answer(one);
    const text = typeof given === "string" ? given : JSON.stringify(given);
    response.writeHead(http, { "content-length": Buffer.byteLength(text) }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const definition = defined(localDescription(readShippedFile(name), origin));
  const connector = createDescriptionConnector({ definition, secrets, clock: systemClock(), egress: testEgress() });
  onTestFinished(async () => {
    await connector.close();
    server.closeAllConnections();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  });
  return { connector, heard };
}
