import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseRange } from "./address.ts";
import { guardedFetch } from "./guarded-fetch.ts";

// 16 MiB of zeros, compressed twice to less than 1 KiB.
const bomb = gzipSync(gzipSync(Buffer.alloc(16 * 1024 * 1024)));
const server = createServer((request, reply) => {
  if (request.url === "/redirect") reply.writeHead(302, { location: "/" }).end();
  else if (request.url === "/large") reply.end("x".repeat(1_000_000));
  else if (request.url === "/bomb") reply.writeHead(200, { "content-encoding": "gzip, gzip" }).end(bomb);
  else if (request.url === "/headers") reply.writeHead(200, { "content-encoding": "identity" }).end(JSON.stringify(request.headers));
  else reply.end("ok");
});
let url = "";
const loopback = parseRange("127.0.0.0/8");
const resolve = async () => ["127.0.0.1"];
const strict = guardedFetch({ allow: [], resolve });
const allowed = guardedFetch({ allow: loopback ? [loopback] : [], resolve });

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await Promise.all([strict.close(), allowed.close()]);
  server.close();
});

test("addresses that are not public are refused, literal or by name, unless they are allowed", async () => {
  const { port } = new URL(url);
  for (const target of [url, `http://inside.example:${port}`, "https://169.254.169.254/", "https://[::1]/"])
    await expect(strict.fetch(target)).rejects.toMatchObject({ cause: { name: "DialRefusal" } });
  expect(await (await allowed.fetch(url)).text()).toBe("ok");
});

test("redirects are not followed, and a large answer fails", async () => {
  expect((await allowed.fetch(`${url}/redirect`)).status).toBe(302);
  await expect(allowed.fetch(`${url}/large`).then((reply) => reply.text())).rejects.toThrow();
});

test("a compressed answer is refused unread, and compression is declined", async () => {
  expect(bomb.length).toBeLessThan(1024);
  await expect(allowed.fetch(`${url}/bomb`)).rejects.toMatchObject({ code: "ENCODED_ANSWER" });
  const init = { headers: { accept: "application/json", "accept-encoding": "gzip" } };
  const received = await (await allowed.fetch(`${url}/headers`, init)).json();
  expect(received).toMatchObject({ accept: "application/json", "accept-encoding": "identity" });
});
