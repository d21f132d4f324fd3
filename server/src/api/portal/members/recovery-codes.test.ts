import { afterAll, beforeAll, expect, test } from "vitest";
import { createBrowser, enableTotp, newPerson, PASSWORD } from "../testing/browser.ts";
import { createPortalFixture, type PortalFixture } from "../testing/fixture.ts";

let fixture: PortalFixture;
beforeAll(async () => {
  fixture = await createPortalFixture();
});
afterAll(() => fixture.close());

test("of two recovery codes that complete one sign-in at once, one is used up", async () => {
  const { accountId } = await fixture.newAccount();
  const person = await newPerson(fixture, accountId);
  const { recoveryCodes } = await enableTotp(fixture, person);
  const [one, other] = [createBrowser(fixture), createBrowser(fixture)];
  expect((await one.post("/sign-in", { email: person.email, password: PASSWORD })).body.stage).toBe("half");
  other.setCookie(one.cookie());
  const answers = await Promise.all(
    [one, other].map((browser, place) => browser.post("/sign-in/recovery", { code: recoveryCodes[place] ?? "" })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  expect((await person.browser.get("/security")).body.recovery_codes_left).toBe(9);
});
