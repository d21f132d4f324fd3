import { expect, test, vi } from "vitest";
import { parseRange, type Range } from "../../platform/network/address.ts";
import type { Resolve } from "../../platform/network/check-host.ts";
import { callbackUrlChecker } from "./callback-url.ts";

const PUBLIC = "93.184.215.14";

const NAMES: Readonly<Record<string, readonly string[]>> = {
  "example.com": [PUBLIC, "2606:2800:21f:cb07:6820:80da:af6b:8b2c"],
  "example.com.": [PUBLIC],
  "xn--bcher-kva.example": [PUBLIC],
  localhost: ["127.0.0.1", "::1"],
  "localhost.": ["127.0.0.1"],
  "rebind.example": [PUBLIC, "10.0.0.1"],
  "mapped.example": ["::ffff:10.0.0.1"],
  "linklocal.example": ["fe80::1%eth0"],
  "empty.example": [],
  "half.example": ["127.0.0.1", PUBLIC],
};

const resolve: Resolve = async (hostname) => {
  const found = NAMES[hostname];
  if (!found) throw new Error("ENOTFOUND");
  return found;
};

const strict = callbackUrlChecker({ allow: [], resolve });
const trial = callbackUrlChecker({ allow: ranges("127.0.0.0/8", "::1/128"), resolve });

function ranges(...texts: string[]): readonly Range[] {
  return texts.map(parseRange).filter((range) => range !== null);
}

// The addresses of the external conformance check, and more of each kind.
const BAD_SHAPES = [
  "http://%s/x",
  "ftp://%s/",
  "https://user:pw@%s/",
  "https://user@%s/",
  "https://@%s/",
  "https://:@%s/",
  "https://%s:444/",
  "https://%s:22/",
  "https://%s:80/",
  "https://%s/cb?hash=1",
  "https://%s/cb?urid=1",
  "https://%s/cb?complaint_ref=1",
  "https://%s/cb?%%76=1",
  "https://%s/cb?test",
  "https://%s/cb?a[]=1",
  "https://%s/cb?a=1&a=2",
  "https://%s/cb?a=1&%%61=2",
  "https://%s/cb?token[x]=1",
  "https://%s/cb?a-b=1",
  "https://%s/cb?=1",
  "https://%s/cb?a+b=1",
  "https://%s/cb?a=%%zz",
  "https://%s/cb?a=%%ff",
  "https://%s/cb#part",
  "https://%s/cb#",
  " https://%s/cb",
  "https://%s/cb ",
  "https://%s/c b",
  "https://%s/c\tb",
  "https:\\\\%s/cb",
  "https://%s\\@example.com/",
  "https:/%s/cb",
  "https:%s/cb",
  "https:///%s/cb",
  "https://%s/ü",
].map((shape) => shape.replace("%s", PUBLIC).replaceAll("%%", "%"));

// biome-ignore format: a list to be read across
const PRIVATE = [
  "10.0.0.1", "172.16.5.5", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255", "198.18.0.1",
  "0x0a000001", "167772161", "012.0.0.1", "10.1", "[fd00::1]", "[fe80::1]", "[::]", "[ff02::1]", "[::ffff:10.0.0.1]", "[64:ff9b::a00:1]",
  "[2002:a00:1::]", "metadata.google.internal", "0", "0xa.1", "012.1", "10.0.0.1.", "[::10.0.0.1]", "[2001::1]", "[2001:db8::1]", "[3fff::1]",
  "[64:ff9b:1::1]", "[100::1]", "[fec0::1]", "[5f00::1]", "192.0.2.1", "192.88.99.1", "203.0.113.9", "240.0.0.1", "１０.0.0.1",
  "rebind.example", "mapped.example", "linklocal.example", "empty.example", "half.example", "unknown.example",
];
const LOOPBACK = ["127.0.0.1", "127.1", "2130706433", "0x7f.1", "017700000001", "[::1]", "[::ffff:127.0.0.1]", "localhost", "LOCALHOST."];
const NO_URLS = [
  "not a url",
  "",
  "https://",
  `//${PUBLIC}`,
  "javascript:alert(1)",
  "file:///etc/passwd",
  `${PUBLIC}/cb`,
  `https://${PUBLIC}/${"x".repeat(2000)}`,
];

test.each([...BAD_SHAPES, ...NO_URLS])("refused for its shape, in trials too: %j", async (url) => {
  expect(await strict(url)).toMatch(/^[A-Z].*\.$/s);
  expect(await trial(url)).toMatch(/^[A-Z].*\.$/s);
});

test.each(PRIVATE.flatMap((host) => [`https://${host}/x`, `http://${host}/x`]))("refused for its host, in trials too: %s", async (url) => {
  expect(await strict(url)).not.toBeNull();
  expect(await trial(url)).not.toBeNull();
});

test.each(LOOPBACK.flatMap((host) => [`https://${host}/x`, `http://${host}/x`, `http://${host}:9/x?shop=1`]))(
  "refused, except in trials that list the range: %s",
  async (url) => {
    expect(await strict(url)).not.toBeNull();
    expect(await trial(url)).toBeNull();
  },
);

test.each([
  `https://${PUBLIC}/cb`,
  `https://${PUBLIC}`,
  `https://${PUBLIC}:443/cb`,
  `https://${PUBLIC}:8443/cb?shop=a%20b&x=1`,
  "https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/cb",
  "https://example.com/cb?",
  "HTTPS://EXAMPLE.com./cb?V=1&shop=a+b",
  "https://xn--bcher-kva.example/cb",
])("taken: %s", async (url) => {
  expect(await strict(url)).toBeNull();
});

test("the rules on user names, fragments and query names also apply in trials", async () => {
  for (const url of ["http://u@127.0.0.1/", "http://127.0.0.1/#x", "http://127.0.0.1/?nonce=1", "http://127.0.0.1/?a=1&a=2"]) {
    expect(await trial(url)).not.toBeNull();
  }
});

test("a name server that does not answer is given up after five seconds", async () => {
  vi.useFakeTimers();
  try {
    const check = callbackUrlChecker({ allow: [], resolve: () => new Promise(() => {}) });
    const answer = check("https://slow.example/cb");
    await vi.advanceTimersByTimeAsync(5000);
    expect(await answer).toBe("Its host name does not resolve to an address.");
  } finally {
    vi.useRealTimers();
  }
});

test("the system's resolver is used by default", async () => {
  expect(await callbackUrlChecker({ allow: ranges("127.0.0.0/8", "::1") })("http://localhost:3000/cb")).toBeNull();
  expect(await callbackUrlChecker({ allow: [] })("https://localhost/cb")).not.toBeNull();
});
