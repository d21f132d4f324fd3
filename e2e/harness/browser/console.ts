import type { Page } from "playwright-core";
import { change } from "../operator.ts";
import type { Environment, Service } from "../service.ts";
import { addAuthenticator, PASSWORD, type Person, type Portal, startPortal } from "./portal.ts";
import { type AuthenticatorApp, acceptWithoutPage, enrolWithoutPage } from "./site-session.ts";
import { totpCode } from "./totp.ts";

export type StaffRole = "admin" | "finance" | "operations" | "support" | "auditor";
/** An installation and a browser, as for the portal. */
export type Console = Portal;
export type Staff = AuthenticatorApp & { readonly person: Person };

export async function startConsole(environment: Environment = {}): Promise<Console> {
  return await startPortal(environment);
}

/** WebAuthn needs a host name, and allows http only for localhost. */
export function consoleUrl(service: Service, path = ""): string {
  return `http://localhost:${service.port}/console${path}`;
}

/** An invitation link for a staff member, made with the operator API. */
export async function staffInvitation(service: Service, email: string, role: StaffRole): Promise<string> {
  const made = await change(service, "/staff/invitations", { email, role });
  const link = new URL(String(made["invitation_url"]));
  return consoleUrl(service, link.pathname.replace("/console", "") + link.hash);
}

/** Opens the link and sets the name and password, which leads to the second-factor page. */
export async function acceptStaffInvitation(page: Page, link: string, person: Person): Promise<void> {
  await page.goto(link);
  await page.getByLabel("Your name").fill(person.name);
  await page.getByLabel("New password").fill(person.password);
  await page.getByLabel("Repeat the password").fill(person.password);
  await page.getByRole("button", { name: "Set up my access" }).click();
  await page.getByRole("heading", { name: "Protect your access" }).waitFor();
}

/** Sets up an authenticator app as the second factor, which completes the sign-in. */
export async function enrolByApp(page: Page): Promise<AuthenticatorApp> {
  await page.getByRole("button", { name: /^Authenticator app/ }).click();
  await page.getByRole("img", { name: "QR code for the authenticator app" }).waitFor();
  const secret = (await page.locator("main code").textContent()) ?? "";
  await page.getByLabel("Current code from the app").fill(totpCode(secret));
  await page.getByRole("button", { name: "Turn on" }).click();
  return { secret, codes: await storeCodes(page) };
}

/** Confirms the recovery codes, which completes the sign-in. */
export async function storeCodes(page: Page): Promise<readonly string[]> {
  const shown = page.getByRole("dialog", { name: "Your recovery codes" });
  const codes = ((await shown.locator("pre").textContent()) ?? "").split("\n");
  await shown.getByLabel("I have stored it").check();
  await shown.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: /^Your menu/ }).waitFor();
  return codes;
}

let invited = 0;
type Site = { readonly installation: { readonly service: Service } };

/** Signs in a staff member of the role at this page's browser, without opening a page; the proof is valid for five minutes. */
export async function signedInStaff({ installation }: Site, page: Page, role: StaffRole, given: Partial<Person> = {}): Promise<Staff> {
  invited += 1;
  const person = { email: `${role}-${invited}@platform.example`, name: `Meera ${role}`, password: PASSWORD, ...given };
  const { service } = installation;
  await acceptWithoutPage(page, service, "console", await staffInvitation(service, person.email, role), person);
  return { person, ...(await enrolWithoutPage(page, service, "console")) };
}

/** Adds a passkey, with which `stepUp` can confirm any number of times. */
export async function addPasskey(page: Page, service: Service): Promise<void> {
  await addAuthenticator(page.context(), page);
  await page.goto(consoleUrl(service, "/security"));
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByLabel("Passkey name").fill("Test device");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Test device").waitFor();
}

// Runs in the page, so that the dialog is confirmed whatever the test waits for.
const ANSWER_BY_PASSKEY = `(() => {
  const pressed = new WeakSet();
  const answer = () => {
    const buttons = [...document.querySelectorAll("dialog button")].filter((one) => one.textContent.trim() === "Use a passkey");
    for (const button of buttons.filter((one) => !pressed.has(one))) {
      pressed.add(button);
      button.click();
    }
  };
  new MutationObserver(answer).observe(document, { childList: true, subtree: true });
})()`;

/** For tests longer than five minutes: the page confirms with a passkey whenever it is asked. */
export async function keepProved(page: Page, service: Service): Promise<void> {
  await page.addInitScript(ANSWER_BY_PASSKEY);
  await addPasskey(page, service);
}

/** Confirms the identity dialog with the code, or with the page's passkey when there is none. */
export async function stepUp(page: Page, code?: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Confirm your identity" });
  if (code === undefined) await dialog.getByRole("button", { name: "Use a passkey" }).click();
  else {
    await dialog.getByLabel("Code from your authenticator app").fill(code);
    await dialog.getByRole("button", { name: "Confirm" }).click();
  }
  await dialog.waitFor({ state: "detached" });
}
