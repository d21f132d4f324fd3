import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { EVERYBODY } from "./access.ts";
import { action, streamAction } from "./action.ts";
import { createPortalFixture, type PortalFixture, type Visitor } from "./testing/fixture.ts";

const LIMITS = { requests: 2, waitMilliseconds: 1, downloads: { each: 3, all: 100 } };

let fixture: PortalFixture;
let accountId: string;
let begun = 0;
let finish: () => void;
let finished: Promise<void>;
const sockets: Socket[] = [];

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) yield Buffer.alloc(1024 * 1024, "a");
}

const slow = action({
  path: "GET /slow",
  summary: "Waits for the test.",
  roles: EVERYBODY,
  input: z.object({}),
  output: z.object({ ok: z.boolean() }),
  handler: async () => {
    begun++;
    await finished;
    return { ok: true };
  },
});

const file = streamAction({
  path: "GET /file",
  summary: "Sends a file without an end.",
  roles: EVERYBODY,
  input: z.object({}),
  mediaType: "text/csv",
  handler: async () => ({ kind: "file", name: "a.csv", content: endless() }),
});

beforeAll(async () => {
  fixture = await createPortalFixture({ actions: [slow, file], change: { sessionLimits: LIMITS } });
  ({ accountId } = await fixture.newAccount());
  finished = new Promise((resolve) => {
    finish = resolve;
  });
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await fixture.close();
});

/** Starts a download and reads nothing after the first bytes. Returns the status. */
async function download({ headers }: Visitor): Promise<{ readonly status: number; readonly socket: Socket }> {
  const { hostname, port } = new URL(fixture.base);
  const socket = connect({ host: hostname, port: Number(port) });
  sockets.push(socket);
  socket.write(`GET /portal/api/file HTTP/1.1\r\nHost: ${hostname}:${port}\r\nCookie: ${headers.cookie}\r\n\r\n`);
  const [first] = (await once(socket, "data")) as [Buffer];
  socket.pause();
  return { status: Number(first.toString("latin1").slice(9, 12)), socket };
}

test("a person has at most three downloads open; others have their own, and a closed one makes room", async () => {
  const [one, other] = [fixture.as("owner", accountId), fixture.as("owner", accountId)];
  const opened = [await download(one), await download(one), await download(one)];
  expect(opened.map(({ status }) => status)).toEqual([200, 200, 200]);
  const refused = await one.get("/file");
  expect(refused).toMatchObject({ status: 429, body: { error: "too_many_tries", message: expect.stringContaining("downloads") } });
  expect(refused.headers.get("retry-after")).toBe("10");
  expect((await download(other)).status).toBe(200);
  opened[0]?.socket.destroy();
  await expect.poll(async () => (await download(one)).status).toBe(200);
});

test("a session has a limited number of requests in progress; the next one is refused with 429", async () => {
  const [one, other] = [fixture.as("owner", accountId), fixture.as("owner", accountId)];
  const [first, second] = [one.get("/slow"), one.get("/slow")];
  await expect.poll(() => begun).toBe(2);
  const refused = await one.get("/slow");
  expect(refused).toMatchObject({ status: 429, body: { error: "too_many_tries", request_id: expect.any(String) } });
  const another = other.get("/slow");
  await expect.poll(() => begun).toBe(3);
  finish();
  expect((await Promise.all([first, second, another])).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await one.get("/slow")).status).toBe(200);
});
