import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER, pageWithScrollBars } from "./harness/browser/browser.ts";
import { checkLayout, checkPage } from "./harness/browser/page-checks.ts";
import { type Portal, portalUrl, startPortal } from "./harness/browser/portal.ts";
import { newPortalClient, type PortalClient, recharge } from "./harness/browser/portal-client.ts";
import { PREFIX } from "./harness/client.ts";
import { change } from "./harness/operator.ts";

// Every page of the menu by its path, with its heading in Hindi.
const PAGES: Readonly<Record<string, string>> = {
  "": "होम",
  "/transactions": "लेन-देन",
  "/analytics": "विश्लेषण",
  "/complaints": "शिकायतें",
  "/wallet": "वॉलेट",
  "/credentials": "API › क्रेडेंशियल",
  "/allowlist": "API › IP अनुमति सूची",
  "/api-access": "API ऐक्सेस",
  "/callbacks": "कॉलबैक",
  "/logs": "लॉग",
  "/signature-debugger": "सिग्नेचर डीबगर",
  "/limits": "सीमाएँ",
  "/operators": "ऑपरेटर और सेवाएँ",
  "/status": "सेवा स्थिति",
  "/sandbox": "सैंडबॉक्स",
  "/team": "टीम",
  "/single-sign-on": "सिंगल साइन-ऑन",
  "/security": "सुरक्षा",
};
// Names, values of the API and what people and the platform wrote stay as they are.
const LATIN_SENTENCE = /[A-Za-z]{3,} [a-z]{2,} [a-z]{2,}/;

describe.skipIf(NO_BROWSER !== null)(`the portal in Hindi${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let portal: Portal;
  let client: PortalClient;
  let orderId: string;
  beforeAll(async () => {
    portal = await startPortal({ CORPRAIL_SIMULATOR_DELAY_MS: "300" });
    client = await newPortalClient(portal);
    const { service } = portal.installation;
    await change(service, `/accounts/${client.accountId}/wallet`, { amount: "123456.50", reference: "neft", note: "NEFT" });
    orderId = String((await recharge(service.url, client.token, "hindi-1", "9876543000"))["order_id"]);
    const raised = await fetch(`${service.url}${PREFIX}/complaints`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-token": client.token },
      body: JSON.stringify({ order_id: orderId, reason: "not_credited", description: "ग्राहक को राशि नहीं मिली।" }),
    });
    expect(await raised.json()).toMatchObject({ order_id: orderId });
    await client.open("/");
    await client.page.getByRole("button", { name: /^Your menu/ }).click();
    await client.page.getByRole("menuitemradio", { name: "हिन्दी" }).click();
    await client.page.getByRole("heading", { name: "होम" }).waitFor();
  });
  afterAll(async () => {
    await portal?.close();
  });

  const url = (path: string) => portalUrl(portal.installation.service, path);

  /** Sentences in English that the page shows, outside of code. */
  async function englishOn(page: Page): Promise<readonly string[]> {
    const texts = await page.evaluate<readonly string[]>(
      `[...document.querySelectorAll("body *")].filter((element) => element.closest("code, pre, [lang=en]") === null)
        .flatMap((element) => [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent))`,
    );
    return texts.filter((text) => LATIN_SENTENCE.test(text));
  }

  test("every page of the menu is in Hindi, passes axe and fits, wide with scroll bars and narrow, light and dark", async () => {
    const { page } = client;
    const withBars = await pageWithScrollBars(page);
    for (const [path, heading] of Object.entries(PAGES)) {
      await page.goto(url(path));
      await page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
      await page.waitForLoadState("networkidle");
      expect(await englishOn(page), path).toEqual([]);
      await checkPage(page, `hindi${path.replace("/", "-")}`);
      await withBars.goto(url(path));
      await withBars.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
      await withBars.waitForLoadState("networkidle");
      await checkLayout(withBars, path);
    }
    expect(await page.evaluate<string>("document.documentElement.lang")).toBe("hi");
    await withBars.context().close();
  });

  test("a transaction's timeline, a complaint and a statement line are in Hindi, with the amount in words", async () => {
    const { page } = client;
    await page.goto(url(`/transactions/${orderId}`));
    await page.getByText("अनुरोध स्वीकार हुआ").waitFor();
    await page.getByText("राशि काटी गई").first().waitFor();
    expect(await page.getByText(/, balance /).count()).toBe(0);
    expect(await englishOn(page)).toEqual([]);
    await checkPage(page, "hindi-transaction");
    await page.goto(url("/complaints"));
    await page
      .getByRole("main")
      .getByRole("link", { name: /^CMP|^C/ })
      .first()
      .click();
    await page.getByRole("dialog").getByText("राशि जमा नहीं हुई").waitFor();
    await checkPage(page, "hindi-complaint");
    await page.goto(url("/security/audit"));
    await page.getByRole("link", { name: "न्योता स्वीकार हुआ" }).first().waitFor();
    expect(
      await page
        .getByRole("main")
        .getByText(/^[A-Z][a-z]+ [a-z]+/)
        .allTextContents(),
    ).toEqual([]);
    await page.goto(url("/operators"));
    await page.getByRole("cell", { name: "मनी ट्रांसफ़र" }).waitFor();
    await page.goto(url("/wallet"));
    await page.getByText("कुल जमा").waitFor();
    await page.getByText("एक लाख अट्ठाईस हज़ार चार सौ छप्पन रुपये पचास पैसे मात्र").waitFor();
  });
});
