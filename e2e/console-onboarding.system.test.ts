import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER } from "./harness/browser/browser.ts";
import { type Console, consoleUrl, keepProved, signedInStaff, startConsole } from "./harness/browser/console.ts";
import { confirmDialog, takeSecretFromCard } from "./harness/browser/console-steps.ts";
import { checkLayout, checkPage } from "./harness/browser/page-checks.ts";
import { acceptInvitation, PASSWORD, portalUrl } from "./harness/browser/portal.ts";
import { takeSecret } from "./harness/browser/portal-client.ts";
import { until } from "./harness/deadline.ts";
import { operator } from "./harness/operator.ts";

const PDF = { mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7 a scan") };
const ASHA = { email: "asha@nila.example", name: "Asha Rao", password: PASSWORD };

describe.skipIf(NO_BROWSER !== null)(`onboarding at the console${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let site: Console;
  let page: Page;
  let accountId: string;
  beforeAll(async () => {
    site = await startConsole();
    ({ page } = await site.visitor());
    await signedInStaff(site, page, "admin");
    await keepProved(page, site.installation.service);
  });
  afterAll(async () => {
    await site?.close();
  });

  const service = () => site.installation.service;
  const url = (path = "") => consoleUrl(service(), path);
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
  const atStep = async (name: string) => {
    await page.getByRole("heading", { level: 2, name, exact: true }).waitFor();
    await checkLayout(page, `onboarding, ${name}`);
    await checkPage(page, `console-onboarding-${name.toLowerCase().replaceAll(" ", "-")}`);
  };
  const account = async () => (await operator(service(), "GET", `/accounts/${accountId}`)).body;

  test("a draft begins with a name, and its numbers are checked when a step is saved", async () => {
    await page.goto(url("/onboarding"));
    await page.getByText("Submitted applications whose KYC waits for a reviewer will appear here.").waitFor();
    await checkPage(page, "console-onboarding");
    await page.getByRole("button", { name: "New client" }).first().click();
    await fill("Client name", "Nila Recharge");
    await press("Begin");
    await atStep("Company");
    accountId = /onboarding\/(A\w{11})/.exec(page.url())?.[1] ?? "";
    await fill("Legal name", "Nila Recharge Private Limited");
    await fill("PAN", "aagcn7383j");
    await fill("GSTIN", "29AAGCN7383J1Z0");
    await fill("Registered address", "12 MG Road");
    await fill("City", "Bengaluru");
    await page.getByLabel("State", { exact: true }).selectOption("29");
    await fill("PIN code", "560001");
    await press("Save and continue");
    await page.getByText("The check digit is wrong.").waitFor();
    await checkPage(page, "console-onboarding-company-wrong");
    await page.getByLabel("The client is not registered for GST").check();
    await press("Save and continue");
    await page.getByRole("heading", { name: "Contacts" }).waitFor();
  });

  test("the draft is continued after a reload, step by step", async () => {
    await page.goto(url(`/onboarding/${accountId}`));
    expect(await page.getByLabel("PAN", { exact: true }).inputValue()).toBe("AAGCN7383J");
    await page.getByRole("link", { name: "2. Contacts" }).click();
    await atStep("Contacts");
    await fill("Name", ASHA.name);
    await fill("Email address", ASHA.email);
    await fill("Mobile number", "12345");
    await press("Save and continue");
    await page.getByText("Must be an Indian mobile number of ten digits.").waitFor();
    await fill("Mobile number", "9876543210");
    await press("Save and continue");
    await page.getByRole("heading", { name: "Add a document" }).waitFor();
    await page.getByLabel("File", { exact: true }).setInputFiles({ ...PDF, name: "fake.pdf", buffer: Buffer.from("<html>") });
    await page.getByText("Must be a PDF, PNG or JPEG file.").waitFor();
    for (const kind of ["PAN card", "Signed agreement"]) {
      await page.getByLabel("Kind", { exact: true }).selectOption({ label: kind });
      await page.getByLabel("File", { exact: true }).setInputFiles({ ...PDF, name: `${kind}.pdf` });
      await page.getByRole("listitem").filter({ hasText: kind }).waitFor();
    }
    await atStep("Add a document");
    for (const step of ["Services", "Prices", "Limits", "IP allowlist", "Callback"]) {
      await press("Continue");
      await atStep(step);
    }
    await page.goto(url(`/onboarding/${accountId}?step=addresses`));
    await page.getByPlaceholder(/^203/).fill("0.0.0.0/0");
    await press("Add");
    await page.getByText("Type “every address” to confirm").waitFor();
    await page.keyboard.press("Escape");
  });

  test("it is reviewed with reasons, returned, submitted again and approved", async () => {
    await page.goto(url(`/onboarding/${accountId}?step=review`));
    await press("Submit for review");
    await confirmDialog(page, /^Submit Nila/, "Submit");
    await page.getByText("In review").waitFor();
    await atStep("Reviews");
    await press("Return (KYC)");
    await press("Return");
    await page.getByText("Enter a reason.").waitFor();
    await page.getByLabel("Reason", { exact: true }).fill("The scan cannot be read.");
    await confirmDialog(page, /^Return the application/, "Return");
    await page.getByText("The scan cannot be read.").first().waitFor();
    await press("Submit for review");
    await confirmDialog(page, /^Submit Nila/, "Submit");
    await page.goto(url("/onboarding?view=kyc"));
    await page.getByRole("link", { name: /Nila Recharge/ }).click();
    for (const name of ["KYC", "Agreement"]) {
      expect(await account()).toMatchObject({ agreement: "pending" });
      await press(`Approve ${name}`);
      await page.getByLabel("Reason", { exact: true }).fill("Compared with the originals.");
      await confirmDialog(page, new RegExp(`^Approve ${name}`), `Approve ${name}`);
    }
    await page.getByText("Completed", { exact: true }).waitFor();
    expect(await account()).toMatchObject({ kyc: "verified", agreement: "signed" });
    await checkPage(page, "console-onboarding-completed");
  });

  test("the first owner is invited by a link, and creates the first token in the portal", async () => {
    await press("Invite a member");
    await fill("Email address", ASHA.email);
    await press("Create invitation");
    const link = await takeSecretFromCard(page, "The invitation is ready");
    const { page: client } = await site.visitor();
    await acceptInvitation(client, link.replace("127.0.0.1", "localhost"), ASHA);
    await client.goto(portalUrl(service(), "/credentials"));
    await client.getByText("Your account has no token yet.").waitFor();
    await checkPage(client, "portal-first-token");
    await client.getByRole("button", { name: "Create API token" }).click();
    expect(await takeSecret(client)).toMatch(/^tok_live_/);
    await until("the token is shown masked", async () => (await client.getByText("tok_live_").count()) > 0);
  });

  test("the portal says what a new client waits for", async () => {
    await operator(service(), "POST", `/accounts/${accountId}`, { kyc: "pending" });
    const { page: client } = await site.visitor();
    await client.goto(portalUrl(service(), "/sign-in"));
    await client.getByLabel("Email address").fill(ASHA.email);
    await client.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await client.getByRole("button", { name: "Sign in", exact: true }).click();
    await client.getByText("Transactions start when the platform has approved your KYC documents.").waitFor();
    await checkPage(client, "portal-waiting-for-kyc");
  });
});
