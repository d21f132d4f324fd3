#!/usr/bin/env node
let program;
try {
  program = await import("../dist/main.js");
} catch (error) {
  if (error?.code !== "ERR_MODULE_NOT_FOUND") throw error;
  // Either package may be the one that is not built, so what is missing is named.
  console.error(`Corprail is not built: run npm run build first (npm ci before it, on a fresh clone).\n${error.message.split("\n", 1)[0]}`);
  process.exit(1);
}
await program.main(process.argv.slice(2));
