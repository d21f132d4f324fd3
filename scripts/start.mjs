// `npm start`: builds what is missing or older than its source, then runs the service in this very process.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const compiler = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));

// Done by npm ci already, unless it ran without scripts.
await import("./patch-driver.mjs").catch((error) => console.error(`The database driver could not be mended: ${error.message}`));

build(compiler, "-b", root);
// In a process of its own as well: the bundler sets NODE_ENV, by which the service would take itself to be in production.
build(fileURLToPath(new URL("build-web.mjs", import.meta.url)));

const { main } = await import("../server/dist/main.js");
await main();

function build(...words) {
  const built = spawnSync(process.execPath, words, { stdio: ["ignore", "inherit", "inherit"] });
  if (built.error) console.error(`The build could not be run: ${built.error.message}. Run npm ci first.`);
  if (built.status !== 0) process.exit(built.status ?? 1);
}
