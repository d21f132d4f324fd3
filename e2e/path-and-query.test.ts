import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  BAD_SIGNATURE,
  type Expected,
  expectAnswered,
  expectRefusal,
  GET_ROUTES,
  get,
  INVALID_REQUEST,
  NOT_FOUND,
  PREFIX,
  WRONG_METHOD,
} from "./harness/client.ts";
import { type Client, newClient } from "./harness/operator.ts";
import { connect, exchange, requestText } from "./harness/raw-http.ts";
import { type Installation, sharedInstallation } from "./harness/service.ts";
import { signatureHeaders } from "./harness/sign.ts";

let installation: Installation;
let client: Client;
beforeAll(async () => {
  installation = await sharedInstallation();
  client = await newClient(installation.service, { settings: { money_per_minute: 10_000, get_per_minute: 10_000 } });
});
afterAll(() => installation?.close());

const port = () => installation.service.port;

function send(method: string, target: string) {
  return exchange(
    port(),
    requestText(method, target, [
      ["Host", "a"],
      ["X-Api-Token", client.token],
    ]),
  );
}

const TARGETS: readonly (readonly [target: string, expected: Expected | "answered"])[] = [
  ["/api/corp/v1/services", "answered"],
  ["/api/corp/v1/services/", "answered"],
  ["/api/corp/v1/services?", "answered"],
  ["/api/corp/v1/services/?limit=1", "answered"],
  ["/api/corp/v1/services//", INVALID_REQUEST],
  ["//api/corp/v1/services", INVALID_REQUEST],
  ["/api//corp/v1/services", INVALID_REQUEST],
  ["/api/corp/v1//services", INVALID_REQUEST],
  ["/api/corp/v1/./services", INVALID_REQUEST],
  ["/api/corp/v1/../v1/services", INVALID_REQUEST],
  ["/api/corp/v1/services/.", INVALID_REQUEST],
  ["/api/corp/v1/services/..", INVALID_REQUEST],
  ["/api/operator/../corp/v1/services", INVALID_REQUEST],
  ["/x/../api/operator/v1/accounts", INVALID_REQUEST],
  ["/api/corp/v1/%73ervices", INVALID_REQUEST],
  ["/%61pi/corp/v1/services", INVALID_REQUEST],
  ["/api/corp/v1/services%2F", INVALID_REQUEST],
  ["/api/corp/v1/services%00", INVALID_REQUEST],
  ["/api/corp/v1/services%3Flimit=1", INVALID_REQUEST],
  ["/api/corp/v1/services;a=b", INVALID_REQUEST],
  ["/api/corp/v1;a/services", INVALID_REQUEST],
  ["/api/corp/v1/services#top", INVALID_REQUEST],
  ["/api/corp/v1/services?limit=1#top", INVALID_REQUEST],
  ["http://127.0.0.1/api/corp/v1/services", INVALID_REQUEST],
  ["https://example.com/api/corp/v1/services", INVALID_REQUEST],
  ["*", INVALID_REQUEST],
  ["/api/corp/v1/services\\", NOT_FOUND],
  ["/api/corp/v1\\services", NOT_FOUND],
  ["/api/corp/v1/service", NOT_FOUND],
  ["/api/corp/v1/Services", NOT_FOUND],
  ["/api/corp/v1/services.json", NOT_FOUND],
  ["/api/corp/v1/services/x", NOT_FOUND],
  ["/api/corp/v1/...", NOT_FOUND],
  ["/api/corp/v1", NOT_FOUND],
  ["/api/corp/v1/", NOT_FOUND],
  ["/api/corp", NOT_FOUND],
  ["/api/corp/v2/services", NOT_FOUND],
  ["/api/corp/v1/__proto__", NOT_FOUND],
  ["/api/corp/v1/constructor", NOT_FOUND],
];

test.each(TARGETS)("the target %s", async (target, expected) => {
  const reply = await send("GET", target);
  if (expected === "answered") expectAnswered(reply);
  else expectRefusal(reply, expected);
});

test.each(TARGETS.filter(([, expected]) => expected !== "answered"))(
  "the target %s is judged before the token",
  async (target, expected) => {
    const reply = await exchange(port(), requestText("GET", target, [["Host", "a"]]));
    if (expected !== "answered") expectRefusal(reply, expected);
  },
);

