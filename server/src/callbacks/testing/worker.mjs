// A delivering process of its own, for tests that kill it. Runs what `npm run build` made.
import { parseRange } from "../../../dist/accounts/address.js";
import { openVault } from "../../../dist/accounts/vault.js";
import { openCallbacks } from "../../../dist/callbacks/open-callbacks.js";
import { connect } from "../../../dist/db/connection.js";
import { nameResolver } from "../../../dist/egress/names.js";
import { systemClock } from "../../../dist/kernel/clock.js";
import { randomIds } from "../../../dist/kernel/ids.js";
import { openLog } from "../../../dist/observe/log.js";

const { databaseUrl, keyPath, nameServer, clockOffsetSeconds } = JSON.parse(process.argv[2]);
const { sql } = connect({ url: databaseUrl, connections: 4, role: "corprail_app" });
await openCallbacks({
  sql,
  vault: await openVault(keyPath),
  clock: systemClock(clockOffsetSeconds),
  ids: randomIds(),
  log: openLog("silent"),
  processId: String(process.pid),
  allow: [parseRange("127.0.0.0/8")],
  sender: nameServer ? { resolve: nameResolver({ servers: [nameServer] }) } : {},
});
process.stdout.write("ready\n");
