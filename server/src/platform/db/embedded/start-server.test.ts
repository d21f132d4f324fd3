import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { prepareCluster } from "./make-cluster.ts";
import { findPrograms } from "./programs.ts";
import { chooseServerUser } from "./server-user.ts";
import { freePort, startServer } from "./start-server.ts";
import { serversIn } from "./stop-servers.ts";
import { quietLog, temporaryFolder } from "./testing/helpers.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

test("if another process takes the chosen port first, another port is used", async () => {
  const dataFolder = temporaryFolder();
  const cluster = join(dataFolder, "postgres");
  const location = { dataFolder, cluster, user: chooseServerUser(dataFolder, cluster) };
  const programs = await findPrograms(location.user, dataFolder);
  await prepareCluster(location, programs);
  const taken = await takenPort();
  const ports = [taken, taken, await freePort()];
  const { port, server } = await startServer(location, programs, {}, quietLog, async () => ports.shift() ?? 0);
  expect(port).not.toBe(taken);
  await server.stop();
  expect(serversIn(cluster)).toEqual([]);
});

async function takenPort(): Promise<number> {
  const other = createServer();
  onTestFinished(() => void other.close());
  await new Promise<void>((done) => other.listen(0, "127.0.0.1", done));
  const address = other.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
