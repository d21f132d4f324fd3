import { expect, test } from "vitest";
import { NEVER, providerRequest } from "../../testing/requests.ts";
import { describedProvider } from "../testing/provider.ts";

test("a token that is joined from two values is taken apart, and orders are accepted before the first login", async () => {
  const description = {
    login: {
      request: { url: "/login", method: "POST" },
      token: { paths: ["session", "number"], join: "~" },
      lasts_seconds: 600,
    },
    operations: {
      "recharge.pay": {
        request: {
          url: "/pay",
          headers: { "x-session": "{token|before:~}", "x-number": "{token|after:~}" },
          body: { json: { ref: "{reference}" } },
        },
        outcome: [{ when: { state: "OK" }, means: "success" }],
        status: { request: { url: "/pay/{reference}" }, outcome: [{ when: { state: "OK" }, means: "success" }] },
      },
    },
  };
  const { connector, heard } = await describedProvider(description, ({ path }) => ({
    body: path === "/login" ? { session: "abc", number: "000123" } : { state: "OK" },
  }));
  const request = providerRequest();
  expect(connector.unsuitable?.(request)).toBeNull();
  expect(await connector.send(request, NEVER)).toMatchObject({ kind: "succeeded" });
  expect(heard[1]?.headers).toMatchObject({ "x-session": "abc", "x-number": "000123" });
});
