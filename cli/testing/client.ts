import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export const TOKEN = `tok_test_${"t".repeat(43)}`;
export const SIGNING_SECRET = `sig_${"s".repeat(43)}`;
export const CALLBACK_SECRET = `cbk_${"c".repeat(43)}`;

/** A folder that goes away with the test. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "corprail-client-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export type Arrived = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
};
export type Answer = { readonly status: number; readonly body: string };

/** A service or receiver that records what arrives and answers as configured. */
export async function standIn(
  answer: (arrived: Arrived) => Answer,
): Promise<{ readonly base: string; readonly arrived: readonly Arrived[] }> {
  const arrived: Arrived[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const { method = "", url = "", headers } = request;
    arrived.push({ method, url, headers, body: Buffer.concat(parts) });
    const { status, body } = answer(arrived[arrived.length - 1] as Arrived);
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(
    () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  );
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, arrived };
}

/** An address that nobody listens on. */
export async function deadAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((done) => server.close(() => done()));
  return `http://127.0.0.1:${port}`;
}
