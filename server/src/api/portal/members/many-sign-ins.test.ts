import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { PasswordsBusy } from "../../../domain/auth/passwords/passwords.ts";
import { emptyOutput } from "../../auth/outputs.ts";
import { publicAction } from "../action.ts";
import { createBrowser } from "../testing/browser.ts";
import { createPortalFixture } from "../testing/fixture.ts";

// A flood that is long enough takes a minute of every core; this is how it ends.
const busy = publicAction({
  path: "POST /sign-in",
  summary: "Finds too many before it.",
  roles: "anyone",
  input: z.object({}),
  output: emptyOutput,
  handler: () => Promise.reject(new PasswordsBusy("Too many passwords are being checked at once.")),
});
const fixture = await createPortalFixture({ actions: [busy] });
afterAll(() => fixture.close());

test("while too many passwords are being checked a sign-in is put off, which is no failure", async () => {
  const answer = await createBrowser(fixture).post("/sign-in", {});
  expect([answer.status, answer.body.error, answer.headers.get("retry-after")]).toEqual([429, "too_many_tries", "10"]);
  expect(fixture.logged).toEqual([]);
});
