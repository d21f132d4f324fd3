import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER } from "./harness/browser/browser.ts";
import { checkPage } from "./harness/browser/page-checks.ts";
import {
  acceptInvitation,
  addAuthenticator,
  invitationFor,
  newAccount,
  PASSWORD,
  type Portal,
  portalUrl,
  signedInOwner,
  signIn,
  signOut,
  startPortal,
} from "./harness/browser/portal.ts";

const ASHA = { email: "asha@example.in", name: "Asha Rao", password: PASSWORD };

describe.skipIf(NO_BROWSER !== null)(`signing in at the portal${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let portal: Portal;
  beforeAll(async () => {
    // A mail server that does not answer: links can be asked for.
    portal = await startPortal({ CORPRAIL_SMTP_URL: "smtp://127.0.0.1:1" });
  });
  afterAll(async () => {
    await portal?.close();
  });

  const url = (path = "") => portalUrl(portal.installation.service, path);

  test("an invitation becomes an account, whose owner signs out and in again and lands where they wanted to go", async () => {
    const { service } = portal.installation;
    const { page, requested } = await portal.visitor();
    const link = await invitationFor(service, await newAccount(service), ASHA.email);
    await page.goto(link);
    await page.getByText(ASHA.email).waitFor();
    await checkPage(page, "invite");
    await expect.poll(() => new URL(page.url()).hash).toBe("");
    await acceptInvitation(page, link, ASHA);
    await signOut(page);
    await checkPage(page, "sign-in");

    await page.goto(url("/team"));
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await signIn(page, { ...ASHA, password: "not the password" });
    await page.getByText("The email address or the password is wrong.").waitFor();
    // What anybody mistypes has no code.
    expect(await page.getByRole("alert").textContent()).toBe("The email address or the password is wrong.");
    await signIn(page, ASHA);
    await page.getByRole("heading", { name: "Team" }).waitFor();
    expect(page.url()).toBe(url("/team"));
    // An address that does not exist keeps the menu.
    await page.goto(url("/no-such-page"));
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    await checkPage(page, "not-found");
    expect(await page.getByRole("link", { name: "API reference" }).getAttribute("href")).toBe("/docs");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Team" }).click();
    await page.getByRole("heading", { name: "Team" }).waitFor();
    // Nobody but the service was asked for anything, and no address held the token.
    const token = new URL(link).hash.slice(1);
    expect(requested.filter((address) => !address.startsWith(url()))).toEqual([]);
    expect(requested.filter((address) => address.includes(token))).toEqual([]);
    await page.context().close();
  });

  test.each(["en-IN", "hi-IN"])("the first page loads less than 200 kB of script in %s, and nothing that draws charts", async (locale) => {
    const { page, requested } = await portal.visitor({ locale });
    await page.goto(url("/team"));
    await page.getByRole("heading", { name: /^(Sign in|साइन इन करें)$/ }).waitFor();
    await page.waitForLoadState("networkidle");
    const scripts = requested.filter((address) => address.endsWith(".js"));
    const sizes = await Promise.all(scripts.map(async (address) => gzipSync(await (await fetch(address)).arrayBuffer()).length));
    expect(sizes.length).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000);
    expect(scripts.filter((address) => /chart/i.test(address))).toEqual([]);
    await page.context().close();
  });

  test("a visitor reads the sign-in page in Hindi, and a member's choice follows them to another browser", async () => {
    const { page } = await portal.visitor({ locale: "hi-IN" });
    await page.goto(url("/sign-in"));
    await page.getByRole("heading", { name: "साइन इन करें" }).waitFor();
    expect(await page.evaluate<string>("document.documentElement.lang")).toBe("hi");
    await page.getByLabel("ई-मेल पता").fill(ASHA.email);
    await page.getByLabel("पासवर्ड").fill("not the password");
    await page.getByRole("button", { name: "साइन इन करें", exact: true }).click();
    await page.getByText("ई-मेल पता या पासवर्ड गलत है।").waitFor();
    await page.getByRole("button", { name: "English" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await signIn(page, ASHA);
    await page.getByRole("button", { name: /^Your menu/ }).click();
    await page.getByRole("menuitemradio", { name: "हिन्दी" }).click();
    await page.getByRole("heading", { name: "होम" }).waitFor();

    const { page: other, requested: asked } = await portal.visitor();
    await other.goto(url("/sign-in"));
    await other.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(asked.filter((address) => /\/hi-[^/]*\.js$/.test(address))).toEqual([]);
    await signIn(other, ASHA);
    await other.getByRole("heading", { name: "होम" }).waitFor();
    await other.getByRole("button", { name: /^आपका मेन्यू/ }).click();
    await other.getByRole("menuitemradio", { name: "English" }).click();
    await other.getByRole("heading", { name: "Home" }).waitFor();
    await page.context().close();
    await other.context().close();
  });

  test("a sign-in link never redirects to another site", async () => {
    const { page } = await portal.visitor();
    for (const next of ["//example.com/", "https://example.com/", "/\\example.com"]) {
      await page.goto(url(`/sign-in?next=${encodeURIComponent(next)}`));
      await signIn(page, ASHA);
      await page
        .getByRole("button", { name: /^Your menu/ })
        .or(page.getByRole("heading", { name: "Page not found" }))
        .first()
        .waitFor();
      await expect.poll(() => new URL(page.url()).origin).toBe(new URL(url()).origin);
      await page.goto("about:blank");
      await page.context().clearCookies();
    }
    await page.context().close();
  });

  test("an invalid link is reported, and a password reset gives the same response for every address", async () => {
    const { page } = await portal.visitor();
    await page.goto(url(`/invite#inv_${"A".repeat(43)}`));
    await page.getByRole("alert").waitFor();
    await checkPage(page, "invite-used");
    await page.goto(url("/password-reset"));
    await checkPage(page, "password-reset");
    await page.getByLabel("Email address").fill("nobody@example.in");
    await page.getByRole("button", { name: "Send link" }).click();
    await page.getByText("If a user has this address").waitFor();
    await page.context().close();
  });

  test("the sign-in, the menu and a page are worked by keyboard alone", async () => {
    const { page } = await portal.visitor();
    await page.goto(url("/security"));
    await page.getByLabel("Email address").waitFor();
    await tabTo(page, "Email address");
    await page.keyboard.type(ASHA.email);
    await page.keyboard.press("Tab");
    await page.keyboard.type(ASHA.password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Security" }).waitFor();
    await page.locator("body").press("Tab");
    expect(await focused(page)).toBe("Skip to content");
    await tabTo(page, "Team");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Team" }).waitFor();

    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("secur");
    await checkPage(page, "palette");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Security" }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.context().close();
  });

  test("the theme is changed, and stays so after a reload", async () => {
    const { page } = await portal.visitor({ colorScheme: "light" });
    await page.goto(url("/sign-in"));
    const theme = () => page.evaluate("document.documentElement.dataset.theme");
    await page.getByRole("button", { name: "Dark theme" }).click();
    expect(await theme()).toBe("dark");
    await page.reload();
    await page.getByRole("button", { name: "Light theme" }).waitFor();
    expect(await theme()).toBe("dark");
    await page.context().close();
  });

  test("a passkey signs in alone, without a password", async () => {
    const { page } = await portal.visitor();
    await addAuthenticator(page.context(), page);
    await signedInOwner(portal, page, { ...ASHA, email: "key@example.in" });
    await page.goto(url("/security"));
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByLabel("Passkey name").fill("Work laptop");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByLabel("I have stored it").check();
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByText("Work laptop").waitFor();
    await signOut(page);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByRole("button", { name: /^Your menu/ }).waitFor();
    await page.goto(url("/security"));
    await page.getByText("Work laptop").waitFor();
    await page.context().close();
  });

  test("the browser's console is empty and the policy stopped nothing of it all", () => {
    expect(portal.pageErrors).toEqual([]);
  });
});

/** The name of what has the focus: its label, or what is written on it. */
async function focused(page: Page): Promise<string> {
  const name = await page.evaluate<string>(
    "(({ ariaLabel, labels, textContent }) => ariaLabel ?? labels?.[0]?.textContent ?? textContent)(document.activeElement)",
  );
  return name.trim();
}

/** Presses Tab until what has this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    if ((await focused(page)) === name) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Not reached by Tab: ${name}`);
}
