import { createSecretKey } from "node:crypto";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { NO_MONEY } from "../../../platform/core/money.ts";
import { LOOPBACK } from "../testing/fixture.ts";
import { startRawServer } from "../testing/raw-server.ts";
import { startReceiver } from "../testing/receiver.ts";
import { formatCallback } from "./formats.ts";
import { createSender, type Outcome, type Sender, type SenderOptions } from "./send.ts";

const TOKEN = "tok_live_of-a-client-that-must-not-be-seen";
const FACTS = {
  kind: "status",
  orderId: "ORDER0000001",
  urid: "u",
  status: "SUCCESS",
  amount: NO_MONEY,
  target: "1",
  operatorRef: null,
} as const;

const opened: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});

function kept<Closable extends { close: () => Promise<void> }>(one: Closable): Closable {
  opened.push(one);
  return one;
}

function sender(options: Partial<SenderOptions> = {}): Sender {
  const noNames = async () => {
    throw new Error("no names here");
  };
  return kept(createSender({ allow: LOOPBACK, resolve: noNames, wholeMilliseconds: 2_000, ...options }));
}

async function sendTo(url: string, through = sender()): Promise<Outcome> {
  const key = createSecretKey(Buffer.from(TOKEN));
  return await through.send(formatCallback(2, FACTS, { ts: 1_750_000_000, nonce: "N" }, new URL(url), key));
}

test.each([200, 201, 202, 204, 206, 226, 299])("an answer of %i is a delivery", async (status) => {
  const receiver = kept(await startReceiver(() => status));
  expect(await sendTo(receiver.url)).toEqual({ httpStatus: status, error: null });
});

test.each([300, 304, 400, 401, 403, 404, 410, 429, 500, 502, 503, 504, 599])("an answer of %i is not a delivery", async (status) => {
  const receiver = kept(await startReceiver(() => status));
  expect(await sendTo(receiver.url)).toEqual({ httpStatus: status, error: expect.stringContaining(String(status)) });
});

test.each([301, 302, 303, 307, 308])("a redirect of %i is not followed and is no delivery", async (status) => {
  const well = kept(await startReceiver());
  const turn = kept(
    await startReceiver((_received, _count, response) => {
      response.writeHead(status, { location: `${well.url}/stolen` }).end();
      return undefined;
    }),
  );
  expect(await sendTo(turn.url)).toEqual({ httpStatus: status, error: expect.stringContaining("not followed") });
  expect(well.got).toEqual([]);
});

test("connections are kept for the next message to the same receiver", async () => {
  const receiver = kept(await startReceiver());
  const one = sender();
  for (let count = 0; count < 5; count++) expect((await sendTo(receiver.url, one)).error).toBeNull();
  expect(receiver.got).toHaveLength(5);
  // A message that follows in the same turn finds the first connection still busy.
  expect(receiver.connections()).toBeLessThanOrEqual(2);
});

const BLOB = Buffer.alloc(64 * 1024, "x");
const BOMB = gzipSync(Buffer.alloc(8 * 1024 * 1024));

function endless(socket: Socket): void {
  const go = () => {
    while (!socket.destroyed && socket.write(BLOB));
    socket.once("drain", go);
  };
  socket.write("HTTP/1.1 200 OK\r\n\r\n");
  go();
}

