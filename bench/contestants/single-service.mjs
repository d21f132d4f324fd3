// The service with its order writer held to batches of one on twenty connections: what batching itself brings.

import { createLog } from "../../server/dist/platform/observability/log.js";
import { startService } from "../../server/dist/service.js";
import { readConfig } from "../../server/dist/settings/config.js";

const CONNECTIONS = 20;

const read = readConfig(process.env, process.cwd());
if (!read.ok) throw new Error(read.message);
const service = await startService(read.config, createLog(read.config.logLevel), { writer: { maxItems: 1, connections: CONNECTIONS } });
process.once("SIGTERM", () => void service.stop().then(() => process.exit(0)));
