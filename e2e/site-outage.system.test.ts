import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { emptyDatabase } from "../server/src/testing/database.ts";
import { startTcpProxy, type TcpProxy } from "../server/src/testing/tcp-proxy.ts";
import { NO_BROWSER } from "./harness/browser/browser.ts";
import { type Console, consoleUrl, signedInStaff, startConsole } from "./harness/browser/console.ts";
import { checkPage } from "./harness/browser/page-checks.ts";
import { PASSWORD, portalUrl, signedInOwner } from "./harness/browser/portal.ts";
import type { Service } from "./harness/service.ts";

const AWAY = "The service is currently unavailable";

describe.skipIf(NO_BROWSER !== null)(`sites in trouble${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let database: Awaited<ReturnType<typeof emptyDatabase>>;
  let proxy: TcpProxy;
  let service: Service;
  let site: Console;
  let staff: Page;
  let owner: Page;

  beforeAll(async () => {
    database = await emptyDatabase();
    const url = new URL(database.url);
    proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
    url.port = String(proxy.port);
    site = await startConsole({ CORPRAIL_DATABASE_URL: url.href });
    ({ service } = site.installation);
    ({ page: staff } = await site.visitor());
    await signedInStaff(site, staff, "admin");
    ({ page: owner } = await site.visitor());
    await signedInOwner(site, owner, { email: "asha@shop.example", name: "Asha Rao", password: PASSWORD });
  });
  afterAll(async () => {
    proxy?.open();
    await site?.close();
    await proxy?.close();
    await database?.drop();
  });

  const strip = (page: Page) => page.getByRole("status").filter({ hasText: AWAY });

  test.each(["refuse", "hang"] as const)(
    "while the database is away (%s) pages say so, and load by themselves afterwards",
    async (fault) => {
      await owner.goto(portalUrl(service, "/logs?live=1"));
      await owner.getByText(/^Live\. /).waitFor();
      proxy[fault]();
      await owner.getByText("The live tail was interrupted.").or(strip(owner)).first().waitFor();
      await Promise.all([staff.goto(consoleUrl(service, "/accounts")), owner.goto(portalUrl(service, "/logs?live=1"))]);
      await strip(staff).getByText("(the database does not answer)").waitFor();
      await strip(owner).waitFor();
      // Why the database is away is no client's business.
      expect(await owner.content()).not.toContain("database");
      await checkPage(staff, "console-database-away");
      await checkPage(owner, "portal-database-away");
      proxy.open();
      await staff.getByRole("link", { name: /Asha Stores/ }).waitFor();
      await owner.getByText(/^Live\. /).waitFor();
      await Promise.all([strip(staff).waitFor({ state: "detached" }), strip(owner).waitFor({ state: "detached" })]);
    },
  );

  test("an open page keeps its content during an outage and says that it may be out of date", async () => {
    await staff.goto(consoleUrl(service, "/system"));
    await staff.getByText("Trial: no real money moves", { exact: true }).waitFor();
    proxy.refuse();
    await strip(staff).waitFor();
    await staff.getByText("Trial: no real money moves", { exact: true }).waitFor();
    proxy.open();
    await strip(staff).waitFor({ state: "detached" });
  });
});
