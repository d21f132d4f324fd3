// `npm start`: builds what is missing or older than its source, then runs the service in this very process.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const compiler = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));

// Done by npm ci already, unless it ran without scripts.
await import("./patch-driver.mjs").catch((error) => console.error(`The database driver could not be mended: ${error.message}`));

const build = spawnSync(process.execPath, [compiler, "-b", root], { stdio: ["ignore", "inherit", "inherit"] });
if (build.error) console.error(`The build could not be run: ${build.error.message}. Run npm ci first.`);
if (build.status !== 0) process.exit(build.status ?? 1);

const { buildWeb } = await import("./build-web.mjs");
await buildWeb();

const { main } = await import("../server/dist/main.js");
await main();
