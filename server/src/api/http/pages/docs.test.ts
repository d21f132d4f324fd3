import { readFile } from "node:fs/promises";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { docs } from "./docs.ts";

const HERE = { publicUrl: null, port: () => null };

let app: FastifyInstance;
beforeAll(async () => {
  app = Fastify();
  await app.register(docs, { hasConsole: true, api: HERE });
});
afterAll(() => app.close());

async function scripts(): Promise<readonly string[]> {
  const page = (await app.inject("/docs")).body;
  return [...page.matchAll(/<script type="module" src="([^"]+)"><\/script>/g)].map(([, source = ""]) => source);
}

test("the page refers only to its own host and has no inline script", async () => {
  const { statusCode, headers, body } = await app.inject("/docs");
  expect({ statusCode, type: headers["content-type"] }).toEqual({ statusCode: 200, type: "text/html; charset=utf-8" });
  const references = [...body.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address = ""]) => address);
  for (const reference of references) expect(reference).toMatch(/^(?:\/docs(?:\/|$)|\/console\/$|data:,$)/);
  expect(body).not.toMatch(/https?:|<script>|<style|style=|\bon[a-z]+=/);
  expect((await app.inject("/docs/")).body).toBe(body);
});

test("everything under /docs forbids requests to anywhere else", async () => {
  for (const path of ["/docs", "/docs/openapi.json", ...(await scripts())]) {
    const { statusCode, headers } = await app.inject(path);
    expect(statusCode, path).toBe(200);
    const policy = String(headers["content-security-policy"]).split(";");
    expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'", "font-src 'self'"]));
    expect(policy.join(" ")).not.toMatch(/https?:|\*|unsafe-eval/);
    expect(headers["x-content-type-options"]).toBe("nosniff");
  }
});

test("the operator API has its own page where the console is, and no link to one elsewhere", async () => {
  const page = await app.inject("/docs/operator");
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain("<title>Corprail operator API</title>");
  const without = Fastify();
  await without.register(docs, { hasConsole: false, api: HERE });
  expect((await without.inject("/docs/operator")).statusCode).toBe(404);
  expect((await without.inject("/docs")).body).not.toContain("/docs/operator");
  await without.close();
});

test("the page names the address of this installation, also on a port of its own", async () => {
  const own = Fastify();
  await own.register(docs, { hasConsole: true, api: { publicUrl: "https://pay.example/", port: () => 8080 } });
  expect((await own.inject("/docs")).body).toContain('data-base-url="https://pay.example" data-port="8080"');
  await own.close();
  expect((await app.inject("/docs")).body).toContain('data-base-url="" data-port=""');
});

test("scripts are cached for a year at an address that contains their digest", async () => {
  const sources = await scripts();
  expect(sources.length).toBe(2);
  for (const source of sources) {
    const { headers } = await app.inject(source);
    expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(source).toContain(`?v=${String(headers.etag).replaceAll('"', "")}`);
  }
});

test("an unchanged page and document are not sent again, and both are compressed", async () => {
  for (const path of ["/docs", "/docs/openapi.json"]) {
    const { headers, body } = await app.inject(path);
    const again = await app.inject({ url: path, headers: { "if-none-match": String(headers.etag) } });
    expect({ status: again.statusCode, body: again.body }).toEqual({ status: 304, body: "" });
    const packed = await app.inject({ url: path, headers: { "accept-encoding": "br, gzip" } });
    expect(packed.headers["content-encoding"]).toBe("gzip");
    if (path !== "/docs") expect(packed.rawPayload.length).toBeLessThan(body.length / 5);
  }
});

test("the document is the committed one", async () => {
  const committed = await readFile(new URL("../../../../../contract/openapi.json", import.meta.url), "utf8");
  expect((await app.inject("/docs/openapi.json")).body).toBe(committed);
});

test("nothing on the page sends an API request or tracks readers", async () => {
  const [, start = ""] = await scripts();
  const configuration = JSON.parse(/^const configuration = (\{[\s\S]*?\n\});/.exec((await app.inject(start)).body)?.[1] ?? "");
  expect(configuration).toMatchObject({ hideTestRequestButton: true, hideClientButton: true, telemetry: false, withDefaultFonts: false });
  expect(configuration).not.toHaveProperty("proxyUrl");
});
