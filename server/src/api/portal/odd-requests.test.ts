import { request } from "node:http";
import { afterAll, expect, test } from "vitest";
import { splitPath } from "../sites/actions/action.ts";
import { PORTAL_ACTIONS } from "./portal-actions.ts";
import { createPortalFixture } from "./testing/fixture.ts";

const fixture = await createPortalFixture();
afterAll(() => fixture.close());
const { accountId } = await fixture.newAccount();
const owner = fixture.as("owner", accountId);
expect((await owner.post("/sandbox/create")).status).toBe(200);

const ROUTES = PORTAL_ACTIONS.map((action) => ({ ...splitPath(action), input: action.input }));
const NAMED = ROUTES.filter(({ url }) => url.includes(":"));

test.each(NAMED.map((route) => [`${route.method} ${route.url}`, route] as const))(
  "%s has nothing with a NUL in its name",
  async (_, route) => {
    for (const name of ["%00", "A%00B"]) {
      const path = route.url.replaceAll(/:\w+/g, name);
      const answer = route.method === "GET" ? await owner.get(path) : await owner.post(path);
      expect([answer.status, answer.body.error]).toEqual([404, "not_found"]);
    }
  },
);

const ASKED = ROUTES.filter(({ method, input }) => method === "GET" && "shape" in input);

test.each(ASKED.map((route) => [route.url, route] as const))(
  "GET %s refuses unreadable text in each of its parameters",
  async (_, route) => {
    const inPath = new Set(route.url.match(/:\w+/g)?.map((name) => name.slice(1)));
    const names = Object.keys(route.input.shape).filter((name) => !inPath.has(name));
    for (const name of names) {
      for (const value of ["%00", "a%00b", "%ED%A0%80", "%zz", "x".repeat(2_001)]) {
        const { status, body } = await owner.get(`${route.url.replaceAll(/:\w+/g, "X1")}?${name}=${value}`);
        expect([name, value.slice(0, 20), status, body.error]).toEqual([name, value.slice(0, 20), 400, "invalid_request"]);
      }
    }
  },
);

const cursor = (text: string) => Buffer.from(text).toString("base64url");

test.each([
  "/transactions?search=%00",
  "/transactions?service=a%00b",
  "/transactions?operator=%00",
  "/logs?path=%00",
  "/logs?since=0000-01-01",
  "/logs?since=0001-01-01",
  "/logs?until=1969-12-31 23:59:59",
  `/logs?after=${cursor("999999999999999.A")}`,
  `/complaints?after=${cursor("864000000000001.A")}`,
])("%s is refused", async (path) => {
  expect((await owner.get(path)).status).toBe(400);
});

test("what no database time can be is refused in a body as well", async () => {
  expect((await owner.post("/callbacks/recover", { since: "0000-01-01" })).status).toBe(400);
});

/** As fetch cannot: with a Host of one's own. */
function askPasskey(host: string): Promise<number | undefined> {
  const headers = { host, origin: `http://${host}`, "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    const asked = request(`${fixture.base}/portal/api/sign-in/passkey/options`, { method: "POST", headers }, (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    });
    asked.once("error", reject).end("{}");
  });
}

test.each(["[", "a b", "%00", "x:y:z", "shop.example@evil.example", "SHOP.example", "shop.example/x"])(
  "the host %s has no pages",
  async (host) => {
    expect(await askPasskey(host)).toBe(403);
  },
);

test("a plain host has", async () => {
  expect(await askPasskey("shop.example:8080")).toBe(200);
});

test("none of these requests caused an internal error", () => {
  expect(fixture.logged).toEqual([]);
});
