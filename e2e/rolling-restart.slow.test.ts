import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { caughtUp, PREFIX } from "./harness/client.ts";
import { until, within } from "./harness/deadline.ts";
import { type Client, change, newClient } from "./harness/operator.ts";
import { connect, exchange, requestText } from "./harness/raw-http.ts";
import { type Ended, startProxy } from "./harness/servers/keep-alive-proxy.ts";
import { freePort, hasEnded } from "./harness/servers/receivers.ts";
import { type Installation, ROOT, type Service, startInstallation, temporaryFolder } from "./harness/service.ts";

let installation: Installation;
let client: Client;
const processes: Service[] = [];
// The proxy is on this machine.
const DRAIN = { CORPRAIL_DRAIN_SECONDS: "1", CORPRAIL_TRUSTED_PROXIES: "127.0.0.1" };

beforeAll(async () => {
  installation = await startInstallation(DRAIN);
  processes.push(installation.service, await another());
  client = await newClient(installation.service, { settings: { money_per_minute: 100_000, get_per_minute: 100_000 } });
  await change(installation.service, `/accounts/${client.accountId}/wallet`, { amount: "900000", reference: "first", note: "" });
  // A process that does not know of the allowlist yet would refuse the first requests.
  for (const other of processes.slice(1)) await caughtUp(installation.service, other);
});
afterAll(() => installation?.close());

const another = (port = 0) =>
  installation.another({ ...DRAIN, CORPRAIL_PORT: String(port), CORPRAIL_OPERATOR_KEY: installation.service.operatorKey });

let requests = 0;

function recharge(): string {
  const body = `{"account":"9876543000","operator":"AT","amount":"10.00","urid":"roll-${++requests}"}`;
  const headers = [
    ["Host", "a"],
    ["X-Api-Token", client.token],
    ["Content-Type", "application/json"],
    ["Content-Length", String(body.length)],
  ] as const;
  return requestText("POST", `${PREFIX}/recharge`, headers, body);
}

