import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import Fastify from "fastify";
import { afterEach, expect, test } from "vitest";
import { complaintCallback, deliver, type SignedCallback, statusCallback } from "../testing.js";
import { expressHandler, fastifyCallbacks, fastifyHandler, nodeHandler, type OnCallback } from "./handlers.js";
import { BodyAlreadyParsedError } from "./raw-body.js";
import { CallbackVerifier } from "./verifier.js";

const TOKEN = "tok_test_FAKE-TOKEN";
const SECRET = "cbk_FAKE-SECRET";

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function listen(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => new Promise((resolve) => server.close(resolve)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/cb?shop=a+b`;
}

const newVerifier = () => new CallbackVerifier({ token: TOKEN, callbackSecret: SECRET });

type Start = (onCallback: OnCallback) => Promise<string>;

const frameworks: readonly (readonly [string, Start])[] = [
  ["node:http", async (onCallback) => await listen(nodeHandler(newVerifier(), onCallback, { onError: () => {} }))],
  [
    "Express",
    async (onCallback) => {
      const app = express().use("/hooks", express.Router().all("/cb", expressHandler(newVerifier(), onCallback)), express.json());
      return await listen(app.use(quiet));
    },
  ],
  [
    "Express after express.raw()",
    async (onCallback) => {
      const app = express()
        .use(express.raw({ type: "*/*" }))
        .all("/hooks/cb", expressHandler(newVerifier(), onCallback));
      return await listen(app.use(quiet));
    },
  ],
  [
    "Fastify",
    async (onCallback) => {
      const app = Fastify().register(fastifyCallbacks("/hooks/cb", newVerifier(), onCallback));
      open.push(() => app.close());
      return `${await app.listen({ host: "127.0.0.1", port: 0 })}/hooks/cb?shop=a+b`;
    },
  ],
];

// Express prints errors on its own unless somebody takes them.
const quiet: express.ErrorRequestHandler = (error, _request, response, _next) => {
  response.status(500).end(String(error));
};

const forms = (url: string): readonly SignedCallback[] => [
  statusCallback({ version: 2, token: TOKEN, url, status: "SUCCESS" }),
  statusCallback({ version: 3, callbackSecret: SECRET, url, status: "FAILED", operatorRef: "OP1" }),
  complaintCallback({ version: 2, token: TOKEN, url, status: "REFUNDED", test: true }),
  complaintCallback({ version: 3, callbackSecret: SECRET, url, status: "RESOLVED", reason: "Said “credited” – ₹199 😀" }),
];

test.each(frameworks)("%s: both versions and kinds are verified, booked and answered with 200", async (_, start) => {
  const booked: string[] = [];
  const url = await start(async (callback) => void booked.push(`${callback.version} ${callback.bookingKey}`));
  for (const message of forms(url)) expect((await deliver(message)).status).toBe(200);
  expect(booked).toEqual([
    "2 status:01JXQ0A1B2C3D4E5F6:SUCCESS",
    "3 status:01JXQ0A1B2C3D4E5F6:FAILED",
    "2 complaint:CMP0123456789AB",
    "3 complaint:CMP0123456789AB",
  ]);
});

test.each(frameworks)("%s: what is forged, stale or replayed is answered with 403 and not booked", async (_, start) => {
  const booked: string[] = [];
  const url = await start((callback) => void booked.push(callback.bookingKey));
  const [two, three] = forms(url) as [SignedCallback, SignedCallback];
  expect((await deliver({ ...two, url: two.url.replace("SUCCESS", "FAILED") })).status).toBe(403);
  expect((await deliver({ ...three, body: Uint8Array.from([...three.body, 32]) })).status).toBe(403);
  const stale = Math.floor(Date.now() / 1000) - 400;
  expect((await deliver(statusCallback({ version: 3, callbackSecret: SECRET, url, status: "FAILED", ts: stale }))).status).toBe(403);
  expect([(await deliver(three)).status, (await deliver(three)).status, booked.length]).toEqual([200, 403, 1]);
});

test.each(frameworks)("%s: what could not be booked is answered with 500, so that it comes again", async (_, start) => {
  const url = await start(() => Promise.reject(new Error("The database is away.")));
  for (const message of forms(url)) expect((await deliver(message)).status).toBe(500);
});

test("Express: a body that express.json() has parsed fails loudly, and nothing is booked", async () => {
  const errors: unknown[] = [];
  const take: express.ErrorRequestHandler = (error, _request, response, _next) => {
    errors.push(error);
    response.status(500).end();
  };
  const app = express()
    .use(express.json())
    .all(
      "/hooks/cb",
      expressHandler(newVerifier(), () => expect.unreachable()),
    )
    .use(take);
  const [, three] = forms(await listen(app)) as [SignedCallback, SignedCallback];
  expect((await deliver(three)).status).toBe(500);
  expect(errors).toEqual([expect.any(BodyAlreadyParsedError)]);
  expect(String(errors[0])).toContain("express.json()");
});

test("Express: a parser that kept the raw bytes is fine", async () => {
  const keep = (request: object, _response: unknown, bytes: Buffer) => void Object.assign(request, { rawBody: bytes });
  const app = express()
    .use(express.json({ verify: keep }))
    .all(
      "/hooks/cb",
      expressHandler(newVerifier(), () => {}),
    );
  const [, three] = forms(await listen(app)) as [SignedCallback, SignedCallback];
  expect((await deliver(three)).status).toBe(200);
});

test("Fastify: a route whose body was parsed as JSON fails loudly, and the plugin leaves other routes' parsers alone", async () => {
  const errors: unknown[] = [];
  const app = Fastify();
  app.setErrorHandler((error, _request, reply) => {
    errors.push(error);
    return reply.code(500).send();
  });
  app.post(
    "/parsed",
    fastifyHandler(newVerifier(), () => expect.unreachable()),
  );
  app.post("/echo", (request) => request.body);
  app.register(fastifyCallbacks("/cb", newVerifier(), () => {}));
  const send = (url: string) => {
    const { headers, body } = statusCallback({ version: 3, callbackSecret: SECRET, url: `https://x.example${url}`, status: "SUCCESS" });
    return app.inject({ method: "POST", url, headers, payload: Buffer.from(body) });
  };
  expect((await send("/parsed")).statusCode).toBe(500);
  expect(errors).toEqual([expect.any(BodyAlreadyParsedError)]);
  expect((await send("/cb")).statusCode).toBe(200);
  expect((await send("/echo")).json()).toMatchObject({ v: "3" });
  await app.close();
});

test("node:http: a body that somebody else has read fails loudly", async () => {
  const errors: unknown[] = [];
  const handler = nodeHandler(newVerifier(), () => expect.unreachable(), { onError: (error) => errors.push(error) });
  const url = await listen(async (request, response) => {
    for await (const _ of request);
    await handler(request, response);
  });
  const [, three] = forms(url) as [SignedCallback, SignedCallback];
  const reply = await deliver(three);
  expect([reply.status, await reply.text()]).toEqual([500, expect.stringContaining("parsed before the handler")]);
  expect(errors).toEqual([expect.any(BodyAlreadyParsedError)]);
});

test("node:http: what is too large, of another method, or refused is answered and reported", async () => {
  const refused: string[] = [];
  const url = await listen(nodeHandler(newVerifier(), () => expect.unreachable(), { onRefused: (reason) => refused.push(reason) }));
  expect((await fetch(url, { method: "POST", body: new Uint8Array(70_000) })).status).toBe(413);
  expect((await fetch(url, { method: "DELETE" })).status).toBe(405);
  expect((await fetch(url)).status).toBe(403);
  expect(refused).toEqual(["not_a_callback", "wrong_signature"]);
});
