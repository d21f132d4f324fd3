import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as delay, setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { randomIds } from "../../../platform/core/ids.ts";
import type { Incoming } from "../../client/incoming.ts";
import { readBody } from "../../client/read-body.ts";
import type { Reply } from "../../client/replies.ts";
import { type ClientApi, writeReply } from "../client-api.ts";
import { type HttpServer, listen } from "../server.ts";

type ServedRequest = {
  readonly path: "fastPath" | "node";
  readonly target: string;
  readonly read: () => ReturnType<Incoming["read"]>;
  readonly answer: (reply?: Partial<Reply>) => void;
};

let server: HttpServer;
let asked: ServedRequest[];
let isControlled: boolean;
let padding: string;
let onServed: () => void;
let shed: string[];
const open: Socket[] = [];

const reply = (target: string, more: Partial<Reply> = {}): Reply => ({
  status: 200,
  body: { target, é: "ü", ...(padding === "" ? {} : { padding }) },
  ...more,
});

/** An API that answers when the test decides, or at once. */
function controlledApi(): ClientApi {
  const note = (path: ServedRequest["path"], target: string, read: ServedRequest["read"], send: (reply: Reply) => void) => {
    onServed();
    if (isControlled) asked.push({ path, target, read, answer: (more) => send(reply(target, more)) });
    else queueMicrotask(() => send(reply(target)));
  };
  const handler: ClientApi = Object.assign(
    ((request, response) =>
      note(
        "node",
        request.url ?? "",
        () => readBody(request, 1_000_000),
        (one) => writeReply(request, response, one, "R1"),
      )) satisfies (...args: Parameters<ClientApi>) => void,
    {
      ownerOf: (bytes: Buffer) => (bytes.includes("flood") ? "flood" : "modest"),
      shed: (request: Incoming, send: (one: Reply, requestId: string) => void) => {
        shed.push(request.target);
        send(reply(request.target, { status: 503 }), "R1");
      },
      serve: (request: Incoming, send: (one: Reply, requestId: string) => void) =>
        note(
          "fastPath",
          request.target,
          () => request.read(1_000_000),
          (one) => send(one, "R1"),
        ),
    },
  );
  return handler;
}

const start = (more: { readonly lateMilliseconds?: number } = {}) =>
  listen({ host: "127.0.0.1", port: 0, clientApi: controlledApi(), others: () => {}, ids: randomIds(), ...more });

beforeEach(async () => {
  asked = [];
  shed = [];
  isControlled = true;
  padding = "";
  onServed = () => {};
  server = await start();
});
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await server.close(0);
});

type Client = {
  readonly send: (text: string) => void;
  readonly received: () => string;
  readonly closed: Promise<unknown>;
  readonly socket: Socket;
};

async function client(more: { readonly allowHalfOpen?: boolean } = {}): Promise<Client> {
  const socket = connect({ port: server.port, host: "127.0.0.1", noDelay: true, ...more });
  open.push(socket);
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString();
  });
  const closed = new Promise((resolve) => socket.on("close", resolve));
  await new Promise((resolve) => socket.once("connect", resolve));
  expect((socket.address() as AddressInfo).port).toBeGreaterThan(0);
  return { send: (sent) => void socket.write(sent), received: () => text, closed, socket };
}

async function until(what: string, holds: () => boolean, everyMilliseconds = 0): Promise<void> {
  const deadline = performance.now() + 110_000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`Never: ${what}.`);
    await (everyMilliseconds === 0 ? turn() : delay(everyMilliseconds));
  }
}

