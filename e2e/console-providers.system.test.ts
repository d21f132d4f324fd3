import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER } from "./harness/browser/browser.ts";
import { addPasskey, type Console, consoleUrl, signedInStaff, startConsole } from "./harness/browser/console.ts";
import { chooseCompletion, hoverUntilExplained, jsonEditor, readEditor, writeEditor } from "./harness/browser/json-editor.ts";
import { checkPage } from "./harness/browser/page-checks.ts";
import { expectTextOnly, recharge, SCRIPT } from "./harness/browser/portal-client.ts";
import { change, newClient, operator } from "./harness/operator.ts";
import { type Listener, startListener } from "./harness/servers/listener.ts";

const OK = JSON.stringify({ status: "SUCCESS", operator_id: "OP42", message: "done" });
const RUPEELINK = readFileSync(new URL("../docs/examples/providers/rupeelink.json", import.meta.url), "utf8");
const SECRET = "tok-sh-much-secret";

describe.skipIf(NO_BROWSER !== null)(`providers${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let site: Console;
  let page: Page;
  let requested: readonly string[];
  let token: string;
  let upstream: Listener;
  let orders = 0;
  beforeAll(async () => {
    site = await startConsole();
    upstream = await startListener();
    const { service } = site.installation;
    const client = await newClient(service);
    token = client.token;
    await change(service, `/accounts/${client.accountId}/wallet`, { amount: "5000.00", reference: "start", note: "" });
    ({ page, requested } = await site.visitor());
    await signedInStaff(site, page, "operations");
    // Proofs grow old while the tests run on a slow machine; a passkey renews them without waiting.
    await addPasskey(page, service);
  });
  afterAll(async () => {
    await site?.close();
    await upstream?.close();
  });

  const url = (path = "") => consoleUrl(site.installation.service, path);
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const pay = () => recharge(site.installation.service.url, token, `p${++orders}`, "9876543000");
  const drawer = () => page.getByRole("dialog", { name: "acme" });

  /** The example of the page, at an address that answers here. */
  async function description(more: object = {}): Promise<Record<string, unknown>> {
    const example = JSON.parse(await readEditor(page)) as Record<string, object>;
    const read = { format: "json", operator_ref: "operator_id", message: "message" };
    return { ...example, plain_http: true, base_url: upstream.url, read, ...more };
  }

  const write = (definition: unknown) => writeEditor(page, JSON.stringify(definition, null, 2));
  const faults = () => page.getByRole("list", { name: "Errors" });
  const startFrom = async (label: string) => {
    await page.getByLabel("Start from").selectOption({ label });
    await press("Use this description");
  };

  test("errors in a new provider's definition are shown by path, and its dry run shows the requests", async () => {
    await page.goto(url("/providers"));
    await page.getByRole("link", { name: "simulator" }).waitFor();
    await checkPage(page, "console-providers");
    const isEditor = (address: string) => /\/assets\/(?:definition-editor|provider-description)/.test(address);
    expect(requested.filter(isEditor)).toEqual([]);
    await page.getByRole("link", { name: "New provider" }).click();
    await page.getByRole("heading", { name: "New provider" }).waitFor();
    await jsonEditor(page).waitFor();
    expect(requested.some(isEditor)).toBe(true);
    await startFrom("Another Corprail installation");
    await jsonEditor(page).getByText("https://pay.partner.example").waitFor();
    await startFrom("Example of an HTTP provider");
    await jsonEditor(page).getByText("https://api.acme.example").waitFor();
    const good = await description();
    await writeEditor(page, '{\n  "version": 2,\n}');
    await faults().getByText("This is not valid JSON. There must be no comma before }.").waitFor();
    await faults().getByText("Line 2, column 15").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Add provider" }).isDisabled()).toBe(true);
    await write({ ...good, colour: 1, times: -1, name: SCRIPT });
    await press("Add provider");
    for (const place of ["colour", "times", "name"]) await faults().getByText(place, { exact: true }).waitFor();
    await checkPage(page, "console-provider-faults");
    await expectTextOnly(page);
    await write(good);
    await page.getByText("Try a response or another order").click();
    await page.getByLabel("Sample response").fill(OK);
    await press("Run now");
    const result = page.getByRole("region", { name: "Result of the dry run" });
    await result.getByText("succeeded", { exact: true }).waitFor();
    await result.getByText("OP42").waitFor();
    await result.getByText("authorization: Bearer ___token___").first().waitFor();
    await result.getByText("Missing secrets: token.").waitFor();
    await checkPage(page, "console-provider-new");
    await page.getByLabel("Sample response").fill("<html>");
    await press("Run now");
    await result.getByText("unknown", { exact: true }).waitFor();
    expect(upstream.heard).toEqual([]);
  });

  test("the editor completes and explains by the schema, and leads to sections and errors", async () => {
    await writeEditor(page, '{\n  "name": "acme"\n}');
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.keyboard.type("plain");
    await chooseCompletion(page, /^plain_http/);
    await page.keyboard.type("true");
    await hoverUntilExplained(page, '"plain_http"', "Allows http://, where secrets are sent unencrypted.");
    await page.getByLabel("Operation to add").selectOption("bills.pay");
    await press("Add operation");
    await page.getByText("To be routable it still needs: bills.billers; bills.fetch.").waitFor();
    const written = JSON.parse(await readEditor(page));
    expect(written).toMatchObject({ plain_http: true, name: "acme", operations: { "bills.pay": { status: { request: {} } } } });
    const sections = page.getByRole("navigation", { name: "Sections" });
    await write({ ...written, version: 2, base_url: "ftp://x" });
    await faults().getByText("base_url", { exact: true }).click();
    const line = JSON.stringify({ ...written, version: 2, base_url: "" }, null, 2).split("\n").length - 1;
    await expect.poll(() => page.locator(".cm-activeLineGutter").allTextContents()).toContain(String(line));
    await sections.getByRole("button", { name: /^Connection.*error/ }).waitFor();
    await checkPage(page, "console-provider-sections");
    await sections.getByRole("button", { name: "bills.pay" }).click();
    await expect.poll(() => page.getByLabel("Operation", { exact: true }).inputValue()).toBe("bills.pay");
    await press("Fold all");
    await page.getByText("…").first().waitFor();
    await press("Unfold all");
    await page.getByText('"not_found"', { exact: true }).waitFor();
  });

  test("a recharge provider is described with the form alone, and the JSON shows the same", async () => {
    await page.goto(url("/providers/new"));
    await jsonEditor(page).waitFor();
    await startFrom("Blank description");
    const form = page.locator("form").filter({ has: page.getByRole("navigation", { name: "Sections" }) });
    const section = (name: string) =>
      form
        .getByRole("navigation")
        .getByRole("button", { name: new RegExp(`^${name}`) })
        .click();
    const add = async (kind: string, name: string, within = form) => {
      await within.getByLabel(`Name of a new ${kind}`, { exact: true }).fill(name);
      await within.getByRole("button", { name: `Add ${kind}`, exact: true }).click();
    };
    await form.getByLabel("Name", { exact: true }).fill("formpay");
    await form.getByLabel("Address of the provider (base URL)", { exact: true }).fill("https://api.formpay.example");
    await section("Secrets");
    await form.getByRole("button", { name: "Add secret" }).click();
    await form.getByLabel("Secret 1", { exact: true }).fill("token");
    await section("Codes");
    await form.getByLabel("Field to add").selectOption({ label: "Codes" });
    await press("Add field");
    await add("code list", "operators");
    await add("code", "AT");
    await form.getByLabel("AT", { exact: true }).fill("AIRTEL");
    await page.getByLabel("Operation to add").selectOption("recharge.pay");
    await press("Add operation");
    const request = form.getByRole("group", { name: "Request", exact: true }).first();
    await request.getByLabel("URL", { exact: true }).fill("/pay");
    const query = request.getByRole("group", { name: "Query parameters" });
    await add("parameter", "key", query);
    await query.getByLabel("Insert a variable into key", { exact: true }).selectOption("secret.token");
    await checkPage(page, "console-provider-form");
    await expect
      .poll(async () => JSON.parse(await readEditor(page)))
      .toMatchObject({
        name: "formpay",
        secrets: ["token"],
        codes: { operators: { values: { AT: "AIRTEL" } } },
        operations: { "recharge.pay": { request: { url: "/pay", query: { ref: "{reference}", key: "{secret.token}" } } } },
      });
    const good = await readEditor(page);
    await writeEditor(page, good.replace('"/pay"', '"/pay'));
    await form.getByText(/The JSON is not valid at line \d+, column \d+/).waitFor();
    await expect.poll(() => request.getByLabel("URL", { exact: true }).inputValue()).toBe("/pay");
    await expect.poll(() => request.getByLabel("URL", { exact: true }).isDisabled()).toBe(true);
    await writeEditor(page, good.replace('"/pay"', '"ftp://x"'));
    await request.getByText(/https/).waitFor();
    await checkPage(page, "console-provider-form-fault");
  });

  test("the keyboard leaves the editor by Escape and Tab, and its keys are not the page's shortcuts", async () => {
    await writeEditor(page, "{}");
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Tab");
    await page.keyboard.type("/?");
    await expect.poll(() => readEditor(page)).toMatch(/^ *\/\? *\{\}$/);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    await expect.poll(() => page.evaluate("document.activeElement.shadowRoot === null")).toBe(true);
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  });

  test("changes are not lost without asking, neither by a link nor by another start", async () => {
    const menu = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Routes" });
    await menu.click();
    const asked = page.getByRole("dialog", { name: "Discard your changes?" });
    await checkPage(page, "console-provider-discard");
    await asked.getByRole("button", { name: "Cancel" }).click();
    await startFrom("Blank description");
    await page.getByRole("dialog", { name: "Replace your changes?" }).getByRole("button", { name: "Replace" }).click();
    await jsonEditor(page).getByText('"operations"').waitFor();
    await menu.click();
    await page.getByRole("heading", { name: "Routes" }).waitFor();
    expect(await asked.count()).toBe(0);
  });

  test("the dry run beside the editor follows valid text and shows how each sample is read", async () => {
    await page.goto(url("/providers/new"));
    await jsonEditor(page).waitFor();
    await writeEditor(page, RUPEELINK);
    const result = page.getByRole("region", { name: "Result of the dry run" });
    await result.getByText("POST https://gateway.rupeelink.example/v2/transactions").waitFor();
    const samples = result.getByRole("region", { name: "Samples" });
    await samples.getByText("declined.float", { exact: true }).click();
    await samples.getByRole("button", { name: "operations.recharge.pay.samples.declined.float" }).waitFor();
    await checkPage(page, "console-provider-samples");
    await writeEditor(page, RUPEELINK.slice(0, -3));
    await page.getByText("This is the result for the text before.").waitFor();
    await writeEditor(page, RUPEELINK.replace("/transactions", "/orders"));
    await result.getByText("POST https://gateway.rupeelink.example/v2/orders").waitFor();
  });

  test("a description that comes with Corprail can be the start", async () => {
    const shipped = (await operator(site.installation.service, "GET", "/provider-descriptions")).body["items"] as { provider: string }[];
    expect(shipped.length).toBeGreaterThan(0);
    for (const { provider } of shipped.slice(0, 1)) {
      await page.getByLabel("Start from").selectOption(provider);
      await page.getByText(`docs/providers/${provider}.md`).waitFor();
      await press("Use this description");
      await page.getByRole("dialog", { name: "Replace your changes?" }).getByRole("button", { name: "Replace" }).click();
      await expect.poll(async () => JSON.parse(await readEditor(page))).toMatchObject({ name: provider });
      await page.getByRole("region", { name: "Result of the dry run" }).waitFor();
      expect(await faults().count()).toBe(0);
      await checkPage(page, "console-provider-shipped");
    }
  });

  test("a provider is added without its secret, and a secret that is set is never shown again", async () => {
    await page.goto(url("/providers/new"));
    await write(await description());
    await press("Add provider");
    await drawer()
      .getByText(/^This provider gets no orders\./)
      .waitFor();
    await drawer().getByText("Missing", { exact: true }).waitFor();
    await press("Set the secret token");
    await page.getByLabel("Value").fill(SECRET);
    await checkPage(page, "console-provider-secret");
    await press("Set secret");
    await page.getByText("The secret token was set.").waitFor();
    await drawer().getByText("Set", { exact: true }).waitFor();
    await drawer().getByText("There is no route to this provider").waitFor();
    await press("Check connection");
    await drawer()
      .getByText(/neither a login nor a balance query/)
      .waitFor();
    await drawer().getByText(upstream.url, { exact: true }).last().waitFor();
    expect(upstream.heard).toEqual([]);
    await page.reload();
    await drawer().getByText("There is no route to this provider").waitFor();
    await expect.poll(() => page.content()).not.toContain(SECRET);
    await checkPage(page, "console-provider");
  });

  test("a provider with a route gets orders, and its responses are counted", async () => {
    await change(site.installation.service, "/routes", { service: "recharge", operator: "AT", provider: "acme" });
    upstream.answer(200, OK);
    expect(await pay()).toMatchObject({ status: "SUCCESS", operator_ref: "OP42" });
    expect(upstream.heard[0]).toMatchObject({ url: "/recharge", headers: { authorization: `Bearer ${SECRET}` } });
    await page.goto(url("/providers/acme"));
    await drawer().getByText("100.0 %").waitFor();
    await drawer().getByRole("link", { name: "recharge, AT" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByLabel("State").selectOption("off");
    await page.getByText("No provider matches these filters").waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe("?status=off");
  });

  test("a change is tried as a candidate, gets a share, becomes current and is taken back", async () => {
    await page.goto(url("/providers/acme/definition"));
    await jsonEditor(page).waitFor();
    await writeEditor(page, (await readEditor(page)).replaceAll('"SUCCESS"', '"COMPLETED"'));
    await press("Save as candidate");
    await page.getByRole("heading", { name: "Candidate: version 2" }).waitFor();
    expect(await pay()).toMatchObject({ status: "SUCCESS" });
    await page.getByText("succeeded → unknown").waitFor();
    await checkPage(page, "console-provider-versions");
    await page.getByLabel("Share of new orders, in percent").fill("10");
    await press("Set share");
    await page.getByRole("dialog").getByRole("button", { name: "Set share" }).click();
    await page.getByText("Roll-out: 10 % of new orders").waitFor();
    await press("Make version 2 current");
    await page.getByRole("dialog").getByRole("button", { name: "Make current" }).click();
    await press("Make version 1 current");
    await page.getByRole("dialog").getByRole("button", { name: "Make current" }).click();
    await page.getByText("Version 1 of acme is current.").waitFor();
  });

  test("a provider that does not respond opens its breaker, which staff can reset", async () => {
    upstream.answer(500, "out of order");
    for (let silence = 0; silence < 5; silence++) expect(await pay()).toMatchObject({ status: "pending" });
    await page.goto(url("/providers/acme"));
    await drawer().getByText("5 orders in a row without a response").waitFor();
    await checkPage(page, "console-provider-breaker");
    await page.goto(url("/routes"));
    await page.getByText("acme, AT").waitFor();
    await checkPage(page, "console-breakers");
    await press("Reset the breaker of acme for AT");
    await page.getByText("Orders for AT go to acme again.").waitFor();
    await page.getByText("All providers responded to their latest order.").waitFor();
    upstream.answer(200, OK);
    expect(await pay()).toMatchObject({ status: "SUCCESS" });
  });

  test("a changed provider address requires the secrets again before any request", async () => {
    const elsewhere = await startListener();
    elsewhere.answer(200, OK);
    await page.goto(url("/providers/acme"));
    await drawer().getByRole("link", { name: "Definition and dry run" }).click();
    await page.getByRole("heading", { name: "Definition of acme" }).waitFor();
    await writeEditor(page, (await readEditor(page)).replaceAll(upstream.url, elsewhere.url));
    await press("Save definition");
    await page.getByText("Enter the secret again").waitFor();
    await checkPage(page, "console-provider-definition");
    expect(await pay()).toMatchObject({ status: "SUCCESS" });
    expect(elsewhere.heard).toEqual([]);
    await page.getByLabel("Secret token").fill("another-secret");
    await press("Save definition");
    await page.getByText("The definition of acme was saved.").waitFor();
    await drawer().getByText(elsewhere.url).waitFor();
    expect(await pay()).toMatchObject({ status: "SUCCESS" });
    expect(elsewhere.heard[0]?.headers["authorization"]).toBe("Bearer another-secret");
    await elsewhere.close();
  });

  test("switching a provider off shows the impact and the new routing; it can be switched on again", async () => {
    await drawer().getByRole("button", { name: "Switch off" }).click();
    await page.getByText(/orders of 1 account \(/).waitFor();
    await page.getByText("recharge, AT: no provider is left, orders are refused.").waitFor();
    await checkPage(page, "console-provider-off");
    await press("Switch acme off");
    await page.getByText("acme was switched off.").waitFor();
    expect(await pay()).toMatchObject({ status: "failed", code: 331 });
    await press("Remove the secret token");
    await press("Remove secret");
    await drawer().getByText("Missing", { exact: true }).waitFor();
    await drawer().getByRole("button", { name: "Switch on" }).click();
    await press("Switch acme on");
    await page.getByText("acme was switched on.").waitFor();
    await drawer()
      .getByText(/^This provider gets no orders\./)
      .waitFor();
    await drawer().getByRole("link", { name: "Show changes" }).click();
    await page.getByRole("link", { name: "Provider switched" }).first().waitFor();
  });

  test("a refused provider callback is shown with the reason and without its key", async () => {
    const { service } = site.installation;
    const call = { request: { url: "/x", query: { r: "{reference}" } }, outcome: [{ when: { s: "OK" }, means: "success" }] };
    const auth = { kind: "key", query: "key", secret: "hook" };
    const callback = { auth, from: "query", reference: "ref", outcome: [{ when: { st: "OK" }, means: "success" }] };
    const own = { version: 2, name: "sender", base_url: upstream.url, plain_http: true, secrets: ["hook"], callbacks: [callback] };
    const definition = { ...own, operations: { "recharge.pay": { ...call, status: call } } };
    await change(service, "/providers", { definition, secrets: { hook: "hook-secret-1" } });
    await page.goto(url("/providers/sender"));
    await page.getByText("No callbacks were refused in the last 30 days.").waitFor();
    await fetch(`${service.url}/upstream/sender/callback?key=hook-secret-2&ref=R1&st=OK`);
    await fetch(`${service.url}/upstream/sender/callback?key=hook-secret-1&ref=NOSUCHORDER1&st=OK`);
    await page.reload();
    await page.getByText("wrong key").waitFor();
    await page.getByText("There is no order with this reference.").waitFor();
    expect(await page.getByRole("dialog", { name: "sender" }).textContent()).not.toContain("hook-secret");
    await checkPage(page, "console-provider-refused-callbacks");
    await fetch(`${service.url}/upstream/senders/callback?key=hook-secret-1&ref=R1&st=OK`);
    await page.goto(url("/providers"));
    await page.getByRole("heading", { name: "Callbacks for unknown providers" }).waitFor();
    await page.getByText("The address names no provider of this installation.").waitFor();
    await checkPage(page, "console-providers-unknown-callbacks");
  });

  test("a role that may not edit providers sees neither the link to a definition nor the definition", async () => {
    const { page: support } = await site.visitor();
    await signedInStaff(site, support, "support");
    await support.goto(url("/providers/acme"));
    await support.getByRole("dialog", { name: "acme" }).getByRole("heading", { name: "Routes" }).waitFor();
    await expect.poll(() => support.getByRole("button", { name: /Switch|Set|Replace|Remove|Reset/ }).count()).toBe(0);
    await expect.poll(() => support.getByRole("link", { name: "Definition and dry run" }).count()).toBe(0);
    await support.goto(url("/providers/acme/definition"));
    await support.getByText("Your role does not allow this").waitFor();
    await support.context().close();
  });

  test("no page reported an error, the audit log has no secret, and the ledger is consistent", async () => {
    expect(site.pageErrors).toEqual([]);
    const { service } = site.installation;
    const trail = JSON.stringify((await operator(service, "GET", "/audit?limit=200")).body);
    for (const secret of [SECRET, "another-secret"]) expect(trail + service.output()).not.toContain(secret);
    expect((await operator(service, "GET", "/ledger/check")).body).toMatchObject({ ok: true });
  });
});
