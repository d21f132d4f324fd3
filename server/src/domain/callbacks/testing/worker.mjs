// A delivering process of its own, for tests that kill it. Runs what `npm run build` made.

import { startCallbacks } from "../../../../dist/domain/callbacks/start-callbacks.js";
import { systemClock } from "../../../../dist/platform/core/clock.js";
import { randomIds } from "../../../../dist/platform/core/ids.js";
import { loadVault } from "../../../../dist/platform/crypto/vault.js";
import { connect } from "../../../../dist/platform/db/connection.js";
import { parseRange } from "../../../../dist/platform/network/address.js";
import { nameResolver } from "../../../../dist/platform/network/name-resolver.js";
import { createLog } from "../../../../dist/platform/observability/log.js";

const { databaseUrl, keyPath, nameServer, clockOffsetSeconds } = JSON.parse(process.argv[2]);
const { sql } = connect({ url: databaseUrl, connections: 4, role: "corprail_app" });
await startCallbacks({
  sql,
  vault: await loadVault(keyPath),
  clock: systemClock(clockOffsetSeconds),
  ids: randomIds(),
  log: createLog("silent"),
  processId: String(process.pid),
  allow: [parseRange("127.0.0.0/8")],
  sender: nameServer ? { resolve: nameResolver({ servers: [nameServer] }) } : {},
});
process.stdout.write("ready\n");