const get = (name: string, headers = "") => `GET /api/corp/${name} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;
const paths = () => asked.map((one) => `${one.path} ${one.target}`);
const answers = (text: string) => [...text.matchAll(/"target":"\/api\/corp\/(\w+)"/g)].map(([, name]) => name);

async function answerTo(text: string, more?: Partial<Reply>): Promise<string> {
  const one = await client();
  one.send(text);
  await until("it is asked", () => asked.length === 1);
  asked[0]?.answer(more);
  await until("it is answered", () => one.received().endsWith("}"));
  return one.received().replace(/Date: [^\r]+/, "Date: then");
}

describe("both paths", () => {
  test.each<[string, Partial<Reply>]>([
    ["a plain reply", {}],
    ["a reply with an additional header", { status: 429, headers: { "Retry-After": "7" } }],
    ["a reply to a creation", { status: 201 }],
  ])("write identical bytes: %s", async (_what, more) => {
    const onFastPath = await answerTo(get("one"), more);
    expect(paths()).toEqual(["fastPath /api/corp/one"]);
    asked = [];
    const byNode = await answerTo(get("one", "TE: trailers\r\n"), more);
    expect(paths()).toEqual(["node /api/corp/one"]);
    expect(onFastPath).toBe(byNode);
  });

  test("report that a reply was sent", async () => {
    const sent: boolean[] = [];
    await answerTo(get("one"), { onSent: (answered) => sent.push(answered) });
    await until("it is notified", () => sent.length > 0);
    expect(sent).toEqual([true]);
  });

  test.each(["", "TE: trailers\r\n"])("answer a client that has closed its half, when the answer takes no time (%j)", async (header) => {
    const one = await client({ allowHalfOpen: true });
    isControlled = false;
    one.socket.end(get("one", header));
    await one.closed;
    expect(answers(one.received())).toEqual(["one"]);
  });

  test.each<[string, (socket: Socket) => void, readonly string[]]>([
    ["is gone", (socket) => void socket.resetAndDestroy(), []],
    ["has closed its half, and send it all the same", (socket) => void socket.end(), ["one"]],
  ])("do not report a reply as sent when the client %s", async (_what, leave, received) => {
    const [one, sent] = [await client({ allowHalfOpen: true }), [] as boolean[]];
    one.send(get("one"));
    await until("it is asked", () => asked.length === 1);
    leave(one.socket);
    for (let turns = 0; turns < 50; turns++) await turn();
    asked[0]?.answer({ onSent: (answered) => sent.push(answered) });
    await one.closed;
    await until("it is notified", () => sent.length > 0);
    expect([answers(one.received()), sent]).toEqual([received, [false]]);
  });
});

describe("a connection", () => {
  test("stays on the fast path from request to request", async () => {
    const one = await client();
    for (const name of ["a", "b", "c"]) {
      one.send(get(name));
      await until("it is asked", () => asked.some((it) => it.target.endsWith(`/${name}`)));
      asked.at(-1)?.answer();
      await until("it is answered", () => answers(one.received()).includes(name));
    }
    expect(paths()).toEqual(["fastPath /api/corp/a", "fastPath /api/corp/b", "fastPath /api/corp/c"]);
  });

  // Contract, section 9b.
  test("that sends several requests at once has them executed one after the other", async () => {
    const one = await client();
    one.send(get("a"));
    await until("the first is asked", () => asked.length === 1);
    for (const name of ["b", "c", "d"]) {
      one.send(get(name));
      for (let turns = 0; turns < 20; turns++) await turn();
    }
    for (const [at, name] of ["a", "b", "c", "d"].entries()) {
      await until(`${name} is asked`, () => asked.length > at);
      for (let turns = 0; turns < 20; turns++) await turn();
      expect(paths()).toHaveLength(at + 1);
      asked[at]?.answer();
      await until(`${name} is answered`, () => answers(one.received()).length === at + 1);
    }
    expect(paths()).toEqual(["fastPath /api/corp/a", "node /api/corp/b", "node /api/corp/c", "node /api/corp/d"]);
    expect(answers(one.received())).toEqual(["a", "b", "c", "d"]);
  });

  test("that sends thousands of requests at once has one in progress, and other connections are served meanwhile", async () => {
    const [flood, other] = [await client(), await client()];
    flood.send(get("flood").repeat(2_000));
    await until("the first is asked", () => asked.length === 1);
    other.send(get("other"));
    await until("the other is asked", () => asked.length === 2);
    for (let turns = 0; turns < 100; turns++) await turn();
    expect(paths()).toEqual(["node /api/corp/flood", "fastPath /api/corp/other"]);
    isControlled = false;
    for (const one of asked) one.answer();
    await until("all are answered", () => answers(flood.received()).length === 2_000, 200);
  });

  test("whose client does not read replies is not read either", async () => {
    const [unread, other] = [await client(), await client()];
    let served = 0;
    isControlled = false;
    padding = "x".repeat(100_000);
    onServed = () => served++;
    unread.socket.pause();
    unread.send(get("unread").repeat(400));
    // The kernel buffers some megabytes. When they are full, nothing more is served.
    let before = -1;
    await until(
      "it stops",
      () => {
        const stopped = served > 0 && served === before;
        before = served;
        return stopped;
      },
      200,
    );
    expect(served).toBeLessThan(300);
    other.send(get("other"));
    await until("the other is answered", () => answers(other.received()).length === 1);
    unread.socket.resume();
    await until("the rest is served", () => served === 401, 50);
  });

  test("is handed to node:http after half a request, wherever the request was split", async () => {
    const text = get("a", "X-Api-Token: t\r\n");
    for (const destroyAll of [1, 20, text.length - 3, text.length - 1]) {
      asked = [];
      const one = await client();
      one.send(text.slice(0, destroyAll));
      for (let turns = 0; turns < 20; turns++) await turn();
      one.send(text.slice(destroyAll));
      await until("it is asked", () => asked.length === 1);
      asked[0]?.answer();
      await until("it is answered", () => answers(one.received()).length === 1);
      expect(paths()).toEqual(["node /api/corp/a"]);
    }
  });

  test("that sends invalid bytes after a valid request is refused like any other", async () => {
    const one = await client();
    one.send(get("a"));
    await until("it is asked", () => asked.length === 1);
    one.send("garbage\r\n\r\n");
    for (let turns = 0; turns < 20; turns++) await turn();
    asked[0]?.answer();
    await one.closed;
    expect(answers(one.received())).toEqual(["a"]);
    expect(one.received()).toContain("HTTP/1.1 400 Bad Request");
  });
});

describe("what one connection sends", () => {
  const post = (body: string, more = "") => `POST /api/corp/x HTTP/1.1\r\nHost: a\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;
  const bodies = async () =>
    await Promise.all(
      asked.map(async (one) => {
        const read = await one.read();
        return read.kind === "whole" ? Buffer.from(read.bytes).toString() : read.kind;
      }),
    );

  test("is not overwritten by another connection before it is read", async () => {
    const clients = await Promise.all(Array.from({ length: 8 }, () => client()));
    for (const [at, one] of clients.entries()) one.send(post(`${at}`.repeat(40)));
    await until("all are asked", () => asked.length === clients.length);
    expect((await bodies()).toSorted()).toEqual(clients.map((_, at) => `${at}`.repeat(40)));
    expect(asked.every((one) => one.path === "fastPath")).toBe(true);
  });

  test("is complete at node:http too, while other connections are read", async () => {
    const [slow, quick, odd] = [await client(), await client(), await client()];
    const body = "slow".repeat(20);
    slow.send(post(body).slice(0, -30));
    odd.send(post("odd".repeat(20), "TE: trailers\r\n"));
    for (let turns = 0; turns < 20; turns++) {
      quick.send(post("quick".repeat(12)));
      await turn();
    }
    slow.send(body.slice(-30));
    await until("all are asked", () => asked.length >= 3);
    expect(new Set(await bodies())).toEqual(new Set([body, "odd".repeat(20), "quick".repeat(12)]));
  });

  test("is joined if it arrives in several reads before the first one is processed", async () => {
    const one = await client();
    const body = "0123456789".repeat(40_000);
    one.send(post(body));
    await until("it is asked", () => asked.length === 1);
    expect([paths(), await bodies()]).toEqual([["node /api/corp/x"], [body]]);
    asked[0]?.answer();
    await until("it is answered", () => answers(one.received()).length === 1);
  });

  test("is unchanged if it was held back while the connection was busy", async () => {
    const [one, other] = [await client(), await client()];
    one.send(get("a"));
    await until("the first is asked", () => asked.length === 1);
    one.send(post("kept".repeat(15)));
    for (let turns = 0; turns < 20; turns++) await turn();
    other.send(post("over".repeat(15)));
    await until("the other is asked", () => asked.length === 2);
    asked[0]?.answer();
    await until("all are asked", () => asked.length === 3);
    expect((await bodies()).slice(1)).toEqual(["over".repeat(15), "kept".repeat(15)]);
  });
});

