// Mends postgres.js 3.4.9 (porsager/postgres issues 1066, 1154, 1208): a connection that is lost while something is still
// to be written to it throws where nobody can catch it, which ends the process, or never writes again; and what was still
// waiting for an answer then takes those of whoever has the connection next. And of several connections none is sent a
// statement while it has one: a short one waited for a long one there, or for whatever that waited for, while others were free.
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const FIXED_IN = "3.4.9";

const CONNECTION = [
  {
    was: "  function nextWrite(fn) {\n    const x = socket.write(chunk, fn)\n",
    is:
      "  function drop(err) {\n    query && queryError(query, err)\n    query = null\n    while (sent.length)\n" +
      "      queryError(sent.shift(), err)\n  }\n\n" +
      "  function nextWrite(fn) {\n    if (socket === null) {\n      chunk = nextWriteTimer = null\n" +
      "      drop(Errors.connection('CONNECTION_CLOSED', options))\n      return true\n    }\n    const x = socket.write(chunk, fn)\n",
  },
  {
    was: "    clearImmediate(nextWriteTimer)\n    socket.removeListener('data', data)\n",
    is:
      "    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n" +
      "    drop(Errors.connection('CONNECTION_CLOSED', options, socket))\n    socket.removeListener('data', data)\n",
  },
];
const POOL = [
  {
    was: "    busy.length\n      ? go(busy.shift(), query)\n",
    is: "    busy.length && options.max === 1\n      ? go(busy.shift(), query)\n",
  },
  {
    was: "    let max = Math.ceil(queries.length / (connecting.length + 1))\n",
    is: "    let max = options.max > 1 ? 1 : Math.ceil(queries.length / (connecting.length + 1))\n",
  },
];

const require = createRequire(import.meta.url);
const folder = dirname(dirname(dirname(require.resolve("postgres"))));
const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
if (version !== FIXED_IN) throw new Error(`postgres is ${version}: see whether it still needs scripts/patch-driver.mjs.`);
for (const sources of ["src", "cjs/src"]) {
  await mend(join(folder, sources, "connection.js"), CONNECTION);
  await mend(join(folder, sources, "index.js"), POOL);
}

async function mend(path, mends) {
  const before = await readFile(path, "utf8");
  let after = before;
  for (const { was, is } of mends) {
    if (after.includes(is)) continue;
    if (after.split(was).length !== 2) throw new Error(`${path} is not what scripts/patch-driver.mjs expects.`);
    after = after.replace(was, () => is);
  }
  if (after !== before) await writeFile(path, after);
}
