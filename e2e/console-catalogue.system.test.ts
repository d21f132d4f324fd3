import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER } from "./harness/browser/browser.ts";
import { type Console, consoleUrl, signedInStaff, startConsole } from "./harness/browser/console.ts";
import { confirmDialog } from "./harness/browser/console-steps.ts";
import { checkPage } from "./harness/browser/page-checks.ts";
import { recharge } from "./harness/browser/portal-client.ts";
import { change, newClient, operator } from "./harness/operator.ts";

describe.skipIf(NO_BROWSER !== null)(`operators, services and routes${NO_BROWSER === null ? "" : ` (skipped: ${NO_BROWSER})`}`, () => {
  let site: Console;
  let page: Page;
  let token: string;
  let orders = 0;
  beforeAll(async () => {
    site = await startConsole();
    const { service } = site.installation;
    const client = await newClient(service);
    token = client.token;
    await change(service, `/accounts/${client.accountId}/wallet`, { amount: "5000.00", reference: "start", note: "" });
    ({ page } = await site.visitor());
    await signedInStaff(site, page, "operations");
  });
  afterAll(async () => {
    await site?.close();
  });

  const url = (path = "") => consoleUrl(site.installation.service, path);
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const pay = (target = "9876543000") => recharge(site.installation.service.url, token, `r${++orders}`, target);

  test("an operator is found, shows where its orders go, and is switched off and on with what that would hit", async () => {
    expect(await pay()).toMatchObject({ status: "SUCCESS" });
    expect(await pay("9876543110")).toMatchObject({ status: "pending" });
    await page.goto(url("/operators"));
    await page.getByRole("link", { name: /^Airtel\s*AT$/ }).waitFor();
    await page.locator("header").getByText("trial: no real money moves").waitFor();
    await checkPage(page, "console-operators");
    await page.getByLabel("Operator", { exact: true }).fill("nothing like it");
    await page.getByText("No operator matches these filters").waitFor();
    await page.getByLabel("Operator", { exact: true }).fill("airtel");
    await page.getByRole("link", { name: /^Airtel\s*AT$/ }).click();
    const drawer = page.getByRole("dialog", { name: "Airtel" });
    await drawer.getByText("These orders go to the simulator").waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe("/console/operators/AT");
    await page.reload();
    await drawer.getByText("These orders go to the simulator").waitFor();
    await checkPage(page, "console-operator");
    await drawer.getByRole("button", { name: "Switch off" }).click();
    await page.getByText(/^Since .* IST: 2 orders of 1 account \(₹20\.00\)\. Pending now: 1\.$/).waitFor();
    await checkPage(page, "console-operator-off");
    await page.getByLabel("Reason (optional)").fill("maintenance");
    await press("Switch Airtel off");
    await page.getByText("Airtel was switched off.").waitFor();
    expect(await pay()).toMatchObject({ status: "failed", code: 331 });
    await drawer.getByRole("link", { name: "Show changes" }).click();
    await page.getByRole("link", { name: "Operator switched" }).first().click();
    await page.getByText("maintenance").waitFor();
    await page.goto(url("/operators/AT"));
    await drawer.getByRole("button", { name: "Switch on" }).click();
    await press("Switch Airtel on");
    await page.getByText("Airtel was switched on.").waitFor();
    expect(await pay()).toMatchObject({ status: "SUCCESS" });
  });

  test("a switch takes effect in another process within a second", async () => {
    const other = await site.installation.another();
    const listed = async () => {
      const { body } = await operator(other, "GET", "/operators?limit=200");
      return (body["items"] as { operator: string; enabled: boolean }[]).find((one) => one.operator === "AT")?.enabled;
    };
    await page.goto(url("/operators/AT"));
    for (const [button, confirm, enabled] of [
      ["Switch off", "Switch Airtel off", false],
      ["Switch on", "Switch Airtel on", true],
    ] as const) {
      await press(button);
      await press(confirm);
      await expect.poll(listed, { interval: 50 }).toBe(enabled);
      await page.getByText(`Airtel was switched ${enabled ? "on" : "off"}.`).waitFor();
    }
    await other.stop();
  });

  test("a service gets opening hours, is open all day again, and is switched off and on", async () => {
    await page.goto(url("/services"));
    await page.getByRole("link", { name: /^Bus/ }).waitFor();
    await checkPage(page, "console-services");
    await page.getByRole("link", { name: /^Recharge/ }).click();
    const drawer = page.getByRole("dialog", { name: "Recharge" });
    // An hour that is over: it is closed now, whenever this runs.
    const [opens, closes] = [indiaClock(-120), indiaClock(-60)];
    await drawer.getByLabel("Opens (IST)").fill(opens);
    await drawer.getByLabel("Closes (IST)").fill(closes);
    await checkPage(page, "console-service");
    await drawer.getByRole("button", { name: "Set hours" }).click();
    await page.getByText(`open daily from ${opens} to ${closes} India time`).waitFor();
    await press("Set opening hours");
    await drawer.getByText("Closed", { exact: true }).waitFor();
    await expect.poll(pay).toMatchObject({ status: "failed", error: "service_closed" });
    await drawer.getByRole("button", { name: "Open all day" }).click();
    await drawer.getByText("All day").waitFor();
    await drawer.getByRole("button", { name: "Switch off" }).click();
    await page.getByText(/orders? of 1 account \(/).waitFor();
    await press("Switch Recharge off");
    await page.getByText("Recharge was switched off.").waitFor();
    expect(await pay()).toMatchObject({ status: "failed", code: 331 });
    await drawer.getByRole("button", { name: "Switch on" }).click();
    await press("Switch Recharge on");
    await page.getByText("Recharge was switched on.").waitFor();
    expect(await pay()).toMatchObject({ status: "SUCCESS" });
  });

  test("switching on the first route to a real provider asks first, and says whose money of the trial could be spent", async () => {
    const { service } = site.installation;
    const definition = { name: "first", connector: "corprail", base_url: "https://pay.first.example" };
    await change(service, "/providers", { definition, secrets: { token: "t", signing_secret: "s" } });
    await change(service, "/routes", { service: "recharge", operator: "MT", provider: "first", enabled: false });
    await page.goto(url("/routes/recharge.MT.first"));
    const drawer = page.getByRole("dialog", { name: "recharge, MT to first" });
    await drawer.getByRole("switch", { name: "Route enabled" }).click();
    const asking = page.getByRole("dialog", { name: "Switch the route recharge, MT to first on?" });
    await asking.getByText(/that was credited in trial mode/).waitFor();
    await checkPage(page, "console-route-switch-live");
    await asking.getByRole("button", { name: "Switch on" }).click();
    await asking.getByText("Confirm that the installation goes live.").waitFor();
    await asking.getByRole("button", { name: "Cancel" }).click();
    await asking.waitFor({ state: "detached" });
    expect((await operator(service, "GET", "/system")).body).toMatchObject({
      mode: "trial",
      trial_money: { accounts: expect.any(Number) },
    });
    await change(service, "/routes/delete", { service: "recharge", operator: "MT", provider: "first" });
  });

  test("a route is added, changed, switched off and deleted, each time with the resulting routing", async () => {
    const { service } = site.installation;
    const definition = { name: "partner", connector: "corprail", base_url: "https://pay.partner.example" };
    await change(service, "/providers", { definition, secrets: { token: "t", signing_secret: "s" } });
    await page.goto(url("/routes"));
    await page.getByRole("link", { name: /^All services/ }).waitFor();
    await checkPage(page, "console-routes");
    await press("New route");
    await press("Continue");
    await page.getByText("Choose an operator.").waitFor();
    await page.getByLabel("Operator or biller").selectOption("AT");
    await page.getByRole("combobox", { name: "Provider" }).selectOption("partner");
    await page.getByLabel("Priority").fill("0");
    await press("Continue");
    await page.getByText("Must be a whole number from 1 to 1000.").waitFor();
    await page.getByLabel("Priority").fill("10");
    await checkPage(page, "console-route-new");
    await press("Continue");
    // What the route will hit is shown before anything is saved.
    await page.getByText(/^Since .* IST: \d+ orders? of 1 client \(₹[\d.]+\) would have used this route: Asha Stores\.$/).waitFor();
    await press("Add route");
    await page.getByText("Confirm that the installation goes live.").waitFor();
    await checkPage(page, "console-route-going-live");
    expect((await operator(service, "GET", "/routes?provider=partner")).body["items"]).toEqual([]);
    await page.getByLabel("Go live: real money moves from now on.").check();
    await press("Add route");
    await page.getByText("the installation is live from now on").waitFor();
    await page.locator("header").getByText("live", { exact: true }).waitFor();
    const drawer = page.getByRole("dialog", { name: "recharge, AT to partner" });
    await drawer.getByText("Used", { exact: true }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe("/console/routes/recharge.AT.partner");
    await page.reload();
    await drawer.getByLabel("Weight").fill("30");
    await drawer.getByRole("button", { name: "Save route" }).click();
    await page.getByRole("region", { name: "Impact" }).waitFor();
    await confirmDialog(page, "Change the route recharge, AT to partner?", "Save route");
    await page.getByText("The route was changed.").waitFor();
    await checkPage(page, "console-route");
    await drawer.getByRole("switch", { name: "Route enabled" }).click();
    await checkPage(page, "console-route-switch");
    await confirmDialog(page, "Switch the route recharge, AT to partner off?", "Switch off");
    await drawer.getByText("No provider is available. Orders are refused before anything is charged.").waitFor();
    expect(await pay()).toMatchObject({ status: "failed", code: 331 });
    await drawer.getByRole("button", { name: "Delete route" }).click();
    const asking = page.getByRole("dialog", { name: "Delete the route to partner?" });
    await asking.getByText("The installation is live, so the simulator serves only sandbox accounts.").waitFor();
    await checkPage(page, "console-route-delete");
    await asking.getByRole("button", { name: "Delete route" }).click();
    await page.getByText("The route was deleted.").waitFor();
    await drawer.waitFor({ state: "detached" });
    await expect.poll(() => page.getByRole("link", { name: "recharge" }).count()).toBe(0);
    // It does not go back to trial by itself.
    expect(await pay()).toMatchObject({ status: "failed", code: 331 });
  });

  test("on a slow connection a form appears only after its options have loaded", async () => {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/console\/api\/(?:services|providers)\b/, async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(url("/routes"));
    await press("New route");
    const dialog = page.getByRole("dialog", { name: "New route" });
    await dialog.waitFor();
    expect(await dialog.getByRole("combobox").count()).toBe(0);
    release();
    await expect.poll(() => dialog.getByLabel("Service").inputValue()).toBe("recharge");
    await dialog.locator("select:focus").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.unrouteAll({ behavior: "wait" });
  });

  test("the operator of the current routing and the route filters are kept in the URL", async () => {
    await page.goto(url("/routes?plan=JO"));
    const card = page.getByRole("combobox", { name: "Operator" });
    await card.waitFor();
    await expect.poll(() => card.inputValue()).toBe("JO");
    await card.selectOption("AT");
    await expect.poll(() => new URL(page.url()).searchParams.get("plan")).toBe("AT");
    await page.getByRole("textbox", { name: "Provider" }).fill("nobody");
    await page.getByText("No route matches these filters").waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get("provider")).toBe("nobody");
    await press("Clear");
    await page.getByRole("link", { name: /^All services/ }).waitFor();
  });

  test("a role that may not change anything sees everything and no switch", async () => {
    const { page: auditor } = await site.visitor();
    await signedInStaff(site, auditor, "auditor");
    for (const [path, heading, shown] of [
      ["/operators/AT", "Airtel", "Health"],
      ["/services/recharge", "Recharge", "State"],
      ["/routes/*.*.simulator", "All services, all operators to simulator", "State"],
    ] as const) {
      await auditor.goto(url(path));
      await auditor.getByRole("dialog", { name: heading }).getByText(shown).first().waitFor();
      await expect.poll(() => auditor.getByRole("button", { name: /Switch|Set hours|Delete|Save|Reset/ }).count()).toBe(0);
      await expect.poll(() => auditor.getByRole("switch").count()).toBe(0);
    }
    await auditor.context().close();
  });

  test("no page reported an error, and the ledger is consistent", async () => {
    expect(site.pageErrors).toEqual([]);
    expect((await operator(site.installation.service, "GET", "/ledger/check")).body).toMatchObject({ ok: true });
  });
});

function indiaClock(minutes: number): string {
  return new Date(Date.now() + (330 + minutes) * 60_000).toISOString().slice(11, 16);
}