describe("a stop", () => {
  test("closes idle connections, and the others after their reply", async () => {
    const [idle, silent, busy] = [await client(), await client(), await client()];
    idle.send(get("a"));
    await until("the first is asked", () => asked.length === 1);
    asked[0]?.answer();
    await until("the first is answered", () => answers(idle.received()).length === 1);
    busy.send(get("b"));
    await until("the second is asked", () => asked.length === 2);
    const stopped = server.close(5_000);
    await Promise.all([idle.closed, silent.closed]);
    asked[1]?.answer();
    await Promise.all([busy.closed, stopped]);
    expect(answers(busy.received())).toEqual(["b"]);
    expect(busy.received()).toContain("Connection: close\r\n");
    expect(busy.received()).not.toContain("Keep-Alive");
  });

  test("after a drain serves requests that arrive before it, and the last reply closes each connection", async () => {
    const [idle, busy, many] = [await client(), await client(), await client()];
    busy.send(get("a"));
    await until("the first is asked", () => asked.length === 1);
    server.drain();
    isControlled = false;
    many.send(get("b") + get("c") + get("d", "TE: trailers\r\n"));
    await many.closed;
    expect(answers(many.received())).toEqual(["b", "c", "d"]);
    expect([...many.received().matchAll(/Connection: ([a-z-]+)/g)].map(([, value]) => value)).toEqual([
      "keep-alive",
      "keep-alive",
      "close",
    ]);
    const late = await client();
    late.send(get("late"));
    await late.closed;
    expect(late.received()).toContain("Connection: close\r\n");
    const stopped = server.close(30_000);
    // An idle connection is not closed at once, because a request may already be on its way.
    idle.send(get("idle"));
    asked[0]?.answer();
    await Promise.all([idle.closed, busy.closed, stopped]);
    expect([answers(idle.received()), answers(busy.received())]).toEqual([["idle"], ["a"]]);
    for (const one of [idle, busy]) expect(one.received()).toContain("Connection: close\r\n");
  });

  test("closes connections whose requests are not answered in time", async () => {
    const one = await client();
    one.send(get("a"));
    await until("it is asked", () => asked.length === 1);
    await server.close(20);
    await one.closed;
    expect(one.received()).toBe("");
  });
});

describe("a flood", () => {
  test("is refused unread for its account, and another account is served", async () => {
    await server.close(0);
    server = await start({ lateMilliseconds: 20 });
    isControlled = false;
    onServed = () => {
      const end = performance.now() + 1;
      while (performance.now() < end);
    };
    const flood = await Promise.all(Array.from({ length: 300 }, () => client()));
    const modest = await client();
    for (const one of flood) one.socket.on("data", () => one.send(get("flood"))).write(get("flood"));
    await until("some are refused", () => shed.length > 0);
    for (let number = 1; number <= 3; number++) {
      modest.send(get(`modest${number}`));
      await until("the other account is answered", () => answers(modest.received()).length === number);
    }
    expect(answers(modest.received())).toEqual(["modest1", "modest2", "modest3"]);
    expect(new Set(shed)).toEqual(new Set(["/api/corp/flood"]));
  });
});
