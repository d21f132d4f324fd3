import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, NO_BROWSER, type OwnBrowser, watchedPage } from "./harness/browser/browser.ts";
import { checkPage } from "./harness/browser/page-checks.ts";
import { exchange } from "./harness/raw-http.ts";
import { type Installation, sharedInstallation } from "./harness/service.ts";

const BROWSER = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

let installation: Installation;
beforeAll(async () => {
  installation = await sharedInstallation();
});
afterAll(() => installation?.close());

test("the service's own address leads a browser to portal, console and reference, and each of them answers", async () => {
  const { url } = installation.service;
  const reply = await fetch(`${url}/`, { headers: BROWSER });
  expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  const links = [...(await reply.text()).matchAll(/href="(\/[^"]*)"/g)].map(([, path = ""]) => path);
  expect(links).toEqual(["/portal", "/console", "/docs", "/docs/openapi.json"]);
  for (const path of links) expect((await fetch(url + path)).status, path).toBe(200);
});

test("a program gets the same addresses as JSON", async () => {
  const reply = await fetch(`${installation.service.url}/`);
  expect(await reply.json()).toEqual({
    service: "Corprail",
    portal: "/portal",
    console: "/console",
    docs: "/docs",
    openapi: "/docs/openapi.json",
    health: "/healthz",
    ready: "/readyz",
  });
  expect(reply.headers.get("vary")).toContain("accept");
});

test("nothing but its own styles may run there, and no page may frame it", async () => {
  const policy = (await fetch(`${installation.service.url}/`, { headers: BROWSER })).headers.get("content-security-policy");
  expect(policy).toMatch(/^default-src 'none';style-src 'sha256-[\w+/=]+';.*frame-ancestors 'none'$/);
});

test("a host that the caller made up cannot write into the page", async () => {
  const apart = await installation.another({ CORPRAIL_CONSOLE_PORT: "0" });
  const request = 'GET / HTTP/1.1\r\nHost: x"><script>alert(1)</script>\r\nAccept: text/html\r\nConnection: close\r\n\r\n';
  const { text } = await exchange(apart.port, request);
  expect(text).not.toContain("<script");
});

describe.skipIf(NO_BROWSER !== null)(`in a browser${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let browser: OwnBrowser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test.each(["light", "dark"] as const)("it looks right wide and narrow, %s, and is not stopped by its own policy", async (colorScheme) => {
    const { page, requested, pageErrors } = await watchedPage(browser);
    await page.emulateMedia({ colorScheme });
    await page.goto(installation.service.url);
    await page.waitForLoadState("networkidle");
    expect(requested.filter((address) => !address.startsWith(installation.service.url) && !address.startsWith("data:"))).toEqual([]);
    expect(pageErrors).toEqual([]);
    await page.getByRole("link", { name: /Client portal/ }).click();
    await page.getByRole("heading", { name: /sign in/i }).waitFor();
    await page.goBack();
    await checkPage(page, `home-${colorScheme}`);
  });
});
