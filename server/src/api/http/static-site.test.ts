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