/** Sends without a pause, some at a time, while `work` is done; answers how often a request ended in which way. */
async function sendingDuring(send: () => Promise<Ended>, work: () => Promise<void>): Promise<ReadonlyMap<Ended, number>> {
  const ends = new Map<Ended, number>();
  let going = true;
  const loops = Array.from({ length: 4 }, async () => {
    while (going) {
      const end = await send();
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
  });
  await work();
  going = false;
  await Promise.all(loops);
  return ends;
}

async function restartAll(): Promise<void> {
  for (const [place, old] of processes.entries()) {
    old.signal("SIGTERM");
    expect((await within("it stops", old.exited)).code).toBe(0);
    processes[place] = await another(old.port);
  }
}

async function ordersMade(): Promise<number> {
  const { checks } = (await (await fetch(`${processes[0]?.url}/api/operator/v1/ledger/check`, authorized())).json()) as {
    checks: readonly { violations: number }[];
  };
  return checks.filter((check) => check.violations > 0).length;
}

const authorized = () => ({ headers: { authorization: `Bearer ${installation.service.operatorKey}` } });

test("a rolling restart behind a proxy with keep-alive connections fails no request", async () => {
  const proxy = startProxy(processes.map((one) => one.port));
  const ends = await sendingDuring(() => proxy.send(recharge()), restartAll);
  proxy.close();
  expect([...ends.keys()], JSON.stringify([...ends])).toEqual([200]);
  expect(await ordersMade()).toBe(0);
});

test("from the signal on it is not ready, serves on, and ends connections with their reply", async () => {
  const doomed = await installation.another({ ...DRAIN, CORPRAIL_DRAIN_SECONDS: "3" });
  const [kept, silent] = [await connect(doomed.port), await connect(doomed.port)];
  kept.send(recharge());
  expect((await kept.next())?.headers.get("connection")).toEqual(["keep-alive"]);
  doomed.signal("SIGTERM");
  const notReady = await until("it is not ready", async () => {
    const reply = await exchange(doomed.port, requestText("GET", "/readyz", [["Host", "a"]]));
    return reply.status === 503 && reply;
  });
  expect(notReady.json()).toEqual({ status: "not ready", reason: "stopping" });
  expect(notReady.headers.get("retry-after")).toHaveLength(1);
  for (const connection of [kept, await connect(doomed.port)]) {
    connection.send(recharge());
    const reply = await connection.next();
    expect([reply?.status, reply?.headers.get("connection")]).toEqual([200, ["close"]]);
    await connection.closed;
  }
  expect(silent.isClosed()).toBe(false);
  expect((await within("it stops", doomed.exited)).code).toBe(0);
  await silent.closed;
});

const hasNginx = spawnSync("nginx", ["-v"]).status === 0;

describe.skipIf(!hasNginx)("behind nginx as documented (skipped where nginx is not installed)", () => {
  let folder: string;
  let port: number;
  let nginx: ReturnType<typeof spawn>;
  beforeAll(async () => {
    folder = await temporaryFolder();
    port = await freePort();
    await mkdir(join(folder, "temp"));
    await writeFile(join(folder, "nginx.conf"), await documentedConfiguration(folder, port));
    nginx = spawn("nginx", ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")], { stdio: "inherit" });
    await until("nginx listens", async () => {
      if (hasEnded(nginx)) throw new Error(`nginx ended before it listened:\n${await readFile(join(folder, "error.log"), "utf8")}`);
      return (await fetch(`http://127.0.0.1:${port}/none`).catch(() => null))?.status === 404;
    });
  });
  afterAll(async () => {
    if (nginx && !hasEnded(nginx)) {
      nginx.kill("SIGQUIT");
      await once(nginx, "exit");
    }
    if (folder) await rm(folder, { recursive: true });
  });

  test("portal, console, reference, both APIs and the providers' address are served", async () => {
    const at = async (path: string) => {
      const reply = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: "manual", ...authorized() });
      return [reply.status, reply.headers.get("content-type")?.split(";")[0]];
    };
    expect(await at("/portal")).toEqual([200, "text/html"]);
    expect(await at("/portal/api/session")).toEqual([expect.any(Number), "application/json"]);
    expect(await at("/console")).toEqual([200, "text/html"]);
    expect(await at("/docs")).toEqual([200, "text/html"]);
    expect(await at("/api/operator/v1/accounts")).toEqual([200, "application/json"]);
    expect(await at("/api/corp/v1/balance")).toEqual([401, "application/json"]);
    expect(await at("/upstream/nobody/callback")).toEqual([403, "application/json"]);
    for (const path of ["/metrics", "/readyz", "/healthz"]) expect((await at(path))[0]).toBe(404);
  });

  test("a rolling restart gives no 502 and fails no request", async () => {
    const proxy = startProxy([port]);
    const ends = await sendingDuring(() => proxy.send(recharge()), restartAll);
    proxy.close();
    expect([...ends.keys()], await readFile(join(folder, "error.log"), "utf8")).toEqual([200]);
    expect(await ordersMade()).toBe(0);
  });
});

/** The configuration of the guide, with these processes behind it and without what needs a certificate or another network. */
async function documentedConfiguration(folder: string, listenPort: number): Promise<string> {
  const guide = await readFile(join(ROOT, "docs/guide/self-hosting.md"), "utf8");
  const [, documented = ""] = /```nginx\n([\s\S]*?)```/.exec(guide) ?? [];
  const servers = processes.map((one) => `server 127.0.0.1:${one.port} max_fails=0;`).join("\n");
  const ours = documented
    .replace("server 127.0.0.1:8080 max_fails=0;", servers)
    .replace("listen 443 ssl;", `listen 127.0.0.1:${listenPort};`)
    .replace(/^ *ssl_.*\n/gm, "")
    .replaceAll("10.0.0.0/8", "127.0.0.0/8");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/temp/${name};`);
  return `daemon off; worker_processes 2; pid ${folder}/nginx.pid;
events { worker_connections 512; }
http { access_log off; ${temporary.join(" ")}
${ours}
}`;
}
