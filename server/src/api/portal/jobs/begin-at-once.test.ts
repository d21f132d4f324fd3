import { afterAll, beforeAll, expect, test } from "vitest";
import { createPortalFixture, type PortalFixture } from "../testing/fixture.ts";

let fixture: PortalFixture;
beforeAll(async () => {
  fixture = await createPortalFixture();
});
afterAll(() => fixture.close());

test("of many jobs that begin at once five do, exports and recoveries together", async () => {
  const { accountId } = await fixture.newAccount();
  const visitor = fixture.as("operations", accountId);
  const begin = (place: number) =>
    place % 2 === 0
      ? visitor.post("/exports", { from: "2026-03-01", to: "2026-03-31" })
      : visitor.post("/callbacks/recover", { since: "2026-03-01" });
  const answers = await Promise.all(Array.from({ length: 30 }, (_, place) => begin(place)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(25);
  expect((await visitor.get("/jobs")).body.items).toHaveLength(5);
});
