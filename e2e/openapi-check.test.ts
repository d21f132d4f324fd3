import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PREFIX } from "./harness/client.ts";
import { noteReply, takeMismatches } from "./harness/openapi-check.ts";
import { connect, requestText } from "./harness/raw-http.ts";
import { followRequests } from "./harness/sent-requests.ts";
import { startCheckingProxy } from "./harness/servers/checking-proxy.ts";

// The watch over every other test here: it must see what is wrong, wherever it is read.
const WRONG = JSON.stringify({ ok: true, balance: 10 });
const server = createServer((_request, response) => response.end(WRONG));
const TARGET = `${PREFIX}/balance`;

let port: number;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const seen = () => takeMismatches().map((fault) => fault.split(": ")[0]);

test("a reply that is not as described is seen when a test fetches it", async () => {
  await fetch(`http://127.0.0.1:${port}${TARGET}?x=1`);
  expect(seen()).toEqual([`GET ${TARGET}`]);
});

test("a field that the description does not name is seen, wherever it stands", () => {
  const balance = { ok: true, status: "SUCCESS", code: 0, balance: "1.0000", held: "0.0000", currency: "INR", wallet: "active", as_of: 1 };
  noteReply("GET", TARGET, 200, JSON.stringify(balance));
  expect(seen()).toEqual([]);
  noteReply("GET", TARGET, 200, JSON.stringify({ ...balance, provider: "simulator" }));
  const list = { ok: true, items: [{ city_id: "C1", name: "Pune", state: "MH", secret: "" }], next: null };
  noteReply("GET", `${PREFIX}/bus/cities`, 200, JSON.stringify(list));
  const refusal = { ok: false, status: "rejected", error: "not_found", code: 125, message: "", order_id: "", stack: "" };
  noteReply("GET", `${PREFIX}/bus/book`, 404, JSON.stringify(refusal));
  noteReply("GET", `${PREFIX}/none`, 404, JSON.stringify(refusal));
  expect(seen()).toEqual([`GET ${TARGET}`, `GET ${PREFIX}/bus/cities`, `GET ${PREFIX}/bus/book`, `GET ${PREFIX}/none`]);
});

test("a reply that is not as described is seen on a connection, each by its own request", async () => {
  const connection = await connect(port);
  const host = [["Host", "a"]] as const;
  const body = JSON.stringify({ note: requestText("GET", `${PREFIX}/none`, host) });
  const post = requestText("POST", `${PREFIX}/recharge`, [...host, ["Content-Length", String(body.length)]], body);
  connection.send(`${post}${requestText("GET", "/healthz", host)}${requestText("GET", TARGET, host)}`);
  for (let replies = 0; replies < 3; replies++) await connection.next();
  connection.destroy();
  expect(seen()).toEqual([`POST ${PREFIX}/recharge`, `GET ${TARGET}`]);
});

test("a reply that is not as described is seen when another process gets it through the proxy", async () => {
  const proxy = await startCheckingProxy(port);
  const reply = await new Promise((resolve) => get(proxy.url + TARGET, (got) => got.resume().once("end", () => resolve(got.statusCode))));
  await proxy.close();
  expect(reply).toBe(200);
  expect(seen()).toEqual([`GET ${TARGET}`]);
});

test("what is sent byte by byte is followed, and nothing after what only its receiver can follow", () => {
  const requests = followRequests();
  const sent = `GET /a HTTP/1.1\r\n\r\nPOST /b HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcPOST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /d HTTP/1.1\r\n\r\n`;
  for (const byte of Buffer.from(sent)) requests.add(Buffer.of(byte));
  const targets = Array.from({ length: 4 }, () => requests.next()?.target);
  expect(targets).toEqual(["/a", "/b", "/c", undefined]);
});

test("a request that has not ended is known by its first line", () => {
  const requests = followRequests();
  requests.add(Buffer.from("GET /a HTTP/1.1\r\nHost: a\r\n"));
  expect(requests.next()).toEqual({ method: "GET", target: "/a" });
});