describe.each(GET_ROUTES)("the path %s", (path) => {
  test.each(["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "QUERY"])(
    "refuses %s and says what it allows",
    async (method) => {
      const reply = await send(method, PREFIX + path);
      expectRefusal(reply, WRONG_METHOD);
      // Not every version of Node knows QUERY; what its parser does not know never reaches a path.
      if (method !== "QUERY") expect(reply.headers.get("allow")).toEqual(["GET"]);
    },
  );

  test.each(["FOO", "get", "CONNECT"])("refuses the method %s, which is none of HTTP's for a path", async (method) => {
    expectRefusal(await send(method, PREFIX + path), WRONG_METHOD);
  });

  test("refuses HEAD, without a body", async () => {
    const connection = await connect(port());
    connection.send(
      requestText("HEAD", PREFIX + path, [
        ["Host", "a"],
        ["X-Api-Token", client.token],
        ["Connection", "close"],
      ]),
    );
    const reply = await connection.next({ withoutBody: true });
    expect(reply?.status).toBe(405);
    expect(reply?.headers.get("x-request-id")).toHaveLength(1);
    expect(await connection.next()).toBeNull();
  });

  test.each(["get", "Get", "GETS", "G ET", ""])("refuses the method %j", async (method) => {
    expect([400, 405]).toContain((await send(method, PREFIX + path)).status);
  });

  test("refuses a GET with a body", async () => {
    const headers = [
      ["Host", "a"],
      ["X-Api-Token", client.token],
      ["Content-Type", "application/json"],
      ["Content-Length", "2"],
    ] as const;
    expectRefusal(await exchange(port(), requestText("GET", PREFIX + path, headers, "{}")), INVALID_REQUEST);
    const chunked = [
      ["Host", "a"],
      ["X-Api-Token", client.token],
      ["Transfer-Encoding", "chunked"],
    ] as const;
    expectRefusal(await exchange(port(), requestText("GET", PREFIX + path, chunked, "0\r\n\r\n")), INVALID_REQUEST);
    const empty = [
      ["Host", "a"],
      ["X-Api-Token", client.token],
      ["Content-Length", "0"],
    ] as const;
    expectAnswered(await exchange(port(), requestText("GET", PREFIX + path, empty)));
  });
});

test("a wrong method or path echoes the urid of its body", async () => {
  const body = JSON.stringify({ urid: "ECHO-1" });
  const headers = [
    ["Host", "a"],
    ["Content-Type", "application/json"],
    ["Content-Length", String(body.length)],
  ] as const;
  expectRefusal(await exchange(port(), requestText("POST", `${PREFIX}/services`, headers, body)), { ...WRONG_METHOD, urid: "ECHO-1" });
  expectRefusal(await exchange(port(), requestText("POST", `${PREFIX}/nowhere`, headers, body)), { ...NOT_FOUND, urid: "ECHO-1" });
});

type QueryCase = readonly [query: string, sent: readonly (readonly [string, string])[] | null];
// Null: refused, signed or not. Else the parameters as the client means them.
const QUERIES: readonly QueryCase[] = [
  ["unknown=1", [["unknown", "1"]]],
  [
    "b=2&a=1",
    [
      ["a", "1"],
      ["b", "2"],
    ],
  ],
  [
    "b=1&B=2&_b=3&9=4&10=5",
    [
      ["b", "1"],
      ["B", "2"],
      ["_b", "3"],
      ["9", "4"],
      ["10", "5"],
    ],
  ],
  ["note=a+b", [["note", "a+b"]]],
  ["note=a%20b", [["note", "a b"]]],
  ["note=a+b%20c", [["note", "a+b c"]]],
  ["note=a%2Bb", [["note", "a+b"]]],
  ["note=%2520", [["note", "%20"]]],
  ["note=%c3%a9", [["note", "é"]]],
  ["note=%F0%9F%98%80", [["note", "😀"]]],
  ["note=!'()*", [["note", "!'()*"]]],
  ["note=a=b=c", [["note", "a=b=c"]]],
  ["note=%26%3D", [["note", "&="]]],
  ["note=?/:@", [["note", "?/:@"]]],
  ["note=", [["note", ""]]],
  ["note", [["note", ""]]],
  ["note=%00", [["note", "\0"]]],
  [
    "__proto__=1&constructor=2",
    [
      ["__proto__", "1"],
      ["constructor", "2"],
    ],
  ],
  ["a=1&a=1", null],
  ["a=1&b=2&a=3", null],
  ["token=x&token=x", null],
  ["a[]=1", null],
  ["a[b]=1", null],
  ["a%5B%5D=1", null],
  ["%61=1", null],
  ["a.b=1", null],
  ["a-b=1", null],
  ["a+b=1", null],
  ["é=1", null],
  ["=1", null],
  ["&", null],
  ["a=1&", null],
  ["&a=1", null],
  ["a=1&&b=2", null],
  ["a=%", null],
  ["a=%1", null],
  ["a=%zz", null],
  ["a=%ff", null],
  ["a=%c3", null],
  ["a=%ed%a0%80", null],
  ["a=%c0%af", null],
  ["a=\x80", null],
];

describe("the query", () => {
  test.each(QUERIES)("%s: unsigned", async (query, sent) => {
    const reply = await get(port(), "/services", { token: client.token, query });
    if (sent) expectAnswered(reply);
    else expectRefusal(reply, INVALID_REQUEST);
  });

  test.each(QUERIES)("%s: signed", async (query, sent) => {
    const headers = signatureHeaders({ method: "GET", path: `${PREFIX}/services`, query: sent ?? [], secret: client.secret });
    const reply = await get(port(), "/services", { token: client.token, query, headers });
    if (sent) expectAnswered(reply);
    else expectRefusal(reply, INVALID_REQUEST);
  });

  test("a plus that the client meant as a space does not verify", async () => {
    const headers = signatureHeaders({ method: "GET", path: `${PREFIX}/services`, query: [["note", "a b"]], secret: client.secret });
    expectRefusal(await get(port(), "/services", { token: client.token, query: "note=a+b", headers }), BAD_SIGNATURE);
  });

  test("an unknown parameter is signed like any other", async () => {
    const headers = signatureHeaders({ method: "GET", path: `${PREFIX}/services`, query: [["unknown", "1"]], secret: client.secret });
    expectRefusal(await get(port(), "/services", { token: client.token, query: "unknown=2", headers }), BAD_SIGNATURE);
  });

  test("a token in a signed query is not part of what is signed", async () => {
    const path = `${PREFIX}/services`;
    const signed = () => signatureHeaders({ method: "GET", path, query: [["limit", "2"]], secret: client.secret });
    expectAnswered(await get(port(), "/services", { query: `token=${client.token}&limit=2`, headers: signed() }));
    expectAnswered(await get(port(), "/services", { query: `limit=2&token=${client.token}`, headers: signed(), token: client.token }));
  });

  test("a path is signed without its trailing slash", async () => {
    const [without, withSlash] = ["/services", "/services/"].map((path) =>
      signatureHeaders({ method: "GET", path: PREFIX + path, secret: client.secret }),
    );
    expectAnswered(await get(port(), "/services/", { token: client.token, headers: without ?? [] }));
    expectRefusal(await get(port(), "/services/", { token: client.token, headers: withSlash ?? [] }), BAD_SIGNATURE);
  });

  test.each(["0", "201", "-1", "1.0", "01", "1e2", " 1", "", "٣", "9".repeat(400)])(
    "the limit %j is refused by its name",
    async (limit) => {
      const reply = await get(port(), "/services", { token: client.token, query: `limit=${encodeURIComponent(limit)}` });
      expect(reply.status).toBe(400);
      expect(reply.json()).toMatchObject({ error: "invalid_request", code: 120, fields: { limit: expect.any(String) } });
    },
  );

  test.each(["x", "AAAA", "%00", "bm9ib2R5", "%F0%9F%98%80"])("the cursor %s is refused by its name", async (after) => {
    const reply = await get(port(), "/operators", { token: client.token, query: `after=${after}` });
    expect(reply.json()).toMatchObject({ status: "rejected", error: "invalid_request", fields: { after: expect.any(String) } });
  });

  test("following next shows every operator exactly once", async () => {
    const seen: unknown[] = [];
    let after = "";
    for (let page = 0; page < 50; page++) {
      const { items, next } = (await get(port(), "/operators", { token: client.token, query: `limit=3${after}` })).json();
      seen.push(...(items as { operator: string }[]).map((item) => item.operator));
      if (next === null) break;
      after = `&after=${encodeURIComponent(String(next))}`;
    }
    const whole = (await get(port(), "/operators", { token: client.token })).json()["items"] as { operator: string }[];
    expect(seen).toEqual(whole.map((item) => item.operator));
    expect(new Set(seen).size).toBe(seen.length);
  });
});
