import { afterAll, beforeAll, expect, test } from "vitest";
import { enableTotp, newPerson, openBrowser, PASSWORD } from "../testing/browser.ts";
import { openPortalHouse, type PortalHouse } from "../testing/house.ts";

let house: PortalHouse;
beforeAll(async () => {
  house = await openPortalHouse();
});
afterAll(() => house.close());

test("of two recovery codes that complete one sign-in at once, one is used up", async () => {
  const { accountId } = await house.newAccount();
  const person = await newPerson(house, accountId);
  const { recoveryCodes } = await enableTotp(house, person);
  const [one, other] = [openBrowser(house), openBrowser(house)];
  expect((await one.post("/sign-in", { email: person.email, password: PASSWORD })).body.stage).toBe("half");
  other.setCookie(one.cookie());
  const answers = await Promise.all(
    [one, other].map((browser, place) => browser.post("/sign-in/recovery", { code: recoveryCodes[place] ?? "" })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  expect((await person.browser.get("/security")).body.recovery_codes_left).toBe(9);
});
