import { fastify } from "fastify";
import { expect, test } from "vitest";
import { webSite } from "./static-site.ts";

const PATHS = ["", "/", "/deep/down", "/assets/nothing.js"];

/** The headers of the page, of a deeper path and of a file, whether or not the pages were built. */
async function headersOf(name: "portal" | "console", publicUrl: string | null) {
  const app = fastify();
  await webSite(app, name, publicUrl);
  const replies = await Promise.all(PATHS.map((path) => app.inject(`/${name}${path}`)));
  await app.close();
  return replies.map((reply) => reply.headers);
}

test.each(["portal", "console"] as const)("the %s sends Strict-Transport-Security if it is reached by https", async (name) => {
  for (const headers of await headersOf(name, "https://pay.example")) expect(headers["strict-transport-security"]).toBe("max-age=31536000");
  for (const publicUrl of [null, "http://pay.example"])
    for (const headers of await headersOf(name, publicUrl)) expect(headers).not.toHaveProperty("strict-transport-security");
});

test.each(["portal", "console"] as const)("no page of the %s may be framed, sniffed or load from other hosts", async (name) => {
  for (const headers of await headersOf(name, null)) {
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'.*connect-src 'self'.*frame-ancestors 'none'$/);
    expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "x-frame-options": "DENY", "referrer-policy": "no-referrer" });
  }
});

test.each(["portal", "console"] as const)(
  "the %s serves its page and the files in its assets folder, and nothing else by any path",
  async (name) => {
    const app = fastify();
    await webSite(app, name, null);
    const page = await app.inject(`/${name}`);
    for (const path of ["/", "/deep/down", "/../package.json", "/%2e%2e/%2e%2e/package.json", "/.env", `/${name}.html`]) {
      const reply = await app.inject(`/${name}${path}`);
      if (reply.statusCode !== 404) expect([path, reply.body]).toEqual([path, page.body]);
    }
    for (const file of [
      "",
      ".",
      "..",
      ".env",
      "%2e%2e%2f%2e%2e%2f%2e%2e%2fpackage.json",
      "..%5cx",
      "__proto__",
      "constructor",
      "a%00.js",
    ]) {
      const reply = await app.inject(`/${name}/assets/${file}`);
      if (reply.statusCode !== 404) expect([file, reply.body]).toEqual([file, page.body]);
    }
    expect((await app.inject(`/${name}x`)).statusCode).toBe(404);
    await app.close();
  },
);
