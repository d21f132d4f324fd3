import { fastify } from "fastify";
import { expect, test } from "vitest";
import { docs } from "./docs.ts";
import { home } from "./home.ts";
import { webSite } from "./static-site.ts";

const HERE = { publicUrl: null, port: () => null };

const COMMON = ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "font-src 'self'"];
const SITE = ["script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'", "form-action 'self'"];
const POLICIES: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  "/": [...COMMON, /^style-src 'sha256-[\w+/]+='$/, "img-src data:", "form-action 'none'"],
  "/portal": [...COMMON, ...SITE],
  "/console": [...COMMON, ...SITE],
  "/docs": [...COMMON, ...SITE.filter((one) => !/^(?:style|form)-/.test(one)), "style-src 'self' 'unsafe-inline'", "form-action 'none'"],
};

async function createPages() {
  const app = fastify();
  app.get("/portal/api/me", async () => ({}));
  await home(app, { publicUrl: null, consoleUrl: null, ports: () => null }, { console: true });
  await app.register(docs, { hasConsole: true, api: HERE });
  await webSite(app, "portal", null);
  await webSite(app, "console", "https://staff.example");
  return app;
}

test.each(Object.entries(POLICIES))("the content security policy of %s has these directives and no others", async (path, directives) => {
  const app = await createPages();
  const { headers } = await app.inject(path);
  const sent = String(headers["content-security-policy"]).split(";");
  expect(sent).toHaveLength(directives.length);
  for (const directive of directives)
    expect(sent).toContainEqual(typeof directive === "string" ? directive : expect.stringMatching(directive));
  expect(headers).toMatchObject({
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
  });
  await app.close();
});

test("replies of other routes have none of the pages' headers", async () => {
  const app = await createPages();
  for (const path of ["/portal/api/me", "/nowhere"]) {
    const { headers } = await app.inject(path);
    expect(Object.keys(headers).sort()).toEqual(["connection", "content-length", "content-type", "date"]);
  }
  await app.close();
});