const RUDE: readonly (readonly [string, (socket: Socket) => void, Outcome])[] = [
  ["an endless answer", endless, { httpStatus: 200, error: null }],
  [
    "a burst of 8 MB",
    (socket) => socket.write(`HTTP/1.1 500 No\r\ncontent-length: 8388608\r\n\r\n${"x".repeat(8 * 1024 * 1024)}`),
    { httpStatus: 500, error: "The receiver answered 500." },
  ],
  [
    "a compressed bomb",
    (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${BOMB.length}\r\n\r\n`);
      socket.end(BOMB);
    },
    { httpStatus: 200, error: null },
  ],
  [
    "an answer that never ends",
    (socket) => socket.write("HTTP/1.1 204 OK\r\ntransfer-encoding: chunked\r\n\r\n"),
    { httpStatus: 204, error: null },
  ],
  ["a body that is cut off", (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nx"), { httpStatus: 200, error: null }],
  ["silence", () => {}, { httpStatus: null, error: "No answer within 2 seconds." }],
  [
    "interim answers without end",
    (socket) => {
      const more = () => socket.destroyed || socket.write("HTTP/1.1 102 Processing\r\n\r\n", () => setImmediate(more));
      more();
    },
    { httpStatus: null, error: "No answer within 2 seconds." },
  ],
  [
    "headers that trickle",
    (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nx: ");
      const more = () => socket.destroyed || socket.write("y", () => setImmediate(more));
      more();
    },
    { httpStatus: null, error: expect.any(String) as unknown as string },
  ],
  [
    "headers without end",
    (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(1024 * 1024)}`),
    { httpStatus: null, error: expect.any(String) as unknown as string },
  ],
  ["no HTTP", (socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n"), { httpStatus: null, error: "The response is not valid HTTP." }],
  [
    "a switch of protocols",
    (socket) => socket.write("HTTP/1.1 101 Go\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
    {
      httpStatus: null,
      error: expect.any(String) as unknown as string,
    },
  ],
  ["a closed connection", (socket) => socket.end(), { httpStatus: null, error: "The connection was lost before the answer." }],
  ["a reset connection", (socket) => socket.resetAndDestroy(), { httpStatus: null, error: "The connection was lost before the answer." }],
];

test.each(RUDE)("%s ends the attempt in time and its connection with it", async (_name, answer, outcome) => {
  const server = kept(await startRawServer(answer));
  const from = performance.now();
  expect(await sendTo(server.url)).toMatchObject(outcome);
  expect(performance.now() - from).toBeLessThan(20_000);
  await server.closed();
});

test("nothing listens: the connection was refused", async () => {
  const gone = await startRawServer(() => {});
  await gone.close();
  expect(await sendTo(gone.url)).toEqual({ httpStatus: null, error: "The connection was refused." });
});

test("a cancelled attempt ends at once, also before it began", async () => {
  const through = sender();
  const receiver = kept(
    await startReceiver(() => {
      through.cancel();
      return undefined;
    }),
  );
  expect(await sendTo(receiver.url, through)).toEqual({ httpStatus: null, error: "The attempt was cancelled." });
  expect(await sendTo(receiver.url, through)).toEqual({ httpStatus: null, error: "The attempt was cancelled." });
  expect(receiver.got).toHaveLength(1);
});

// biome-ignore format: a list to be read across
const HOSTS = [
  "127.0.0.1", "127.1", "2130706433", "0x7f.1", "017700000001", "127.255.255.254", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "0.0.0.0", "0",
  "[::]", "10.0.0.1", "172.16.5.5", "192.168.1.1", "169.254.169.254", "100.64.0.1", "[fd00::1]", "[fe80::1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]",
  "255.255.255.255", "224.0.0.1", "198.18.0.1", "0x0a000001", "10.1", "012.0.0.1", "[::ffff:10.0.0.1]", "[2001:db8::1]", "[ff02::1]",
];

test.each(HOSTS)("no connection is made to https://%s", async (host) => {
  for (const port of ["", ":8443"]) {
    expect(await sendTo(`https://${host}${port}/cb`, sender({ allow: [] }))).toEqual({
      httpStatus: null,
      error: "Its host must have public addresses only.",
    });
  }
});

test("a URL that was admitted in a trial is refused once its range is not", async () => {
  const receiver = kept(await startReceiver());
  expect(await sendTo(receiver.url, sender({ allow: [] }))).toEqual({ httpStatus: null, error: "It must begin with https://." });
  expect(await sendTo(receiver.url.replace("http:", "https:"), sender({ allow: [] }))).toEqual({
    httpStatus: null,
    error: "Its port must be 443 or 8443.",
  });
  expect(receiver.connections()).toBe(0);
});

test("the service's own public address is refused unless it is allowed", async () => {
  const own = sender({ allow: [], ownAddresses: () => ["93.184.215.14", "2606:2800:21f::1"] });
  for (const host of ["93.184.215.14", "[::ffff:93.184.215.14]", "[2606:2800:21f:0::1]"])
    expect(await sendTo(`https://${host}/cb`, own)).toEqual({ httpStatus: null, error: "Its host is this service itself." });
});
