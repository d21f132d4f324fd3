import { gunzipSync } from "node:zlib";
import { fastify } from "fastify";
import { afterAll, expect, test } from "vitest";
import { CACHING, createAsset, sendAsset } from "./asset.ts";

const script = createAsset("text/javascript; charset=utf-8", Buffer.from("let a = 1;\n".repeat(100)));
const font = createAsset("font/woff2", Buffer.from("font"));
const app = fastify();
app.get("/script", (request, reply) => sendAsset(request, reply, script, CACHING.year));
app.get("/font", (request, reply) => sendAsset(request, reply, font, CACHING.revalidate));
afterAll(() => app.close());

test("equal content has the same tag, and other content of the same length has another", () => {
  const tagOf = (text: string) => createAsset("text/html", Buffer.from(text)).tag;
  expect(tagOf("<script src=a1>")).toBe(tagOf("<script src=a1>"));
  expect(tagOf("<script src=a1>")).not.toBe(tagOf("<script src=a2>"));
});

test("text is compressed for those who accept it, and fonts never", async () => {
  const packed = await app.inject({ url: "/script", headers: { "accept-encoding": "br, gzip" } });
  expect(packed.headers).toMatchObject({ "content-encoding": "gzip", vary: "accept-encoding", "cache-control": CACHING.year });
  expect(gunzipSync(packed.rawPayload)).toEqual(script.content);
  const plain = await app.inject("/script");
  expect(plain.headers).not.toHaveProperty("content-encoding");
  expect(plain.rawPayload).toEqual(script.content);
  const unpacked = await app.inject({ url: "/font", headers: { "accept-encoding": "gzip" } });
  expect(unpacked.headers).not.toHaveProperty("content-encoding");
});

test("HEAD has the headers of GET and no body", async () => {
  const [get, head] = [await app.inject("/script"), await app.inject({ method: "HEAD", url: "/script" })];
  expect(head.body).toBe("");
  for (const name of ["content-type", "content-length", "etag", "cache-control"]) expect(head.headers[name]).toBe(get.headers[name]);
});

test.each([
  [304, `"${script.tag}"`],
  [304, `W/"${script.tag}"`],
  [304, `"other", "${script.tag}"`],
  [200, `"other"`],
  [200, script.tag],
])("the status is %d for If-None-Match: %s", async (status, tags) => {
  const reply = await app.inject({ url: "/script", headers: { "if-none-match": tags } });
  expect(reply.statusCode).toBe(status);
  if (status === 304) expect(reply.body).toBe("");
});
