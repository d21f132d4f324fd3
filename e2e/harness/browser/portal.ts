import type { BrowserContext, Page } from "playwright-core";
import { WAIT_MILLISECONDS } from "../../../server/src/testing/deadline.ts";
import { change } from "../operator.ts";
import { type Environment, type Installation, type Service, startInstallation } from "../service.ts";
import { launchBrowser, type OwnBrowser, type Watched, watched } from "./browser.ts";
import { acceptWithoutPage } from "./site-session.ts";

export const PASSWORD = "seven green lanterns";

export type Person = { readonly email: string; readonly name: string; readonly password: string };
export type Portal = {
  readonly installation: Installation;
  readonly browser: OwnBrowser;
  /** A new browser context with separate cookies and storage. */
  readonly visitor: (options?: Parameters<OwnBrowser["newContext"]>[0]) => Promise<Watched>;
  /** Errors that any page reported so far. */
  readonly pageErrors: readonly string[];
  readonly close: () => Promise<void>;
};

/** An installation and a browser. */
export async function startPortal(environment: Environment = {}): Promise<Portal> {
  const [installation, browser] = await Promise.all([startInstallation(environment), launchBrowser()]);
  const pageErrors: string[] = [];
  return {
    installation,
    browser,
    pageErrors,
    visitor: async (options = {}) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...options });
      context.setDefaultTimeout(WAIT_MILLISECONDS);
      return watched(await context.newPage(), pageErrors);
    },
    close: async () => {
      await browser.close();
      await installation.close();
    },
  };
}

/** WebAuthn needs a host name, and allows http only for localhost. */
export function portalUrl(service: Service, path = ""): string {
  return `http://localhost:${service.port}/portal${path}`;
}

/** An invitation link for the first owner (or another role) of an account, made with the operator API. */
export async function invitationFor(service: Service, accountId: string, email: string, role = "owner"): Promise<string> {
  const made = await change(service, `/accounts/${accountId}/portal-invitations`, { email, role });
  const link = new URL(String(made["invitation_url"]));
  return portalUrl(service, link.pathname.replace("/portal", "") + link.hash);
}

export async function newAccount(service: Service, name = "Asha Stores"): Promise<string> {
  return String((await change(service, "/accounts", { name }))["account_id"]);
}

/** Opens the link and sets the name and password, which signs the user in. */
export async function acceptInvitation(page: Page, link: string, person: Person): Promise<void> {
  await page.goto(link);
  await page.getByLabel("Your name").fill(person.name);
  await page.getByLabel("New password").fill(person.password);
  await page.getByLabel("Repeat the password").fill(person.password);
  await page.getByRole("button", { name: "Set up my access" }).click();
  await page.getByRole("button", { name: /^Your menu/ }).waitFor();
}

/** An account with one owner who is signed in at this page's browser; the page itself is not opened yet. */
export async function signedInOwner(portal: Portal, page: Page, person: Person): Promise<{ readonly accountId: string }> {
  const { service } = portal.installation;
  const accountId = await newAccount(service);
  await acceptWithoutPage(page, service, "portal", await invitationFor(service, accountId, person.email), person);
  return { accountId };
}

/** Submits the email address and the password. */
export async function signIn(page: Page, { email, password }: Pick<Person, "email" | "password">): Promise<void> {
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Your menu/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
}

/** Adds a virtual authenticator that can hold passkeys to the page. */
export async function addAuthenticator(context: BrowserContext, page: Page): Promise<void> {
  const devtools = await context.newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
