import { rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, type Database } from "../server/src/platform/db/connection.ts";
import { migratedDatabase, type OwnDatabase } from "../server/src/testing/database.ts";
import { until, within } from "./harness/deadline.ts";
import { type Environment, type Exit, type Launched, launch, listeningPort, temporaryFolder } from "./harness/service.ts";

let database: OwnDatabase;
let owner: Database;
let folder: string;
beforeAll(async () => {
  database = await migratedDatabase();
  owner = connect({ url: database.url, connections: 1, role: null });
  folder = await temporaryFolder();
});
afterAll(async () => {
  await owner.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});

function start(more: Environment): Launched {
  return launch({ CORPRAIL_DATABASE_URL: database.url, CORPRAIL_DATA_DIR: folder, CORPRAIL_PORT: "0", ...more });
}

async function failedStart(more: Environment): Promise<Launched & { readonly exit: Exit }> {
  const launched = start(more);
  return { ...launched, exit: await within("the start fails", launched.exited) };
}

async function listener(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return { server, port: typeof address === "object" && address !== null ? address.port : 0 };
}

test.each(["CORPRAIL_PORT", "CORPRAIL_CONSOLE_PORT", "CORPRAIL_METRICS_PORT"])(
  "a port in use is reported with its variable, %s",
  async (variable) => {
    const { server, port } = await listener();
    const failed = await failedStart({ [variable]: String(port) });
    server.close();
    expect(failed.exit.code).toBe(1);
    expect(failed.errors().trim()).toBe(
      `Corprail cannot listen on 127.0.0.1:${port}: another program is already listening there; set ${variable} to a free port.`,
    );
  },
);

test.each<Environment>([
  { CORPRAIL_OUTER_KEY: "zz" },
  { CORPRAIL_OUTER_KEY_COMMAND: "/bin/false" },
  { CORPRAIL_MASTER_KEY_FILE: "/etc/passwd" },
])("a failed start names its reason only, and not a fault of the database: %j", async (setting) => {
  const failed = await failedStart(setting);
  expect(failed.exit.code).toBe(1);
  expect(failed.errors()).not.toBe("");
  expect(failed.output()).not.toContain("service not ready");
});

test("a start on a read-only database says so on /readyz, and succeeds once the database accepts writes", async () => {
  const name = new URL(database.url).pathname.slice(1);
  const { server, port } = await listener();
  server.close();
  await owner.sql.unsafe(`alter database ${name} set default_transaction_read_only = on`);
  const waiting = start({ CORPRAIL_PORT: String(port) });
  const readyz = async () => {
    const reply = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    return reply === null ? null : { status: reply.status, body: await reply.json() };
  };
  expect(await until("the service answers", readyz)).toEqual({
    status: 503,
    body: { status: "not ready", reason: "the database is read-only" },
  });
  await owner.sql.unsafe(`alter database ${name} reset default_transaction_read_only`);
  expect(await listeningPort(waiting)).toBe(port);
  await until("it is ready", async () => (await readyz())?.status === 200);
  waiting.signal("SIGTERM");
  expect((await waiting.exited).code).toBe(0);
});
